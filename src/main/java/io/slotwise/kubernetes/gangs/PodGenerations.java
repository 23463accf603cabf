package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.work.Steps;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
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
 * <p>The generation of a later attempt of one owner is newer. The owner whose first pod was created later is newer.
 * The result depends only on the pods, including ended and terminating ones, and on the StatefulSets. O(pods), and
 * O(pods log pods) for the sets of {@link #among}.
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

    private static final String LEADER = "leader/";
    private static final String WORKERS = "workers/";
    private static final long ANY_ATTEMPT = Long.MIN_VALUE;

    private final IdentityHashMap<Pod, Made> made = new IdentityHashMap<>();
    private final Map<Made, First> first = new HashMap<>();
    /** The total order of the generations of one scope: by owner, then by attempt. */
    private final Comparator<Made> order = Comparator.comparing((Made made) -> first(made.anyAttempt()))
            .thenComparing(Made::owner)
            .thenComparingLong(Made::attempt)
            .thenComparing(this::first);

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

        boolean isWorker() {
            return !leads && !group.isEmpty();
        }

        /** Returns the key of all attempts of the owner. */
        Made anyAttempt() {
            return new Made(scope, owner, ANY_ATTEMPT);
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
    private record First(String created, boolean bound) implements Comparable<First> {
        First and(First other) {
            return new First(created.compareTo(other.created) <= 0 ? created : other.created, bound || other.bound);
        }

        @Override
        public int compareTo(First other) {
            int compared = created.compareTo(other.created);
            return compared == 0 ? Boolean.compare(other.bound, bound) : compared;
        }
    }

    public static PodGenerations of(Collection<Pod> pods, GroupObjects objects) {
        PodGenerations generations = new PodGenerations();
        for (Pod pod : pods) {
            Made made = made(pod, objects);
            if (made != null) {
                generations.made.put(pod, made);
                First first = new First(created(pod), isBound(pod));
                generations.first.merge(made, first, First::and);
                generations.first.merge(made.anyAttempt(), first, First::and);
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
                    (leads ? LEADER : WORKERS) + group,
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

    /** Some workers of a group, by what tells whether one of them was made for an earlier leader. */
    private final class Workers {
        /** The leaders of the known StatefulSets to which workers belong. */
        private final Set<String> leaders = new HashSet<>();
        /** The leaders of the known StatefulSets whose namesakes made workers. */
        private final Set<String> namesakesLeaders = new HashSet<>();
        /** The revisions of workers whose StatefulSet is unknown. */
        private final Set<String> revisions = new HashSet<>();

        /** The creation time of the first of these workers. */
        private String created = "";

        Workers with(Made madeWorker) {
            WorkerSet workerSet = madeWorker.workers;
            if (workerSet != null && workerSet.uid.equals(madeWorker.owner)) {
                leaders.add(workerSet.leader);
                return this;
            }
            if (workerSet != null) {
                namesakesLeaders.add(workerSet.leader);
            }
            String first = first(madeWorker).created;
            created = revisions.isEmpty() || first.compareTo(created) < 0 ? first : created;
            revisions.add(madeWorker.revision);
            return this;
        }

        /**
         * Returns whether a worker was made for an earlier leader: its StatefulSet belongs to another leader, or is not
         * that of this leader, or is unknown and the worker is older or has another template. O(1).
         */
        boolean precede(Made madeLeader) {
            Steps.add(Steps.Kind.GENERATIONS, 1);
            return hasOther(leaders, madeLeader.owner)
                    || namesakesLeaders.contains(madeLeader.owner)
                    || hasOther(revisions, madeLeader.revision)
                    || (!revisions.isEmpty() && created.compareTo(first(madeLeader).created) < 0);
        }

        private static boolean hasOther(Set<String> values, String value) {
            return values.size() > (values.contains(value) ? 1 : 0);
        }
    }

    private int compare(Made made, Made other) {
        Steps.add(Steps.Kind.GENERATIONS, 1);
        return order.compare(made, other);
    }

    private First first(Made made) {
        return first.getOrDefault(made, new First("", false));
    }

    /** Returns the generations of some of the pods. O(pods log pods). */
    public KnownGenerations among(Collection<Pod> pods) {
        return new KnownGenerations(pods);
    }

    /** The generations of some pods, by scope and in order. */
    public final class KnownGenerations {
        private final Map<String, NavigableSet<Made>> byScope = new HashMap<>();
        private final Map<String, Workers> workersByGroup = new HashMap<>();

        private KnownGenerations(Collection<Pod> pods) {
            for (Pod pod : pods) {
                Made madePod = made.get(pod);
                if (madePod != null) {
                    byScope.computeIfAbsent(madePod.scope, _ -> new TreeSet<>(PodGenerations.this::compare))
                            .add(madePod);
                    if (madePod.isWorker()) {
                        workersByGroup
                                .computeIfAbsent(madePod.group, _ -> new Workers())
                                .with(madePod);
                    }
                }
            }
        }

        /** Returns whether one owner certainly made a pod and one of these in one attempt. O(log pods). */
        public boolean includes(Pod pod) {
            Made madePod = made.get(pod);
            return madePod != null && of(madePod.scope).contains(madePod);
        }

        /**
         * Returns whether a pod is certainly of an older generation than one of these. A worker is compared with the
         * newest leader of its group. O(log pods).
         */
        public boolean isOlder(Pod pod) {
            Made madePod = made.get(pod);
            if (madePod == null) {
                return false;
            }
            NavigableSet<Made> leaders = of(LEADER + madePod.group);
            return of(madePod.scope).higher(madePod) != null
                    || (madePod.isWorker()
                            && !leaders.isEmpty()
                            && new Workers().with(madePod).precede(leaders.last()));
        }

        /** Returns whether a pod is certainly of a newer generation than one of these. O(log pods). */
        public boolean isNewer(Pod pod) {
            Made madePod = made.get(pod);
            if (madePod == null) {
                return false;
            }
            Workers workers = madePod.leads ? workersByGroup.get(madePod.group) : null;
            return of(madePod.scope).lower(madePod) != null || (workers != null && workers.precede(madePod));
        }

        private NavigableSet<Made> of(String scope) {
            return byScope.getOrDefault(scope, new TreeSet<>(PodGenerations.this::compare));
        }
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
