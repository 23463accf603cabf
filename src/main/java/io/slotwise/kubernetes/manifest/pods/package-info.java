/**
 * What a pod asks for and how far it is.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.pods.PodFilter} says which pods are ours and which way they go to their
 * nodes, {@link io.slotwise.kubernetes.manifest.pods.PodResources} what a pod takes as kube-scheduler counts it,
 * {@link io.slotwise.kubernetes.manifest.pods.PodConstraints} where it may run, {@link
 * io.slotwise.kubernetes.manifest.pods.KubeSchedulerNeeds} what only kube-scheduler can decide, {@link
 * io.slotwise.kubernetes.manifest.pods.PodRecreation} when an evicted pod is back, {@link
 * io.slotwise.kubernetes.manifest.pods.Pods} the rest of the questions.
 *
 * <p>All are functions of the object, so {@link io.slotwise.kubernetes.manifest.pods.ObjectCache} may keep an answer
 * for as long as the object is the same. Where kube-scheduler has a meaning, it is kept, with the source named.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.pods;

import org.jspecify.annotations.NullMarked;
