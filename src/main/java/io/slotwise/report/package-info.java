/**
 * How a plan is told: {@link io.slotwise.report.PlanReport} turns a {@link io.slotwise.core.plan.Plan} into the figures that are shown,
 * and one class for each form writes them: {@link io.slotwise.report.JsonReport}, {@link io.slotwise.report.CsvReport},
 * {@link io.slotwise.report.TableReport}, {@link io.slotwise.report.GanttChart} and {@link io.slotwise.report.Explanation}.
 *
 * <p>Experiments are told by {@link io.slotwise.report.ExperimentTable}, {@link io.slotwise.report.ExperimentMarkdown}, {@link
 * io.slotwise.report.ExperimentJson} and {@link io.slotwise.report.ExperimentCsv}.
 *
 * <p>Money is rounded here and nowhere before: a window's cost once and upwards, its pods' downwards with the rest on the last pod, so
 * that pods sum to their window, and owners' income to the total. The same plan gives the same text.
 */
@NullMarked
package io.slotwise.report;

import org.jspecify.annotations.NullMarked;
