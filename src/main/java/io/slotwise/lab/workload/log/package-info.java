/**
 * The common part of all log formats.
 *
 * <p>{@link io.slotwise.lab.workload.log.TextSource} can be read repeatedly, {@link io.slotwise.lab.workload.log.Lines}
 * counts lines, {@link io.slotwise.lab.workload.log.LogRow} and {@link io.slotwise.lab.workload.log.CsvTable} know
 * columns, and each format adds a {@link io.slotwise.lab.workload.log.JobParser}. {@link
 * io.slotwise.lab.workload.log.LogWorkload} makes jobs of them, and {@link
 * io.slotwise.lab.workload.log.LogWorkload.LogReading} counts the outcomes of lines. An error is a {@link
 * io.slotwise.lab.workload.log.MalformedWorkload} with file and line.
 */
@NullMarked
package io.slotwise.lab.workload.log;

import org.jspecify.annotations.NullMarked;
