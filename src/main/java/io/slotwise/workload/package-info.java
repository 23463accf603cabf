/**
 * Where gangs come from outside a cluster: logs and traces, models, the papers' generators.
 *
 * <p>A {@link io.slotwise.workload.Workload} tells its {@link io.slotwise.workload.Job}s in the order of submission, one after
 * the other, so that a log of any length takes no more memory than the jobs that somebody holds on to. Times are whole seconds on
 * the workload's own clock; nothing here knows about virtual time, machines or policies.
 *
 * <p>{@link io.slotwise.workload.WorkloadFile} opens what a user names. A format is a constant of
 * {@link io.slotwise.workload.WorkloadFormat} and a parser of its lines; {@link io.slotwise.workload.LogWorkload} does the rest for all
 * of them: order, strictness, what was left out. {@link io.slotwise.workload.TsafrirEstimates} wraps any workload. {@link
 * io.slotwise.workload.NodeFile} reads the machines that belong to them, {@link io.slotwise.workload.SwfWriter} and
 * {@link io.slotwise.workload.PodsCsvWriter} write; Kubernetes objects are written where the others of their kind are read.
 */
@NullMarked
package io.slotwise.workload;

import org.jspecify.annotations.NullMarked;
