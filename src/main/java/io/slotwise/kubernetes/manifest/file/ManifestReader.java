package io.slotwise.kubernetes.manifest.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Namespace;
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
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.admission.AdmissionObjects;
import io.slotwise.kubernetes.manifest.admission.PodAdmission;
import io.slotwise.kubernetes.manifest.device.DeviceObjects;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.Intervals;
import io.slotwise.kubernetes.manifest.field.InvalidManifest;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.volumes.VolumeObjects;
import io.slotwise.kubernetes.manifest.workload.Expansion;
import io.slotwise.kubernetes.manifest.workload.WorkloadKinds;
import io.slotwise.live.record.Phase;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * Reads one text after the other: scratch of one reading. Lists are read item by item, and every object goes straight
 * to the class of its kind, so that only the few classes in use are ever looked at: the command line starts fast.
 */
final class ManifestReader {
    private static final int LONGEST_NAME = 253;
    private static final ObjectMapper MAPPER = LeanMapper.create();

    private final List<Node> nodes = new ArrayList<>();
    private final List<Pod> pods = new ArrayList<>();
    private final List<Namespace> namespaces = new ArrayList<>();
    private final List<Reservation> holds = new ArrayList<>();
    private final List<PodDisruptionBudget> budgets = new ArrayList<>();
    private final List<Ledger> ledgers = new ArrayList<>();
    private final Map<String, RunHistory> histories = new HashMap<>();
    private final List<PersistentVolumeClaim> claims = new ArrayList<>();
    private final List<PersistentVolume> volumes = new ArrayList<>();
    private final List<StorageClass> classes = new ArrayList<>();
    private final List<CSINode> attachable = new ArrayList<>();
    private final List<ResourceSlice> slices = new ArrayList<>();
    private final List<DeviceClass> deviceClasses = new ArrayList<>();
    private final List<ResourceClaim> deviceClaims = new ArrayList<>();
    private final List<ResourceClaimTemplate> templates = new ArrayList<>();
    private final List<GenericKubernetesResource> groups = new ArrayList<>();
    /** What stands for pods that no controller has made yet. */
    private final List<ExpandedWorkload> expanded = new ArrayList<>();

    private final List<IntakeWarning> warnings = new ArrayList<>();
    private final List<HasMetadata> admission = new ArrayList<>();
    private final UnknownFields unknown = new UnknownFields();
    private final UnreadObjects unread = new UnreadObjects();
    private final Map<String, Grant> untold = new HashMap<>();
    /** Where each object was seen, by kind, namespace and name. */
    private final Map<String, String> seen = new HashMap<>();

    private String file = "";
    private int document;

    /** What was read. */
    ClusterObjects objects() {
        List<IntakeWarning> all = new ArrayList<>(warnings);
        List<ExpandedWorkload> made = ExpandedWorkload.withoutPods(expanded, pods, GroupObjects.of(groups));
        made.forEach(this::make);
        GroupObjects said = GroupObjects.of(groups);
        all.addAll(unknown.warnings());
        made.forEach(one -> all.add(one.note(said)));
        all.addAll(OwnersWithoutPods.warnings(groups, pods));
        VolumeObjects ofVolumes = VolumeObjects.ofFiles(claims, volumes, classes, attachable);
        DeviceObjects ofDevices = DeviceObjects.ofFiles(slices, deviceClasses, deviceClaims, templates);
        return new ClusterObjects(
                nodes,
                pods,
                namespaces,
                holds,
                budgets,
                ledgers,
                said,
                all,
                ofVolumes,
                ofDevices,
                untold,
                histories,
                PodAdmission.admit(AdmissionObjects.of(admission), pods));
    }

