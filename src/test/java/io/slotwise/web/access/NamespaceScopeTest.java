package io.slotwise.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class NamespaceScopeTest {
    @Test
    void onlyTheNamespacesThatItNamesAreShown() {
        NamespaceScope lens = new NamespaceScope(false, Set.of("mine"));

        assertThat(lens.test("mine")).isTrue();
        assertThat(lens.test("not-mine")).isFalse();
        assertThat(lens.test("")).isFalse();
        assertThat(NamespaceScope.EVERYTHING.test("not-mine")).isTrue();
    }
}
