package io.slotwise.kubernetes.manifest.device;

import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.slotwise.core.text.SafeText;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A device that a driver offers.
 *
 * @param node the only node that can use it; null if several can
 */
public record Device(
        ResourceSlice slice, int position, @Nullable String node) {
    private static final Set<String> CLOSING = Set.of("NoSchedule", "NoExecute");

    /** The identity of a device in a cluster. */
    public record Id(String driver, String pool, String name) {}

    io.fabric8.kubernetes.api.model.resource.v1.Device object() {
        return slice.getSpec().getDevices().get(position);
    }

    public Id id() {
        return new Id(
                String.valueOf(slice.getSpec().getDriver()),
                String.valueOf(slice.getSpec().getPool().getName()),
                String.valueOf(object().getName()));
    }

    public boolean isTainted() {
        return object().getTaints().stream()
                .map(DeviceTaint::getEffect)
                .anyMatch(effect -> effect != null && CLOSING.contains(effect));
    }

    /**
     * Returns the feature of the device that is not planned, in words, or null. Planned are devices of one node that
     * one claim has to itself.
     */
    public @Nullable String beyond() {
        if (node == null) {
            return "devices that several nodes reach";
        }
        if (!object().getConsumesCounters().isEmpty()) {
            return "partitionable devices (consumesCounters)";
        }
        if (Boolean.TRUE.equals(object().getAllowMultipleAllocations())) {
            return "devices that several claims share (allowMultipleAllocations)";
        }
        return object().getBindingConditions().isEmpty() ? null : "devices with bindingConditions";
    }

    @Override
    public String toString() {
        return SafeText.value("%s/%s/%s".formatted(id().driver(), id().pool(), id().name()));
    }
}
