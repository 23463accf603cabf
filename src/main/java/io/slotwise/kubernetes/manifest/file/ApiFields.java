package io.slotwise.kubernetes.manifest.file;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.CustomResource;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The fields that the API's objects have, by the classes that stand for them; looked up as they are needed. */
final class ApiFields {
    /**
     * The fields of Kubernetes 1.37 that the classes do not know yet, by the class's name. What they hold is not looked
     * at.
     *
     * <p>Source: Kubernetes 1.37, api/openapi-spec/swagger.json, compared with the classes.
     */
    private static final Map<String, Set<String>> NEWER = Map.ofEntries(
            Map.entry("PodSpec", Set.of("evictionResponders")),
            Map.entry("HTTPGetAction", Set.of("protocol")),
            Map.entry("GRPCAction", Set.of("mode")),
            Map.entry("VolumeMount", Set.of("bindMountOptions")),
            Map.entry("ConfigMapVolumeSource", Set.of("defaultUser")),
            Map.entry("KeyToPath", Set.of("user")),
            Map.entry("DownwardAPIVolumeSource", Set.of("defaultUser")),
            Map.entry("DownwardAPIVolumeFile", Set.of("user")),
            Map.entry("EmptyDirVolumeSource", Set.of("mode")),
            Map.entry("ProjectedVolumeSource", Set.of("defaultUser")),
            Map.entry("ClusterTrustBundleProjection", Set.of("user")),
            Map.entry("PodCertificateProjection", Set.of("user")),
            Map.entry("ServiceAccountTokenProjection", Set.of("user")),
            Map.entry("SecretVolumeSource", Set.of("defaultUser")),
            Map.entry("PodStatus", Set.of("volumeHealth")),
            Map.entry("NodeAllocatableResourceClaimStatus", Set.of("mapping", "overhead")),
            Map.entry("NodeSpec", Set.of("podPreemptionPolicy")),
            Map.entry("NodeSystemInfo", Set.of("runningInUserNamespace")),
            Map.entry("JobSpec", Set.of("scheduling")),
            Map.entry("PersistentVolumeClaimStatus", Set.of("healthStatus")),
            Map.entry("CSINode", Set.of("status")),
            Map.entry("ExactDeviceRequest", Set.of("derivedAttributes")),
            Map.entry("DeviceSubRequest", Set.of("derivedAttributes")),
            Map.entry("DeviceRequestAllocationResult", Set.of("skipNodeOperations")),
            Map.entry("ResourceSliceSpec", Set.of("partitionTypeAttribute", "skipNodeOperations")),
            Map.entry("Device", Set.of("nodeAllocatableResources")),
            Map.entry("DeviceCounterConsumption", Set.of("compatibilityGroups")));

    private final Map<Class<?>, Map<String, Type>> known = new HashMap<>();

    /** The fields of a class and their types; empty: it stands for a single value or for anything. */
    Map<String, Type> of(Class<?> type) {
        Map<String, Type> fields = known.get(type);
        if (fields == null) {
            fields = read(type);
            known.put(type, fields);
        }
        return fields;
    }

    private static Map<String, Type> read(Class<?> type) {
        Map<String, Type> fields = new HashMap<>();
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                fields.put(component.getName(), component.getGenericType());
            }
        } else if (CustomResource.class.isAssignableFrom(type)
                && type.getGenericSuperclass() instanceof ParameterizedType parts) {
            fields.put("apiVersion", String.class);
            fields.put("kind", String.class);
            fields.put("metadata", ObjectMeta.class);
            fields.put("spec", parts.getActualTypeArguments()[0]);
            fields.put("status", parts.getActualTypeArguments()[1]);
        } else {
            for (Class<?> part = type; part != null && part != Object.class; part = part.getSuperclass()) {
                for (Field field : part.getDeclaredFields()) {
                    JsonProperty property = field.getAnnotation(JsonProperty.class);
                    if (property != null) {
                        fields.put(property.value(), field.getGenericType());
                    }
                }
            }
            NEWER.getOrDefault(type.getSimpleName(), Set.of()).forEach(name -> fields.put(name, Object.class));
        }
        return fields;
    }
}
