/**
 * The resource definition of queues.
 *
 * <p>An admin writes the {@link io.slotwise.kubernetes.crd.v1alpha1.queue.QueueSpec} of a {@link
 * io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject}, and Slotwise its {@link
 * io.slotwise.kubernetes.crd.v1alpha1.queue.QueueStatus}. A field of the spec also needs the CRD of the chart and
 * {@code manifest.queues.QueueReader}.
 */
@NullMarked
package io.slotwise.kubernetes.crd.v1alpha1.queue;

import org.jspecify.annotations.NullMarked;
