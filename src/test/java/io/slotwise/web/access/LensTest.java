package io.slotwise.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class LensTest {
    @Test
    void onlyTheNamespacesThatItNamesAreShown() {
        Lens lens = new Lens(false, Set.of("mine"));

        assertThat(lens.test("mine")).isTrue();
        assertThat(lens.test("not-mine")).isFalse();
        assertThat(lens.test("")).isFalse();
        assertThat(Lens.EVERYTHING.test("not-mine")).isTrue();
    }
}
