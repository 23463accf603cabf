/**
 * Gangs from outside a cluster: logs and traces, models, and the papers' generators.
 *
 * <p>A {@link io.slotwise.lab.workload.Workload} streams its {@link io.slotwise.lab.workload.Job}s in the order of
 * submission, so that a log of any length needs no more memory than the jobs that a caller keeps. Times are whole
 * seconds on the workload's own clock. Nothing here knows about virtual time, machines or policies.
 *
 * <p>{@code format} opens the input that a user names, with {@link io.slotwise.lab.workload.format.WorkloadFile} and a
 * constant of {@link io.slotwise.lab.workload.format.WorkloadFormat} for each format. {@code log} has the common part
 * of all formats: order, strictness and omissions. {@code swf} and {@code traces} read and write lines, {@code lublin}
 * and {@code paper} are models, and {@code estimate} wraps any workload. Kubernetes objects are written next to their
 * readers.
 */
@NullMarked
package io.slotwise.lab.workload;

import org.jspecify.annotations.NullMarked;
