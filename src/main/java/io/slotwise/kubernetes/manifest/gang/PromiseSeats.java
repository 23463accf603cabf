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

/** Who sits where in a promise. */
public final class PromiseSeats {
    private PromiseSeats() {}

    /** The placements of a promise by pod name; empty without one. */
    public static Map<String, Placement> of(@Nullable Promise promise) {
        Map<String, Placement> placements = new TreeMap<>();
        if (promise != null) {
            promise.window().placements().forEach(placement -> placements.put(placement.pod(), placement));
        }
        return placements;
    }

    /**
     * The pods of a gang that take part, as many of each role as it needs: first those that have a seat, then a leader,
     * then the earliest, last those that are still to come. Of two pods with one place in their gang one takes part.
     *
     * @param size how many take part; as many as the minima of the roles if these are more
     * @return by name; fewer than the gang needs where pods, or those of a role, are not there
     */
    public static List<Pod> choose(List<Pod> pods, RoleMinima roles, int size, Set<String> seated) {
        Set<String> places = new HashSet<>();
        List<Pod> inOrder = pods.stream()
                .sorted(Comparator.comparing(
                                (Pod pod) -> !seated.contains(pod.getMetadata().getName()))
                        .thenComparing(pod -> !Conventions.isLeader(pod))
                        .thenComparing(Pods::isComing)
                        .thenComparing(Pods.BY_ARRIVAL))
                .filter(pod -> places.add(PodGenerations.identity(pod)))
                .toList();
        return roles.choose(inOrder, size).stream().sorted(Pods.BY_NAME).toList();
    }

    /**
     * The nodes of the seats that a promise has for pods, by the name of the pod: those that the promise names, and in
     * the places of those that are not there others of its gang, each of which may have any of its nodes. A pod with
     * a seat in its gang and one of its own may have the nodes of both.
     *
     * @param promises null: the gang has none
     */
    public static Map<String, Set<String>> seated(
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
        Map<String, Set<String>> seated = new HashMap<>();
        gangs.forEach((gang, pods) -> {
            Map<String, Placement> placements = of(promises.apply(gang));
            Set<String> nodes =
                    placements.values().stream().map(Placement::node).collect(Collectors.toUnmodifiableSet());
            choose(pods, RoleMinima.NONE, placements.size(), placements.keySet())
                    .forEach(pod -> seated.merge(Pods.name(pod), nodes, PromiseSeats::union));
        });
        return seated;
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        return Stream.concat(one.stream(), other.stream()).collect(Collectors.toUnmodifiableSet());
    }

    /** How many places in their gang these pods have. */
    public static int places(List<Pod> pods) {
        return (int) pods.stream().map(PodGenerations::identity).distinct().count();
    }
}
