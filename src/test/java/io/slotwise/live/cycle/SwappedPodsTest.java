package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.WholeReplica;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods that are made again or edited between the promise of their gang's window and its second. */
class SwappedPodsTest {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    private static final Instant START = BEGIN.plusSeconds(60);

    private final WholeReplica replica = new WholeReplica(LoopSettings.EXACT, PriceCatalogue.EMPTY, BEGIN);

    @BeforeEach
    void promise() {
        replica.seeing("""
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "labels": {"slotwise.io/price": "1"}},
                 "spec": {}, "status": {"allocatable": {"cpu": "200", "memory": "8Gi", "pods": "10"},
                  "conditions": [{"type": "Ready", "status": "True"}]}}
                """);
        show("g-0", Map.of());
        show("g-1", Map.of());
        replica.cycle();
        assertThat(record().windowStart()).hasValue(START.getEpochSecond());
        replica.pass(Duration.between(BEGIN, START));
    }

    @AfterEach
    void close() {
        replica.close();
    }

    private void show(String name, Map<String, String> changes) {
        String scheduler = changes.getOrDefault("scheduler", "slotwise");
        replica.seeing("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "user", "uid": "%s",
                  "creationTimestamp": "2030-01-01T00:00:00Z", "labels": {"slotwise.io/gang": "g", "tier": "%s"},
                  "annotations": {"slotwise.io/gang-size": "2", "slotwise.io/runtime": "%s",
                   "slotwise.io/earliest-start": "%s"}},
                 "spec": {"schedulerName": "%s", "nodeSelector": %s, "tolerations": %s,
                  "containers": [{"name": "c", "image": "%s",
                   "resources": {"requests": {"cpu": "%s", "memory": "1Gi"}}}]},
                 "status": {"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "%s"}]}}
                """.formatted(
                        name,
                        changes.getOrDefault("uid", "uid-" + name),
                        changes.getOrDefault("tier", "a"),
                        changes.getOrDefault("runtime", "60s"),
                        START,
                        scheduler,
                        changes.getOrDefault("selector", "{}"),
                        changes.getOrDefault("tolerations", "[]"),
                        changes.getOrDefault("image", "i"),
                        changes.getOrDefault("cpu", "1"),
                        changes.getOrDefault("scheduled", "False")));
    }

    private GangRecord record() {
        return replica.records().iterator().next();
    }

    @Test
    void aGangWithUnchangedPodsStartsInItsSecond() {
        assertThat(replica.starting()).containsExactly("g");
    }

    @Test
    void aGangWithLargerRemadePodsIsPlannedAgainToldWhyAndNotStarted() {
        Map<String, String> larger = Map.of("uid", "another", "cpu", "100", "runtime", "5h");
        GangRecord promised = record();
        show("g-0", Map.of("uid", "another-0", "cpu", "90", "runtime", "5h"));
        show("g-1", larger);

        assertThat(replica.starting()).isEmpty();
        assertThat(replica.isAsPromised(promised)).isFalse();

        replica.newlyTold();
        replica.cycle();
        assertThat(replica.newlyTold())
                .anyMatch(words -> words.contains("WindowBroken") && words.contains("the gang's request was changed"));
        assertThat(record().phase()).isEqualTo(Phase.PROMISED);
        assertThat(record().promise()).isNotEqualTo(promised.promise());
        assertThat(record().terms().runtime()).isEqualTo(5 * 3600);
        assertThat(replica.starting()).containsExactly("g");
    }

    @Test
    void equalRemadePodsKeepTheWindowAndStartOnceACycleHasSeenThem() {
        GangRecord promised = record();
        show("g-1", Map.of("uid", "another"));

        assertThat(replica.starting()).isEmpty();

        replica.cycle();
        assertThat(record().promise()).isEqualTo(promised.promise());
        assertThat(replica.starting()).containsExactly("g");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cpu         | 2
            runtime     | 5h
            selector    | {"pool": "a"}
            tolerations | [{"operator": "Exists"}]
            tier        | b
            """)
    void aPodThatIsEditedOrResizedIsLookedAtBeforeItStarts(String field, String value) {
        show("g-1", Map.of(field, value));

        assertThat(replica.starting()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"image", "scheduled"})
    void changesWithoutEffectOnPlaceOrPriceDelayNoStart(String field) {
        show("g-1", Map.of(field, "True"));

        assertThat(replica.starting()).containsExactly("g");
    }

    @Test
    void aLeaderThatFollowsComparesBeforeItsFirstCycle() {
        show("g-1", Map.of("cpu", "90"));

        replica.takeOver();

        assertThat(replica.starting()).isEmpty();
    }

    @Test
    void aRecordOfAVersionWithoutPodsSaysNothingAboutThem() {
        GangRecord promised = record();
        show("g-1", Map.of("uid", "another"));

        assertThat(replica.isAsPromised(promised.withTerms(promised.terms().ofPods(""))))
                .isTrue();
        assertThat(replica.isAsPromised(promised)).isFalse();
    }
}
