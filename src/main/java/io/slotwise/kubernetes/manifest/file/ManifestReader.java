package io.slotwise.kubernetes.manifest.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.work.InternalFailure;
import io.slotwise.kubernetes.crd.v1alpha1.Ledgers;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceLedger;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceRunHistory;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.RunHistories;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.admission.PodAdmission;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.field.Intervals;
import io.slotwise.kubernetes.manifest.field.InvalidManifest;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.pods.PodFlaw;
import io.slotwise.kubernetes.manifest.queues.KueueQueues;
import io.slotwise.kubernetes.manifest.schema.ObjectRules;
import io.slotwise.kubernetes.manifest.schema.ObjectSchema;
import io.slotwise.kubernetes.manifest.schema.PodRules;
import io.slotwise.kubernetes.manifest.schema.SchemaFlaw;
import io.slotwise.kubernetes.manifest.schema.UnreadableField;
import io.slotwise.kubernetes.manifest.workload.WorkloadKinds;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads texts one after the other. Lists are read item by item, and every object is converted straight to the class of
 * its kind. Only the few classes in use are loaded, so the command line starts fast. Lives for one reading.
 */
final class ManifestReader {
    private static final String OWN = Reservation.GROUP + "/" + Reservation.VERSION;
    private static final int LONGEST_NAME = 253;
    private static final ObjectMapper MAPPER = LeanMapper.create();

    private final List<Node> nodes = new ArrayList<>();
    private final List<Pod> pods = new ArrayList<>();
    private final List<Namespace> namespaces = new ArrayList<>();
    private final List<Reservation> reservations = new ArrayList<>();
    private final List<PodDisruptionBudget> budgets = new ArrayList<>();
    private final List<Ledger> ledgers = new ArrayList<>();
    private final Map<String, RunHistory> histories = new HashMap<>();
    private final Map<Class<? extends HasMetadata>, List<HasMetadata>> optional = new HashMap<>();
    private final List<GenericKubernetesResource> groups = new ArrayList<>();

    private final List<IntakeWarning> warnings = new ArrayList<>();
    private final UnknownFields unknownFields = new UnknownFields();
    private final UnreadObjects unread = new UnreadObjects();
    private final WrittenWorkloads workloads = new WrittenWorkloads(MAPPER, unknownFields, unread, warnings);
    private final Map<String, Grant> unreported = new HashMap<>();
    /** The kinds of typed lists that were read. The lists are complete. */
    private final Set<String> listed = new HashSet<>();
    /** The place where each object was read, by kind, namespace and name. */
    private final Map<String, String> seen = new HashMap<>();

    private final ManifestDocuments documents = new ManifestDocuments(MAPPER, this::object, listed::add);

    ClusterObjects objects() {
        List<ExpandedWorkload> expanded = workloads.complete();
        List<IntakeWarning> all = new ArrayList<>(warnings);
        List<ExpandedWorkload> withoutPods = ExpandedWorkload.withoutPods(expanded, pods, GroupObjects.of(groups));
        withoutPods.forEach(this::make);
        GroupObjects objects = GroupObjects.of(groups);
        all.addAll(unknownFields.warnings());
        all.addAll(ExpandedWorkload.notes(withoutPods, objects, pods));
        all.addAll(OwnersWithoutPods.warnings(groups, pods));
        all.addAll(unknownFields.unchecked());
        OptionalObjects knownObjects = known();
        return new ClusterObjects(
                nodes,
                pods,
                namespaces,
                reservations,
                budgets,
                ledgers,
                objects,
                all,
                knownObjects,
                unreported,
                histories,
                PodAdmission.admit(knownObjects, pods));
    }

    /** Returns the optional kinds that are known: those with an object, and those that were listed. */
    private OptionalObjects known() {
        Stream.of(OptionalObjects.VOLUMES, OptionalObjects.DEVICES)
                .flatMap(List::stream)
                .filter(kind -> listed.contains(kind.getSimpleName()))
                .forEach(kind -> optional.putIfAbsent(kind, List.of()));
        OptionalObjects knownObjects = OptionalObjects.UNKNOWN;
        for (Map.Entry<Class<? extends HasMetadata>, List<HasMetadata>> entry : optional.entrySet()) {
            knownObjects = knownObjects.with(entry.getKey(), entry.getValue());
        }
        return knownObjects;
    }

    void read(InputStream stream, String name) throws IOException {
        documents.read(stream, name);
        warnings.addAll(unread.take(name));
    }

