package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The generations of the pods of one gang. A generation is made by one owner in one attempt: the pods of a controller
 * with one UID, of a JobSet with one restart attempt, or of a Volcano job with one version. The leader of a
 * LeaderWorkerSet's group and its workers are a generation too. Two pods are of different generations only where that
 * is certain. Owners of different names may make one gang together, pods without a controller are of one generation,
 * and a future worker is for the existing leader. A Deployment or StatefulSet keeps its gang during a rollout, because
 * it replaces pods one by one.
 *
 * <p>A worker belongs to the leader that owns its StatefulSet, however late it was created. That StatefulSet may be
 * unknown: it may not be read, is in no file, or arrives by the watch after its pods. Then the worker belongs to the
 * leader that has its template and was not created after it. So a new group never waits for the watch. The StatefulSets
 * of deleted leaders were seen long before.
 *
 * <p>The generation of the later attempt is newer, else the one whose first pod was created later. The result depends
 * only on the pods, including ended and terminating ones, and on the StatefulSets. O(pods).
 */
public final class PodGenerations {
    private static final String JOB_SET = "jobset.sigs.k8s.io/jobset-name";
    private static final String JOB_SET_UID = "jobset.sigs.k8s.io/jobset-uid";
    private static final String RESTART = "jobset.sigs.k8s.io/restart-attempt";
    private static final String JOB_VERSION = "volcano.sh/job-version";
    private static final String GROUP_SET = "leaderworkerset.sigs.k8s.io/name";
    private static final String GROUP_INDEX = "leaderworkerset.sigs.k8s.io/group-index";
    private static final String WORKER = LeaderWorkerSetConvention.WORKER;
    private static final String REVISION = "leaderworkerset.sigs.k8s.io/template-revision-hash";

    /** Kinds that keep a number of pods running, in any API group. */
    private static final Set<String> KEEPING = Set.of(
            "ReplicaSet", "ReplicationController", "StatefulSet", "DaemonSet", "Deployment", "CloneSet", "RayCluster");

    private final IdentityHashMap<Pod, Made> made = new IdentityHashMap<>();
    private final Map<Made, First> first = new HashMap<>();

    private PodGenerations() {}

    /**
     * The owner and the attempt that a pod was made in.
     *
     * @param scope the owner's kind and name; generations of one scope follow each other
     * @param owner the owner's UID
     * @param attempt the attempt of that owner; 0 if it has only one
     * @param group the LeaderWorkerSet's group, whose leader opens a generation; empty without one
     * @param revision the revision of the group's template
     * @param leads whether the pod is the leader
     * @param workers the worker's StatefulSet, or null if unknown
     */
    private record Made(
            String scope,
            String owner,
            long attempt,
            String group,
            String revision,
            boolean leads,
            @Nullable WorkerSet workers) {
        Made(String scope, String owner, long attempt) {
            this(scope, owner, attempt, "", "", false, null);
        }

        /** Returns a key that is the same for all generations that can be compared: a group, else a scope. */
        String rivals() {
            return group.isEmpty() ? scope : "group/" + group;
        }

        /** Returns whether the leader of its group can determine its generation. */
        boolean follows(Made made) {
            return made.leads && !leads && !group.isEmpty() && group.equals(made.group);
        }
    }

    /**
     * The StatefulSet of a leader's workers.
     *
     * @param leader the UID of the leader that owns it
     */
    private record WorkerSet(String uid, String leader) {
        /** Returns the known StatefulSet with the name of a pod's controller, or null. */
        static @Nullable WorkerSet of(Pod pod, OwnerReference controller, GroupObjects objects) {
            GenericKubernetesResource set = objects.find(new GroupKey(
                    GroupKind.STATEFUL_SET, pod.getMetadata().getNamespace(), String.valueOf(controller.getName())));
            if (set == null) {
                return null;
            }
            OwnerReference leader = Owners.controller(set);
            return leader == null || !"Pod".equals(leader.getKind())
                    ? null
                    : new WorkerSet(String.valueOf(set.getMetadata().getUid()), String.valueOf(leader.getUid()));
        }
    }

    /** The creation time of a generation's first pod, as the API server writes it, and whether a pod has a node. */
    private record First(String created, boolean bound) {}

    public static PodGenerations of(Collection<Pod> pods, GroupObjects objects) {
        PodGenerations generations = new PodGenerations();
        for (Pod pod : pods) {
            Made made = made(pod, objects);
            if (made != null) {
                generations.made.put(pod, made);
                generations.first.merge(
                        made,
                        new First(created(pod), isBound(pod)),
                        (first, other) -> new First(
                                first.created.compareTo(other.created) <= 0 ? first.created : other.created,
                                first.bound || other.bound));
            }
        }
        return generations;
    }

