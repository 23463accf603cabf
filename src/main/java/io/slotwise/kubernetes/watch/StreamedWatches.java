package io.slotwise.kubernetes.watch;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.quarkus.kubernetes.client.KubernetesClientObjectMapperCustomizer;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lets the client read watch events in one pass. By default it builds a tree of every object first, to find the
 * object's class. The API server writes {@code kind} and {@code apiVersion} first, so for the kinds that change most
 * (nodes, pods and Reservations) the class is known in time. Managed fields are skipped: they are never read, and often
 * the larger part. So are the parts of pods and nodes that concern neither room, time nor gangs.
 */
@Singleton
public final class StreamedWatches implements KubernetesClientObjectMapperCustomizer {
    private static final Map<Class<?>, Set<String>> UNREAD = Map.of(
            PodSpec.class,
            Set.of(
                    "automountServiceAccountToken",
                    "dnsConfig",
                    "dnsPolicy",
                    "enableServiceLinks",
                    "ephemeralContainers",
                    "hostAliases",
                    "hostname",
                    "imagePullSecrets",
                    "readinessGates",
                    "securityContext",
                    "serviceAccount",
                    "serviceAccountName",
                    "setHostnameAsFQDN",
                    "shareProcessNamespace",
                    "subdomain"),
            Container.class,
            Set.of(
                    "args",
                    "command",
                    "env",
                    "envFrom",
                    "imagePullPolicy",
                    "lifecycle",
                    "livenessProbe",
                    "readinessProbe",
                    "resizePolicy",
                    "securityContext",
                    "startupProbe",
                    "stdin",
                    "stdinOnce",
                    "terminationMessagePath",
                    "terminationMessagePolicy",
                    "tty",
                    "volumeDevices",
                    "workingDir"),
            PodStatus.class,
            Set.of("ephemeralContainerStatuses", "hostIP", "hostIPs", "podIP", "podIPs", "qosClass"),
            ContainerStatus.class,
            Set.of(
                    "containerID",
                    "image",
                    "imageID",
                    "lastState",
                    "ready",
                    "restartCount",
                    "started",
                    "stopSignal",
                    "user",
                    "volumeMounts"),
            NodeStatus.class,
            Set.of(
                    "addresses",
                    "config",
                    "daemonEndpoints",
                    "images",
                    "nodeInfo",
                    "runtimeHandlers",
                    "volumesAttached",
                    "volumesInUse"));

    @Override
    public void customize(ObjectMapper mapper) {
        mapper.addMixIn(WatchEvent.class, StreamedEvent.class);
        mapper.configOverride(ObjectMeta.class)
                .setIgnorals(JsonIgnoreProperties.Value.forIgnoredProperties("managedFields"));
        UNREAD.forEach((type, properties) -> mapper.configOverride(type)
                .setIgnorals(JsonIgnoreProperties.Value.forIgnoredProperties(properties)
                        .withAllowGetters()));
    }

    interface StreamedEvent {
        @JsonDeserialize(using = StreamedObject.class)
        void setObject(Object object);
    }

    /** Reads one object. If its first fields do not state a known class, it is read as the client would. */
    static final class StreamedObject extends JsonDeserializer<KubernetesResource> {
        private static final String KIND = "kind";
        private static final String VERSION = "apiVersion";

        private static final Map<String, Class<? extends KubernetesResource>> CLASSES = Stream.of(
                        Pod.class, Node.class, Reservation.class)
                .collect(Collectors.toMap(StreamedObject::nameOf, type -> type));

        private static String nameOf(Class<? extends HasMetadata> type) {
            return HasMetadata.getApiVersion(type) + "/" + HasMetadata.getKind(type);
        }

        @Override
        public KubernetesResource deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            Map<String, String> first = new LinkedHashMap<>();
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                return context.readValue(parser, KubernetesResource.class);
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME
                    && List.of(KIND, VERSION).contains(parser.currentName())) {
                String name = parser.currentName();
                if (parser.nextToken() != JsonToken.VALUE_STRING) {
                    return late(first, name, parser, context);
                }
                first.put(name, parser.getText());
            }
            Class<? extends KubernetesResource> type = CLASSES.get(first.get(VERSION) + "/" + first.get(KIND));
            return type == null ? late(first, null, parser, context) : context.readValue(parser, type);
        }

        /**
         * Reads an object of which a part has been read.
         *
         * @param field the field whose value comes next; null if a field or the end of the object does
         */
        private static KubernetesResource late(
                Map<String, String> first, @Nullable String field, JsonParser parser, DeserializationContext context)
                throws IOException {
            try (TokenBuffer whole = new TokenBuffer(parser, context)) {
                whole.writeStartObject();
                for (Map.Entry<String, String> knownEntry : first.entrySet()) {
                    whole.writeStringField(knownEntry.getKey(), knownEntry.getValue());
                }
                if (field != null) {
                    whole.writeFieldName(field);
                    whole.copyCurrentStructure(parser);
                    parser.nextToken();
                }
                while (parser.currentToken() == JsonToken.FIELD_NAME) {
                    whole.copyCurrentStructure(parser);
                    parser.nextToken();
                }
                whole.writeEndObject();
                try (JsonParser again = whole.asParserOnFirstToken()) {
                    return context.readValue(again, KubernetesResource.class);
                }
            }
        }
    }
}
