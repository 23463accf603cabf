package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.it.RunChecker.Disturbance;
import io.slotwise.it.RunRecord.PodLife;
import io.slotwise.it.RunRecord.Version;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Slotwise is stopped (SIGSTOP) for a while and continued: in an idle cluster, in a cluster with a queue, and while
 * many pods are created. Proves that in the first two cases the first start afterwards comes within two seconds of its
 * earliest time. All other starts have five seconds, and so has this one with {@code -Dit.punctual=false} for a shared
 * machine. {@code -Dslotwise.standstill.long=true} has stops of all lengths in the first two cases.
 */
@Tag("punctual")
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StandstillIT {
    private static final boolean LONG = Boolean.getBoolean("slotwise.standstill.long");
    private static final List<Integer> ALL = List.of(5, 15, 35, 60);
    /** The limit of all starts but the first. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static final Duration FIRST =
            System.getProperty("it.punctual", "true").equals("false") ? LIMIT : Duration.ofSeconds(2);

    private final ControlPlane plane;
    private final Cluster cluster;

    @AutoClose
    private final SlotwiseProcess slotwise;

    StandstillIT(ControlPlane plane) {
        this.plane = plane;
        cluster = new Cluster(plane);
        Installation chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
        chart.awaitGate();
        slotwise = chart.startSlotwise();
        Scenario.within("the replica to lead", 40).until(() -> slotwise.metric("slotwise_leader") == 1);
    }

    @Test
    void inAnIdleClusterTheFirstGangStartsAtOnceAndPromisesAreKept() {
        Scenario scenario = new Scenario(cluster, "idle").withNodes(8);
        List<String> delays = new ArrayList<>();
        for (int seconds : LONG ? ALL : List.of(5, 35)) {
            GangSpec promised = scenario.gang("promised-" + seconds, 2, 3000, 20)
                    .runningFor(2)
                    .with("earliest-start", Scenario.in(seconds + 4).toString());
            cluster.submitAsPods(promised);
            scenario.awaitPromise(promised);
            GangSpec waiting = scenario.gang("waiting-" + seconds, 2, 3000, 20).runningFor(2);

            Instant woken = standStill(seconds, () -> cluster.submitAsPods(waiting));

            scenario.awaitWhole(waiting, 20);
            scenario.awaitWhole(promised, 20);
            GangSpec next = scenario.gang("next-" + seconds, 2, 3000, 20).runningFor(2);
            Scenario.awaitClock(woken.plusSeconds(seconds == 35 ? 16 : 6));
            assertThat(slotwise.isReady()).isTrue();
            cluster.submitAsPods(next);
            scenario.awaitWhole(next, 20);
            assertThat(slotwise.isReady()).isTrue();

            RunRecord record = cluster.record("idle");
            delays.add("%d s: %s, later %s"
                    .formatted(
                            seconds,
                            Duration.between(woken, lastBinding(record, waiting)),
                            Duration.between(lastCreation(record, next), lastBinding(record, next))));
            assertThat(Duration.between(woken, lastBinding(record, waiting)))
                    .as("%s", delays)
                    .isLessThan(FIRST);
            assertThat(Duration.between(lastCreation(record, next), lastBinding(record, next)))
                    .as("%s", delays)
                    .isLessThan(FIRST);
        }
        note(delays);
        assertThat(cluster.events("idle", "WindowBroken")).isEmpty();
        assertThat(scenario.violations()).isEmpty();
    }

    @Test
    void inABusyClusterOnlyPromisesWithPassedStartsMove() {
        for (int seconds : LONG ? ALL : List.of(35)) {
            Scenario scenario = new Scenario(cluster, "busy-" + seconds).withNodes(4);
            for (int i = 0; i < 30; i++) {
                cluster.submitAsPods(
                        scenario.gang("g%02d".formatted(i), 2, 3000, 9).runningFor(6));
            }
            scenario.awaitStarted(4, 60);

            GangSpec fits = scenario.gang("fits", 2, 500, 9).runningFor(2);

            Instant woken = standStill(seconds, () -> cluster.submitAsPods(fits));

            scenario.awaitWhole(fits, 30);
            Scenario.awaitClock(woken.plusSeconds(10));
            assertThat(slotwise.isReady()).isTrue();
            RunRecord record = cluster.record(scenario.namespace());
            Duration first = Duration.between(woken, firstBinding(record, woken));
            Duration delay = Duration.between(woken, lastBinding(record, fits));
            note(List.of("busy, %d s: first %s, later %s".formatted(seconds, first, delay)));
            assertThat(first).isLessThan(FIRST);
            assertThat(delay).isLessThan(LIMIT);
            assertThat(movedLater(record))
                    .allSatisfy((move, start) -> assertThat(start)
                            .as("the start of %s, woken at %s", move, woken)
                            .isBefore(woken));
            assertThat(cluster.events(scenario.namespace(), "WindowBroken"))
                    .allSatisfy(event -> assertThat(event).contains("outage"));
        }
    }

    @Test
    void gangsThatAreCreatedMeanwhileAllStartAtOnce() {
        Scenario scenario = new Scenario(cluster, "many").withNodes(40);
        List<GangSpec> gangs = IntStream.range(0, 40)
                .mapToObj(i -> scenario.gang("g%02d".formatted(i), 8, 500, 60))
                .toList();

        Instant from = Scenario.now();
        slotwise.freeze();
        gangs.forEach(cluster::submitAsPods);
        Scenario.awaitClock(from.plusSeconds(10));
        slotwise.wake();
        Instant woken = Scenario.now();

        gangs.forEach(gang -> scenario.awaitWhole(gang, 60));
        RunRecord record = cluster.record("many");
        Duration first = Duration.between(woken, firstBinding(record, woken));
        Duration whole = Duration.between(
                woken,
                gangs.stream()
                        .map(gang -> lastBinding(record, gang))
                        .min(Instant::compareTo)
                        .orElseThrow());
        note(List.of("many: first %s, a whole gang %s".formatted(first, whole)));
        assertThat(whole).isLessThan(LIMIT);
        assertThat(cluster.events("many", "WindowBroken")).isEmpty();
        assertThat(scenario.violations(new Disturbance(from, woken.plusSeconds(2))))
                .isEmpty();
    }

    private void note(List<String> delays) {
        try {
            Files.write(
                    plane.logs().resolve("delays.txt"), delays, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<PodLife> pods(RunRecord record, GangSpec gang) {
        return record.pods().stream().filter(pod -> gang.name().equals(pod.gang()));
    }

    private static Instant firstBinding(RunRecord record, Instant from) {
        return record.pods().stream()
                .filter(pod -> pod.binding() != null)
                .map(pod -> Objects.requireNonNull(pod.binding()).answered())
                .filter(at -> at.isAfter(from))
                .min(Instant::compareTo)
                .orElseThrow();
    }

    private static Instant lastBinding(RunRecord record, GangSpec gang) {
        return pods(record, gang)
                .map(pod -> Objects.requireNonNull(pod.binding()).answered())
                .max(Instant::compareTo)
                .orElseThrow();
    }

    private static Instant lastCreation(RunRecord record, GangSpec gang) {
        return pods(record, gang).map(PodLife::created).max(Instant::compareTo).orElseThrow();
    }

    /** The promised starts that were given up for later ones. */
    private static Map<String, Instant> movedLater(RunRecord record) {
        Map<String, Instant> promised = new HashMap<>();
        Map<String, Instant> moved = new TreeMap<>();
        for (Version version : record.reservations()) {
            if (version.hasWindow()) {
                Instant before = promised.put(version.name(), version.windowStart());
                if (before != null && version.windowStart().isAfter(before)) {
                    moved.put(version.name() + " at " + version.at(), before);
                }
            }
        }
        return moved;
    }

    /** Stops Slotwise for this many seconds, runs {@code meanwhile} in the last one, and returns the end. */
    private Instant standStill(int seconds, Runnable meanwhile) {
        Instant from = Scenario.now();
        slotwise.freeze();
        try {
            Scenario.awaitClock(from.plusSeconds(seconds - 1));
            meanwhile.run();
            Scenario.awaitClock(from.plusSeconds(seconds));
        } finally {
            slotwise.wake();
        }
        return Scenario.now();
    }
}
