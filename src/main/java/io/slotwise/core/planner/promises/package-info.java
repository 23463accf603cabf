/**
 * The promises that hold, before anything new is planned.
 *
 * <p>{@link io.slotwise.core.planner.promises.PromiseGuard} breaks promises that cannot hold alone, each with a cause.
 * Where {@link io.slotwise.core.planner.promises.CapacityConflict}s show promises in each other's way, {@link
 * io.slotwise.core.planner.promises.MinimumBrokenPromises} breaks the fewest. {@link
 * io.slotwise.core.planner.promises.Successors} keep their place where pods before them end late.
 *
 * <p>Invariants: every broken promise has a cause of {@link io.slotwise.core.plan.BrokenPromise}, and the room of
 * promises that hold is taken before any gang searches. To add a cause, add a constant there and a check here.
 */
@NullMarked
package io.slotwise.core.planner.promises;

import org.jspecify.annotations.NullMarked;
