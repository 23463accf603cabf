/**
 * The pods that controllers create for objects that people keep in git: Jobs, JobSets, jobs of Kubeflow, Ray and
 * Volcano, and others.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.workload.WorkloadKinds} has one class for each kind of object. Each class
 * gives its pods the names, labels, annotations and owners that the real controller gives them, so that {@link
 * io.slotwise.kubernetes.gangs.Conventions} recognises their gangs as in a cluster. No rule about gangs belongs here.
 *
 * <p>{@code CreatedObjects} is the table of the kinds whose controllers create other objects from templates, such as
 * CronJob and AppWrapper. What these make follows from their own kinds.
 *
 * <p>To add a kind, add a row to that table, or a class here and a line in {@code WorkloadKinds}.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.workload;

import org.jspecify.annotations.NullMarked;
