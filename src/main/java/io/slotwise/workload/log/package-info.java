/**
 * Logs as texts: what all formats share.
 *
 * <p>{@link io.slotwise.workload.log.TextSource} can be read again and again, {@link io.slotwise.workload.log.Lines}
 * counts lines, {@link io.slotwise.workload.log.LogRow} and {@link io.slotwise.workload.log.CsvTable} know columns, a
 * {@link io.slotwise.workload.log.JobParser} is the part that a format adds; {@link
 * io.slotwise.workload.log.LogWorkload} makes jobs of it and {@link io.slotwise.workload.log.LogReading} says what
 * became of the lines. What cannot be read is a {@link io.slotwise.workload.log.MalformedWorkload} with file and
 * line.
 */
@NullMarked
package io.slotwise.workload.log;

import org.jspecify.annotations.NullMarked;
