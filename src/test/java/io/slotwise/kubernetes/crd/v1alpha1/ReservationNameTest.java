package io.slotwise.kubernetes.crd.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import org.junit.jupiter.api.Test;

class ReservationNameTest {
    @Test
    void anObjectNameIsKept() {
        assertThat(name("train-7.b")).isEqualTo("train-7.b");
    }

    @Test
    void otherNamesAreLowerCasedWithAHash() {
        assertThat(name("Train_7")).matches("train-7-[0-9a-f]{10}");
        assertThat(name("Train_7")).isNotEqualTo(name("train_7"));
        assertThat(name("_")).matches("gang-[0-9a-f]{10}");
    }

    @Test
    void longNamesAreShortened() {
        String longest = "pod-" + "a".repeat(253);

        assertThat(name(longest)).hasSizeLessThanOrEqualTo(253).startsWith("pod-aaa");
        assertThat(name(longest)).isNotEqualTo(name(longest + "b"));
    }

    private static String name(String gang) {
        return ReservationName.of(new GangId("user", gang));
    }
}
