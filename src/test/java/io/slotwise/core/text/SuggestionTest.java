package io.slotwise.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {
    private static final List<String> KEYS = List.of(
            "horizon",
            "promise-slack",
            "promise-slack.wait",
            "default-runtime",
            "runtime-prediction.quantile",
            "preemption");

    @ParameterizedTest
    @CsvSource({
        "horizont, horizon",
        "slack, promise-slack",
        "promise_slack, promise-slack",
        "runtime-default, default-runtime",
        "preempting, preemption",
        "slack.wait, promise-slack.wait",
        "zone, ",
    })
    void aKeyThatIsNotThereIsTheNearestOneOrOneOfItsWords(String typed, String meant) {
        assertThat(Suggestion.nearestKey(typed, KEYS).orElse(null)).isEqualTo(meant);
    }
}