    private static @Nullable Made made(Pod pod, GroupObjects objects) {
        OwnerReference controller = Owners.controller(pod);
        String set = AnnotationParsing.label(pod, JOB_SET);
        if (set != null) {
            String uid = AnnotationParsing.label(pod, JOB_SET_UID);
            return new Made("JobSet/" + set, uid == null ? "" : uid, number(label(pod, RESTART)));
        }
        String worker = AnnotationParsing.label(pod, WORKER);
        if (worker != null) {
            boolean leads = "0".equals(worker);
            String group = label(pod, GROUP_SET) + "/" + label(pod, GROUP_INDEX);
            if (!leads && uid(pod).isEmpty()) {
                return null;
            }
            String owner = leads || controller == null ? uid(pod) : String.valueOf(controller.getUid());
            return new Made(
                    (leads ? "leader/" : "workers/") + group,
                    owner,
                    0,
                    group,
                    label(pod, REVISION),
                    leads,
                    leads || controller == null ? null : WorkerSet.of(pod, controller, objects));
        }
        if (controller == null) {
            return null;
        }
        return new Made(
                controller.getKind() + "/" + controller.getName(),
                String.valueOf(controller.getUid()),
                number(AnnotationParsing.annotation(pod, JOB_VERSION)));
    }

    private static String label(Pod pod, String key) {
        String label = AnnotationParsing.label(pod, key);
        return label == null ? "" : label;
    }

    private static String uid(Pod pod) {
        return String.valueOf(pod.getMetadata().getUid());
    }

    private static String created(Pod pod) {
        String created = pod.getMetadata().getCreationTimestamp();
        return created == null ? "" : created;
    }

    private static boolean isBound(Pod pod) {
        return pod.getSpec() != null
                && pod.getSpec().getNodeName() != null
                && !pod.getSpec().getNodeName().isEmpty();
    }

    private static long number(@Nullable String text) {
        try {
            return text == null ? 0 : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Returns whether {@code pod} is certainly of an older generation than {@code other}. O(1). */
    public boolean isOlder(Pod pod, Pod other) {
        Made older = made.get(pod);
        Made newer = made.get(other);
        if (older == null || newer == null || older.equals(newer)) {
            return false;
        }
        if (older.scope.equals(newer.scope)) {
            return isBefore(older, newer);
        }
        return older.follows(newer) && isOfEarlier(older, newer);
    }

    /**
     * Returns whether a worker was made for an earlier leader: its StatefulSet belongs to another leader, or is not
     * that of this leader.
     */
    private boolean isOfEarlier(Made madeWorker, Made madeLeader) {
        WorkerSet workers = madeWorker.workers;
        boolean isItsOwn = workers != null && workers.uid.equals(madeWorker.owner);
        boolean isOfTheLeader = workers != null && workers.leader.equals(madeLeader.owner);
        return (isItsOwn || isOfTheLeader)
                ? isItsOwn != isOfTheLeader
                : !madeWorker.revision.equals(madeLeader.revision)
                        || first(madeWorker).created.compareTo(first(madeLeader).created) < 0;
    }

    /** Defines a total order of the generations of one scope. */
    private boolean isBefore(Made made, Made other) {
        if (made.owner.equals(other.owner) && made.attempt != other.attempt) {
            return made.attempt < other.attempt;
        }
        int created = first(made).created.compareTo(first(other).created);
        if (created != 0) {
            return created < 0;
        }
        return first(made).bound == first(other).bound ? made.owner.compareTo(other.owner) < 0 : first(made).bound;
    }

    private First first(Made made) {
        return first.getOrDefault(made, new First("", false));
    }

    /** Returns one pod of each generation, by the key of comparable generations, see {@link #rivals}. O(pods). */
    public Map<String, List<Pod>> examples(Collection<Pod> pods) {
        Map<Made, Pod> examples = new LinkedHashMap<>();
        for (Pod pod : pods) {
            Made madePod = made.get(pod);
            if (madePod != null) {
                examples.putIfAbsent(madePod, pod);
            }
        }
        Map<String, List<Pod>> byRivals = new HashMap<>();
        examples.forEach((made, pod) ->
                byRivals.computeIfAbsent(made.rivals(), _ -> new ArrayList<>()).add(pod));
        return byRivals;
    }

    /** Returns the {@link #examples} that may be of an older or newer generation than a pod, or of its own. O(1). */
    public List<Pod> rivals(Map<String, List<Pod>> examples, Pod pod) {
        Made madePod = made.get(pod);
        return madePod == null ? List.of() : examples.getOrDefault(madePod.rivals(), List.of());
    }

    /** Returns whether one owner certainly made both in one attempt. O(1). */
    public boolean areOfOne(Pod pod, Pod other) {
        Made madePod = made.get(pod);
        return madePod != null && madePod.equals(made.get(other));
    }

    /**
     * Returns whether a pod's controller does not recreate it once it has finished its work. Controllers that keep a
     * number of pods running do.
     */
    public static boolean isDoneOnce(Pod pod) {
        OwnerReference controller = Owners.controller(pod);
        return controller != null && !KEEPING.contains(controller.getKind());
    }

    /** Returns what only one pod of a gang can have at a time: an index of its Job, or its own name. O(1). */
    public static String identity(Pod pod) {
        String index = IndexedJob.index(pod);
        OwnerReference job = IndexedJob.job(pod);
        return index == null || job == null
                ? "pod/" + pod.getMetadata().getName()
                : job.getUid() + "/" + job.getName() + "/" + index;
    }
}
