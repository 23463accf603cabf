package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.Annotations;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.gang.PromisePlacements;
import io.slotwise.kubernetes.manifest.neighbours.AntiAffinity;
import io.slotwise.kubernetes.manifest.neighbours.ClosedNodes;
import io.slotwise.kubernetes.manifest.pods.GangMembers;
import io.slotwise.kubernetes.manifest.pods.PodBounds;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.pods.PodRecreation;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sorts pods into gangs by name, and into other pods that occupy room. Used for one intake. O(pods). */
final class PodSorter {
    private final IntakeInput input;
    private final PodFilter filter;
    private final NodeOccupants occupants;
    private final ClosedNodes closed;
    private final OtherSchedulers others = new OtherSchedulers();
    private final Map<GangId, GangMembers> gangs = new HashMap<>();
    /** The ends of gangs whose pods have all ended, seconds since the epoch. */
    private final Map<GangId, Long> over = new HashMap<>();
    /** The placements of gangs whose members have an anti-affinity. */
    private final Map<GangId, Map<String, Placement>> placements = new HashMap<>();

    PodSorter(IntakeInput input, NodeOccupants occupants) {
        this.input = input;
        this.filter = input.filter();
        this.occupants = occupants;
        this.closed = new ClosedNodes(
                input.nodes(),
                input.objects().pods(),
                AntiAffinity.labels(input.objects().namespaces()),
                this::end);
        input.cache().withAntiAffinity().forEach(closed::add);
    }

    /** Returns the pods to be planned, as far as their own objects tell. */
    static List<Pod> waiting(IntakeInput input) {
        return input.objects().pods().stream()
                .filter(pod -> Isolated.get(
                        () -> Pods.node(pod) == null
                                && isOurs(pod, input.filter())
                                && !Pods.isTerminal(pod)
                                && !Pods.isTerminating(pod)
                                && PodBounds.problem(pod) == null,
                        _ -> false))
                .toList();
    }

    private static boolean isOurs(Pod pod, PodFilter filter) {
        return filter.isOurs(pod.getSpec().getSchedulerName())
                || (filter.annotated()
                        && (Pods.label(pod, AnnotationKeys.GANG) != null
                                || Annotations.find(pod, AnnotationKeys.RUNTIME) != null))
                || (Pods.node(pod) == null && filter.isTried(pod.getSpec().getSchedulerName()));
    }

    Map<GangId, GangMembers> gangs() {
        return gangs;
    }

    /** Returns the pods of a gang that terminate but still occupy room. */
    List<Pod> going(GangId gang) {
        GangMembers namedMembers = gangs.get(gang);
        return namedMembers == null
                ? List.of()
                : namedMembers.gone().stream()
                        .filter(pod -> Pods.node(pod) != null && !Pods.isTerminal(pod))
                        .toList();
    }

    /** Returns the ends of the gangs whose pods have ended, seconds since the epoch. */
    Map<GangId, Long> over() {
        return over;
    }

    ClosedNodes closed() {
        return closed;
    }

    OtherSchedulers others() {
        return others;
    }

    void add(Pod pod) {
        if (input.cache().isEndless(pod)) {
            return;
        }
        boolean ours = isOurs(pod, filter);
        if (Pods.isTerminal(pod)) {
            if (ours) {
                over.merge(Pods.gangOf(pod), Pods.endedAt(pod).orElse(input.now()), Math::max);
                ofItsName(pod).gone().add(pod);
            }
            return;
        }
        String node = Pods.node(pod);
        if (node != null) {
            closed.add(pod);
        }
        boolean terminating = Pods.isTerminating(pod);
        if (!ours) {
            if (node != null) {
                addForeign(pod, node, terminating);
            } else if (!terminating) {
                addComing(pod);
            }
        } else if (terminating) {
            if (node != null) {
                occupants.addForeign(pod, node);
            }
            ofItsName(pod).gone().add(pod);
        } else if (node != null && input.known().isLeaving(pod)) {
            occupants.addLeaving(pod, node, input.known().leavingFrom(pod, input.now()));
            ofItsName(pod).gone().add(pod);
        } else {
            if (node == null && !filter.isOurs(pod.getSpec().getSchedulerName())) {
                others.addPlanned(pod);
            }
            ofItsName(pod).add(pod);
        }
    }

    private GangMembers ofItsName(Pod pod) {
        return gangs.computeIfAbsent(Pods.gangOf(pod), GangMembers::new);
    }

    private void addForeign(Pod pod, String node, boolean terminating) {
        Occupation occupation = terminating ? null : occupants.endless(pod, node);
        if (occupation == null) {
            occupants.addForeign(pod, node);
        } else {
            input.cache().add(pod, occupation);
        }
    }

    /**
     * Adds a pod without a node that Slotwise does not schedule. A DaemonSet's pod occupies its room as soon as it
     * exists, because it can run on one node only.
     */
    private void addComing(Pod pod) {
        String node = Pods.nodeOfDaemon(pod);
        if (node != null) {
            occupants.addForeign(pod, node);
        } else if (filter.annotated()) {
            others.addUnplanned(pod);
        }
    }

    /**
     * Returns until when a bound pod closes nodes by anti-affinity: the planned end of its placement, extended like its
     * room, or forever without one. {@link ClosedNodes#NOT_AT_ALL} if it is to be evicted at once. A pod that a
     * disruption budget keeps closes nodes for as long as the budget may keep it.
     */
    private long end(Pod pod) {
        long now = input.now();
        if (input.known().isLeaving(pod)) {
            long from = input.known().leavingFrom(pod, now);
            return from > now ? from + PodRecreation.gone(pod) : ClosedNodes.NOT_AT_ALL;
        }
        GangId namedId = Pods.gangOf(pod);
        GangId gang = input.known().gangs().containsKey(namedId) ? namedId : Pods.ownGang(pod);
        KnownGang known = input.known(gang);
        Placement placement = placements
                .computeIfAbsent(gang, _ -> PromisePlacements.of(known.promise()))
                .get(pod.getMetadata().getName());
        if (placement == null || !placement.node().equals(Pods.node(pod))) {
            return Interval.FOREVER;
        }
        long start = known.startedAt().orElse(placement.start());
        RuntimeSource source = known.source();
        boolean stated = source == null || source.stated();
        return Math.max(
                input.settings().graced(start, start + placement.end() - placement.start(), now, stated), now + 1);
    }
}
