/**
 * The output of plans. {@link io.slotwise.report.PlanReport} turns a {@link io.slotwise.core.plan.Plan} into figures,
 * and one class for each format writes them: {@link io.slotwise.report.JsonReport}, {@link
 * io.slotwise.report.CsvReport}, {@link io.slotwise.report.TableReport}, {@link io.slotwise.report.GanttChart} and
 * {@link io.slotwise.report.Explanation}.
 *
 * <p>Tables use {@link io.slotwise.report.TextTable} instead of picocli's {@code Help.TextTable}. On a narrow screen it
 * leaves out dispensable columns, shortens names in the middle and puts a long last column under its row. picocli's
 * columns have fixed widths and wrap or cut every cell. Reports are also written without a command line, where picocli
 * must not be used. The command line asks picocli for the width of the screen.
 *
 * <p>Money is only rounded here: a window's cost once and upwards, its pods' downwards with the rest on the last pod.
 * So pods sum to their window, and owners' income to the total. The same plan gives the same text.
 */
@NullMarked
package io.slotwise.report;

import org.jspecify.annotations.NullMarked;
