package io.slotwise.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.core.queue.Queue;
import io.slotwise.testing.ApiDescription;
import io.slotwise.testing.ExampleDay;
import io.slotwise.testing.ExampleQueues;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueuesResourceTest {
    private static JsonNode queues(List<Queue> queues) throws IOException {
        String json = QueuesResource.json(new ExampleDay(queues).latest(ExampleDay.LOOK));
        assertThat(ApiDescription.violations("Queues", json)).isEmpty();
        return new ObjectMapper().readTree(json);
    }

    @Test
    void eachQueueStandsBelowItsParentWithItsUseOverTime() throws IOException {
        JsonNode queues = queues(ExampleQueues.queues()).path("queues");

        assertThat(queues)
                .extracting(queue -> queue.path("queue").asText())
                .containsExactly("root", Queue.DEFAULT, "research", "language", "vision", "weather");
        JsonNode gpus = queues.path(3).path("resources").path(1);
        JsonNode steps = gpus.path("steps");
        assertThat(steps.size()).isGreaterThan(2);
        assertThat(steps.path(0).path("start").asText())
                .isEqualTo(Instant.ofEpochSecond(ExampleDay.LOOK).toString());
        assertThat(steps.path(0).path("use")).isEqualTo(gpus.path("used"));
        assertThat(steps.path(0).path("guarantee").asInt()).isEqualTo(24);
        assertThat(steps.path(steps.size() - 1).path("guarantee").asInt()).isEqualTo(32);
        for (int i = 1; i < steps.size(); i++) {
            assertThat(steps.path(i).path("start")).isEqualTo(steps.path(i - 1).path("end"));
        }
    }

    @Test
    void queuesWithWeightsAloneHaveShares() throws IOException {
        JsonNode resources = queues(List.of(new Queue("vision", null), new Queue("weather", null)))
                .path("queues")
                .path(2)
                .path("resources");

        assertThat(resources)
                .extracting(resource -> resource.path("resource").asText())
                .contains("cpu", "memory");
        assertThat(resources).allSatisfy(resource -> {
            assertThat(resource.path("entitled").asLong()).isPositive();
            assertThat(resource.path("guarantee").asLong()).isZero();
            assertThat(resource.path("steps").path(0).path("use")).isEqualTo(resource.path("used"));
        });
    }

    @Test
    void aClusterWithoutQueuesHasNone() throws IOException {
        assertThat(queues(List.of()).path("queues")).isEmpty();
    }
}
