/**
 * The requests and the state of single pods.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.pods.PodFilter} selects the pods that Slotwise plans and how they get to
 * their nodes. {@link io.slotwise.kubernetes.manifest.pods.PodResources} counts resources as kube-scheduler does, and
 * {@link io.slotwise.kubernetes.manifest.pods.PodConstraints} reads where a pod may run. {@link
 * io.slotwise.kubernetes.manifest.pods.KubeSchedulerNeeds} lists what only kube-scheduler can decide, {@link
 * io.slotwise.kubernetes.manifest.pods.PodRecreation} tells when an evicted pod is back, and {@link
 * io.slotwise.kubernetes.manifest.pods.Pods} answers all other questions.
 *
 * <p>All are functions of the object, so {@link io.slotwise.kubernetes.manifest.pods.ObjectCache} may keep an answer
 * while the object stays the same. Where kube-scheduler defines the semantics, they are kept, and the source is named.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.pods;

import org.jspecify.annotations.NullMarked;
