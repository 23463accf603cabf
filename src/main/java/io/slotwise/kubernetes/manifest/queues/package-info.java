/**
 * Queue objects, and the queue of each gang.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.queues.QueueReader} reads an object into a queue of the planner, and {@link
 * io.slotwise.kubernetes.manifest.queues.QueueAmounts} its amounts over time. {@link
 * io.slotwise.kubernetes.manifest.queues.ClusterQueues} has the queues of one intake: which of them a namespace has,
 * the tree, and the objects that are left out.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.queues.PeerQueues} are the queues of another project as Queue objects, with
 * notes on what is not translated. A project is added with one reader such as {@link
 * io.slotwise.kubernetes.manifest.queues.VolcanoQueues}. Only Kueue's objects are also read by plans.
 *
 * <p>Contract: an object that contradicts itself or others is left out, with a reason and a sentence, and all others
 * count. The gangs of its namespaces stay in it and wait, so that no gang evades a limit by a mistake in it.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.queues;

import org.jspecify.annotations.NullMarked;
