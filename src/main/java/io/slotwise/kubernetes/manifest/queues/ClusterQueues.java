package io.slotwise.kubernetes.manifest.queues;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueFault;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.Interval;
import io.slotwise.core.work.InternalFailure;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueSpec;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Reason;
import io.slotwise.kubernetes.manifest.field.LabelSelectors;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The queues of one intake. A namespace has the queue that names it, or whose selector matches its labels; the earliest
 * created of several, and {@code default} without one.
 */
public final class ClusterQueues {
    /** The label that the API server gives each namespace. */
    private static final String NAME_LABEL = "kubernetes.io/metadata.name";

    private static final Comparator<QueueObject> BY_CREATION = Comparator.comparing((QueueObject object) ->
                    Objects.requireNonNullElse(object.getMetadata().getCreationTimestamp(), ""))
            .thenComparing(object -> object.getMetadata().getName());

    private final @Nullable KueueQueues kueue;
    private final List<IntakeWarning> notes;
    private final List<QueueObject> objects;
    private final List<Queue> queues = new ArrayList<>();
    private final List<Queue> unreadable = new ArrayList<>();
    private final SortedMap<String, Allotment> budgets = new TreeMap<>();
    private final SortedMap<String, QueueProblem> unread = new TreeMap<>();
    private final Map<String, QueueSpec> specs = new HashMap<>();
    private final SortedMap<String, Map<String, String>> labels = new TreeMap<>();
    /** The positions of the queues that name a namespace. */
    private final SortedMap<String, List<Integer>> naming = new TreeMap<>();
    /** The positions of the queues that select namespaces by their labels. */
    private final List<Integer> selecting = new ArrayList<>();

    private final Map<String, String> byNamespace = new HashMap<>();

    /**
     * @param optional Queue objects; without any, Kueue's objects, which are read as such
     * @param interval the seconds for which calendars are read
     */
    public ClusterQueues(OptionalObjects optional, Collection<Namespace> namespaces, Interval interval) {
        List<QueueObject> stated = optional.of(QueueObject.class);
        List<GenericKubernetesResource> peers = optional.of(GenericKubernetesResource.class);
        this.kueue = stated.isEmpty() && !peers.isEmpty() ? KueueQueues.of(peers) : null;
        PeerQueues peerQueues = kueue == null ? new PeerQueues(stated, List.of()) : kueue.translated();
        this.notes = kueue != null || peers.isEmpty()
                ? peerQueues.notes()
                : List.of(new IntakeWarning(
                        Reason.IGNORED,
                        IntakeWarning.Subject.of("ClusterQueue", ""),
                        "Kueue's queues are not read, since there are Queue objects: expected one of them"));
        this.objects = peerQueues.queues().stream().sorted(BY_CREATION).toList();
        QueueReader reader = new QueueReader(interval);
        for (int i = 0; i < this.objects.size(); i++) {
            QueueObject object = this.objects.get(i);
            String name = object.getMetadata().getName();
            if (object.getSpec() != null) {
                note(name, object.getSpec(), i);
            }
            Isolated.run(() -> read(reader, object), error -> unread.put(name, failed(name, error)));
            if (unread.containsKey(name)) {
                String parent =
                        object.getSpec() == null ? null : object.getSpec().parent();
                unreadable.add(new Queue(name, parent));
            }
        }
        if (!this.objects.isEmpty()) {
            namespaces.forEach(namespace -> labels.put(
                    namespace.getMetadata().getName(),
                    Objects.requireNonNullElse(namespace.getMetadata().getLabels(), Map.of())));
        }
    }

    private void note(String name, QueueSpec spec, int position) {
        specs.put(name, spec);
        spec.namespaces()
                .forEach(namespace -> naming.computeIfAbsent(namespace, _ -> new ArrayList<>())
                        .add(position));
        if (spec.namespaceSelector() != null) {
            selecting.add(position);
        }
    }

    private void read(QueueReader reader, QueueObject object) {
        try {
            Queue queue = reader.read(object);
            Allotment budget = QueueReader.budget(object.getSpec());
            queues.add(queue);
            if (budget != null) {
                budgets.putIfAbsent(queue.name(), budget);
            }
        } catch (IllegalArgumentException e) {
            String name = object.getMetadata().getName();
            unread.put(name, new QueueProblem(name, Reason.INVALID_VALUE, String.valueOf(e.getMessage()), null));
        }
    }

    private static QueueProblem failed(String name, Throwable error) {
        InternalFailure failure = InternalFailure.of(error);
        return new QueueProblem(name, Reason.INTERNAL_ERROR, "it cannot be read because of " + failure, failure);
    }

    public boolean isEmpty() {
        return objects.isEmpty();
    }

    /** Returns notes on Kueue's objects: what is not translated. */
    public List<IntakeWarning> notes() {
        return notes;
    }

