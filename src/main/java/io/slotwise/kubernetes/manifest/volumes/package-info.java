/**
 * What volume claims mean for where and when pods can run: {@link io.slotwise.kubernetes.manifest.volumes.PodVolumes}
 * over the {@link io.slotwise.kubernetes.manifest.volumes.VolumeObjects} that are known.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.volumes;

import org.jspecify.annotations.NullMarked;