    /** Takes an object. One that the API server would refuse is reported and left out. */
    private void object(ManifestDocuments.Written written) {
        ObjectNode object = written.object();
        if (object.path("kind").asText("").isEmpty()) {
            throw documents.invalid("no kind: expected a Kubernetes object");
        }
        try {
            String flaw = written.flaw() == null ? flaw(object) : written.flaw();
            if (object.path("apiVersion").asText().equals("v1")
                    && object.path("kind").asText().equals("Pod")) {
                pods.add(pod(object, flaw));
            } else if (flaw == null) {
                take(object);
            } else if (object.path("kind").asText().equals("PodGroup") && written.flaw() == null) {
                // Its gangs are refused when they read it.
                take(object);
                warn(object, IntakeWarning.Reason.REFUSED, flaw);
            } else {
                leaveOut(object, flaw);
            }
        } catch (InvalidObject e) {
            leaveOut(object, String.valueOf(e.getMessage()));
        }
    }

    /** Returns why the API server would refuse an object. Null if it accepts the object, or has made it. */
    private @Nullable String flaw(ObjectNode object) {
        if (object.path("metadata").hasNonNull("uid") || isOfOthers(object)) {
            return null;
        }
        List<SchemaFlaw> flaws = ObjectSchema.flaws(object);
        flaws.stream().filter(SchemaFlaw::isUnknown).forEach(flaw -> unknownFields.add(object, flaw));
        return flaws.stream()
                .filter(flaw -> !flaw.isUnknown())
                .findFirst()
                .or(() -> Optional.ofNullable(ObjectRules.broken(object)))
                .map(SchemaFlaw::message)
                .orElse(null);
    }

    /** Returns whether an object is a Deployment or the like for another scheduler, as files often have them. */
    static boolean isOfOthers(ObjectNode object) {
        return object.path("apiVersion").asText().startsWith("apps/")
                && !PodFilter.FILES.isOurs(
                        object.at("/spec/template/spec/schedulerName").asText());
    }

    /** Leaves an object out. A namespace that may not be what its author meant must not spend without a limit. */
    private void leaveOut(ObjectNode object, String flaw) {
        String kind = object.path("kind").asText();
        ObjectNode metadata = object.path("metadata") instanceof ObjectNode fields ? fields : MAPPER.createObjectNode();
        if (kind.equals("Namespace")) {
            String name = metadata.path("name").asText();
            unreported.put(name, new Grant.Unreadable("namespace %s: %s".formatted(SafeText.value(name), flaw)));
        } else if (kind.equals("Ledger")) {
            String namespace = metadata.path("namespace").asText("default");
            unreported.put(
                    namespace, new Grant.Unreadable("the ledger of namespace %s: %s".formatted(namespace, flaw)));
        }
        warn(object, IntakeWarning.Reason.INVALID_VALUE, flaw + "; it is left out");
    }

    private void warn(ObjectNode object, IntakeWarning.Reason reason, String problem) {
        JsonNode metadata = object.path("metadata");
        warnings.add(new IntakeWarning(
                reason,
                new Subject(
                        object.path("kind").asText(),
                        metadata.path("namespace").asText(""),
                        metadata.path("name").asText("")),
                named(object, problem)));
    }

    private void take(ObjectNode object) {
        String kind = object.path("kind").asText("");
        String apiVersion = object.path("apiVersion").asText("");
        switch (apiVersion + " " + kind) {
            case "v1 Node" -> nodes.add(value(object, Node.class));
            case "policy/v1 PodDisruptionBudget" -> budgets.add(named(value(object, PodDisruptionBudget.class)));
            case "v1 PersistentVolumeClaim" -> take(object, PersistentVolumeClaim.class);
            case "v1 PersistentVolume" -> take(object, PersistentVolume.class);
            case "storage.k8s.io/v1 StorageClass" -> take(object, StorageClass.class);
            case "storage.k8s.io/v1 CSINode" -> take(object, CSINode.class);
            case "resource.k8s.io/v1 ResourceSlice" -> take(object, ResourceSlice.class);
            case "resource.k8s.io/v1 DeviceClass" -> take(object, DeviceClass.class);
            case "resource.k8s.io/v1 ResourceClaim" -> take(object, ResourceClaim.class);
            case "resource.k8s.io/v1 ResourceClaimTemplate" -> take(object, ResourceClaimTemplate.class);
            case "node.k8s.io/v1 RuntimeClass" -> take(object, RuntimeClass.class);
            case "scheduling.k8s.io/v1 PriorityClass" -> take(object, PriorityClass.class);
            case "v1 LimitRange" -> take(object, LimitRange.class);
            case "v1 ResourceQuota" -> take(object, ResourceQuota.class);
            case "v1 Namespace" -> namespaces.add(value(object, Namespace.class));
            case OWN + " Ledger" -> ledger(named(value(object, NamespaceLedger.class)));
            case OWN + " RunHistory" -> history(named(value(object, NamespaceRunHistory.class)));
            case OWN + " Reservation" -> reservation(object);
            case OWN + " Queue" -> take(object, QueueObject.class);
            default -> other(object, apiVersion, kind);
        }
    }

