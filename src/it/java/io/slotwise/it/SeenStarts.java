package io.slotwise.it;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records all starts of gangs in a cluster during a test, with the generation of their pods as the real controllers
 * know it.
 */
final class SeenStarts implements AutoCloseable {
    private static final String SETS = "leaderworkerset.sigs.k8s.io/";

    private final Map<String, Pod> pods = new ConcurrentHashMap<>();
    /** The UID of each StatefulSet's owner, by the StatefulSet's UID. */
    private final Map<String, String> leaders = new ConcurrentHashMap<>();

    private final List<Start> starts = new CopyOnWriteArrayList<>();
    private final List<SharedIndexInformer<?>> informers;

    /** The start of a gang, with the UIDs of its pods. */
    private record Start(String namespace, String gang, String startedAt, List<String> members) {
        boolean isOf(GenericKubernetesResource record) {
            return namespace.equals(record.getMetadata().getNamespace())
                    && gang.equals(record.getMetadata().getName())
                    && startedAt.equals(record.get("status", "startedAt"));
        }
    }

    SeenStarts(KubernetesClient client) {
        informers = List.of(
                client.pods()
                        .inAnyNamespace()
                        .inform(each(pod -> pods.putIfAbsent(pod.getMetadata().getUid(), pod))),
                client.apps()
                        .statefulSets()
                        .inAnyNamespace()
                        .inform(each(set -> leaders.put(set.getMetadata().getUid(), owner(set)))),
                client.genericKubernetesResources(Cluster.RESERVATIONS)
                        .inAnyNamespace()
                        .inform(each(this::see)));
    }

    private static <T> ResourceEventHandler<T> each(Consumer<T> consumer) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                consumer.accept(object);
            }

            @Override
            public void onUpdate(T before, T object) {
                consumer.accept(object);
            }

            @Override
            public void onDelete(T object, boolean unknown) {
                // Starts are recorded when they are seen.
            }
        };
    }

    private void see(GenericKubernetesResource record) {
        List<String> members = record.get("status", "members");
        String startedAt = record.get("status", "startedAt");
        if (members != null && startedAt != null && starts.stream().noneMatch(start -> start.isOf(record))) {
            starts.add(new Start(
                    record.getMetadata().getNamespace(), record.getMetadata().getName(), startedAt, members));
        }
    }

    private static String owner(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                .map(OwnerReference::getUid)
                .findFirst()
                .orElse("");
    }

    /**
     * The generation of a pod, which all pods of a start must share: the attempt of their JobSet, the leader of their
     * group, or their Job. Pods without an owner share one generation.
     */
    String generation(Pod pod) {
        String attempt = label(pod, "jobset.sigs.k8s.io/restart-attempt");
        if (attempt != null) {
            return "attempt " + attempt;
        }
        String worker = label(pod, SETS + "worker-index");
        if (worker != null) {
            String uid = worker.equals("0") ? pod.getMetadata().getUid() : leaders.get(owner(pod));
            return "leader " + uid;
        }
        return "owner " + owner(pod);
    }

    /** The position in the gang that only one pod can have. A pod without an owner has its own. */
    static String identity(Pod pod) {
        return Stream.of("job-name", "batch.kubernetes.io/job-completion-index", SETS + "worker-index")
                        .map(key -> String.valueOf(label(pod, key)))
                        .reduce("", (one, other) -> one + "/" + other)
                + (owner(pod).isEmpty() ? pod.getMetadata().getName() : "");
    }

    private static @Nullable String label(Pod pod, String key) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        return labels == null ? null : labels.get(key);
    }

    /** The number of starts of the whole gang. */
    long whole(String namespace, String gang) {
        return starts.stream()
                .filter(start -> start.namespace.equals(namespace) && start.gang.equals(gang))
                .count();
    }

    /** The number of pods that have started alone. */
    long single(String namespace, String gang) {
        return starts.stream()
                .filter(start -> start.namespace.equals(namespace) && !start.gang.equals(gang))
                .count();
    }

    /**
     * The violations of a namespace: the gang starts with all positions, all of one generation, and a pod starts alone
     * only after the gang of its generation.
     */
    List<String> violations(String namespace, String gang, int size) {
        List<String> violations = new ArrayList<>();
        Set<String> started = new HashSet<>();
        for (Start start : starts) {
            if (!start.namespace.equals(namespace)) {
                continue;
            }
            List<Pod> members = start.members.stream()
                    .flatMap(uid -> Stream.ofNullable(pods.get(uid)))
                    .toList();
            List<String> generations =
                    members.stream().map(this::generation).distinct().toList();
            long podCount =
                    members.stream().map(SeenStarts::identity).distinct().count();
            if (start.gang.equals(gang) && (podCount != size || start.members.size() != size)) {
                violations.add("%s has %d seats of %d: %s".formatted(start, podCount, size, names(members)));
            }
            if (generations.size() != 1) {
                violations.add("%s has pods of %s: %s".formatted(start, generations, names(members)));
            } else if (start.gang.equals(gang)) {
                started.addAll(generations);
            } else if (!started.containsAll(generations)) {
                violations.add(
                        "%s is of %s, of which no gang has started: %s".formatted(start, generations, names(members)));
            }
        }
        return violations;
    }

    private static List<String> names(List<Pod> pods) {
        return pods.stream().map(pod -> pod.getMetadata().getName()).toList();
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::close);
    }
}
