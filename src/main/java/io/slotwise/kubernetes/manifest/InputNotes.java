package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Provision;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.plan.Request;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.Durations;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceLedger;
import io.slotwise.kubernetes.gangs.Conventions;
import io.slotwise.kubernetes.gangs.GangRecognition;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.gangs.StatedTopology.Level;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.Annotations;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.field.PodFindings;
import io.slotwise.kubernetes.manifest.field.PodFindings.Finding;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.live.settings.LoopSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Notes for an admin that no single object in files shows: missing objects that others name, fields that are not read,
 * and assumptions. Lives for one intake. O(pods).
 */
final class InputNotes {
    private static final String CLASS_NAME = "priorityClassName";
    private static final String TIERS = "networkTopology";

    /** The fields of PodGroups that are not read but matter to a plan, with the consequence. */
    private static final Map<GroupKind, Map<String, String>> NOT_READ = Map.of(
            GroupKind.POD_GROUP,
            Map.of(
                    CLASS_NAME,
                    "the priority of its pods counts",
                    "priority",
                    "the priority of its pods counts",
                    "resourceClaims",
                    "claims of its pods count, each as its own"),
            GroupKind.VOLCANO,
            Map.of(
                    TIERS,
                    "its pods are placed without it, because no HyperNode is in the input",
                    "subGroupPolicy",
                    "its pods are placed as one group",
                    CLASS_NAME,
                    "the priority of its pods counts"));

    private final ClusterObjects objects;
    private final IntakeResult result;
    private final LoopSettings settings;
    /** All pods of gangs that are planned or run, by name. */
    private final Map<String, Pod> members = new TreeMap<>();

    private final PodFindings findings = new PodFindings();

    InputNotes(ClusterObjects objects, IntakeResult result, LoopSettings settings) {
        this.objects = objects;
        this.result = result;
        this.settings = settings;
        result.members().values().stream().flatMap(Collection::stream).forEach(pod -> members.put(Pods.name(pod), pod));
    }

    /**
     * @param assumed the gangs that are planned with the policy's default runtime
     */
    List<IntakeWarning> of(List<PodFindings> missing, Set<GangId> assumed) {
        List<IntakeWarning> notes = new ArrayList<>(objects.admissions().warnings());
        Set<String> bound = objects.pods().stream()
                .filter(pod -> Pods.node(pod) != null && !Pods.isTerminal(pod))
                .map(Pods::name)
                .collect(Collectors.toSet());
        notes.addAll(objects.admissions().findings().warnings(pod -> members.containsKey(pod) || bound.contains(pod)));
        missing.forEach(findings -> notes.addAll(findings.warnings(members::containsKey)));
        nodes();
        members.values().forEach(this::topology);
        notes.addAll(findings.warnings(_ -> true));
        notes.addAll(groups());
        notes.addAll(namespaces());
        notes.addAll(ledgers());
        notes.addAll(provision());
        notes.addAll(runtimes(assumed));
        return notes;
    }

    /** Notes pods that run on nodes missing from the input. */
    private void nodes() {
        if (objects.nodes().isEmpty()) {
            return;
        }
        Set<String> known = objects.nodes().stream()
                .map(node -> node.getMetadata().getName())
                .collect(Collectors.toSet());
        for (Pod pod : objects.pods()) {
            String node = Pods.node(pod);
            if (node != null && !known.contains(node) && !Pods.isTerminal(pod)) {
                findings.add(
                        Finding.missing("Node", SafeText.value(node), "spec.nodeName", "they take no room in the plan"),
                        pod);
            }
        }
    }

    /** Notes words of other projects about the topology that come after Slotwise's own. */
    private void topology(Pod pod) {
        AnnotationKeys.TOPOLOGIES.stream()
                .filter(key -> Annotations.find(pod, key) != null)
                .findFirst()
                .ifPresent(own -> otherTopology(pod, own));
    }

    private void otherTopology(Pod pod, String own) {
        stated(pod)
                .filter(level -> !level.key().equals(Annotations.find(pod, own)))
                .forEach(level -> findings.add(
                        new Finding(
                                IntakeWarning.Reason.IGNORED,
                                "Pod",
                                "",
                                level.field(),
                                "the level %s does not count next to `%s`".formatted(SafeText.value(level.key()), own),
                                "its gang is placed by the annotation"),
                        pod));
    }

    /** Returns the levels that other projects' words state for a pod; none if they cannot be read. */
    private Stream<Level> stated(Pod pod) {
        try {
            return GangRecognition.of(List.of(pod), objects.groups()).topology().levels();
        } catch (IllegalArgumentException e) {
            return Stream.empty();
        }
    }

    private List<IntakeWarning> groups() {
        TreeMap<String, IntakeWarning> notes = new TreeMap<>();
        members.values()
                .forEach(pod -> Conventions.groups(pod, objects.groups()).forEach(key -> {
                    GenericKubernetesResource group = objects.groups().find(key);
                    if (group != null) {
                        if (isTakenApart(pod, group)) {
                            notes.put(group.getKind() + key, basic(key));
                        }
                        NOT_READ.getOrDefault(key.kind(), Map.of()).forEach((field, consequence) -> {
                            Object value = group.get("spec", field);
                            if (value != null && !isRead(pod, field, value)) {
                                IntakeWarning warning = note(key, field, consequence);
                                notes.put(warning.message(), warning);
                            }
                        });
                    }
                }));
        return List.copyOf(notes.values());
    }

