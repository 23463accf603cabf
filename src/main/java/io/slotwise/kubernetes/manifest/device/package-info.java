/**
 * Devices that drivers offer (dynamic resource allocation, {@code resource.k8s.io/v1}): which there are on which node,
 * and which of them a request takes.
 *
 * <p>{@link io.slotwise.kubernetes.manifest.device.DeviceObjects} is what is known, {@link
 * io.slotwise.kubernetes.manifest.device.NodeDevices} sorts ResourceSlices into the devices of nodes as
 * kube-scheduler's allocator does, {@link io.slotwise.kubernetes.manifest.device.DeviceSelectors} evaluates the CEL
 * expressions of classes and requests and remembers the answers. What follows for pods is the matter of {@code
 * PodDevices}, one package above.
 */
@NullMarked
package io.slotwise.kubernetes.manifest.device;

import org.jspecify.annotations.NullMarked;
