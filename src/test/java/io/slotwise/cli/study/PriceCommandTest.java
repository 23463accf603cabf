package io.slotwise.cli.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.cli.console.CommandLineRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriceCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static CommandLineRun price(String... more) {
        List<String> words = new ArrayList<>(
                List.of("study", "price", "--workload", "lublin:machine=8,jobs=40,seed=3", "--price-spread", "20"));
        words.addAll(List.of(more));
        return CommandLineRun.of(words.toArray(String[]::new));
    }

    @Test
    void aPriceAboveAllUsersLimitsEarnsNothing() throws IOException {
        CommandLineRun run =
                price("--pool", "p0,p1", "--draw-users", "--runs", "3", "--percents", "80,100,1000", "-o", "json");

        assertThat(run.status()).as(run.err()).isZero();
        JsonNode answer = JSON.readTree(run.out());
        assertThat(answer.path("nodes").asInt()).isEqualTo(2);
        assertThat(answer.path("replications").asInt()).isEqualTo(3);
        JsonNode prices = answer.path("prices");
        assertThat(prices).hasSize(3);
        assertThat(prices.get(2).path("income").path("mean").asDouble()).isZero();
        assertThat(prices.get(0).path("income").path("mean").asDouble()).isPositive();
        assertThat(prices.get(0).path("income").path("ci95").asDouble()).isPositive();
        assertThat(prices.get(0).path("incomes")).hasSize(3);
        long won = 0;
        for (JsonNode price : prices) {
            won += price.path("bestIn").asLong();
        }
        assertThat(won).isEqualTo(3);
        assertThat(answer.path("bestPercent").asInt()).isIn(80, 100);
    }

    @Test
    void aPoolThatEveryJobNeedsEarnsByItsPrice() {
        CommandLineRun run = price("--pool", "owner=machine", "--runs", "1", "--percents", "50,100");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .startsWith("Income of owner=machine (8 nodes) by price, ")
                .contains("100 % of the present price earns most: ", "One replication does not say how sure that is");
    }

    @Test
    void thePageHasAPointAndARangeForEachPrice() {
        CommandLineRun run = price("--pool", "p0", "--draw-users", "--runs", "2", "--percents", "90,110", "-o", "html");

        assertThat(run.out())
                .startsWith("<!DOCTYPE html>")
                .contains("class=\"best\"", "(95 % confidence, 2 replications)");
        assertThat(run.out().split("<circle", -1)).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    p0,p9            | slotwise | 100     | --pool (p0,p9) names nodes that are not there: p9; expected some such as p0, p7
                    zone=a           | slotwise | 100     | --pool (zone=a) fits no node; expected names, owner=NAME or LABEL=VALUE
                    p0               | easy     | 100     | The policy (easy) does not look at prices of nodes; expected a planning policy
                    p0               | slotwise | 100,100 | '100,100' has a price that is not valid ('100'); expected whole percentages from 1 to 10000, each once
                    """)
    void aWrongOptionIsOneError(String pool, String policy, String percents, String error) {
        CommandLineRun run = price("--pool", pool, "--policy", policy, "--percents", percents);

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(error);
    }
}
