package io.slotwise.kubernetes.manifest.file;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.CSIPersistentVolumeSource;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimStatus;
import io.fabric8.kubernetes.api.model.PersistentVolumeSpec;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Volume;

/**
 * A mapper that passes over the parts of objects that planning never looks at. Jackson studies every class that an
 * object could hold before it reads the first one; without these parts that takes a third of the time, which a command
 * line feels.
 */
public final class LeanMapper {
    private LeanMapper() {}

    /** The mapper. A null counts as absent, as in the API server. */
    public static ObjectMapper create() {
        return JsonMapper.builder()
                .defaultSetterInfo(JsonSetter.Value.construct(Nulls.SKIP, Nulls.FAIL))
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .addMixIn(ObjectMeta.class, LeanMetadata.class)
                .addMixIn(NodeSpec.class, LeanNodeSpec.class)
                .addMixIn(NodeStatus.class, LeanNodeStatus.class)
                .addMixIn(PodSpec.class, LeanPodSpec.class)
                .addMixIn(PodStatus.class, LeanPodStatus.class)
                .addMixIn(ContainerStatus.class, LeanContainerStatus.class)
                .addMixIn(Container.class, LeanContainer.class)
                .addMixIn(Volume.class, LeanVolume.class)
                .addMixIn(PersistentVolumeClaimSpec.class, LeanClaimSpec.class)
                .addMixIn(PersistentVolumeClaimStatus.class, LeanClaimStatus.class)
                .addMixIn(PersistentVolumeSpec.class, LeanVolumeSpec.class)
                .addMixIn(CSIPersistentVolumeSource.class, LeanCsiVolume.class)
                .build();
    }

    @JsonIgnoreProperties("managedFields")
    private interface LeanMetadata {}

    @JsonIgnoreProperties("configSource")
    private interface LeanNodeSpec {}

    @JsonIgnoreProperties({
        "addresses",
        "config",
        "daemonEndpoints",
        "features",
        "images",
        "nodeInfo",
        "runtimeHandlers",
        "volumesAttached"
    })
    private interface LeanNodeStatus {}

    @JsonIgnoreProperties({
        "dnsConfig",
        "ephemeralContainers",
        "hostAliases",
        "imagePullSecrets",
        "os",
        "readinessGates",
        "securityContext"
    })
    private interface LeanPodSpec {}

    /** Of the volumes that are there on whatever node nothing is said. */
    @JsonIncludeProperties({"ephemeral", "name", "persistentVolumeClaim"})
    private interface LeanVolume {}

    @JsonIgnoreProperties({"dataSource", "dataSourceRef"})
    private interface LeanClaimSpec {}

    @JsonIncludeProperties("phase")
    private interface LeanClaimStatus {}

    @JsonIncludeProperties({
        "accessModes",
        "capacity",
        "claimRef",
        "csi",
        "hostPath",
        "nfs",
        "nodeAffinity",
        "storageClassName",
        "volumeMode"
    })
    private interface LeanVolumeSpec {}

    @JsonIncludeProperties({"driver", "volumeHandle"})
    private interface LeanCsiVolume {}

    @JsonIgnoreProperties({"ephemeralContainerStatuses", "extendedResourceClaimStatus", "hostIPs", "podIPs"})
    private interface LeanPodStatus {}

    @JsonIncludeProperties({"allocatedResources", "name", "resources"})
    private interface LeanContainerStatus {}

    @JsonIgnoreProperties({
        "env",
        "envFrom",
        "lifecycle",
        "livenessProbe",
        "readinessProbe",
        "resizePolicy",
        "securityContext",
        "startupProbe",
        "volumeDevices"
    })
    private interface LeanContainer {}
}
