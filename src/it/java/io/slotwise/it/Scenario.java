package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.it.RunChecker.Disturbance;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.awaitility.core.ConditionFactory;

/** A story in a shared cluster. Its own namespace and pool of nodes let stories run in parallel. */
final class Scenario {
    static final Duration TURNOVER = Duration.ofSeconds(3);
    private static final InstantSource CLOCK = InstantSource.system();

    private final Cluster cluster;
    private final String name;

    Scenario(Cluster cluster, String name) {
        this.cluster = cluster;
        this.name = name;
        cluster.namespace(name);
    }

    Cluster cluster() {
        return cluster;
    }

    String namespace() {
        return name;
    }

    /** Creates {@code count} nodes of four cores in the pool, named NAME-n1, NAME-n2, ... */
    Scenario withNodes(int count) {
        for (int i = 1; i <= count; i++) {
            cluster.node(node(i), 4, "1." + i, name);
        }
        return this;
    }

    /** The name of the pool's node {@code number}, from 1. */
    String node(int number) {
        return name + "-n" + number;
    }

    /** Returns a gang of this namespace and pool, not yet submitted. */
    GangSpec gang(String gang, int size, int milliCores, int runtimeSeconds) {
        return GangSpec.of(name, gang, size, milliCores, runtimeSeconds).on("it.slotwise.io/pool", name);
    }

    /** Creates an advance reservation of seats of three cores, and returns the gang of its name. */
    GangSpec hold(String hold, int size, Instant start, Instant end) {
        cluster.client()
                .resource(reservation(hold, """
                        hold:
                          size: %d
                          resources: {cpu: 3, memory: 256Mi}
                          nodeSelector: {it.slotwise.io/pool: %s}
                          window: {start: "%s", end: "%s"}
                        """.formatted(size, name, start, end)))
                .create();
        return gang(hold, size, 3000, 1);
    }

    /** Returns a Reservation of this namespace with a specification in YAML. */
    GenericKubernetesResource reservation(String reservation, String spec) {
        return Serialization.unmarshal(
                """
                apiVersion: slotwise.io/v1alpha1
                kind: Reservation
                metadata: {name: %s, namespace: %s}
                spec:
                %s
                """.formatted(reservation, name, spec.indent(2)), GenericKubernetesResource.class);
    }

    /** A whole second, {@code seconds} from now. */
    static Instant in(int seconds) {
        return CLOCK.instant().plusSeconds(seconds).truncatedTo(ChronoUnit.SECONDS);
    }

    static Instant now() {
        return CLOCK.instant();
    }

    /** Waits for at most this many seconds, checking often. Calls without an answer are repeated. */
    static ConditionFactory within(String what, int seconds) {
        return await(what)
                .pollInSameThread()
                .ignoreExceptionsInstanceOf(UncheckedIOException.class)
                .pollInterval(Duration.ofMillis(250))
                .atMost(Duration.ofSeconds(seconds));
    }

    static void awaitClock(Instant instant) {
        await("the clock to show " + instant)
                .pollInterval(Duration.ofMillis(5))
                .pollDelay(Duration.ZERO)
                .atMost(Duration.ofMinutes(2))
                .until(() -> !CLOCK.instant().isBefore(instant));
    }

    Instant awaitPromise(GangSpec gang) {
        within("gang " + gang.name() + " to be promised a window", 40)
                .untilAsserted(() -> assertThat(cluster.phase(gang))
                        .as("the phase; %s", cluster.condition(gang, "Planned"))
                        .isEqualTo("Promised"));
        return Instant.parse(Objects.requireNonNull(cluster.promisedStart(gang)));
    }

    /** Waits until the gang is promised this start. Other promises may come before. */
    void awaitPromise(GangSpec gang, Instant start, int seconds) {
        within("gang " + gang.name() + " to be promised " + start, seconds).untilAsserted(() -> {
            assertThat(cluster.phase(gang)).isEqualTo("Promised");
            assertThat(cluster.promisedStart(gang)).isEqualTo(start.toString());
        });
    }

    /** Waits until the gang has started and all its pods have nodes. */
    void awaitWhole(GangSpec gang, int seconds) {
        awaitWhole(gang, seconds, () -> {});
    }

    /** Waits in the same way, and runs {@code meanwhile} before each check. */
    void awaitWhole(GangSpec gang, int seconds, Runnable meanwhile) {
        within("gang " + gang.name() + " to run whole", seconds).untilAsserted(() -> {
            meanwhile.run();
            assertThat(cluster.phase(gang))
                    .as("the phase; %s", cluster.condition(gang, "Planned"))
                    .isIn("Running", "Completed");
            assertThat(cluster.boundPods(gang)).isEqualTo(gang.size());
        });
    }

    long started() {
        return cluster.reservations(name).stream()
                .filter(reservation -> List.of("Running", "Completed").contains(Cluster.phase(reservation)))
                .count();
    }

    void awaitStarted(long count, int seconds) {
        within(count + " gangs to have started", seconds)
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(started()).isGreaterThanOrEqualTo(count));
    }

    void awaitPending(GangSpec gang, String reason, int seconds) {
        awaitPending(gang, reason, "", seconds);
    }

    /**
     * Waits until the gang is pending for {@code reason} with these words in its message. The message differs until
     * Slotwise has seen the nodes and all objects that it names.
     */
    void awaitPending(GangSpec gang, String reason, String words, int seconds) {
        within("gang " + gang.name() + " to be pending for " + reason, seconds).untilAsserted(() -> {
            assertThat(cluster.phase(gang)).isEqualTo("Pending");
            assertThat(cluster.condition(gang, "Planned"))
                    .startsWith("False " + reason + ":")
                    .contains(words);
        });
    }

    /** Waits for an event with this reason. Events are written after what they tell. */
    void awaitEvent(String reason, Consumer<String> expectation) {
        within("an event " + reason, 30)
                .untilAsserted(() -> assertThat(cluster.events(name, reason)).anySatisfy(expectation::accept));
    }

    /**
     * The violations of the contract in this namespace. The promptness of starts is judged outside {@code disturbances}
     * only.
     */
    List<String> violations(Disturbance... disturbances) {
        return RunChecker.check(
                cluster.record(name), cluster.rules(name, TURNOVER).disturbedBy(List.of(disturbances)));
    }
}
