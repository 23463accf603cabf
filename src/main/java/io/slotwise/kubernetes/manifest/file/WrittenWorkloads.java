package io.slotwise.kubernetes.manifest.file;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.field.PodFindings;
import io.slotwise.kubernetes.manifest.workload.Expansion;
import io.slotwise.kubernetes.manifest.workload.NamedObjects;
import io.slotwise.kubernetes.manifest.workload.WorkloadKinds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The workloads of files whose pods no controller has created yet, and the objects that they name. A workload may come
 * before the object that it names. Lives for one reading.
 */
final class WrittenWorkloads implements NamedObjects {
    private final ObjectMapper mapper;
    private final UnknownFields unknownFields;
    private final UnreadObjects unread;
    private final Map<String, ObjectNode> named = new HashMap<>();
    private final List<Written> postponed = new ArrayList<>();
    private final List<ExpandedWorkload> expanded = new ArrayList<>();
    private final List<IntakeWarning> warnings;

    private record Written(GenericKubernetesResource value, ObjectNode object, String place) {
        String name() {
            return value.getKind() + " " + value.getMetadata().getNamespace() + "/"
                    + value.getMetadata().getName();
        }
    }

    /** An object that workloads name and the input lacks. */
    private record Lacking(String kind, String name, String field) {}

    /**
     * @param warnings receives what is wrong with workloads
     */
    WrittenWorkloads(
            ObjectMapper mapper, UnknownFields unknownFields, UnreadObjects unread, List<IntakeWarning> warnings) {
        this.mapper = mapper;
        this.unknownFields = unknownFields;
        this.unread = unread;
        this.warnings = warnings;
    }

    /** Adds an object that makes no pods but that workloads name. Without a namespace it is in {@code default}. */
    void addNamed(GenericKubernetesResource value, ObjectNode object) {
        String namespace =
                value.getKind().startsWith("Cluster") ? "" : value.getMetadata().getNamespace();
        named.put(key(value.getKind(), namespace, value.getMetadata().getName()), object);
        unknownFields.lookAtTemplates(object);
    }

    private static String key(String kind, String namespace, String name) {
        return kind + " " + namespace + "/" + name;
    }

    @Override
    public @Nullable ObjectNode find(String kind, String namespace, String name) {
        return named.get(key(kind, namespace, name));
    }

    /**
     * Adds a workload. One that names an unknown object waits for it.
     *
     * @throws InvalidObject if a field cannot be read
     */
    void add(GenericKubernetesResource value, ObjectNode object, String place) {
        Written written = new Written(value, object, place);
        try {
            expand(written);
        } catch (Missing e) {
            postponed.add(written);
        } catch (IllegalArgumentException e) {
            if (!ManifestReader.isOfOthers(object)) {
                throw new InvalidObject(ManifestDocuments.firstLine(e.getMessage()));
            }
            unread.add(object, UnreadObjects.Cause.OTHER_SCHEDULER);
        }
    }

    private void expand(Written written) {
        GenericKubernetesResource value = written.value;
        Expansion expansion = WorkloadKinds.expand(value.getMetadata(), written.object, mapper, this);
        ExpandedWorkload workload = new ExpandedWorkload(value, expansion, written.place);
        warnings.addAll(MisplacedKeys.warnings(written.object, Subject.of(value), expansion.pods()));
        if (workload.concernsUs()) {
            expanded.add(workload);
            unknownFields.lookAtTemplates(written.object);
        } else {
            unread.add(written.object, UnreadObjects.Cause.OTHER_SCHEDULER);
        }
    }

    /** Returns all workloads when all objects are known. Those that name an unknown one are left out with a warning. */
    List<ExpandedWorkload> complete() {
        Map<Lacking, List<String>> lacking = new TreeMap<>(Comparator.comparing(Lacking::toString));
        for (Written written : postponed) {
            try {
                expand(written);
            } catch (Missing e) {
                lacking.computeIfAbsent(new Lacking(e.kind(), e.name(), e.field()), _ -> new ArrayList<>())
                        .add(written.name());
            } catch (IllegalArgumentException e) {
                warnings.add(new IntakeWarning(
                        IntakeWarning.Reason.INVALID_VALUE,
                        Subject.of(written.value),
                        "%s, %s: %s; it is left out"
                                .formatted(
                                        written.place, written.name(), ManifestDocuments.firstLine(e.getMessage()))));
            }
        }
        lacking.forEach((object, workloads) -> warnings.add(IntakeWarning.of(
                IntakeWarning.Reason.MISSING,
                Subject.of(object.kind(), object.name()),
                object.field(),
                "%s %s is not in the input (`%s` of %s)"
                        .formatted(
                                object.kind(),
                                SafeText.value(object.name()),
                                object.field(),
                                PodFindings.few(workloads)),
                "the pods that are made from it are not in the plan")));
        return List.copyOf(expanded);
    }
}
