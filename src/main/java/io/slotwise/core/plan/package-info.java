/**
 * The values that go into the planner and come out of it.
 *
 * <p>A {@link io.slotwise.core.plan.Snapshot} is all that a cycle is planned from: the cluster, the {@link
 * io.slotwise.core.plan.Request}s and the {@link io.slotwise.core.plan.Promise}s that they have, budgets, what runs.
 * A {@link io.slotwise.core.plan.Policy} is what the admin wants. A {@link io.slotwise.core.plan.Plan} is the answer:
 * for each gang a {@link io.slotwise.core.plan.Planned} window or a {@link io.slotwise.core.plan.Pending} entry with
 * its {@link io.slotwise.core.plan.Refusal}.
 *
 * <p>Contracts: times are seconds since the epoch, money is in millionths. Everything is immutable, and nothing here
 * searches or decides; that is {@code core.planner}. A refusal is a value with a key and figures until a face shows
 * it.
 *
 * <p>To add a reason, add a record and a line of {@code RefusalKind}; the compiler and tests ask for the rest.
 */
@NullMarked
package io.slotwise.core.plan;

import org.jspecify.annotations.NullMarked;
