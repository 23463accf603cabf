/**
 * Kubernetes objects in, the planner's snapshot out.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.ManifestFile} reads files into
 * {@link io.slotwise.kubernetes.manifest.ClusterObjects}; informers fill the same record.
 * {@link io.slotwise.kubernetes.manifest.Intake} makes the {@link io.slotwise.core.plan.Snapshot} of them. Every label and
 * annotation of ours is in {@link io.slotwise.kubernetes.manifest.Keys}: it is read, or refused by name; nothing is silently
 * ignored.
 */
@NullMarked
package io.slotwise.kubernetes.manifest;

import org.jspecify.annotations.NullMarked;
