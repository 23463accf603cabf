/**
 * Files of Kubernetes objects.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.file.ManifestFile} reads YAML and JSON into the same {@link
 * io.slotwise.kubernetes.manifest.ClusterObjects} that watches fill. {@link
 * io.slotwise.kubernetes.manifest.file.ManifestDocuments} splits texts into objects, {@link
 * io.slotwise.kubernetes.manifest.file.ManifestReader} converts each to its kind, and {@link
 * io.slotwise.kubernetes.manifest.file.ExpandedWorkload} has the pods that a controller would create. {@link
 * io.slotwise.kubernetes.manifest.file.ManifestWriter} writes a workload as objects.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.file;

import org.jspecify.annotations.NullMarked;
