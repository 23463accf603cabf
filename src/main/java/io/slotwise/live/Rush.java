package io.slotwise.live;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Spreads the starts of new gangs: the control plane brings some hundred pods a second to their nodes, so gangs that would all start
 * in one second would all be late in it. A token bucket: every second gives the time of one second, as much as a head start is kept, and
 * every pod takes the time of its way to the barrier. A gang for which not enough is left, or after whom no more pods may be bound in
 * one second, is planned for the first second in which there is. Whoever has a promise keeps it unless it can start much earlier,
 * what it needs is kept for it, and a gang that finds no window later is left where it was. Belongs to one cycle.
 */
final class Rush {
    private static final long SECOND = Duration.ofSeconds(1).toNanos() / 1000;

    private final Throughput throughput;
    private final Instant ready;
    private final Map<GangId, Long> earliest = new HashMap<>();
    private final Set<GangId> leftAlone = new HashSet<>();

    /**
     * Nobody held back yet.
     *
     * @param ready when the first new gang can be sent on its way
     */
    Rush(Throughput throughput, Instant ready) {
        this.throughput = throughput;
        this.ready = ready;
    }

    /** The snapshot in which the gangs that were held back start no earlier than that. */
    Snapshot apply(Snapshot snapshot) {
        if (earliest.isEmpty()) {
            return snapshot;
        }
        List<Request> requests = snapshot.requests().stream().map(this::later).toList();
        return snapshot.with(requests);
    }

    private Request later(Request request) {
        Gang gang = request.gang();
        Long second = earliest.get(gang.id());
        return second == null || second <= gang.earliestStart() ? request : request.of(gang.startingFrom(second));
    }

    /**
     * Holds back what comes too much in this plan. O(g log g + s) for g gangs that start within s seconds.
     *
     * @param promised the starts that gangs are promised already: none of these is held back beyond it
     * @return whether anything changed, so that it is worth planning again
     */
    boolean holdBack(Plan plan, Map<GangId, Long> promised) {
        boolean changed = letGo(plan);
        Bucket bucket = new Bucket(plan.windows());
        List<Planned> coming = plan.windows().stream()
                .filter(planned -> !planned.kept())
                .sorted(Comparator.comparingLong(planned -> planned.window().start()))
                .toList();
        for (Planned planned : coming) {
            GangId gang = planned.gang().id();
            long start = planned.window().start();
            int size = planned.gang().size();
            long second = leftAlone.contains(gang) ? start : bucket.firstFor(start, size);
            Long before = promised.get(gang);
            if (before != null && second > start && !isWorthIt(before, second)) {
                second = Math.max(start, before);
            }
            bucket.take(second, size);
            if (second > start) {
                earliest.put(gang, second);
                changed = true;
            }
        }
        return changed;
    }

    /**
     * Whether a promise is to be changed for an earlier start that is held back itself: only if that spares half of the wait, as it could be
     * a little earlier in every cycle, and each change costs the control plane the writes that starts are waiting for.
     */
    private boolean isWorthIt(long promised, long second) {
        return 2 * (promised - second) >= promised - ready.getEpochSecond();
    }

    /** Leaves alone from now on whoever was held back and found no window later; whether there was one. */
    boolean letGo(Plan plan) {
        Set<GangId> inVain = new HashSet<>();
        plan.pending().forEach(pending -> inVain.add(pending.gang()));
        inVain.retainAll(earliest.keySet());
        earliest.keySet().removeAll(inVain);
        return leftAlone.addAll(inVain);
    }

    /** What is left for gangs that come one after the other. All amounts are microseconds of the way to the barrier. */
    private final class Bucket {
        private final long most = micros(throughput.headStart());
        private final NavigableMap<Long, Integer> kept = new TreeMap<>();
        private final NavigableMap<Long, Long> owed = new TreeMap<>();
        private final Map<Long, Integer> bound = new HashMap<>();
        private long second;
        private long left;

        /** With what is left until the first second in which a new gang may start; promises until then are on their way already. */
        Bucket(List<Planned> windows) {
            second = ready.getEpochSecond() + 1;
            left = Math.min(most, micros(Duration.between(ready, Instant.ofEpochSecond(second))));
            for (Planned planned : windows) {
                if (planned.kept() && planned.window().start() > second) {
                    kept.merge(planned.window().start(), planned.gang().size(), Integer::sum);
                }
            }
            bound.putAll(kept);
            long later = 0;
            long next = 0;
            for (Map.Entry<Long, Integer> entry : kept.descendingMap().entrySet()) {
                later = Math.min(most, work(entry.getValue()) + until(entry.getKey(), next, later));
                next = entry.getKey();
                owed.put(next, later);
            }
        }

        private static long micros(Duration duration) {
            return duration.toNanos() / 1000;
        }

        private long work(int pods) {
            return pods * micros(throughput.perPod());
        }

        /** What must be left in second {@code from} so that {@code owed} is there in {@code to}. */
        private static long until(long from, long to, long owed) {
            return Math.max(0, owed - Math.max(0, to - from) * SECOND);
        }

        /** What is to be left for promises after the second in which we are. */
        private long reserved() {
            Map.Entry<Long, Long> next = owed.higherEntry(second);
            return next == null ? 0 : until(second, next.getKey(), next.getValue());
        }

        /** The first second from {@code start} on with enough left. The seconds before it are over for those that come after. */
        long firstFor(long start, int pods) {
            passTo(Math.max(start, second));
            while (!isEnoughFor(pods)) {
                passTo(second + 1);
            }
            return second;
        }

        private boolean isEnoughFor(int pods) {
            int others = bound.getOrDefault(second, 0);
            return (others == 0 || others + pods <= throughput.mostPerSecond())
                    && left >= Math.min(work(pods), most) + reserved();
        }

        private void passTo(long to) {
            kept.subMap(second, false, to, true).forEach((at, pods) -> {
                fillUntil(at);
                left -= work(pods);
            });
            fillUntil(to);
        }

        private void fillUntil(long to) {
            left = Math.min(most, left + (to - second) * SECOND);
            second = to;
        }

        void take(long start, int pods) {
            bound.merge(start, pods, Integer::sum);
            left -= work(pods);
        }
    }
}
