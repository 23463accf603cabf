/**
 * What volume claims mean for where and when pods can run: {@link io.slotwise.kubernetes.manifest.volumes.PodVolumes}
 * over what is known of claims, volumes and classes. {@link
 * io.slotwise.kubernetes.manifest.volumes.VolumeClaims} finds the claims of pods, {@link
 * io.slotwise.kubernetes.manifest.volumes.VolumeReach} says where a volume can be reached, {@link
 * io.slotwise.kubernetes.manifest.volumes.FreeVolumes} which volumes a claim could be bound to.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.volumes;

import org.jspecify.annotations.NullMarked;
