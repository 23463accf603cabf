package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.LedgerEntry;
import io.slotwise.core.money.Cost;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ten minutes of a tenant who states a second and runs for a minute, deletes records of gangs in every phase, deletes
 * running pods and resizes them in place, while replicas change. Each second of a core costs the same here.
 */
class ShedChargesTest {
    private static final long MINUTES = 600;
    /** The cost of half a core for a second, 1/3600 millionths. */
    private static final long SECOND = 4_500_000L;
    /** The request of a new pod, half cores. */
    private static final long PROMISED = 2;

    private final FakeHost host = new FakeHost();
    private PlanningLoop loop = newLoop();

    /** The ends of the running gangs' pods. */
    private final TreeMap<String, Long> ends = new TreeMap<>();
    /** The requests of resized pods, half cores. */
    private final Map<String, Long> sizes = new HashMap<>();

    private final Map<String, GangId> gangs = new HashMap<>();
    private final Set<Phase> deletedIn = new HashSet<>();
    private long used;
    private int vanished;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theLedgerAgreesWithWhatRan(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        host.withNode("n1", "36");
        host.grants.put("user", new Grant.Given(Allotment.parse("1000/day")));
        int arrived = 0;
        long last = host.second() + MINUTES;

        while (host.second() < last || !ends.isEmpty()) {
            if (random.nextInt(8) == 0 && host.second() < last && host.gangs.size() < 5) {
                host.arrivesSmall("g" + arrived++, 1 + random.nextInt(2), 1 + random.nextLong(20), 500 * PROMISED);
            }
            startWhoIsDue(random);
            boolean vanishes = endWhoIsDone(random);
            resizeAPod(random);
            boolean isOver = host.records.values().stream().anyMatch(record -> record.phase() == Phase.COMPLETED);
            if (random.nextInt(isOver ? 2 : 6) == 0) {
                deleteARecord(random);
            }
            if (!vanishes && random.nextInt(40) == 0) {
                loop = newLoop();
            }
            loop.cycle();
            // A run that ends in one cycle is charged in the next one.
            if (random.nextBoolean()) {
                loop.cycle();
            }
            forgetTheGone();
            assertThat(account()).isGreaterThanOrEqualTo(SECOND * used);
            ends.keySet().forEach(pod -> used += sizes.getOrDefault(pod, PROMISED));
            host.passTo(host.second() + 1);
        }
        for (int i = 0; i < 5; i++) {
            loop.cycle();
        }

        assertThat(host.spent().total()).isEqualTo(new Cost(SECOND * used));
        assertThat(deletedIn).contains(Phase.PROMISED, Phase.RUNNING, Phase.COMPLETED);
        assertThat(vanished).isPositive();
        assertThat(sizes.values()).contains(0L, 1L, 2L, 8L);
        assertThat(used).isGreaterThan(MINUTES);
    }

    private void startWhoIsDue(SplittableRandom random) {
        for (GangRecord record : List.copyOf(host.records.values())) {
            if (record.phase() == Phase.PROMISED
                    && !record.deleted()
                    && record.windowStart().orElse(Long.MAX_VALUE) <= host.second()) {
                host.openBarrier(record.gang());
                for (String pod :
                        Objects.requireNonNull(record.promise()).window().pods()) {
                    ends.put(pod, host.second() + random.nextLong(60));
                    gangs.put(pod, record.gang());
                }
            }
        }
    }

    /** Ends the pods that are due. Returns whether a pod vanished without reporting its end. */
    private boolean endWhoIsDone(SplittableRandom random) {
        boolean vanishes = false;
        for (String pod : List.copyOf(ends.keySet())) {
            if (Objects.requireNonNull(ends.get(pod)) <= host.second()) {
                ends.remove(pod);
                if (random.nextInt(3) == 0) {
                    host.pods.remove(pod);
                    vanishes = true;
                    vanished++;
                } else {
                    host.endAt(pod, host.second());
                }
            }
        }
        return vanishes;
    }

    private void resizeAPod(SplittableRandom random) {
        for (String pod : ends.keySet()) {
            GangRecord record = host.records.get(gangs.get(pod));
            if (record != null && record.phase() == Phase.RUNNING && random.nextInt(6) == 0) {
                long size = random.nextLong(9);
                sizes.put(pod, size);
                host.resized.put(pod, 500 * size);
                return;
            }
        }
    }

    private void deleteARecord(SplittableRandom random) {
        List<GangRecord> records = new ArrayList<>(host.records.values());
        if (!records.isEmpty()) {
            GangRecord record = records.stream()
                    .filter(one -> one.phase() == Phase.COMPLETED)
                    .findFirst()
                    .orElse(records.get(random.nextInt(records.size())));
            if (record.isKept()) {
                deletedIn.add(record.phase());
                host.deletesRecord(record.gang());
            } else {
                host.records.remove(record.gang());
            }
        }
    }

    /** Deletes the pods of completed gangs whose records are gone. */
    private void forgetTheGone() {
        gangs.values().removeIf(gang -> {
            boolean isOver = gangs.entrySet().stream()
                    .noneMatch(pod -> pod.getValue().equals(gang) && ends.containsKey(pod.getKey()));
            GangRecord record = host.records.get(gang);
            if (isOver && (record == null || record.phase() == Phase.COMPLETED)) {
                host.gangs.remove(gang);
                host.pods.keySet().removeIf(pod -> pod.startsWith(gang.name() + "-"));
                return true;
            }
            return false;
        });
    }

    private long account() {
        Cost held = Cost.ZERO;
        for (LedgerEntry entry : host.ledger().entries()) {
            if (entry.isOpen()) {
                held = held.plus(entry.promised());
                for (Charge day : entry.beyond().held().values()) {
                    held = held.plus(day.total());
                }
            }
        }
        return host.spent().total().plus(held).microSecondsPerHour();
    }

    private PlanningLoop newLoop() {
        return host.replica(CurrentSettings.fixed(LoopSettings.EXACT));
    }
}
