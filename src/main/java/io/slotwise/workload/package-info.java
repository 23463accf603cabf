/**
 * Where gangs come from outside a cluster: logs and traces, models, the papers' generators.
 *
 * <p>A {@link io.slotwise.workload.Workload} tells its {@link io.slotwise.workload.Job}s in the order of submission, one after
 * the other, so that a log of any length takes no more memory than the jobs that somebody holds on to. Times are whole seconds on
 * the workload's own clock; nothing here knows about virtual time, machines or policies.
 */
@NullMarked
package io.slotwise.workload;

import org.jspecify.annotations.NullMarked;
