/**
 * Queues: the shares of a cluster that groups of gangs are guaranteed, and what they lend to each other over time.
 *
 * <p>A {@link io.slotwise.core.queue.Queue} has a parent, a weight, and {@link io.slotwise.core.queue.Amount}s that it
 * is guaranteed, may use at most, and lends at most. {@link io.slotwise.core.queue.QueueTree} joins the queues under
 * one root, refuses those that contradict each other ({@link io.slotwise.core.queue.QueueFault}), and resolves
 * percentages and defaults. {@link io.slotwise.core.queue.QueueTimeline} has what the gangs of each queue use over
 * time, and the seconds in which a further request is not allowed. {@link io.slotwise.core.queue.QueueOutlook} shows
 * that use to readers. {@link io.slotwise.core.queue.QueueState} is the
 * input of a planning cycle.
 *
 * <p>A gang uses its queue and all queues above it with the sum of its pods' requests, from the start of its window
 * until the last pod's end. The sum does not depend on nodes. So the seconds that are closed to a gang are known before
 * a search, and a search treats them like seconds in which no node is available.
 *
 * <p>Contracts: times are seconds since the epoch, amounts are in the units of {@link
 * io.slotwise.core.resource.Resources}. Only resources that some queue states an amount of are counted. Without queues
 * there is no {@code QueueState}, and nothing here is called.
 */
@NullMarked
package io.slotwise.core.queue;

import org.jspecify.annotations.NullMarked;
