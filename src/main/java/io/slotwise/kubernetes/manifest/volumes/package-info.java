/**
 * The effect of volume claims on where and when pods can run. {@link
 * io.slotwise.kubernetes.manifest.volumes.PodVolumes} is the entry point. {@link
 * io.slotwise.kubernetes.manifest.volumes.VolumeClaims} finds the claims of pods, {@link
 * io.slotwise.kubernetes.manifest.volumes.VolumeReach} the nodes that can reach a volume, and {@link
 * io.slotwise.kubernetes.manifest.volumes.FreeVolumes} the volumes that a claim could be bound to.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.volumes;

import org.jspecify.annotations.NullMarked;
