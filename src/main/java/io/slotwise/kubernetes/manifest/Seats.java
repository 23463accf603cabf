package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.gangs.Conventions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Who sits where in a promise. */
final class Seats {
    private Seats() {}

    /** The placements of a promise by pod name; empty without one. */
    static Map<String, Placement> of(@Nullable Promise promise) {
        Map<String, Placement> seats = new TreeMap<>();
        if (promise != null) {
            promise.window().placements().forEach(placement -> seats.put(placement.pod(), placement));
        }
        return seats;
    }

    /**
     * The {@code size} pods of a gang that take part: first those that have a seat, then a leader, then the earliest.
     *
     * @return by name
     */
    static List<Pod> choose(List<Pod> pods, int size, Set<String> seated) {
        return pods.stream()
                .sorted(Comparator.comparing(
                                (Pod pod) -> !seated.contains(pod.getMetadata().getName()))
                        .thenComparing(pod -> !Conventions.isLeader(pod))
                        .thenComparing(Pods.BY_ARRIVAL))
                .limit(size)
                .sorted(Pods.BY_NAME)
                .toList();
    }

    /**
     * The promise with the seats of pods that are gone given to the pods that replaced them, both in the order of their names;
     * the window itself stays. A promise of another size is handed on as it is: the gang was edited.
     */
    static Promise reseated(Promise promise, List<Pod> pods) {
        Window window = promise.window();
        if (window.placements().size() != pods.size()) {
            return promise;
        }
        Set<String> present = new HashSet<>();
        pods.forEach(pod -> present.add(pod.getMetadata().getName()));
        Deque<String> standing = new ArrayDeque<>();
        Map<String, Placement> seats = of(promise);
        present.stream().filter(name -> !seats.containsKey(name)).sorted().forEach(standing::add);
        if (standing.isEmpty()) {
            return promise;
        }
        List<Placement> reseated = new ArrayList<>();
        for (Placement seat : seats.values()) {
            reseated.add(
                    present.contains(seat.pod())
                            ? seat
                            : new Placement(standing.remove(), seat.node(), seat.start(), seat.end(), seat.cost()));
        }
        reseated.sort(Comparator.comparing(Placement::pod));
        return promise.with(new Window(window.gang(), window.start(), reseated, window.cost(), window.energy()));
    }
}
