package io.slotwise.kubernetes.crd.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.ledger.AccountBalance;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.Debt;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.ledger.LedgerEntry;
import io.slotwise.core.ledger.LedgerStatement;
import io.slotwise.core.ledger.Period;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LedgersTest {
    private static final Path CRD = Path.of("helm/slotwise/files/crds/ledgers.slotwise.io.yaml");
    /** 2030-01-01T00:00:00Z. */
    private static final long DAY_ONE = 1_893_456_000L;

    @Test
    void theSchemaHasEveryFieldOfTheJavaTypesAndNoOther() throws IOException {
        JsonNode crd = new YAMLMapper(new YAMLFactory()).readTree(CRD.toFile());
        List<String> differences = new ArrayList<>();

        SchemaComparison.compare(
                "spec",
                crd.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec"),
                LedgerSpec.class,
                differences);

        assertThat(differences).isEmpty();
        NamespaceLedger type = new NamespaceLedger();
        assertThat(crd.at("/metadata/name").asText()).isEqualTo(type.getCRDName());
        assertThat(crd.at("/spec/group").asText()).isEqualTo(type.getGroup());
        assertThat(crd.at("/spec/names/kind").asText()).isEqualTo(type.getKind());
        assertThat(crd.at("/spec/names/plural").asText()).isEqualTo(type.getPlural());
        assertThat(crd.at("/spec/names/singular").asText()).isEqualTo(type.getSingular());
        assertThat(crd.at("/spec/versions/0/name").asText()).isEqualTo(type.getVersion());
        assertThat(crd.at("/spec/versions/0").has("subresources")).isFalse();
        assertThat(crd.at("/spec/versions/0/schema/openAPIV3Schema/x-kubernetes-validations/0/rule")
                        .asText())
                .isEqualTo("self.metadata.name == '%s'", NamespaceLedger.NAME);
    }

    /** The longest names and the widest figures that there are, and a sum for each day that is kept. */
    @Test
    void theLargestLedgerFitsIntoEtcd() {
        Cost widest = Cost.product(Long.MAX_VALUE, 1_000_000);
        List<LedgerEntry> runs = new ArrayList<>();
        for (int i = 0; i < Ledger.MOST_ENTRIES; i++) {
            long start = DAY_ONE - (i % 100) * 86_400L;
            runs.add(new LedgerEntry(
                    new LedgerEntry.Key("01234567-89ab-cdef-0123-%012d".formatted(i), start),
                    "g".repeat(253),
                    start + 600,
                    widest,
                    Long.MAX_VALUE,
                    new LedgerEntry.Settled(new Charge(widest, widest, 1), start + 600)));
        }

        Ledger ledger = Ledger.empty("user").kept(new Ledger.Sight(runs, Set.of(), DAY_ONE, 3600));

        assertThat(ledger.entries()).hasSize(Ledger.MOST_ENTRIES);
        assertThat(Serialization.asJson(Ledgers.object(ledger)).length()).isLessThan(1_500_000);
    }

    @Test
    void everyBudgetIsOneThatTheSchemaTakes() throws IOException {
        JsonNode crd = new YAMLMapper(new YAMLFactory()).readTree(CRD.toFile());
        Pattern pattern = Pattern.compile(
                crd.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/budget/pattern")
                        .asText());

        for (String budget : List.of("0/day", "1000000000/week", "0.000001/month", "999999999.999999/month")) {
            assertThat(Allotment.parse(budget).toString()).matches(pattern).hasSizeLessThanOrEqualTo(24);
        }
    }

    @Test
    void whatIsWrittenIsReadBack() {
        Ledger ledger = ledger();

        NamespaceLedger object = Ledgers.object(ledger);
        String json = Serialization.asJson(object);
        NamespaceLedger read = Serialization.unmarshal(json, NamespaceLedger.class);

        assertThat(Ledgers.ledger(read)).isEqualTo(ledger);
        assertThat(json).doesNotContain("status").doesNotContain("null");
        LedgerSpec.Period period = object.getSpec().periods().getFirst();
        assertThat(period.spent()).isEqualTo("0.000004");
        assertThat(period.overrun()).isEqualTo("0.000002");
        assertThat(period.held()).isEqualTo("0.000001");
        assertThat(period.left()).isEqualTo("12.499996");
        assertThat(object.getSpec().days().getFirst().date()).isEqualTo("2030-01-01");
    }

    @Test
    void aLedgerThatNobodyWroteLikeThisIsRefused() {
        NamespaceLedger misnamed = Ledgers.object(ledger());
        misnamed.getMetadata().setName("other");
        NamespaceLedger empty = Ledgers.object(ledger());
        empty.setSpec(null);
        NamespaceLedger undated = Ledgers.object(ledger());
        undated.setSpec(new LedgerSpec(null, List.of(), List.of(new LedgerSpec.Day("yesterday", 1, 0)), List.of()));
        NamespaceLedger negative = Ledgers.object(ledger());
        negative.setSpec(new LedgerSpec(null, List.of(), List.of(new LedgerSpec.Day("2030-01-01", 1, 2)), List.of()));

        for (NamespaceLedger wrong : List.of(misnamed, empty, undated, negative)) {
            assertThatThrownBy(() -> Ledgers.ledger(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static Ledger ledger() {
        Charge charge = new Charge(new Cost(9000), new Cost(4000));
        Allotment budget = Allotment.parse("12.5/week");
        LedgerEntry ended = new LedgerEntry(
                new LedgerEntry.Key("u1", DAY_ONE),
                "g",
                DAY_ONE + 60,
                new Cost(10_000),
                new LedgerEntry.Settled(charge, DAY_ONE + 70));
        LedgerEntry running =
                new LedgerEntry(new LedgerEntry.Key("u2", DAY_ONE + 5), "h", DAY_ONE + 600, new Cost(1), null);
        long day = Math.floorDiv(DAY_ONE, 86_400);
        LedgerEntry late = new LedgerEntry(
                new LedgerEntry.Key("u3", DAY_ONE + 6),
                "late",
                DAY_ONE + 7,
                new Cost(1),
                1,
                new LedgerEntry.Beyond(
                        day + 1,
                        new Charge(Cost.ZERO, new Cost(5), 3),
                        new TreeMap<>(Map.of(day + 1, new Charge(Cost.ZERO, new Cost(11), 4)))),
                null);
        AccountBalance balance =
                new AccountBalance(Period.WEEK.holding(DAY_ONE), Money.parse("12.5"), charge, new Cost(1), new Cost(7));
        return new Ledger(
                "user",
                "7",
                new LedgerStatement(budget, List.of(balance)),
                new TreeMap<>(Map.of(Math.floorDiv(DAY_ONE, 86_400), charge)),
                List.of(ended, running, late),
                new Debt(budget, DAY_ONE, new Cost(7)));
    }
}
