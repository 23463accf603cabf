package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.slotwise.core.resource.Place;
import io.slotwise.core.text.SafeText;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The host ports of a pod, as kube-scheduler's NodePorts plugin counts them: those of its containers and sidecars, but
 * not of init containers that end. Two pods with the same port and protocol conflict if they name the same address, or
 * if one of them names none.
 *
 * <p>Each port is a {@link Place} for all addresses. A pod without an address takes all of it. A pod with an address
 * takes 1 of it, and all of the place for that address.
 */
final class HostPorts {
    private static final String ALL_ADDRESSES = "0.0.0.0";

    private HostPorts() {}

    /** Adds the places of the host ports that a pod takes. O(ports). */
    static void addTo(Map<String, Long> request, PodSpec spec) {
        boolean ofHost = Boolean.TRUE.equals(spec.getHostNetwork());
        for (Container container : spec.getContainers()) {
            container.getPorts().forEach(port -> add(request, port, ofHost));
        }
        for (Container container : spec.getInitContainers()) {
            if ("Always".equals(container.getRestartPolicy())) {
                container.getPorts().forEach(port -> add(request, port, ofHost));
            }
        }
    }

    /** Adds one port. The API server sets the host port of pods in the host's network. */
    private static void add(Map<String, Long> request, ContainerPort port, boolean ofHost) {
        Integer stated = port.getHostPort() == null && ofHost ? port.getContainerPort() : port.getHostPort();
        if (stated == null || stated <= 0) {
            return;
        }
        String everywhere = "host port %d/%s".formatted(stated, word(port.getProtocol(), "TCP"));
        String address = word(port.getHostIP(), ALL_ADDRESSES);
        if (address.equals(ALL_ADDRESSES)) {
            request.put(everywhere, Place.WHOLE);
        } else {
            request.putIfAbsent(everywhere, 1L);
            request.put(everywhere + " of " + address, Place.WHOLE);
        }
    }

    private static String word(@Nullable String text, String otherwise) {
        return text == null || text.isEmpty() ? otherwise : SafeText.value(text);
    }
}
