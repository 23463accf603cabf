package io.slotwise.kubernetes.watch;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.jspecify.annotations.Nullable;

/**
 * The client's JSON parser for watches. The spec of a pod is read once for all pods with the same text, because most
 * changes concern the status alone. The managed fields are cut out before parsing. Parsed values are shared, and no
 * reader changes them. Any text that differs from the API server's usual form is read as the client would.
 */
public final class WatchSerialization extends KubernetesSerialization {
    /** The most specs that are remembered. */
    private static final int MOST = 1000;

    /** The longest spec that is cached, characters. */
    private static final int LONGEST = 8000;

    private final Cache<String, PodSpec> specs =
            Caffeine.newBuilder().maximumSize(MOST).executor(Runnable::run).build();

    /**
     * @param mapper used by the client from here on
     */
    public WatchSerialization(ObjectMapper mapper) {
        super(mapper, false);
    }

    @Override
    public <T> T unmarshal(String text, Class<T> type) {
        Parts parts = type == WatchEvent.class ? Parts.of(text) : null;
        if (parts == null) {
            return super.unmarshal(text, type);
        }
        PodSpec known = specs.getIfPresent(parts.spec());
        T event = super.unmarshal(known == null ? parts.whole() : parts.withoutSpec(), type);
        if (event instanceof WatchEvent watched && watched.getObject() instanceof Pod pod) {
            if (known == null) {
                remember(parts.spec(), pod.getSpec());
            } else {
                pod.setSpec(known);
            }
        }
        return event;
    }

    private void remember(String text, PodSpec spec) {
        if (text.length() <= LONGEST) {
            specs.put(text, spec);
        }
    }

    /**
     * A pod event in the API server's form: kind, version, metadata with the managed fields last, spec, status. No key
     * or text inside looks like the borders between these, because quotes in texts are escaped.
     *
     * @param head up to the end of the metadata, without managed fields
     * @param spec an object
     * @param tail from the comma before the status on
     */
    private record Parts(String head, String spec, String tail) {
        private static final String TYPE = "{\"type\":\"";
        private static final int LONGEST_TYPE = 20;
        private static final String POD = "\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{";
        private static final String MANAGED = ",\"managedFields\":[";
        private static final String SPEC = "},\"spec\":";
        private static final String STATUS = "},\"status\":{";

        static @Nullable Parts of(String text) {
            int pod = text.startsWith(TYPE) ? text.indexOf(POD) : -1;
            int spec = pod < 0 || pod > LONGEST_TYPE ? -1 : text.indexOf(SPEC + "{", pod);
            int status = spec < 0 ? -1 : text.indexOf(STATUS, spec);
            if (status < 0 || text.lastIndexOf(STATUS) != status) {
                return null;
            }
            int managed = text.indexOf(MANAGED, pod);
            boolean cut = managed > 0 && managed < spec;
            if (cut && text.charAt(spec - 1) != ']') {
                return null;
            }
            return new Parts(
                    text.substring(0, cut ? managed : spec) + "}",
                    text.substring(spec + SPEC.length(), status + 1),
                    text.substring(status + 1));
        }

        String whole() {
            return head + ",\"spec\":" + spec + tail;
        }

        String withoutSpec() {
            return head + tail;
        }
    }
}