    /**
     * Returns the name of a gang's queue, or null if no queue bounds it. O(queues) for a namespace that is asked for
     * the first time.
     *
     * @param stated the name that the gang states, or null
     * @param localNames the names of Kueue's LocalQueue that the gang states; without Kueue's objects they are ignored
     */
    public @Nullable String of(String namespace, @Nullable String stated, SortedSet<String> localNames) {
        if (stated != null || objects.isEmpty()) {
            return stated;
        }
        String local = kueue == null || localNames.isEmpty() ? null : kueue.queue(namespace, localNames.first());
        if (local != null) {
            return local;
        }
        String queue = byNamespace.computeIfAbsent(namespace, this::find);
        return queue.isEmpty() ? null : queue;
    }

    /** Returns the queue of a namespace; empty for none, since Kueue leaves gangs without a LocalQueue alone. */
    private String find(String namespace) {
        List<String> found = matching(namespace);
        return found.isEmpty() ? kueue == null ? Queue.DEFAULT : "" : found.getFirst();
    }

    /** Returns why a gang of Kueue's LocalQueue waits, or null if it does not. */
    public @Nullable String localProblem(String namespace, SortedSet<String> localNames) {
        if (kueue == null || localNames.isEmpty()) {
            return null;
        }
        return localNames.size() > 1
                ? "`kueue.x-k8s.io/queue-name` (%s) differs: expected one value for the gang"
                        .formatted(SafeText.value(String.join(", ", localNames)))
                : kueue.problem(namespace, localNames.first());
    }

    /** Returns the queues of a namespace, the earliest created first. O(queues with selectors). */
    private List<String> matching(String namespace) {
        TreeSet<Integer> positions = new TreeSet<>(naming.getOrDefault(namespace, List.of()));
        if (!selecting.isEmpty()) {
            Map<String, String> all = new HashMap<>(labels.getOrDefault(namespace, Map.of()));
            all.put(NAME_LABEL, namespace);
            for (int position : selecting) {
                LabelSelector selector = objects.get(position).getSpec().namespaceSelector();
                if (selector != null && LabelSelectors.match(selector, all)) {
                    positions.add(position);
                }
            }
        }
        return positions.stream()
                .map(position -> objects.get(position).getMetadata().getName())
                .toList();
    }

    /** Returns why the pods of a gang may not be in a queue because of their priority class, or null if they may. */
    public @Nullable String problem(@Nullable String queue, Collection<Pod> pods) {
        QueueSpec spec = queue == null ? null : specs.get(queue);
        if (spec == null || spec.priorityClasses().isEmpty()) {
            return null;
        }
        return pods.stream()
                .map(pod -> Objects.requireNonNullElse(pod.getSpec().getPriorityClassName(), ""))
                .filter(name -> !spec.priorityClasses().contains(name))
                .findFirst()
                .map(name -> "`priorityClassName` (%s) is not allowed in queue %s: expected %s"
                        .formatted(SafeText.value(name), queue, String.join(" or ", spec.priorityClasses())))
                .orElse(null);
    }

    /** Returns the queues that can be read, in order of their creation. */
    public List<Queue> queues() {
        return List.copyOf(queues);
    }

    /**
     * Returns the tree.
     *
     * @param nodeResources the sum of what all nodes have
     */
    public QueueTree tree(Resources nodeResources) {
        return QueueTree.of(queues, unreadable, nodeResources);
    }

    /** Returns the budgets of the queues of the tree that have one. */
    public SortedMap<String, Allotment> budgets(QueueTree tree) {
        SortedMap<String, Allotment> ofTree = new TreeMap<>(budgets);
        ofTree.keySet().removeIf(queue -> !tree.has(queue));
        return ofTree;
    }

    /** Returns the problems of all queues: those left out of the tree by name, then those that lack a namespace. */
    public List<QueueProblem> problems(QueueTree tree) {
        SortedMap<String, QueueProblem> problems = new TreeMap<>(unread);
        for (QueueFault fault : tree.faults()) {
            problems.putIfAbsent(
                    fault.queue(), new QueueProblem(fault.queue(), Reason.INVALID_VALUE, fault.message(), null));
        }
        return Stream.concat(problems.values().stream(), taken().values().stream())
                .toList();
    }

    private SortedMap<String, QueueProblem> taken() {
        TreeSet<String> namespaces = new TreeSet<>(naming.keySet());
        if (!selecting.isEmpty()) {
            namespaces.addAll(labels.keySet());
        }
        SortedMap<String, QueueProblem> taken = new TreeMap<>();
        for (String namespace : namespaces) {
            List<String> found = matching(namespace);
            for (String name : found.subList(Math.min(1, found.size()), found.size())) {
                taken.putIfAbsent(
                        name,
                        new QueueProblem(
                                name,
                                Reason.IGNORED,
                                "namespace %s is already in queue %s: expected each namespace in one queue"
                                        .formatted(namespace, found.getFirst()),
                                null));
            }
        }
        return taken;
    }
}
