/**
 * The inputs and outputs of the planner.
 *
 * <p>A {@link io.slotwise.core.plan.Snapshot} is the input of a cycle: the cluster, the {@link
 * io.slotwise.core.plan.Request}s with their {@link io.slotwise.core.plan.Promise}s, the budgets and the running gangs.
 * A {@link io.slotwise.core.plan.Policy} has the admin's settings. A {@link io.slotwise.core.plan.Plan} is the output:
 * for each gang a {@link io.slotwise.core.plan.Planned} window, or a {@link io.slotwise.core.plan.Pending} entry with
 * its {@link io.slotwise.core.plan.Refusal}.
 *
 * <p>Contracts: times are seconds since the epoch, and money is in millionths. Everything is immutable. Nothing here
 * searches or decides; {@code core.planner} does. A refusal is a value with a key and figures until an interface shows
 * it.
 *
 * <p>To add a reason, add a record and a line of {@code RefusalKind}; the compiler and tests ask for the rest.
 */
@NullMarked
package io.slotwise.core.plan;

import org.jspecify.annotations.NullMarked;
