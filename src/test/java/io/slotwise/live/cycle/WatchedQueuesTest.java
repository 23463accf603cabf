package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.slotwise.core.time.Interval;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.WholeReplica;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queue objects of a cluster, as its watch shows them. */
class WatchedQueuesTest {
    private static final String QUEUE = """
            {"apiVersion": "slotwise.io/v1alpha1", "kind": "Queue", "metadata": {"name": "%s", "uid": "%1$s"},
             "spec": {%s}}
            """;

    @AutoClose
    private final WholeReplica replica =
            new WholeReplica(LoopSettings.EXACT, PriceCatalogue.EMPTY, Instant.parse("2030-01-01T00:00:00Z"));

    private static final String NODE = """
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1", "uid": "n1",
              "labels": {"slotwise.io/price": "1"}},
             "spec": {}, "status": {"allocatable": {"cpu": "8", "memory": "32Gi", "pods": "20"},
              "conditions": [{"type": "Ready", "status": "True"}]}}
            """;
    private static final String POD = """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "user", "name": "%s", "uid": "%1$s",
              "creationTimestamp": "2030-01-01T00:00:00Z", "labels": {"slotwise.io/gang": "%1$s"},
              "annotations": {"slotwise.io/gang-size": "1", "slotwise.io/runtime": "1h",
                "slotwise.io/earliest-start": "2030-01-01T01:00:00Z"}},
             "spec": {"schedulerName": "slotwise", "containers": [{"name": "main", "image": "registry.example/main",
               "resources": {"requests": {"cpu": "2"}}}]}, "status": {"phase": "Pending"}}
            """;

    private @Nullable Interval borrowed(String gang) {
        return replica.records().stream()
                .filter(record -> record.gang().name().equals(gang))
                .map(GangRecord::promise)
                .map(Objects::requireNonNull)
                .findFirst()
                .orElseThrow()
                .borrowed();
    }

    @Test
    void aRecordSaysWhenItsWindowBorrowsWithEveryChangeOfTheQueue() {
        replica.seeing(NODE);
        replica.seeing(QUEUE.formatted("team", "\"namespaces\": [\"user\"], \"guarantee\": {\"cpu\": \"3\"}"));
        replica.seeing(POD.formatted("first"));
        replica.cycle();
        Interval alone = borrowed("first");
        replica.seeing(POD.formatted("second"));
        replica.cycle();
        Interval together = borrowed("first");
        replica.seeing(QUEUE.formatted("team", "\"namespaces\": [\"user\"], \"guarantee\": {\"cpu\": \"4\"}"));
        replica.cycle();

        assertThat(alone).isNull();
        long start = Instant.parse("2030-01-01T01:00:00Z").getEpochSecond();
        assertThat(together).isEqualTo(new Interval(start, start + 3600));
        assertThat(borrowed("first")).isNull();
        assertThat(replica.records())
                .allSatisfy(record -> assertThat(record.terms().queue()).isEqualTo("team"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"made-up", "other"})
    void aPromisedGangStaysInTheQueueOfItsPromise(String queue) {
        replica.seeing(QUEUE.formatted("other", "\"weight\": 1"));
        replica.seeing(NODE);
        replica.seeing(QUEUE.formatted("team", "\"namespaces\": [\"user\"]"));
        replica.seeing(POD.formatted("first"));
        replica.cycle();
        replica.seeing(POD.formatted("first")
                .replace("\"annotations\": {", "\"annotations\": {\"slotwise.io/queue\": \"%s\", ".formatted(queue)));
        replica.cycle();

        assertThat(replica.records()).singleElement().satisfies(record -> {
            assertThat(record.promise()).isNotNull();
            assertThat(record.terms().queue()).isEqualTo("team");
        });
    }

    @Test
    void aGangWaitsForTheBudgetOfAQueueAboveItsOwn() {
        replica.seeing(NODE);
        replica.seeing(QUEUE.formatted("science", "\"budget\": \"0.3/month\""));
        replica.seeing(QUEUE.formatted("team", "\"namespaces\": [\"user\"], \"parent\": \"science\""));
        replica.seeing(POD.formatted("first"));
        replica.cycle();
        replica.seeing(POD.formatted("second"));
        replica.cycle();
        replica.cycle();

        assertThat(replica.records())
                .extracting(
                        record -> record.gang().name(),
                        record -> record.plannedAspect().reason())
                .contains(tuple("second", "OverBudget"));
        assertThat(replica.records())
                .filteredOn(record -> record.promise() == null)
                .singleElement()
                .satisfies(record -> assertThat(record.plannedAspect().message())
                        .isEqualTo("no window within the budget of queue science: the cheapest costs 0.25, 0.05 is"
                                + " left until 2030-02-01T00:00:00Z"));
    }

    private List<String> told() {
        replica.cycle();
        return replica.newNotices().stream()
                .map(notice -> "%s %s: %s".formatted(notice.kind(), notice.name(), notice.message()))
                .toList();
    }

    @Test
    void aQueueThatIsRefusedIsToldByNameUntilItIsCorrect() {
        replica.seeing(QUEUE.formatted("physics", "\"parent\": \"science\", \"guarantee\": {\"cpu\": 2}"));
        List<String> first = told();
        replica.seeing(QUEUE.formatted("science", "\"guarantee\": {\"cpu\": \"4\"}"));

        assertThat(first)
                .containsExactly("Queue physics: queue physics: its parent science does not exist; "
                        + "it is left out, and its gangs wait");
        assertThat(told()).isEmpty();
    }
}
