/**
 * Where gangs come from outside a cluster: logs and traces, models, the papers' generators.
 *
 * <p>A {@link io.slotwise.lab.workload.Workload} tells its {@link io.slotwise.lab.workload.Job}s in the order of
 * submission,
 * one after the other, so that a log of any length takes no more memory than the jobs that a caller holds on to. Times
 * are whole seconds on the workload's own clock; nothing here knows about virtual time, machines or policies.
 *
 * <p>{@code format} opens what a user names: {@link io.slotwise.lab.workload.format.WorkloadFile}, and a constant of
 * {@link io.slotwise.lab.workload.format.WorkloadFormat} for each format. {@code log} does what all formats share
 * (order,
 * strictness, what was left out), {@code swf} and {@code traces} read and write lines, {@code lublin} and {@code
 * paper} are models, {@code estimate} wraps any workload. Kubernetes objects are written where the others of their
 * kind are read.
 */
@NullMarked
package io.slotwise.lab.workload;

import org.jspecify.annotations.NullMarked;
