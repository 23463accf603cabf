package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.WholeReplica;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Queue objects of a cluster, as its watch shows them. */
class WatchedQueuesTest {
    private static final String QUEUE = """
            {"apiVersion": "slotwise.io/v1alpha1", "kind": "Queue", "metadata": {"name": "%s", "uid": "%1$s"},
             "spec": {%s}}
            """;

    @AutoClose
    private final WholeReplica replica =
            new WholeReplica(LoopSettings.EXACT, PriceCatalogue.EMPTY, Instant.parse("2030-01-01T00:00:00Z"));

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
                .containsExactly("Queue physics: queue physics: the parent science of physics does not exist; "
                        + "it is left out, and its gangs wait");
        assertThat(told()).isEmpty();
    }
}
