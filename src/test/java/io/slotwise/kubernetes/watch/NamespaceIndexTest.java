package io.slotwise.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.ledger.Ledger;
import io.slotwise.kubernetes.crd.v1alpha1.LedgerSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Ledgers;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceLedger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NamespaceIndexTest {
    private final NamespaceIndex<NamespaceLedger, Ledger> index = NamespaceIndex.ofLedgers();

    @Test
    void anUnreadableLedgerMeansAnUnknownBudget() {
        index.accept(Ledgers.object(Ledger.empty("user").at("7")));
        NamespaceLedger broken = Ledgers.object(Ledger.empty("user").at("8"));
        broken.setSpec(new LedgerSpec(null, List.of(), List.of(new LedgerSpec.Day("never", 1, 0)), List.of()));

        index.accept(broken);

        assertThat(index.values()).isEmpty();
        assertThat(index.problems())
                .isEqualTo(Map.of(
                        "user", "ledger user/slotwise cannot be read: Text 'never' could not be parsed at index 0"));

        index.accept(Ledgers.object(Ledger.empty("user").at("9")));
        assertThat(index.problems()).isEmpty();
        assertThat(index.values()).containsKey("user");
    }

    @Test
    void anObjectOfAnotherNameIsNoLedger() {
        NamespaceLedger other = Ledgers.object(Ledger.empty("user").at("7"));
        other.getMetadata().setName("other");

        index.accept(other);

        assertThat(index.values()).isEmpty();
        assertThat(index.problems()).isEmpty();
    }
}
