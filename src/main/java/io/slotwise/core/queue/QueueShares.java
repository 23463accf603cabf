package io.slotwise.core.queue;

import io.slotwise.core.time.StepFunction;

/**
 * The resolved amounts of one resource of a queue over time.
 *
 * @param guarantee what its gangs have before all others
 * @param limit what all gangs below it use at most, {@link Amount#MOST} for no limit
 * @param ownLimit whether the limit differs from the parent's
 * @param pool the part of the guarantee that queues below it do not keep for themselves
 * @param kept the part of the pool that it does not lend
 */
record QueueShares(
        StepFunction guarantee, StepFunction limit, boolean ownLimit, StepFunction pool, StepFunction kept) {}
