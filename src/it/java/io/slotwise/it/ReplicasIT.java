package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.slotwise.it.RunChecker.Disturbance;
import io.slotwise.it.RunRecord.PodLife;
import io.slotwise.it.RunRecord.Version;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The chart's two replicas, each with its own kube-scheduler: the leader goes, comes back in another version, or both
 * are gone.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicasIT {
    /** The fields that the first version of Slotwise wrote into a Reservation. */
    private static final Set<String> OLDER_SPEC = Set.of("gang", "criterion", "budget", "via", "request", "window");

    private static final Set<String> OLDER_WINDOW = Set.of("start", "end", "cost", "exactCost", "placement");

    private static final Set<String> OLDER_STATUS =
            Set.of("phase", "conditions", "promisedStart", "startedAt", "endedAt", "attempts", "avoided");

    private static final String OLDER_FINGERPRINT = "8c51c2d4e0b9f7a6";

    private final Cluster cluster;
    private final Installation chart;

    ReplicasIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
    }

    private RunningChart replica(String name) {
        return RunningChart.replica(chart, name);
    }

    @Test
    void theLeaderCrashesInTheMiddleOfFiftyGangs() {
        Scenario scenario = new Scenario(cluster, "fifty").withNodes(25);
        List<GangSpec> gangs = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            gangs.add(scenario.gang("gang-%02d".formatted(i), 2 + i % 3, 2000, 12 + i % 5));
        }
        try (RunningChart first = replica("first")) {
            first.awaitLeading();
            try (RunningChart second = replica("second")) {
                gangs.forEach(cluster::submitAsPods);
                scenario.awaitStarted(25, 90);

                Instant from = Scenario.now().minusSeconds(1);
                first.crash();
                second.awaitLeading();
                // kube-scheduler's own Lease expires with Slotwise's, or a little later.
                scenario.awaitStarted(scenario.started() + 1, 40);
                Instant to = Scenario.now().plusSeconds(5);

                gangs.forEach(gang -> scenario.awaitWhole(gang, 120));
                assertThat(scenario.violations(new Disturbance(from, to))).isEmpty();
                assertThat(brokenPromises(scenario, from, to)).isEmpty();
            }
        }
    }

    @Test
    void aNewVersionKeepsWhatAnOlderOneWrote() {
        Scenario scenario = new Scenario(cluster, "upgrade").withNodes(6);
        GangSpec runs = scenario.gang("runs", 2, 3000, 60).with("budget", "10");
        GangSpec soon = scenario.gang("soon", 2, 3000, 15);
        GangSpec later =
                scenario.gang("later", 4, 3000, 15).with("criterion", "cost").with("budget", "10");
        try (RunningChart older = replica("older")) {
            older.awaitLeading();
            // The first version never started a gang in the second in which its pods were made.
            cluster.submitAsPods(runs.with("earliest-start", Scenario.in(3).toString()));
            scenario.awaitWhole(runs, 30);
            cluster.submitAsPods(soon.with("earliest-start", Scenario.in(50).toString()));
            cluster.submitAsPods(later.with("earliest-start", Scenario.in(55).toString()));
            scenario.awaitPromise(soon);
            scenario.awaitPromise(later);
        }
        Map<String, Object> promised = windows(scenario);
        cluster.reservations(scenario.namespace()).forEach(this::makeOlder);

        Instant from = Scenario.now();
        try (RunningChart newer = replica("newer")) {
            newer.awaitLeading();
            Instant to = Scenario.now();
            Scenario.within("the records to be brought up to date", 20)
                    .untilAsserted(() -> assertThat(cluster.reservations(scenario.namespace()))
                            .filteredOn(
                                    reservation -> Cluster.phase(reservation).equals("Promised"))
                            .isNotEmpty()
                            .allSatisfy(reservation -> assertThat(reservation.<String>get("spec", "request"))
                                    .startsWith("4:")));
            assertThat(windows(scenario)).isEqualTo(promised);
            scenario.awaitWhole(soon, 60);
            scenario.awaitWhole(later, 60);
            Scenario.within("the gang that ran through the upgrade to be completed", 60)
                    .until(() -> cluster.phase(runs).equals("Completed"));
            assertThat(cluster.events(scenario.namespace(), "WindowBroken")).isEmpty();
            assertThat(scenario.violations(new Disturbance(from, to))).isEmpty();
        }
    }

    @Test
    void promisesOutlastAMomentWithoutAnyReplica() {
        Scenario scenario = new Scenario(cluster, "zero").withNodes(6);
        GangSpec runs = scenario.gang("runs", 2, 3000, 35);
        GangSpec during = scenario.gang("during", 2, 3000, 15);
        GangSpec after = scenario.gang("after", 2, 3000, 15);
        try (RunningChart first = replica("first");
                RunningChart _ = replica("second")) {
            first.awaitLeading();
            cluster.submitAsPods(runs);
            scenario.awaitWhole(runs, 40);
            cluster.submitAsPods(during.with("earliest-start", Scenario.in(25).toString()));
            cluster.submitAsPods(after.with("earliest-start", Scenario.in(65).toString()));
            scenario.awaitPromise(during);
            scenario.awaitPromise(after);
        }
        Instant from = Scenario.now();
        Scenario.awaitClock(Instant.parse(Objects.requireNonNull(cluster.promisedStart(during)))
                .plusSeconds(5));
        assertThat(cluster.boundPods(during)).isZero();

        try (RunningChart back = replica("back");
                RunningChart _ = replica("other")) {
            back.awaitLeading();
            scenario.awaitWhole(during, 60);
            Instant to = Scenario.now();
            scenario.awaitWhole(after, 90);
            Scenario.within("the gang that ran meanwhile to be completed", 60)
                    .until(() -> cluster.phase(runs).equals("Completed"));
            assertThat(scenario.violations(new Disturbance(from, to))).isEmpty();
            assertThat(brokenPromises(scenario, from, to)).isEmpty();
        }
    }

    /**
     * Gangs that started later than promised before {@code from}, although they were due after {@code to}. Gangs that
     * were due in between end late, and a gang that waits for their room is excused.
     */
    private static List<String> brokenPromises(Scenario scenario, Instant from, Instant to) {
        RunRecord record = scenario.cluster().record(scenario.namespace());
        Map<String, Version> promises = new TreeMap<>();
        Map<String, Instant> late = new TreeMap<>();
        record.byReservation().forEach((gang, versions) -> {
            Version promise = lastPromise(versions, from);
            Instant started = RunChecker.starts(versions).getFirst().opened().windowStart();
            if (promise != null && started.isAfter(promise.windowStart())) {
                promises.put(gang, promise);
                late.put(gang, started);
            }
        });
        return promises.entrySet().stream()
                .filter(one -> one.getValue().windowStart().isAfter(to))
                .filter(one -> record.pods().stream()
                        .noneMatch(pod -> pod.gang() != null
                                && !pod.gang().equals(one.getKey())
                                && late.containsKey(pod.gang())
                                && holdsRoomOf(pod, one.getValue())))
                .map(one -> "Gang %s was promised %s and started at %s. On its nodes then: %s."
                        .formatted(
                                one.getKey(),
                                one.getValue().windowStart(),
                                late.get(one.getKey()),
                                record.pods().stream()
                                        .filter(pod -> holdsRoomOf(pod, one.getValue()))
                                        .toList()))
                .toList();
    }

    private static @Nullable Version lastPromise(List<Version> versions, Instant before) {
        return versions.stream()
                .filter(version ->
                        version.at().isBefore(before) && version.phase().equals("Promised") && version.hasWindow())
                .reduce((_, later) -> later)
                .orElse(null);
    }

    /** Returns whether a pod still runs on a node of the window at the window's start. */
    private static boolean holdsRoomOf(PodLife pod, Version promise) {
        if (pod.binding() == null || !pod.runsAt(promise.windowStart())) {
            return false;
        }
        for (JsonNode item : promise.window().path("placement")) {
            if (item.path("node").asText().equals(pod.binding().node())) {
                return true;
            }
        }
        return false;
    }

    /** The nodes and the start of each gang. */
    private Map<String, Object> windows(Scenario scenario) {
        Map<String, Object> windows = new TreeMap<>();
        cluster.reservations(scenario.namespace())
                .forEach(reservation -> windows.put(
                        reservation.getMetadata().getName(), reservation.get("spec", "window", "placement")));
        return windows;
    }

    /** Removes from a Reservation what the first version did not know. */
    private void makeOlder(GenericKubernetesResource reservation) {
        Map<String, Object> spec = reservation.get("spec");
        spec.keySet().retainAll(OLDER_SPEC);
        spec.put("request", OLDER_FINGERPRINT);
        Map<String, Object> status = reservation.get("status");
        // The window of a gang that has started must not change.
        if (!status.containsKey("startedAt")) {
            Map<String, Object> window = reservation.get("spec", "window");
            window.keySet().retainAll(OLDER_WINDOW);
            List<Map<String, Object>> placement = reservation.get("spec", "window", "placement");
            placement.forEach(pod -> pod.remove("request"));
        }
        status.keySet().retainAll(OLDER_STATUS);
        GenericKubernetesResource written =
                cluster.client().resource(reservation).update();
        written.setAdditionalProperty("status", status);
        cluster.client().resource(written).updateStatus();
    }
}
