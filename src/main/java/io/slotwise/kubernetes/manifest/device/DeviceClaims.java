package io.slotwise.kubernetes.manifest.device;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodResourceClaimStatus;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Refusal.WaitingForDevice.DeviceClaimState;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.Annotations;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import io.slotwise.kubernetes.manifest.field.PodFindings;
import io.slotwise.kubernetes.manifest.field.PodFindings.Finding;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The device claims of pods, and whether they exist. Used for one intake. */
final class DeviceClaims {
    private static final String SERVING_CLAIM = "resource.kubernetes.io/extended-resource-claim";
    private static final String CLAIM_OF_POD = "resource.kubernetes.io/pod-claim-name";
    /** The most pods that use one claim, by its API. */
    private static final int MOST_USERS = 256;

    private final OptionalObjects objects;
    private final Map<String, ResourceClaim> claims = new HashMap<>();
    /** Generated claims by the pod's UID and its name for the claim. */
    private final Map<String, ResourceClaim> generated = new HashMap<>();
    /** The UIDs of pods whose extended resources kube-scheduler has allocated, by a claim of its own. */
    private final Set<String> given = new HashSet<>();

    private final Map<String, ResourceClaimTemplate> templates = new HashMap<>();
    private final PodFindings findings = new PodFindings();

    /**
     * A device claim of a pod.
     *
     * @param claim {@code namespace/name}, or the pod's name for it
     * @param object null if it does not exist
     * @param spec null if unknown
     * @param ofPod whether the claim is generated for the pod
     * @param template {@code namespace/name}, or null
     * @param beyond the feature of it that is not planned, or null
     */
    record Use(
            String claim,
            @Nullable ResourceClaim object,
            @Nullable DeviceClaim spec,
            boolean ofPod,
            @Nullable String template,
            @Nullable String beyond) {
        @Nullable
        AllocationResult allocation() {
            return DeviceClaims.allocation(object);
        }
    }

    DeviceClaims(OptionalObjects objects) {
        this.objects = objects;
    }

    static boolean areOf(Pod pod) {
        return pod.getSpec() != null && !pod.getSpec().getResourceClaims().isEmpty();
    }

    static @Nullable AllocationResult allocation(@Nullable ResourceClaim claim) {
        return claim == null || claim.getStatus() == null
                ? null
                : claim.getStatus().getAllocation();
    }

    static String name(HasMetadata object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }

    @Nullable
    ResourceClaim find(String name) {
        return claims.get(name);
    }

    boolean hasServed(Pod pod) {
        return given.contains(String.valueOf(pod.getMetadata().getUid()));
    }

    /** Indexes the objects by name. Called only if a pod asks for devices. */
    void index() {
        objects.of(ResourceClaim.class).forEach(claim -> {
            claims.put(name(claim), claim);
            String ofPod = Annotations.find(claim, CLAIM_OF_POD);
            boolean serves = "true".equals(Annotations.find(claim, SERVING_CLAIM)) && allocation(claim) != null;
            claim.getMetadata().getOwnerReferences().stream()
                    .filter(owner -> "Pod".equals(owner.getKind()))
                    .map(owner -> String.valueOf(owner.getUid()))
                    .forEach(owner -> {
                        if (ofPod != null) {
                            generated.put(owner + "/" + ofPod, claim);
                        }
                        if (serves) {
                            given.add(owner);
                        }
                    });
        });
        objects.of(ResourceClaimTemplate.class).forEach(template -> templates.put(name(template), template));
    }

    List<Use> uses(Pod pod) {
        Map<String, Use> uses = new LinkedHashMap<>();
        String namespace = pod.getMetadata().getNamespace();
        for (PodResourceClaim reference : pod.getSpec().getResourceClaims()) {
            Use use;
            if (reference.getResourceClaimName() != null) {
                String name = namespace + "/" + reference.getResourceClaimName();
                ResourceClaim object = claims.get(name);
                use = new Use(name, object, spec(object), false, null, null);
            } else if (reference.getResourceClaimTemplateName() != null) {
                use = made(pod, reference);
            } else {
                use = new Use(
                        namespace + "/" + reference.getName(),
                        null,
                        null,
                        false,
                        null,
                        "a claim that is not the pod's own");
            }
            if (use != null) {
                uses.putIfAbsent(use.claim(), use);
            }
        }
        return List.copyOf(uses.values());
    }

