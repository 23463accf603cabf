package io.slotwise.core.gang;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodRankTest {
    @ParameterizedTest
    @CsvSource({
        "train-0-x7k2p train-2-b4m9z train-10-a1b2c",
        "set-workers-0-0-aaaaa set-workers-0-1-zzzzz set-workers-1-0-aaaaa set-workers-11-0-aaaaa",
        "lws-0 lws-0-1 lws-0-2 lws-0-10 lws-1",
        "a a01 a1 a1b ab b",
        "p-99999999999999999998 p-99999999999999999999 p-100000000000000000000"
    })
    void podsAreInTheOrderOfTheNumbersInTheirNames(String names) {
        List<String> sorted = List.of(names.split(" "));
        List<String> turned = Arrays.asList(names.split(" "));
        Collections.reverse(turned);

        turned.sort(PodRank.ORDER);

        assertThat(turned).isEqualTo(sorted);
    }
}