    /** Returns whether a pod with a gang's label starts by itself, because of its PodGroup's policy. */
    private boolean isTakenApart(Pod pod, GenericKubernetesResource group) {
        return group.get("spec", "schedulingPolicy", "basic") != null
                && Pods.label(pod, AnnotationKeys.GANG) != null
                && result.members().containsKey(new GangId(pod.getMetadata().getNamespace(), Conventions.ownGang(pod)));
    }

    private static IntakeWarning basic(GroupKey key) {
        return IntakeWarning.of(
                IntakeWarning.Reason.IGNORED,
                new Subject(key.kind().kind(), key.namespace(), key.name()),
                "spec.schedulingPolicy.basic",
                "`%s` of pods does not count next to the policy basic of PodGroup %s/%s"
                        .formatted(AnnotationKeys.GANG, key.namespace(), key.name()),
                "each of its pods starts by itself");
    }

    private static IntakeWarning note(GroupKey key, String field, String consequence) {
        return IntakeWarning.of(
                IntakeWarning.Reason.NOT_SUPPORTED,
                new Subject(key.kind().kind(), key.namespace(), key.name()),
                "spec." + field,
                "`spec.%s` of %s %s/%s is not read".formatted(field, key.kind().kind(), key.namespace(), key.name()),
                consequence);
    }

    /** Returns whether a field says what its pods say, or is read where there are HyperNodes. */
    private boolean isRead(Pod pod, String field, Object value) {
        return switch (field) {
            case CLASS_NAME -> value.equals(pod.getSpec().getPriorityClassName());
            case "priority" -> value.equals(Pods.priority(pod));
            case TIERS -> !objects.groups().all(GroupKind.HYPER_NODE).isEmpty();
            default -> false;
        };
    }

    /** Notes missing namespaces of gangs. The namespace that every cluster has is missed only if others are given. */
    private List<IntakeWarning> namespaces() {
        Set<String> missing = new TreeSet<>();
        result.members().keySet().forEach(gang -> missing.add(gang.namespace()));
        objects.namespaces().forEach(known -> missing.remove(known.getMetadata().getName()));
        if (objects.namespaces().isEmpty()) {
            missing.remove("default");
        }
        if (missing.isEmpty()) {
            return List.of();
        }
        String names = PodFindings.few(List.copyOf(missing));
        return List.of(IntakeWarning.of(
                objects.namespaces().isEmpty() ? IntakeWarning.Reason.ASSUMED : IntakeWarning.Reason.MISSING,
                Subject.of("Namespace", names),
                "metadata.namespace",
                missing.size() == 1
                        ? "Namespace %s is not in the input".formatted(names)
                        : "Namespaces %s are not in the input".formatted(names),
                "no budget of a namespace limits the gangs there"));
    }

    private List<IntakeWarning> ledgers() {
        Map<String, Grant> grants = NamespaceReader.grants(objects.namespaces());
        Set<String> told = new HashSet<>(objects.unreported().keySet());
        objects.ledgers().stream().map(Ledger::namespace).forEach(told::add);
        return grants.entrySet().stream()
                .filter(entry -> entry.getValue() instanceof Grant.Given && !told.contains(entry.getKey()))
                .map(entry -> IntakeWarning.of(
                        IntakeWarning.Reason.MISSING,
                        new Subject("Ledger", entry.getKey(), NamespaceLedger.NAME),
                        null,
                        "Ledger %s/%s is not in the input".formatted(entry.getKey(), NamespaceLedger.NAME),
                        "the namespace is planned as if it had spent nothing of its budget"))
                .toList();
    }

    /** Notes gangs that may run only on bought nodes while none is bought. */
    private List<IntakeWarning> provision() {
        if (settings.policy().provisioning().mode() != Provisioning.Mode.NONE) {
            return List.of();
        }
        List<String> gangs = result.snapshot().requests().stream()
                .map(Request::gang)
                .filter(gang -> gang.provision() == Provision.ONLY)
                .map(Gang::id)
                .map(GangId::toString)
                .toList();
        return gangs.isEmpty()
                ? List.of()
                : List.of(ofGangs(
                        IntakeWarning.Reason.IGNORED,
                        gangs,
                        AnnotationKeys.PROVISION,
                        "`%s` (%s) of %s does not count, because the policy's `buying.mode` is none"
                                .formatted(AnnotationKeys.PROVISION, Provision.ONLY.key(), gangs(gangs)),
                        (gangs.size() == 1 ? "it is" : "they are") + " planned on all nodes"));
    }

    private List<IntakeWarning> runtimes(Set<GangId> assumed) {
        List<String> gangs = assumed.stream().map(GangId::toString).toList();
        return gangs.isEmpty()
                ? List.of()
                : List.of(ofGangs(
                        IntakeWarning.Reason.ASSUMED,
                        gangs,
                        AnnotationKeys.RUNTIME,
                        "%s no runtime (`%s`)"
                                .formatted(
                                        gangs(gangs) + (gangs.size() == 1 ? " states" : " state"),
                                        AnnotationKeys.RUNTIME),
                        "%s planned with %s, the policy's `gangs.runtime.default`"
                                .formatted(
                                        gangs.size() == 1 ? "it is" : "they are",
                                        Durations.brief(settings.defaultRuntime()))));
    }

    private static String gangs(List<String> names) {
        return (names.size() == 1 ? "gang " : "gangs ") + PodFindings.few(names);
    }

    private static IntakeWarning ofGangs(
            IntakeWarning.Reason reason, List<String> gangs, String field, String statement, String consequence) {
        return IntakeWarning.of(reason, Subject.of("Gang", String.join(", ", gangs)), field, statement, consequence);
    }
}
