package io.slotwise.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.window.SearchExtent;
import io.slotwise.live.ClusterView.Notice;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Meters meters = new Meters(registry);

    private double warnings(String reason) {
        return registry.get("slotwise_object_warnings")
                .tag("reason", reason)
                .gauge()
                .value();
    }

    @Test
    void warningsAreCountedByReasonAndForgottenOnceTheyAreMended() {
        assertThat(warnings("PriceMissing")).isZero();

        meters.noticed(
                List.of(notice("n1", "PriceMissing"), notice("n2", "PriceMissing"), notice("n1", "InvalidValue")));
        assertThat(warnings("PriceMissing")).isEqualTo(2);
        assertThat(warnings("InvalidValue")).isEqualTo(1);

        meters.noticed(List.of());
        assertThat(warnings("PriceMissing")).isZero();
    }

    @Test
    void cyclesThatFailAndTheLimitAreSeenFromTheBeginning() {
        assertThat(registry.get("slotwise_cycle_failures").counter().count()).isZero();
        assertThat(registry.get("slotwise_last_cycle_timestamp_seconds").gauge().value())
                .isZero();

        meters.cycleFailed();
        meters.pace(Duration.ofSeconds(45));

        assertThat(registry.get("slotwise_cycle_failures").counter().count()).isOne();
        assertThat(registry.get("slotwise_cycle_limit_seconds").gauge().value()).isEqualTo(45);
    }

    @Test
    void theRoundsOfASearchAndThoseThatWereStoppedAreCounted() {
        Snapshot nothing = new Snapshot(0, new Cluster(List.of(), List.of()), List.of(), List.of());
        assertThat(registry.get("slotwise_searches_stopped").counter().count()).isZero();

        meters.cycle(Duration.ofSeconds(1), nothing, searched(new SearchExtent(7, 40, true)), List.of());
        meters.cycle(Duration.ofSeconds(1), nothing, searched(new SearchExtent(3, 20, false)), List.of());

        assertThat(registry.get("slotwise_searches_stopped").counter().count()).isOne();
        assertThat(registry.get("slotwise_search_rounds").gauge().value()).isEqualTo(3);
    }

    private static Plan searched(SearchExtent extent) {
        return new Plan(0, 10, List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), extent);
    }

    @Test
    void theLastProofOfAWatchIsSeenFromTheBeginning() {
        AtomicReference<@Nullable Duration> since = new AtomicReference<>();
        meters.watching("pods", since::get);
        Gauge proof = registry.get("slotwise_watch_last_proof_timestamp_seconds")
                .tag("kind", "pods")
                .gauge();
        assertThat(proof.value()).isZero();

        since.set(Duration.ofSeconds(20));

        assertThat(proof.value()).isCloseTo(Instant.now().getEpochSecond() - 20.0, within(5.0));
    }

    private static Notice notice(String node, String reason) {
        return new Notice("Node", "", node, reason, "node " + node);
    }
}
