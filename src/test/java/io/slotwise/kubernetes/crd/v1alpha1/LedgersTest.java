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
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** The longest names and the widest figures in every field, of completed and open runs, and sums of many days. */
    @ParameterizedTest
    @CsvSource({"36, 1, 6000, 0", "36, 1, 0, 6000", "64, 253, 6000, 0", "64, 253, 0, 6000", "64, 253, 4000, 4000"})
    void theLargestLedgerFitsIntoEtcd(int uid, int name, int over, int late) {
        Cost widest = Cost.of(new BigInteger("9".repeat(39)));
        Charge dearest = new Charge(widest, widest, Long.MAX_VALUE);
        long today = Math.floorDiv(DAY_ONE, 86_400);
        List<LedgerEntry> runs = new ArrayList<>();
        Map<LedgerEntry.Key, LedgerEntry> charged = new HashMap<>();
        for (int i = 0; i < over + late; i++) {
            LedgerEntry.Key key = new LedgerEntry.Key("%%0%dd".formatted(uid).formatted(i), DAY_ONE - 60);
            LedgerEntry.Settled end = i < over ? new LedgerEntry.Settled(dearest, DAY_ONE) : null;
            runs.add(new LedgerEntry(key, "g".repeat(name), DAY_ONE, new Cost(Long.MAX_VALUE), Long.MAX_VALUE, end));
            charged.put(
                    key,
                    new LedgerEntry(
                            key,
                            "g".repeat(name),
                            DAY_ONE,
                            new Cost(Long.MAX_VALUE),
                            Long.MAX_VALUE,
                            new LedgerEntry.Beyond(
                                    today,
                                    dearest,
                                    new TreeMap<>(Map.of(today, dearest, today + 1, dearest, today + 9, dearest))),
                            null,
                            null));
        }
        Allotment budget = Allotment.parse("999999999.999999/day");
        AccountBalance balance = new AccountBalance(
                Period.DAY.holding(DAY_ONE), Money.parse("999999999.999999"), dearest, widest, widest);
        TreeMap<Long, Charge> days = new TreeMap<>();
        for (long day = today - 2000; day <= today; day++) {
            days.put(day, dearest);
        }
        Ledger before = new Ledger(
                "n".repeat(63),
                "9".repeat(20),
                new LedgerStatement(budget, Collections.nCopies(1000, balance)),
                days,
                List.of(),
                new Debt(budget, DAY_ONE, widest));

        Ledger kept = before.kept(new Ledger.Observation(runs, Map.of(), Set.of(), DAY_ONE, 3600));
        // An open run with room may have cost anything on any day since.
        Ledger ledger = kept.withEntries(kept.entries().stream()
                .map(entry -> entry.isOpen() ? Objects.requireNonNull(charged.get(entry.key())) : entry)
                .toList());

        String json = Serialization.asJson(Ledgers.object(ledger.written()));
        assertThat(json.getBytes(StandardCharsets.UTF_8).length).isBetween(over > 0 ? 1_200_000 : 400_000, 1_500_000);
        assertThat(kept.entries()).hasSize(over + late);
        assertThat(kept.days().firstKey()).isEqualTo(today - Ledger.DAYS_KEPT);
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
    void anInconsistentLedgerIsRefused() {
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
                null,
                "physics");
        AccountBalance balance =
                new AccountBalance(Period.WEEK.holding(DAY_ONE), Money.parse("12.5"), charge, new Cost(1), new Cost(7));
        return new Ledger(
                "user",
                "7",
                new LedgerStatement(budget, List.of(balance)),
                new TreeMap<>(Map.of(Math.floorDiv(DAY_ONE, 86_400), charge)),
                List.of(ended, running, late),
                new Debt(budget, DAY_ONE, new Cost(7)),
                Set.of(),
                new TreeMap<>(Map.of("physics", new TreeMap<>(Map.of(day, charge)))));
    }
}
