package io.slotwise.kubernetes.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class StatedTest {

    @Test
    void whatSlotwiseItselfWroteOnPodsIsNoRequestAndMayDiffer() {
        Stated stated = new Stated();

        stated.add(
                "pod user/g-0",
                null,
                Map.of(Keys.WINDOW_START, "2030-01-01T00:00:00Z"),
                Keys.POD_LABELS,
                Keys.POD_ANNOTATIONS);
        stated.add(
                "pod user/g-1",
                null,
                Map.of(Keys.WINDOW_START, "2030-01-01T01:00:00Z"),
                Keys.POD_LABELS,
                Keys.POD_ANNOTATIONS);

        assertThat(stated.problems()).isEmpty();
    }

    @Test
    void aKeyOfOursThatNobodyKnowsIsAProblem() {
        Stated stated = new Stated();

        stated.add("pod user/g-0", null, Map.of("slotwise.io/gangsize", "4"), Keys.POD_LABELS, Keys.POD_ANNOTATIONS);

        assertThat(stated.problems()).singleElement().asString().contains("slotwise.io/gangsize", "is not known");
    }
}
