/**
 * How a plan is told: {@link io.slotwise.report.PlanReport} turns a {@link io.slotwise.core.plan.Plan} into the figures
 * that are shown, and one class for each form writes them: {@link io.slotwise.report.JsonReport}, {@link
 * io.slotwise.report.CsvReport}, {@link io.slotwise.report.TableReport}, {@link io.slotwise.report.GanttChart} and
 * {@link io.slotwise.report.Explanation}.
 *
 * <p>Tables are drawn by {@link io.slotwise.report.TextTable} and not by picocli's {@code Help.TextTable}: on a narrow
 * screen it leaves out columns that a reader can spare, shortens names in their middle and puts a long last column
 * under its row, where picocli's columns have fixed widths and wrap or cut every cell; and reports are written without
 * a command line, too, where picocli must not be. How wide the screen is, is asked of picocli by the command line.
 *
 * <p>Money is rounded here and nowhere before: a window's cost once and upwards, its pods' downwards with the rest on
 * the last pod, so that pods sum to their window, and owners' income to the total. The same plan gives the same text.
 */
@NullMarked
package io.slotwise.report;

import org.jspecify.annotations.NullMarked;
