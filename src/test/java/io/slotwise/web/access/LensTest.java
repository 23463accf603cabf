package io.slotwise.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Refusal;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LensTest {
    private static final String HIDDEN = "a gang of another namespace";

    private final Lens lens = new Lens(false, Set.of("mine"));

    @Test
    void aSentenceDoesNotNameWhoIsHidden() {
        String message = new Refusal.BehindPromises(new GangId("secret-team", "train.v2"), 1_893_456_000L, 1).message();

        assertThat(lens.veiled(message))
                .isEqualTo(
                        "behind promised gangs: a gang of another namespace, which starts at 2030-01-01T00:00:00Z, and 1 other take the room up to the horizon");
        assertThat(Lens.EVERYTHING.veiled(message)).isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "behind mine/train, then yours/train.|behind mine/train, then " + HIDDEN + ".",
                "{\"first\":\"yours/g\",\"gang\":\"mine/g\"}|{\"first\":\"" + HIDDEN + "\",\"gang\":\"mine/g\"}",
                "(yours/pod-g)|(" + HIDDEN + ")",
                "not-mine/g|" + HIDDEN
            })
    void namesOfShownNamespacesStay(String text, String veiled) {
        assertThat(lens.veiled(text)).isEqualTo(veiled);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "slotwise.io/runtime (90) is malformed",
                "needs 1 nvidia.com/gpu",
                "the budget of 100/month is spent",
                "kept 2030-01-01T00:00:00Z/PT1H and 08:00/12h",
                "{\"node-role.kubernetes.io/worker\":\"\"}",
                "/api/v1/gangs"
            })
    void whatIsNoNameStays(String text) {
        assertThat(lens.veiled(text)).isEqualTo(text);
    }
}