    /** Reads a text, JSON if it begins as JSON's objects do, else YAML. */
    void read(InputStream stream, String name) throws IOException {
        file = name;
        document = 0;
        try (JsonParser parser = factory(stream).createParser(stream)) {
            parser.setCodec(MAPPER);
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                document++;
                if (token == JsonToken.START_OBJECT) {
                    document(parser);
                } else if (token != JsonToken.VALUE_NULL && !isEmpty(parser)) {
                    throw invalid(null, "expected a Kubernetes object");
                }
            }
        } catch (CharConversionException | CharacterCodingException e) {
            throw notText();
        } catch (JsonProcessingException e) {
            if (isNoText(e)) {
                throw notText();
            }
            throw invalid(
                    null,
                    "line %d, column %d: %s: expected YAML or JSON"
                            .formatted(
                                    e.getLocation() == null
                                            ? 0
                                            : e.getLocation().getLineNr(),
                                    e.getLocation() == null
                                            ? 0
                                            : e.getLocation().getColumnNr(),
                                    firstLine(e.getOriginalMessage())));
        }
        warnings.addAll(unread.take(file));
    }

    /** Whether the bytes are no characters, or characters that no text has. */
    private static boolean isNoText(JsonProcessingException e) {
        String message = String.valueOf(e.getOriginalMessage());
        return message.contains("CharConversionException") || message.contains("special characters are not allowed");
    }

    private InvalidManifest notText() {
        return new InvalidManifest(file + ": no text: expected YAML or JSON in UTF-8");
    }

    private static JsonFactory factory(InputStream stream) throws IOException {
        stream.mark(1 << 12);
        boolean brace = afterBlanks(stream) == '{';
        int next = afterBlanks(stream);
        stream.reset();
        // YAML has braces, too, but seldom with quotes after them; and where it has, it is JSON as well.
        if (brace && (next == '"' || next == '}')) {
            return MAPPER.getFactory();
        }
        LoaderOptions options = new LoaderOptions();
        // What kubectl prints of a whole cluster is longer than the library's limit of three million characters.
        options.setCodePointLimit(Integer.MAX_VALUE);
        return YAMLFactory.builder().loaderOptions(options).build();
    }

    private static int afterBlanks(InputStream stream) throws IOException {
        int character;
        do {
            character = stream.read();
        } while (Character.isWhitespace(character));
        return character;
    }

    private static boolean isEmpty(JsonParser parser) throws IOException {
        return parser.currentToken() == JsonToken.VALUE_STRING
                && parser.getText().isEmpty();
    }

    /** One document: the items of a list one by one, anything else as a whole. */
    private void document(JsonParser parser) throws IOException {
        ObjectNode object = MAPPER.createObjectNode();
        List<ObjectNode> kindless = new ArrayList<>();
        boolean isList = false;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            if (parser.nextToken() == JsonToken.START_ARRAY && field.equals("items")) {
                isList = true;
                items(parser, kindless);
            } else {
                object.set(field, parser.readValueAsTree());
            }
        }
        String kind = object.path("kind").asText("");
        if (kind.endsWith("List")) {
            String itemKind = kind.substring(0, kind.length() - "List".length());
            for (ObjectNode item : kindless) {
                item.put("kind", itemKind);
                item.put("apiVersion", object.path("apiVersion").asText(""));
                object(item);
            }
        } else if (isList) {
            throw invalid(null, "kind (%s) with items: expected a List".formatted(kind));
        } else {
            object(object);
        }
    }

    /** Takes the items; those of a typed list do not say their kind, and the list itself may say it only afterwards. */
    private void items(JsonParser parser, List<ObjectNode> kindless) throws IOException {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            JsonNode item = parser.readValueAsTree();
            if (!(item instanceof ObjectNode object)) {
                throw invalid(
                        null,
                        "an item (%s) of the list: expected a Kubernetes object"
                                .formatted(SafeText.value(item.toString())));
            }
            if (object.has("kind")) {
                object(object);
            } else {
                kindless.add(object);
            }
        }
    }

    private void object(ObjectNode object) {
        String kind = object.path("kind").asText("");
        String apiVersion = object.path("apiVersion").asText("");
        if (kind.isEmpty()) {
            throw invalid(null, "no kind: expected a Kubernetes object");
        }
        switch (apiVersion + " " + kind) {
            case "v1 Node" -> nodes.add(value(object, Node.class));
            case "v1 Pod" -> pods.add(checked(named(value(object, Pod.class)), object));
            case "policy/v1 PodDisruptionBudget" -> budgets.add(named(value(object, PodDisruptionBudget.class)));
            case "v1 PersistentVolumeClaim" -> claims.add(named(value(object, PersistentVolumeClaim.class)));
            case "v1 PersistentVolume" -> volumes.add(value(object, PersistentVolume.class));
            case "storage.k8s.io/v1 StorageClass" -> classes.add(value(object, StorageClass.class));
            case "storage.k8s.io/v1 CSINode" -> attachable.add(value(object, CSINode.class));
            case "resource.k8s.io/v1 ResourceSlice" -> slices.add(value(object, ResourceSlice.class));
            case "resource.k8s.io/v1 DeviceClass" -> deviceClasses.add(value(object, DeviceClass.class));
            case "resource.k8s.io/v1 ResourceClaim" -> deviceClaims.add(named(value(object, ResourceClaim.class)));
            case "resource.k8s.io/v1 ResourceClaimTemplate" ->
                templates.add(named(value(object, ResourceClaimTemplate.class)));
            case "node.k8s.io/v1 RuntimeClass" -> admission.add(value(object, RuntimeClass.class));
            case "scheduling.k8s.io/v1 PriorityClass" -> admission.add(value(object, PriorityClass.class));
            case "v1 LimitRange" -> admission.add(named(value(object, LimitRange.class)));
            case "v1 ResourceQuota" -> admission.add(named(value(object, ResourceQuota.class)));
            case "v1 Namespace" -> namespaces.add(value(object, Namespace.class));
            case Reservation.GROUP + "/" + Reservation.VERSION + " Ledger" ->
                ledger(named(value(object, NamespaceLedger.class)));
            case Reservation.GROUP + "/" + Reservation.VERSION + " RunHistory" ->
                history(named(value(object, NamespaceRunHistory.class)));
            case Reservation.GROUP + "/" + Reservation.VERSION + " Reservation" -> reservation(object);
            default -> other(object, apiVersion, kind);
        }
    }

    private void other(ObjectNode object, String apiVersion, String kind) {
        boolean says = GroupKind.of(apiVersion, kind) != null;
        boolean makes = WorkloadKinds.make(apiVersion, kind);
        if (!says && !makes) {
            unread.add(object, UnreadObjects.Cause.KIND);
            return;
        }
        GenericKubernetesResource value = group(object);
        if (makes && value.getMetadata().getUid() == null) {
            workload(value, object);
        } else if (!says) {
            unread.add(object, UnreadObjects.Cause.IN_CLUSTER);
        }
        if (says) {
            groups.add(value);
        }
    }

    /** A workload that a cluster knows has pods of its own there; one that was written stands for its pods. */
    private void workload(GenericKubernetesResource value, ObjectNode object) {
        Expansion expansion;
        try {
            expansion = WorkloadKinds.expand(value.getMetadata(), object, MAPPER);
        } catch (IllegalArgumentException e) {
            String scheduler = object.at("/spec/template/spec/schedulerName").asText();
            if (ExpandedWorkload.isOfApplications(value) && !PodFilter.FILES.isOurs(scheduler)) {
                unread.add(object, UnreadObjects.Cause.OTHER_SCHEDULER);
                return;
            }
            throw invalid(object, firstLine(e.getMessage()));
        }
        ExpandedWorkload one = new ExpandedWorkload(value, expansion, place());
        if (one.concernsUs()) {
            expanded.add(one);
            unknown.lookAtWorkload(object, value);
        } else {
            unread.add(object, UnreadObjects.Cause.OTHER_SCHEDULER);
        }
    }

    /** Takes the pods of a workload, and what says how large its gang is. */
    private void make(ExpandedWorkload one) {
        for (ObjectNode object : one.expansion().groups()) {
            GenericKubernetesResource group = MAPPER.convertValue(object, GenericKubernetesResource.class);
            once(group, group.getApiVersion() + " " + group.getKind(), one.place());
            groups.add(group);
        }
        for (Pod pod : one.expansion().pods()) {
            once(pod, "Pod", one.place());
            pods.add(pod);
        }
    }

    /** An advance reservation is planned like a gang; what Slotwise wrote of a gang is not read back. */
    private void reservation(ObjectNode object) {
        if (!object.path("spec").has("hold")) {
            unread.add(object, UnreadObjects.Cause.RECORD);
            return;
        }
        Reservation hold = named(value(object, Reservation.class));
        instant(object, "metadata.creationTimestamp", hold.getMetadata().getCreationTimestamp());
        if (hold.phase() != Phase.COMPLETED) {
            holds.add(hold);
        }
    }

    /** Of a namespace whose past runs cannot be read nothing is predicted, as in a cluster. */
    private void history(NamespaceRunHistory history) {
        String namespace = history.getMetadata().getNamespace();
        try {
            histories.put(namespace, RunHistories.history(history));
        } catch (RuntimeException e) {
            InternalFailure bug = e instanceof IllegalArgumentException ? null : InternalFailure.of(e);
            warnings.add(new IntakeWarning(
                    IntakeWarning.Reason.INVALID_VALUE,
                    "RunHistory",
                    namespace,
                    history.getMetadata().getName(),
                    "run history %s/%s cannot be read: %s; no runtime of this namespace is predicted"
                            .formatted(namespace, history.getMetadata().getName(), bug == null ? e.getMessage() : bug),
                    bug));
        }
    }

    /** A namespace whose ledger cannot be read may spend nothing, as in a cluster; the others are planned. */
    private void ledger(NamespaceLedger ledger) {
        String namespace = ledger.getMetadata().getNamespace();
        try {
            ledgers.add(Ledgers.ledger(ledger));
        } catch (RuntimeException e) {
            InternalFailure bug = e instanceof IllegalArgumentException ? null : InternalFailure.of(e);
            String problem = "ledger %s/%s cannot be read: %s"
                    .formatted(namespace, ledger.getMetadata().getName(), bug == null ? e.getMessage() : bug);
            untold.put(namespace, new Grant.Unreadable(problem));
            warnings.add(new IntakeWarning(
                    IntakeWarning.Reason.INVALID_VALUE,
                    "Ledger",
                    namespace,
                    ledger.getMetadata().getName(),
                    problem,
                    bug));
        }
    }

    /** Kinds of several projects have one name, so that of its API is part of what must be there once. */
    private GenericKubernetesResource group(ObjectNode object) {
        String kind =
                object.path("apiVersion").asText() + " " + object.path("kind").asText();
        return named(value(object, GenericKubernetesResource.class, kind));
    }

    private <T extends HasMetadata> T value(ObjectNode object, Class<T> type) {
        return value(object, type, object.path("kind").asText());
    }

    private <T extends HasMetadata> T value(ObjectNode object, Class<T> type, String kind) {
        T value;
        try {
            value = MAPPER.treeToValue(object, type);
        } catch (JsonMappingException e) {
            throw invalid(object, "%s: %s".formatted(path(e), firstLine(e.getOriginalMessage())));
        } catch (JsonProcessingException e) {
            throw invalid(object, firstLine(e.getOriginalMessage()));
        }
        String generated =
                value.getMetadata() == null ? null : value.getMetadata().getGenerateName();
        if (generated != null && value.getMetadata().getName() == null) {
            value.getMetadata().setName(generated.replaceAll("-+$", ""));
        }
        if (value.getMetadata() == null || value.getMetadata().getName() == null) {
            throw invalid(object, "no metadata.name: expected the object's name");
        }
        plain(object, "metadata.name", value.getMetadata().getName());
        plain(object, "metadata.namespace", value.getMetadata().getNamespace());
        once(value, kind, place());
        unknown.look(object, type, value);
        return value;
    }

    private void plain(ObjectNode object, String field, @Nullable String name) {
        if (name != null && !SafeText.isPlain(name, LONGEST_NAME)) {
            throw invalid(
                    object,
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

    private Pod checked(Pod pod, ObjectNode object) {
        if (pod.getSpec() == null) {
            throw invalid(object, "no spec: expected the pod's containers");
        }
        instant(object, "metadata.creationTimestamp", pod.getMetadata().getCreationTimestamp());
        instant(object, "metadata.deletionTimestamp", pod.getMetadata().getDeletionTimestamp());
        if (pod.getStatus() != null) {
            instant(object, "status.startTime", pod.getStatus().getStartTime());
        }
        return pod;
    }

    private void instant(ObjectNode object, String field, @Nullable String text) {
        if (text != null) {
            try {
                Intervals.parseDown(text);
            } catch (IllegalArgumentException e) {
                throw invalid(object, "%s (%s) is not valid: %s".formatted(field, text, e.getMessage()));
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

    private InvalidManifest invalid(@Nullable ObjectNode object, String message) {
        if (object == null) {
            return new InvalidManifest("%s: %s".formatted(place(), message));
        }
        String name = object.path("metadata").path("name").asText("without a name");
        return new InvalidManifest(
                "%s, %s %s: %s".formatted(place(), object.path("kind").asText(), SafeText.value(name), message));
    }

    private String place() {
        return "%s, document %d".formatted(file, document);
    }

    private static String path(JsonMappingException e) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference reference : e.getPath()) {
            if (reference.getFieldName() == null) {
                path.append('[').append(reference.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(reference.getFieldName());
            }
        }
        return path.toString();
    }

    private static String firstLine(@Nullable String text) {
        return text == null ? "unreadable" : text.lines().findFirst().orElse("").strip();
    }
}