    private void take(ObjectNode object, Class<? extends HasMetadata> type) {
        HasMetadata value = value(object, type);
        optional.computeIfAbsent(type, _ -> new ArrayList<>()).add(value instanceof Namespaced ? named(value) : value);
    }

    private void other(ObjectNode object, String apiVersion, String kind) {
        if (KueueQueues.reads(apiVersion, kind)) {
            take(object, GenericKubernetesResource.class);
            return;
        }
        GroupKind groupKind = GroupKind.of(apiVersion, kind);
        boolean says = groupKind != null
                && (groupKind.label() == null || object.at("/metadata/labels").has(groupKind.label()));
        boolean makes = WorkloadKinds.make(apiVersion, kind);
        boolean named = WorkloadKinds.areNamed(apiVersion, kind);
        if (!says && !makes && !named) {
            unread.add(object, UnreadObjects.Cause.KIND);
            return;
        }
        GenericKubernetesResource value = group(object);
        boolean written = makes && value.getMetadata().getUid() == null;
        if (named) {
            workloads.addNamed(value, object);
        } else if (written) {
            workloads.add(value, object, documents.place());
        } else {
            warnings.addAll(MisplacedKeys.warnings(object, Subject.of(value), List.of()));
            if (!says) {
                unread.add(object, UnreadObjects.Cause.IN_CLUSTER);
            }
        }
        if (says) {
            groups.add(value);
        }
        if (says && !makes) {
            unknownFields.lookAtTemplates(object);
        }
    }

    private void make(ExpandedWorkload expanded) {
        for (ObjectNode object : expanded.expansion().groups()) {
            GenericKubernetesResource group = MAPPER.convertValue(object, GenericKubernetesResource.class);
            once(group, group.getApiVersion() + " " + group.getKind(), expanded.place());
            groups.add(group);
        }
        for (Pod pod : expanded.expansion().pods()) {
            once(pod, "Pod", expanded.place());
            pods.add(pod);
        }
    }

    /** Takes a Reservation. An advance reservation is planned like a gang; the record of a gang states its promise. */
    private void reservation(ObjectNode object) {
        JsonNode asked = object.path("spec").path("hold");
        if (asked.isObject()) {
            ObjectSchema.flaws(ObjectSchema.Part.TOLERATIONS, asked.path("tolerations"), "spec.hold.tolerations")
                    .stream()
                    .filter(flaw -> !flaw.isUnknown())
                    .findFirst()
                    .or(() -> Optional.ofNullable(PodRules.broken(asked, "spec.hold")))
                    .ifPresent(flaw -> {
                        throw new InvalidObject(flaw.message());
                    });
        }
        Reservation reservation = named(value(object, Reservation.class));
        instant("metadata.creationTimestamp", reservation.getMetadata().getCreationTimestamp());
        if (reservation.gang() == null) {
            throw new InvalidObject("no spec.hold: expected what an advance reservation keeps room for");
        }
        reservations.add(reservation);
    }

    /** Takes a run history. If it cannot be read, no runtime of its namespace is predicted, as in a cluster. */
    private void history(NamespaceRunHistory history) {
        String namespace = history.getMetadata().getNamespace();
        try {
            histories.put(namespace, RunHistories.history(history));
        } catch (RuntimeException e) {
            InternalFailure failure = e instanceof IllegalArgumentException ? null : InternalFailure.of(e);
            warnings.add(new IntakeWarning(
                    IntakeWarning.Reason.INVALID_VALUE,
                    Subject.of(history),
                    "run history %s/%s cannot be read: %s; no runtime of this namespace is predicted"
                            .formatted(
                                    namespace,
                                    history.getMetadata().getName(),
                                    failure == null ? e.getMessage() : failure),
                    failure));
        }
    }

    /** Takes a ledger. If it cannot be read, its namespace may spend nothing, as in a cluster. */
    private void ledger(NamespaceLedger ledger) {
        String namespace = ledger.getMetadata().getNamespace();
        try {
            ledgers.add(Ledgers.ledger(ledger));
        } catch (RuntimeException e) {
            InternalFailure failure = e instanceof IllegalArgumentException ? null : InternalFailure.of(e);
            String problem = "ledger %s/%s cannot be read: %s"
                    .formatted(namespace, ledger.getMetadata().getName(), failure == null ? e.getMessage() : failure);
            unreported.put(namespace, new Grant.Unreadable(problem));
            warnings.add(new IntakeWarning(IntakeWarning.Reason.INVALID_VALUE, Subject.of(ledger), problem, failure));
        }
    }

