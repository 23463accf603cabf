/**
 * Devices that drivers offer (dynamic resource allocation, {@code resource.k8s.io/v1}): which there are on which node,
 * and which of them a request takes.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.device.NodeDevices} sorts ResourceSlices into the devices of nodes as
 * kube-scheduler's allocator does, {@link io.slotwise.kubernetes.manifest.device.DeviceSelectors} evaluates the CEL
 * expressions of classes and requests and remembers the answers. What follows for pods is asked of {@link
 * io.slotwise.kubernetes.manifest.device.PodDevices}: {@link io.slotwise.kubernetes.manifest.device.DeviceClaims} finds
 * their claims, {@link io.slotwise.kubernetes.manifest.device.DeviceAsks} reads what these ask for, {@link
 * io.slotwise.kubernetes.manifest.device.DeviceSets} counts it, and {@link
 * io.slotwise.kubernetes.manifest.device.DeviceHolders} knows who holds what was given out.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.device;

import org.jspecify.annotations.NullMarked;
