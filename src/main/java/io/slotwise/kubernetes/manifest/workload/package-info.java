/**
 * The pods that controllers make of what people keep in git: Jobs, JobSets, the jobs of Kubeflow, Ray and Volcano, and
 * others.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.workload.WorkloadKinds} has one class for each kind of object. Each gives
 * its pods the names, labels, annotations and owners that the real controller gives them, so that {@link
 * io.slotwise.kubernetes.gangs.Conventions} recognises their gangs as in a cluster: no rule about gangs stands here.
 *
 * <p>A new kind is a class here and a line in {@code WorkloadKinds}.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.workload;

import org.jspecify.annotations.NullMarked;
