package io.slotwise.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.core.plan.Frontier.Against;
import io.slotwise.core.plan.Frontier.Axes;
import io.slotwise.core.plan.Frontier.Money;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.kubernetes.manifest.field.InvalidField;
import io.slotwise.testing.ExampleDay;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.RandomClusters;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrontierAnswersTest {
    private static final FrontierAnswers ANSWERS = new FrontierAnswers(() -> Instant.ofEpochSecond(ExampleDay.LOOK));

    private static JsonNode frontier(String promises) throws IOException {
        return new ObjectMapper()
                .readTree(ANSWERS.frontier(
                                new ExampleDay().latest(ExampleDay.LOOK),
                                FrontierResource.question(null, null, null, promises))
                        .json());
    }

    /** Each look at the clock is ten seconds later. */
    @Test
    void theSearchForMoreAlternativesEndsInTimeAndTheAnswerSaysSo() throws IOException {
        AtomicLong looks = new AtomicLong();
        FrontierAnswers late =
                new FrontierAnswers(() -> Instant.ofEpochSecond(ExampleDay.LOOK + 10 * looks.getAndIncrement()));

        JsonNode frontier = new ObjectMapper()
                .readTree(late.frontier(
                                new ExampleDay().latest(ExampleDay.LOOK),
                                FrontierResource.question(null, null, null, "open"))
                        .json());

        assertThat(frontier.path("plans")).hasSize(1);
        assertThat(frontier.path("notes"))
                .extracting(JsonNode::asText)
                .contains("the search for more alternatives was stopped in round 1, after 0 turns");
    }

    private static BigDecimal cost(JsonNode plan) {
        return new BigDecimal(plan.path("cost").asText());
    }

    @Test
    void openPromisesLeaveMoreToChooseFrom() throws IOException {
        JsonNode kept = frontier("kept").path("plans");
        JsonNode open = frontier("open").path("plans");

        assertThat(open.size()).isGreaterThan(1).isGreaterThanOrEqualTo(kept.size());
        assertThat(open.path(0).path("windows")).isNotEmpty();
        for (int i = 1; i < open.size(); i++) {
            assertThat(cost(open.path(i))).isLessThan(cost(open.path(i - 1)));
            assertThat(open.path(i).path("meanDelaySeconds").asDouble())
                    .isGreaterThan(open.path(i - 1).path("meanDelaySeconds").asDouble());
        }
    }

    @Test
    void missingParametersHaveTheirDefaults() {
        assertThat(FrontierResource.question(null, "", null, null))
                .isEqualTo(new FrontierAnswers.Question(new Axes(Money.COST, Against.DELAY), 20, false));
        assertThat(FrontierResource.question("income", "utility", "50", "open"))
                .isEqualTo(new FrontierAnswers.Question(new Axes(Money.INCOME, Against.UTILITY), 50, true));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "of | gold | `of` (gold) is not valid: expected cost or income",
                "against | all | `against` (all) is not valid: expected delay or utility",
                "plans | 1 | `plans` (1) is not valid: expected a whole number from 2 to 50",
                "plans | 51 | `plans` (51) is not valid: expected a whole number from 2 to 50",
                "plans | many | `plans` (many) is not valid: expected a whole number from 2 to 50",
                "promises | no | `promises` (no) is not valid: expected kept or open"
            })
    void unreadableParametersAreRefused(String field, String text, String message) {
        assertThatThrownBy(() -> FrontierResource.question(
                        field.equals("of") ? text : null,
                        field.equals("against") ? text : null,
                        field.equals("plans") ? text : null,
                        field.equals("promises") ? text : null))
                .isInstanceOfSatisfying(
                        InvalidField.class,
                        problem -> assertThat(problem.field()).isEqualTo(field))
                .hasMessage(message);
    }

    private static Snapshot snapshot(int gangs, int pods, int nodes) {
        List<Request> requests = IntStream.range(0, gangs)
                .mapToObj(
                        i -> new Request(GangBuilder.gang("g" + i, pods, 1, 10).build(), null))
                .toList();
        RandomClusters clusters =
                new RandomClusters(RandomGeneratorFactory.of("L64X128MixRandom").create(1));
        return new Snapshot(RandomClusters.NOW, clusters.cluster(nodes), requests, List.of());
    }

    @Test
    void requestsThatTakeTooLongAreRefused() {
        assertThatThrownBy(() -> FrontierAnswers.check(snapshot(1001, 1, 1), 2))
                .hasMessage("the batch is too large (1001 gangs on 1 nodes): expected at most 1000 gangs, and 10000000 "
                        + "gangs times nodes; `slotwise study frontier -f` takes any number");
        assertThatThrownBy(() -> FrontierAnswers.check(snapshot(1000, 1, 10_001), 2))
                .hasMessageStartingWith("the batch is too large (1000 gangs on 10001 nodes)");
        assertThatThrownBy(() -> FrontierAnswers.check(snapshot(10, 501, 1), 10))
                .hasMessage("the answer is too large (10 plans for 5010 pods): expected at most 50000 plans times "
                        + "pods; `slotwise study frontier -f` takes any number");
        FrontierAnswers.check(snapshot(250, 20, 1000), 10);
    }
}
