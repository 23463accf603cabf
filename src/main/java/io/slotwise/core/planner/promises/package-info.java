/**
 * Which promises hold, before anything new is planned.
 *
 * <p>{@link io.slotwise.core.planner.promises.PromiseGuard} breaks what cannot hold by itself, with a cause each. Of
 * those that are in each other's way, as {@link io.slotwise.core.planner.promises.CapacityConflict}s tell, {@link
 * io.slotwise.core.planner.promises.MinimumBrokenPromises} breaks the fewest. {@link
 * io.slotwise.core.planner.promises.Successors} keep their place where pods before them end late.
 *
 * <p>Invariant: no promise is broken without a cause of {@link io.slotwise.core.plan.BrokenPromise}; the room of
 * those that hold is taken before any gang searches. A new cause is a constant there and a check here.
 */
@NullMarked
package io.slotwise.core.planner.promises;

import org.jspecify.annotations.NullMarked;