    /**
     * Takes an object of another project. Several projects use the same kind names, so the API is part of its identity.
     */
    private GenericKubernetesResource group(ObjectNode object) {
        String kind =
                object.path("apiVersion").asText() + " " + object.path("kind").asText();
        return named(value(object, GenericKubernetesResource.class, kind));
    }

    private <T extends HasMetadata> T value(ObjectNode object, Class<T> type) {
        return value(object, type, object.path("kind").asText());
    }

    private <T extends HasMetadata> T value(ObjectNode object, Class<T> type, String kind) {
        T value = converted(object, type);
        once(value, kind, documents.place());
        return value;
    }

    private static <T extends HasMetadata> T converted(ObjectNode object, Class<T> type) {
        T value;
        try {
            value = MAPPER.treeToValue(object, type);
        } catch (JsonProcessingException e) {
            throw new InvalidObject(UnreadableField.of("", object, e));
        }
        String generated =
                value.getMetadata() == null ? null : value.getMetadata().getGenerateName();
        if (generated != null && value.getMetadata().getName() == null) {
            value.getMetadata().setName(generated.replaceAll("-+$", ""));
        }
        if (value.getMetadata() == null || value.getMetadata().getName() == null) {
            throw new InvalidObject("no metadata.name: expected the object's name");
        }
        plain("metadata.name", value.getMetadata().getName());
        plain("metadata.namespace", value.getMetadata().getNamespace());
        return value;
    }

    private static void plain(String field, @Nullable String name) {
        if (name != null && !SafeText.isPlain(name, LONGEST_NAME)) {
            throw new InvalidObject(
                    "%s (%s) is not valid: expected a name of at most %d visible characters without a blank"
                            .formatted(field, SafeText.value(name), LONGEST_NAME));
        }
    }

    private static <T extends HasMetadata> T named(T value) {
        if (value.getMetadata().getNamespace() == null) {
            value.getMetadata().setNamespace("default");
        }
        return value;
    }

    /** Reads a pod. An unbound pod that the API server would refuse becomes a placeholder for its flaw. */
    private Pod pod(ObjectNode object, @Nullable String flaw) {
        Pod pod = readPod(object, flaw);
        once(pod, "Pod", documents.place());
        return pod;
    }

    private Pod readPod(ObjectNode object, @Nullable String flaw) {
        JsonNode spec = object.path("spec");
        String found = flaw;
        String node = text(spec, "nodeName");
        if (found == null || node != null) {
            try {
                Pod pod = checked(named(converted(object, Pod.class)));
                if (found != null) {
                    warn(object, IntakeWarning.Reason.INVALID_VALUE, found);
                }
                return pod;
            } catch (InvalidObject e) {
                found = e.getMessage();
            }
        }
        ObjectNode bare = MAPPER.createObjectNode();
        bare.put("apiVersion", "v1").put("kind", "Pod").set("metadata", object.path("metadata"));
        return PodFlaw.pod(
                named(converted(bare, Pod.class)).getMetadata(),
                text(spec, "schedulerName"),
                node,
                Objects.requireNonNull(found));
    }

    private static @Nullable String text(JsonNode fields, String field) {
        return fields.path(field).isTextual() && !fields.path(field).asText().isEmpty()
                ? fields.path(field).asText()
                : null;
    }

    private static Pod checked(Pod pod) {
        if (pod.getSpec() == null) {
            throw new InvalidObject("no spec: expected the pod's containers");
        }
        instant("metadata.creationTimestamp", pod.getMetadata().getCreationTimestamp());
        instant("metadata.deletionTimestamp", pod.getMetadata().getDeletionTimestamp());
        if (pod.getStatus() != null) {
            instant("status.startTime", pod.getStatus().getStartTime());
        }
        return pod;
    }

    private static void instant(String field, @Nullable String text) {
        if (text != null) {
            try {
                Intervals.parseDown(text);
            } catch (IllegalArgumentException e) {
                throw new InvalidObject("%s (%s) is not valid: %s".formatted(field, text, e.getMessage()));
            }
        }
    }

    private void once(HasMetadata value, String kind, String place) {
        String namespace = value.getMetadata().getNamespace();
        String name = namespace == null
                ? value.getMetadata().getName()
                : namespace + "/" + value.getMetadata().getName();
        String earlier = seen.putIfAbsent(kind + " " + name, place);
        if (earlier != null) {
            throw new InvalidManifest(
                    "%s: %s %s appears twice, also in %s: expected it once".formatted(place, kind, name, earlier));
        }
    }

    private String named(ObjectNode object, String message) {
        String name = object.path("metadata").path("name").asText("without a name");
        return "%s, %s %s: %s"
                .formatted(documents.place(), object.path("kind").asText(), SafeText.value(name), message);
    }
}
