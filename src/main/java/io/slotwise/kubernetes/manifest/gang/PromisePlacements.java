package io.slotwise.kubernetes.manifest.gang;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Placement;
import io.slotwise.kubernetes.gangs.Conventions;
import io.slotwise.kubernetes.gangs.PodGenerations;
import io.slotwise.kubernetes.gangs.RoleMinima;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Assigns pods to the placements of a promise. */
public final class PromisePlacements {
    private PromisePlacements() {}

    /** Returns the placements by pod name; empty without a promise. */
    public static Map<String, Placement> of(@Nullable Promise promise) {
        Map<String, Placement> placements = new TreeMap<>();
        if (promise != null) {
            promise.window().placements().forEach(placement -> placements.put(placement.pod(), placement));
        }
        return placements;
    }

    /**
     * Returns the pods of a gang that take part, as many of each role as it needs. Pods with a placement come first,
     * then a leader, then existing pods by arrival, then pods that do not exist yet. Each place of the gang gets only
     * one pod.
     *
     * @param size the number of pods; the minima of the roles if they are more
     * @return by name; fewer than needed if pods, or pods of a role, are missing
     */
    public static List<Pod> choose(List<Pod> pods, RoleMinima roles, int size, Set<String> promisedPods) {
        Set<String> places = new HashSet<>();
        List<Pod> inOrder = pods.stream()
                .sorted(Comparator.comparing((Pod pod) ->
                                !promisedPods.contains(pod.getMetadata().getName()))
                        .thenComparing(pod -> !Conventions.isLeader(pod))
                        .thenComparing(Pods::isComing)
                        .thenComparing(Pods.BY_ARRIVAL))
                .filter(pod -> places.add(PodGenerations.identity(pod)))
                .toList();
        return roles.choose(inOrder, size).stream().sorted(Pods.BY_NAME).toList();
    }

    /**
     * Returns the nodes that promises may give to each pod, by the pod's name. Each of a promise's pods may get any of
     * its nodes, and other pods of the gang stand in for missing ones. A pod with both a placement in its gang and an
     * individual one may get the nodes of both.
     *
     * @param promises returns null for a gang without a promise
     */
    public static Map<String, Set<String>> promisedNodes(
            Collection<Pod> waiting, Function<GangId, @Nullable Promise> promises) {
        Map<GangId, List<Pod>> gangs = new HashMap<>();
        for (Pod pod : waiting) {
            GangId namedId = Pods.gangOf(pod);
            GangId ownId = Pods.ownGang(pod);
            for (GangId gang : namedId.equals(ownId) ? List.of(ownId) : List.of(namedId, ownId)) {
                if (promises.apply(gang) != null) {
                    gangs.computeIfAbsent(gang, _ -> new ArrayList<>()).add(pod);
                }
            }
        }
        Map<String, Set<String>> promisedNodes = new HashMap<>();
        gangs.forEach((gang, pods) -> {
            Map<String, Placement> placements = of(promises.apply(gang));
            Set<String> nodes =
                    placements.values().stream().map(Placement::node).collect(Collectors.toUnmodifiableSet());
            choose(pods, RoleMinima.NONE, placements.size(), placements.keySet())
                    .forEach(pod -> promisedNodes.merge(Pods.name(pod), nodes, PromisePlacements::union));
        });
        return promisedNodes;
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        return Stream.concat(one.stream(), other.stream()).collect(Collectors.toUnmodifiableSet());
    }

    public static int places(List<Pod> pods) {
        return (int) pods.stream().map(PodGenerations::identity).distinct().count();
    }
}
