package io.slotwise.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class NamespaceScopeTest {
    @Test
    void onlyTheNamespacesThatItNamesAreShown() {
        NamespaceScope scope = new NamespaceScope(false, Set.of("mine"));

        assertThat(scope.test("mine")).isTrue();
        assertThat(scope.test("not-mine")).isFalse();
        assertThat(scope.test("")).isFalse();
        assertThat(NamespaceScope.EVERYTHING.test("not-mine")).isTrue();
    }
}
