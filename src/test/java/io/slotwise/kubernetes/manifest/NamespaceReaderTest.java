package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.id;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.promise;
import static io.slotwise.kubernetes.manifest.Samples.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.config.PolicyFile;
import io.slotwise.core.combination.Account;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.ledger.LedgerEntry;
import io.slotwise.core.ledger.LedgerStatement;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Refusal;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NamespaceReaderTest {
    private static final long DAY = 86_400;
    private static final String WRONG =
            "`slotwise.io/budget` (5 a day) of namespace user is not valid: expected AMOUNT/PERIOD such as"
                    + " 500/month: an amount that is not negative, at most 1000000000 and with at most six "
                    + "decimals, and day, week or month (UTC)";

    @Test
    void readsTheBudgetsOfThoseThatStateOne() {
        Namespace without = new NamespaceBuilder()
                .withNewMetadata()
                .withName("b")
                .endMetadata()
                .build();

        assertThat(NamespaceReader.grants(List.of(namespace("5/day"), without)))
                .isEqualTo(Map.of("user", new Grant.Given(Allotment.parse("5/day"))));
        assertThat(NamespaceReader.warnings(List.of(namespace("5/day"), without)))
                .isEmpty();
    }

    @Test
    void saysWhatIsWrongWithABudget() {
        assertThat(NamespaceReader.grants(List.of(namespace("5 a day"))))
                .isEqualTo(Map.of("user", new Grant.Unreadable(WRONG)));
        assertThat(NamespaceReader.warnings(List.of(namespace("5 a day"))))
                .containsExactly(
                        new IntakeWarning(IntakeWarning.Reason.INVALID_VALUE, Subject.of("Namespace", "user"), WRONG));
    }

    @Test
    void keysThatMeanNothingOnANamespaceAreTold() {
        Namespace namespace = new NamespaceBuilder()
                .withNewMetadata()
                .withName("user")
                .addToLabels(AnnotationKeys.BUDGET, "5")
                .addToAnnotations(AnnotationKeys.RUNTIME, "1h")
                .endMetadata()
                .build();

        assertThat(NamespaceReader.grants(List.of(namespace)))
                .isEqualTo(Map.of(
                        "user",
                        new Grant.Unreadable("`slotwise.io/budget` (5) of namespace user must not be a label: expected "
                                + "an annotation")));
        assertThat(NamespaceReader.warnings(List.of(namespace)))
                .extracting(IntakeWarning::message)
                .containsExactly(
                        "`slotwise.io/budget` (5) of namespace user must not be a label: expected an annotation",
                        "`slotwise.io/runtime` (1h) of namespace user is an annotation of pods: expected it there");
    }

    @Test
    void aBudgetThatCannotBeReadKeepsItsGangsWaiting() {
        IntakeResult result = take(objects("5 a day", List.of()), Map.of());

        assertThat(result.snapshot().requests()).isEmpty();
        assertThat(result.snapshot().held()).containsExactly(new Pending(id("g"), new Refusal.InvalidRequest(WRONG)));
        assertThat(result.snapshot().accounts())
                .singleElement()
                .satisfies(account -> assertThat(account.left()).isEqualTo(Cost.ZERO));
        assertThat(result.warnings()).extracting(IntakeWarning::message).contains(WRONG);
    }

    @Test
    void aBudgetThatCannotBeReadDoesNotTakeAPromise() {
        KnownGang promised = new KnownGang(promise("g", 60, false, "g-0"), OptionalLong.empty(), Set.of());

        IntakeResult result = take(objects("5 a day", List.of()), Map.of(id("g"), promised));

        assertThat(result.snapshot().held()).isEmpty();
        assertThat(result.snapshot().requests()).hasSize(1);
    }

    @Test
    void aGangStatesNoMoreForItsTimeThanThePolicyAndTheBudgetAllow() {
        LoopSettings limited = PolicyFile.read(
                new StringReader("gangs.value-of-time.limit: {default: 7, namespaces: {user: 4}}"), "policy.yaml");
        LoopSettings usual = LoopSettings.EXACT;

        assertThat(valued(limited, "4", "100/day")).isNull();
        assertThat(valued(limited, "4.5", "100/day")).hasToString(beyond("4.5", "4"));
        assertThat(valued(limited, "4", "3/day")).hasToString(beyond("4", "3"));
        assertThat(valued(usual, "100", "100/day")).isNull();
        assertThat(valued(usual, "101", "100/day")).hasToString(beyond("101", "100"));
    }

    private static String beyond(String stated, String most) {
        return ("InvalidRequest[message=`slotwise.io/value-of-time` (%s) is above what the policy "
                        + "(gangs.value-of-time.limit) and the namespace's budget allow: expected at most %s, "
                        + "field=slotwise.io/value-of-time]")
                .formatted(stated, most);
    }

    /** The refusal of a gang with this value of time, or null. */
    private static @Nullable Refusal valued(LoopSettings settings, String hour, String budget) {
        Pod pod = member("g", "g-0", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.VALUE_OF_TIME, hour)
                .build();
        ClusterObjects objects =
                Samples.objects(List.of(node("n1").build()), pod).withNamespaces(List.of(namespace(budget)));
        List<Pending> held = new Intake(settings, PriceCatalogue.EMPTY)
                .take(objects, Map.of(), NOW)
                .snapshot()
                .held();
        return held.isEmpty() ? null : held.getFirst().refusal();
    }

    @Test
    void accountsFollowFromTheLedger() {
        Charge spent = new Charge(new Cost(1_000_000), new Cost(600_000));
        LedgerEntry running =
                new LedgerEntry(new LedgerEntry.Key("u", NOW + 10), "h", NOW + 60, new Cost(2_000_000), null);
        Ledger ledger = new Ledger(
                "user", "1", LedgerStatement.NONE, new TreeMap<>(Map.of(NOW / DAY, spent)), List.of(running));

        IntakeResult result = take(objects("0.001/day", List.of(ledger)), Map.of());

        assertThat(result.snapshot().held()).isEmpty();
        assertThat(result.snapshot().accounts().getFirst()).isEqualTo(new Account("user", NOW, NOW + DAY, Cost.ZERO));
        assertThat(result.snapshot().accounts().get(1))
                .isEqualTo(new Account("user", NOW + DAY, NOW + 2 * DAY, new Cost(3_600_000)));
    }

    private static ClusterObjects objects(String budget, List<Ledger> ledgers) {
        return Samples.objects(
                        List.of(node("n1").build()),
                        member("g", "g-0", AnnotationKeys.GANG_SIZE, "1").build())
                .withNamespaces(List.of(namespace(budget)))
                .withLedgers(ledgers);
    }

    private static Namespace namespace(String budget) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName("user")
                .addToAnnotations(AnnotationKeys.BUDGET, budget)
                .endMetadata()
                .build();
    }
}