    /** Returns a generated claim. Null if the pod turned out to need none. */
    private @Nullable Use made(Pod pod, PodResourceClaim reference) {
        String namespace = pod.getMetadata().getNamespace();
        PodResourceClaimStatus status = pod.getStatus() == null
                ? null
                : pod.getStatus().getResourceClaimStatuses().stream()
                        .filter(one -> Objects.equals(reference.getName(), one.getName()))
                        .findFirst()
                        .orElse(null);
        if (status != null && status.getResourceClaimName() == null) {
            return null;
        }
        ResourceClaim object = status == null
                ? generated.get(pod.getMetadata().getUid() + "/" + reference.getName())
                : claims.get(namespace + "/" + status.getResourceClaimName());
        String template = namespace + "/" + reference.getResourceClaimTemplateName();
        ResourceClaimTemplate from = templates.get(template);
        DeviceClaim spec = object != null
                ? spec(object)
                : from == null || from.getSpec() == null || from.getSpec().getSpec() == null
                        ? null
                        : from.getSpec().getSpec().getDevices();
        String name = object != null
                ? name(object)
                : status == null
                        ? Pods.name(pod) + "-" + reference.getName()
                        : namespace + "/" + status.getResourceClaimName();
        return new Use(name, object, spec, true, template, null);
    }

    private static @Nullable DeviceClaim spec(@Nullable ResourceClaim claim) {
        return claim == null || claim.getSpec() == null ? null : claim.getSpec().getDevices();
    }

    /** Returns why a pod cannot start with this claim, or null if it can. */
    @Nullable
    Refusal obstacle(Pod pod, Use use) {
        ResourceClaim object = use.object();
        if (object == null) {
            return absent(pod, use);
        }
        if (object.getMetadata().getDeletionTimestamp() != null) {
            return refusal(pod, use.claim(), DeviceClaimState.DELETING, "");
        }
        if (use.ofPod() && !isOwned(object, pod)) {
            return refusal(pod, use.claim(), DeviceClaimState.FOREIGN, "");
        }
        List<ResourceClaimConsumerReference> users =
                object.getStatus() == null ? List.of() : object.getStatus().getReservedFor();
        boolean isFull = users.size() >= MOST_USERS
                && users.stream()
                        .noneMatch(user ->
                                Objects.equals(user.getUid(), pod.getMetadata().getUid()));
        return use.allocation() != null && isFull
                ? refusal(pod, use.claim(), DeviceClaimState.IN_USE, String.valueOf(users.size()))
                : null;
    }

    private @Nullable Refusal absent(Pod pod, Use use) {
        String template = use.template();
        if (template != null) {
            if (use.spec() != null) {
                return null;
            }
            if (objects.knows(ResourceClaimTemplate.class)) {
                return refusal(pod, use.claim(), DeviceClaimState.NO_TEMPLATE, template);
            }
            miss(pod, "ResourceClaimTemplate", template);
            return null;
        }
        if (use.beyond() != null) {
            return new Refusal.UnplannedDevice(Pods.name(pod), use.claim(), use.beyond());
        }
        if (objects.knows(ResourceClaim.class)) {
            return refusal(pod, use.claim(), DeviceClaimState.MISSING, "");
        }
        miss(pod, "ResourceClaim", use.claim());
        return null;
    }

    void miss(Pod pod, String kind, String name) {
        findings.add(
                Finding.missing(
                        kind,
                        SafeText.value(name),
                        "spec.resourceClaims",
                        "every node counts as having the devices of the pods"),
                pod);
    }

    /** Returns the objects that waiting pods name, of kinds that the input lacks altogether. */
    PodFindings missing() {
        return findings;
    }

    private static boolean isOwned(ResourceClaim claim, Pod pod) {
        String uid = pod.getMetadata().getUid();
        return uid == null
                || claim.getMetadata().getOwnerReferences().stream().anyMatch(owner -> uid.equals(owner.getUid()));
    }

    static Refusal refusal(Pod pod, String claim, DeviceClaimState state, String other) {
        return new Refusal.WaitingForDevice(Pods.name(pod), claim, state, other);
    }
}
