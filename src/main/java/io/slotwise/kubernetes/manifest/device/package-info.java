/**
 * Devices that drivers offer (dynamic resource allocation, {@code resource.k8s.io/v1}): the devices of nodes, and the
 * requests for them.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.device.NodeDevices} sorts ResourceSlices into the devices of nodes as
 * kube-scheduler's allocator does. {@link io.slotwise.kubernetes.manifest.device.DeviceSelectors} evaluates the CEL
 * expressions of classes and requests and caches the answers. {@link io.slotwise.kubernetes.manifest.device.PodDevices}
 * is the entry point for pods: {@link io.slotwise.kubernetes.manifest.device.DeviceClaims} finds their claims, {@link
 * io.slotwise.kubernetes.manifest.device.DeviceAsks} reads the requests, {@link
 * io.slotwise.kubernetes.manifest.device.DeviceSets} counts devices, and {@link
 * io.slotwise.kubernetes.manifest.device.DeviceHolders} knows the holders of allocated devices.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.device;

import org.jspecify.annotations.NullMarked;
