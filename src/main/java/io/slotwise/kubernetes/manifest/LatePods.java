package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.gangs.LateSeats;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.pods.GangMembers;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** The pods of gangs that run which come only when the others are ready: scratch of one intake. */
final class LatePods {
    private final NodeOccupants residents;
    private final Map<GangId, KnownGang> known;
    private final long now;
    private final Map<GangId, Money> paid = new HashMap<>();

    /**
     * @param known what is known of gangs; a pod that has come is promised its seat there
     * @param now seconds since the epoch
     */
    LatePods(NodeOccupants residents, Map<GangId, KnownGang> known, long now) {
        this.residents = residents;
        this.known = known;
        this.now = now;
    }

    /** What a pod that has come late pays for its seat, by the gang that it is by itself; nothing: it is none. */
    Money paid(GangId own) {
        return paid.getOrDefault(own, Money.ZERO);
    }

    /**
     * Keeps the room of seats whose pods are to come, and promises their seats to those that have come. O(pods).
     *
     * @param speaking the gang
     * @param joining its pods that have no seat yet
     * @return those that are there
     */
    List<Pod> take(GangMembers speaking, List<Pod> joining) {
        KnownGang knowledge = known.getOrDefault(speaking.id(), KnownGang.NOTHING);
        Map<String, Placement> seats = new HashMap<>();
        knowledge.started().keptAt(now).forEach(seat -> seats.put(seat.pod(), seat));
        List<Pod> since = Stream.concat(speaking.all().stream(), speaking.gone().stream())
                .filter(pod -> !Pods.isComing(pod) && !knowledge.hasStartedWith(pod))
                .sorted(Pods.BY_ARRIVAL)
                .toList();
        LateSeats.taken(Set.copyOf(seats.keySet()), since)
                .forEach((name, pod) -> promise(pod, Objects.requireNonNull(seats.remove(name)), knowledge));
        List<Pod> there = new ArrayList<>();
        for (Pod pod : joining) {
            Placement seat = seats.get(pod.getMetadata().getName());
            if (!Pods.isComing(pod)) {
                there.add(pod);
            } else if (seat != null) {
                residents.addStarted(
                        speaking.id().namespace(),
                        seat,
                        residents.resources(pod),
                        knowledge.startedAt().orElse(now));
            }
        }
        return there;
    }

    /**
     * A pod has its seat from now on, unless it was sent away from it: until the planned end of its gang, since others
     * are promised the room from then on.
     */
    private void promise(Pod pod, Placement seat, KnownGang gang) {
        GangId id = Pods.ownGang(pod);
        KnownGang own = known.getOrDefault(id, KnownGang.NOTHING);
        paid.put(id, seat.cost().roundedUp());
        Promise whole = gang.promise();
        if (whole != null && own.promise() == null && own.startedAt().isEmpty() && own.attempts() == 0) {
            long length = seat.end() - seat.start();
            long left = gang.startedAt().orElse(now) + length - now;
            long seconds = left > 0 ? left : length;
            Cost cost = seat.cost().minus(gang.tariff().cost(seat, length - seconds));
            Placement place = new Placement(pod.getMetadata().getName(), seat.node(), now, now + seconds, cost);
            known.put(
                    id,
                    new KnownGang(
                            new Promise(Window.of(id, now, List.of(place)), whole.via(), false),
                            OptionalLong.empty(),
                            own.avoidedNodes()));
        }
    }
}
