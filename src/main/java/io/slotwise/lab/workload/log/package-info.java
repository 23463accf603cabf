/**
 * Logs as texts: what all formats share.
 *
 * <p>{@link io.slotwise.lab.workload.log.TextSource} can be read again and again, {@link
 * io.slotwise.lab.workload.log.Lines} counts lines, {@link io.slotwise.lab.workload.log.LogRow} and {@link
 * io.slotwise.lab.workload.log.CsvTable} know columns, a {@link io.slotwise.lab.workload.log.JobParser} is the part
 * that a format adds; {@link io.slotwise.lab.workload.log.LogWorkload} makes jobs of it and {@link
 * io.slotwise.lab.workload.log.LogWorkload.LogReading} says what became of the lines. What cannot be read is a {@link
 * io.slotwise.lab.workload.log.MalformedWorkload} with file and line.
 */
@NullMarked
package io.slotwise.lab.workload.log;

import org.jspecify.annotations.NullMarked;
