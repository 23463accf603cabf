package io.slotwise.kubernetes.manifest.gang;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.at;
import static io.slotwise.kubernetes.manifest.Samples.id;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.pod;
import static io.slotwise.kubernetes.manifest.Samples.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.Preferences;
import io.slotwise.core.gang.Preferred;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.time.Interval;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.GangKey;
import io.slotwise.live.settings.TimeValues;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnnotatedGangTest {
    @Test
    void readsAllThatAGangSays() {
        Gang gang = gang(
                AnnotationKeys.RUNTIME, "1h30m",
                AnnotationKeys.BUDGET, "12.5",
                AnnotationKeys.CRITERION, "cost",
                AnnotationKeys.EARLIEST_START, "2030-01-01T01:00:00.5Z",
                AnnotationKeys.DEADLINE, "2030-01-01T09:00:00.5Z",
                AnnotationKeys.TOPOLOGY, "topology.kubernetes.io/zone",
                AnnotationKeys.MAX_PER_NODE, "2",
                AnnotationKeys.LOCKSTEP, "true",
                AnnotationKeys.PRICE_LIMIT, "total",
                AnnotationKeys.MODE, "batch",
                AnnotationKeys.DATA_SIZE, "0",
                AnnotationKeys.MIGRATABLE, "true");

        assertThat(gang.id()).isEqualTo(id("g"));
        assertThat(gang.pods()).containsExactly("g-0");
        assertThat(gang.request().runtime()).isEqualTo(5400);
        assertThat(gang.request().nodeIndependent()).isFalse();
        assertThat(gang.budget()).isEqualTo(new Budget(Money.parse("12.5"), null));
        assertThat(gang.criterion()).isEqualTo(Criterion.COST);
        assertThat(gang.earliestStart()).isEqualTo(NOW + 3601);
        assertThat(gang.deadline()).isEqualTo(NOW + 9 * 3600);
        assertThat(gang.topology()).isEqualTo(Topology.within(TopologyLevel.of("topology.kubernetes.io/zone")));
        assertThat(gang.maxPerNode()).isEqualTo(2);
        assertThat(gang.lockstep()).isTrue();
        assertThat(gang.arrival()).isEqualTo(NOW - 60);
    }

    @Test
    void aGangWithAValueOfTimeMinimizesCostPlusDelay() {
        Gang gang = gang(AnnotationKeys.VALUE_OF_TIME, "2.50");
        Gang other = gang(AnnotationKeys.VALUE_OF_TIME, "2.50", AnnotationKeys.CRITERION, "start");

        assertThat(gang.valueOfTime()).isEqualTo(ValueOfTime.always(Money.parse("2.5")));
        assertThat(gang.criterion()).isEqualTo(Criterion.VALUE);
        assertThat(other.valueOfTime()).isEqualTo(ValueOfTime.always(Money.parse("2.5")));
        assertThat(other.criterion()).isEqualTo(Criterion.START);
        assertThat(problem(member("g", "g-0", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.VALUE_OF_TIME, "100001")))
                .isEqualTo(
                        "`slotwise.io/value-of-time` (100001) of pod user/g-0 is not valid: expected at most 100000");
    }

    @Test
    void aGangWithPreferencesIsPlannedByThem() {
        Gang gang = gang(
                AnnotationKeys.PREFERRED_START, "2030-01-01T14:00:00Z weight 2",
                AnnotationKeys.PREFERRED_FINISH, "2030-01-01T18:00:00Z",
                AnnotationKeys.PREFERRED_COST, "5 weight 0.25",
                AnnotationKeys.VALUE_OF_TIME, "1");

        assertThat(gang.criterion()).isEqualTo(Criterion.PREFERENCE);
        assertThat(gang.preferences())
                .isEqualTo(Preferences.NONE
                        .withPreferredStart(new Preferred<>(
                                Instant.parse("2030-01-01T14:00:00Z").getEpochSecond(), 2000))
                        .withPreferredFinish(new Preferred<>(
                                Instant.parse("2030-01-01T18:00:00Z").getEpochSecond(), 1000))
                        .withPreferredCost(new Preferred<>(Money.parse("5"), 250)));
        assertThat(AnnotationKeys.PREFERENCES.stream()
                        .map(key -> GangKey.ALL.stream()
                                .filter(one -> one.key().equals(key))
                                .findFirst()
                                .orElseThrow()
                                .textOf(gang.demand()))
                        .toList())
                .containsExactly("2030-01-01T14:00:00Z weight 2", "2030-01-01T18:00:00Z", "5 weight 0.25");
    }

    @Test
    void preferencesAndAnotherCriterionContradictEachOther() {
        assertThat(problem(member(
                        "g",
                        "g-0",
                        AnnotationKeys.GANG_SIZE,
                        "1",
                        AnnotationKeys.PREFERRED_COST,
                        "5",
                        AnnotationKeys.CRITERION,
                        "start")))
                .isEqualTo("`slotwise.io/preferred-cost` (5) cannot be combined with `slotwise.io/criterion` (start): "
                        + "expected the criterion preference, or none");
        assertThat(problem(member("g", "g-0", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.CRITERION, "preference")))
                .isEqualTo("`slotwise.io/criterion` (preference) needs `slotwise.io/preferred-start`, "
                        + "`slotwise.io/preferred-finish` or `slotwise.io/preferred-cost`: expected what the gang "
                        + "prefers");
    }

    @Test
    void theValueOfTimeMayFallAtAnInstant() {
        Gang gang = gang(AnnotationKeys.VALUE_OF_TIME, "2.50 until 2030-01-01T18:00:00.9Z");

        assertThat(gang.valueOfTime().hour()).isEqualTo(Money.parse("2.5"));
        assertThat(Instant.ofEpochSecond(gang.valueOfTime().until())).isEqualTo("2030-01-01T18:00:00Z");
        assertThat(GangKey.VALUE_OF_TIME.textOf(gang.demand())).isEqualTo("2.5 until 2030-01-01T18:00:00Z");
        assertThat(problem(member(
                        "g", "g-0", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.VALUE_OF_TIME, "2.50 until noon")))
                .startsWith("`slotwise.io/value-of-time` (2.50 until noon) of pod user/g-0 is not valid: expected ");
    }

    @Test
    void theValueOfTimeComesFromPriorityClassNamespaceOrDefault() {
        TimeValues values =
                new TimeValues(Money.parse("1"), Map.of("urgent", Money.parse("20")), Map.of("user", Money.parse("3")));

        assertThat(values.of("user", List.of("urgent", "other"))).isEqualTo(Money.parse("20"));
        assertThat(values.of("user", List.of())).isEqualTo(Money.parse("3"));
        assertThat(values.of("someone", List.of("other"))).isEqualTo(Money.parse("1"));
    }

    @Test
    void missingAnnotationsHaveTheirDefaults() {
        Gang gang = gang();

        assertThat(gang.request().runtime()).isEqualTo(3600);
        assertThat(gang.request().nodeIndependent()).isFalse();
        assertThat(gang.budget()).isEqualTo(Budget.UNLIMITED);
        assertThat(gang.criterion()).isEqualTo(Criterion.START);
        assertThat(gang.earliestStart()).isEqualTo(Long.MIN_VALUE);
        assertThat(gang.deadline()).isEqualTo(Interval.FOREVER);
        assertThat(gang.topology()).isEqualTo(Topology.ANYWHERE);
        assertThat(gang.maxPerNode()).isEqualTo(Integer.MAX_VALUE);
        assertThat(gang.lockstep()).isFalse();
        assertThat(gang.priority()).isZero();
    }

    @Test
    void thePodsOwnDeadlineIsTheRuntimeOnEveryNode() {
        IntakeResult result = take(
                pod("p").editSpec().withActiveDeadlineSeconds(120L).endSpec().build());
        IntakeResult stated = take(member("g", "p", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.RUNTIME, "90s")
                .editSpec()
                .withActiveDeadlineSeconds(120L)
                .endSpec()
                .build());

        assertThat(only(result).request().runtime()).isEqualTo(120);
        assertThat(only(result).request().nodeIndependent()).isTrue();
        assertThat(only(stated).request().runtime()).isEqualTo(90);
        assertThat(only(stated).request().nodeIndependent()).isFalse();
    }

    @Test
    void aHighestPriceMakesABudgetRoundedUpToAMillionth() {
        IntakeResult result = take(
                member(
                                "g",
                                "g-0",
                                AnnotationKeys.GANG_SIZE,
                                "2",
                                AnnotationKeys.RUNTIME,
                                "1000s",
                                AnnotationKeys.MAX_PRICE,
                                "1.000001")
                        .build(),
                member("g", "g-1").build());

        // 1.000001 x 1000 s x 2 / 3600 s = 0.55555611...
        assertThat(only(result).budget()).isEqualTo(new Budget(Money.parse("0.555557"), null));
    }

    @Test
    void aBudgetOfItsOwnGoesBeforeTheHighestPrice() {
        assertThat(gang(AnnotationKeys.MAX_PRICE, "5", AnnotationKeys.BUDGET, "1")
                        .budget())
                .isEqualTo(new Budget(Money.parse("1"), null));
    }

    @Test
    void aLimitOnTheSlotsLeavesTheSumFreeUnlessThereIsABudget() {
        assertThat(gang(AnnotationKeys.MAX_PRICE, "5", AnnotationKeys.PRICE_LIMIT, "slot")
                        .budget())
                .isEqualTo(new Budget(null, Money.parse("5")));
        assertThat(gang(AnnotationKeys.MAX_PRICE, "5", AnnotationKeys.PRICE_LIMIT, "slot", AnnotationKeys.BUDGET, "7")
                        .budget())
                .isEqualTo(new Budget(Money.parse("7"), Money.parse("5")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gang-size | 0 | expected a whole number between 1 and 100000",
                "gang-size | 100001 | expected a whole number between 1 and 100000",
                "gang-size | two | expected a whole number between 1 and 100000",
                "runtime | soon | expected a duration in whole seconds such as 90s, 1h30m, 7d or PT1H30M",
                "runtime | 0s | expected a duration of at least 1s",
                "runtime | 100000h | expected at most 87600h",
                "budget | little | expected a decimal number such as 1.25",
                "budget | -1 | expected a number that is not negative",
                "budget | 0.0000001 | expected at most six digits after the decimal point",
                "budget | 1000000001 | expected at most 1000000000",
                "preferred-start | noon | expected an RFC 3339 instant such as 2030-01-01T08:00:00Z",
                "preferred-start | 2030-01-01T14:00:00Z weight 0 | expected a weight from 0.001 to 1000 with at most "
                        + "three decimals",
                "preferred-finish | 2030-01-01T14:00:00Z weight 1000.5 | expected a weight from 0.001 to 1000 with at "
                        + "most three decimals",
                "preferred-finish | 2030-01-01T14:00:00Z weight heavy | expected a weight from 0.001 to 1000 with at "
                        + "most three decimals",
                "preferred-cost | 5 weight 0.0001 | expected a weight from 0.001 to 1000 with at most three decimals",
                "preferred-cost | cheap weight 2 | expected a decimal number such as 1.25",
                "preferred-cost | 0 | expected an amount greater than 0; the criterion cost pays least",
                "max-price | low | expected a decimal number such as 1.25",
                "price-limit | some | expected total or slot",
                "criterion | luck | expected start or finish or runtime or cost or processor-time or energy or value "
                        + "or preference",
                "earliest-start | tomorrow | expected an RFC 3339 instant such as 2030-01-01T08:00:00Z",
                "deadline | 1893456000 | expected an RFC 3339 instant such as 2030-01-01T08:00:00Z",
                "data-size | much | expected a number of bytes such as 10Gi",
                "data-size | -1 | expected a number of bytes between 0 and 1Ei",
                "topology | a b | expected the key of a node label such as topology.kubernetes.io/zone",
                "topology | '' | expected the key of a node label such as topology.kubernetes.io/zone",
                "topology-preferred | a b | expected the key of a node label such as topology.kubernetes.io/zone",
                "topology-patience | -1s | expected a duration such as 20m, or percent of the runtime such as 50%",
                "topology-patience | 1001% | expected at most 1000 percent of the runtime",
                "distance-cost | rack | expected levels with factors of the runtime from 1 to 100 with at most six "
                        + "decimals, such as rack=1, block=1.15, cluster=1.6",
                "max-per-node | 0 | expected a whole number between 1 and 2147483647",
                "max-per-node | x | expected a whole number between 1 and 2147483647",
                "lockstep | yes | expected true or false",
                "mode | online | expected batch, emct or emet",
                "time-weight | 2 | expected a number between 0 and 1",
                "cost-weight | x | expected a number between 0 and 1",
                "migratable | maybe | expected true or false",
                "reservation | No/Name | expected the name of an advance Reservation of the same namespace"
            })
    void refusesWhatCannotBeReadWithKeyValueAndWhatWasExpected(String key, String value, String expected) {
        String problem = key.equals("gang-size")
                ? problem(member("g", "g-0", AnnotationKeys.GANG_SIZE, value))
                : problem(member("g", "g-0", AnnotationKeys.GANG_SIZE, "1", "slotwise.io/" + key, value));

        assertThat(problem)
                .isEqualTo("`slotwise.io/%s` (%s) of pod user/g-0 is not valid: %s".formatted(key, value, expected));
    }

    @Test
    void refusesAGangWithoutASize() {
        assertThat(problem(member("g", "g-0", AnnotationKeys.RUNTIME, "1h")))
                .isEqualTo("`slotwise.io/gang` (g) of pod user/g-0 has no size: expected the annotation "
                        + "`slotwise.io/gang-size` on one of the gang's pods");
    }

    @Test
    void refusesASizeWithoutAGang() {
        assertThat(problem(pod("p").editMetadata()
                        .addToAnnotations(AnnotationKeys.GANG_SIZE, "4")
                        .endMetadata()))
                .isEqualTo("`slotwise.io/gang-size` (4) of pod user/p needs the label `slotwise.io/gang`: expected "
                        + "the gang's name");
    }

    @Test
    void refusesAnEmptyGangName() {
        assertThat(problem(member("", "p"))).startsWith("`slotwise.io/gang` () of pod user/p is not valid");
    }

    @Test
    void refusesALimitOnTheSlotsWithoutAPrice() {
        assertThat(problem(member("g", "g-0", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.PRICE_LIMIT, "slot")))
                .isEqualTo("`slotwise.io/price-limit` (slot) needs `slotwise.io/max-price`: expected the highest "
                        + "price per hour and pod");
    }

    @Test
    void refusesADeadlineBeforeTheEarliestStart() {
        assertThat(problem(member(
                        "g",
                        "g-0",
                        AnnotationKeys.GANG_SIZE,
                        "1",
                        AnnotationKeys.EARLIEST_START,
                        at(60),
                        AnnotationKeys.DEADLINE,
                        at(60))))
                .isEqualTo("`slotwise.io/deadline` (2030-01-01T00:01:00Z) must lie after "
                        + "`slotwise.io/earliest-start` (2030-01-01T00:01:00Z)");
    }

    @Test
    void refusesAHighestPriceThatMakesTooLargeABudget() {
        assertThat(problem(member(
                        "g",
                        "g-0",
                        AnnotationKeys.GANG_SIZE,
                        "1",
                        AnnotationKeys.RUNTIME,
                        "87600h",
                        AnnotationKeys.MAX_PRICE,
                        "1000000")))
                .isEqualTo("`slotwise.io/max-price` (1000000) times 315360000 s times 1 pods is too much: expected "
                        + "at most 1000000000 in all");
    }

    @Test
    void refusesUnknownSlotwiseKeys() {
        assertThat(problem(member("g", "g-0", AnnotationKeys.GANG_SIZE, "1", "slotwise.io/budjet", "1")))
                .startsWith(
                        "`slotwise.io/budjet` (1) of pod user/g-0 is not known: expected one of slotwise.io/after,");
        assertThat(problem(pod("p").editMetadata()
                        .addToLabels(AnnotationKeys.RUNTIME, "1h")
                        .endMetadata()))
                .isEqualTo("`slotwise.io/runtime` (1h) of pod user/p must not be a label: expected an annotation");
    }

    @Test
    void valuesMayStandOnAnyPodOfTheGang() {
        Gang gang = only(take(
                member("g", "g-0").build(),
                member("g", "g-1", AnnotationKeys.GANG_SIZE, "3", AnnotationKeys.BUDGET, "5")
                        .build(),
                member("g", "g-2", AnnotationKeys.RUNTIME, "2h").build()));

        assertThat(gang.size()).isEqualTo(3);
        assertThat(gang.budget().total()).isEqualTo(Money.parse("5"));
        assertThat(gang.request().runtime()).isEqualTo(7200);
    }

    @Test
    void refusesPodsThatDisagreeAndNamesBoth() {
        IntakeResult result = take(
                member("g", "g-0", AnnotationKeys.GANG_SIZE, "2", AnnotationKeys.BUDGET, "5")
                        .build(),
                member("g", "g-1", AnnotationKeys.GANG_SIZE, "2", AnnotationKeys.BUDGET, "6")
                        .build());

        assertThat(result.snapshot().held())
                .containsExactly(new Pending(
                        id("g"),
                        new Refusal.InvalidRequest(
                                "`slotwise.io/budget` differs: 5 of pod user/g-0, 6 of pod user/g-1: expected "
                                        + "one value " + "for the gang",
                                AnnotationKeys.BUDGET)));
    }

    private static Gang gang(String... annotations) {
        return only(take(member("g", "g-0", annotations)
                .editMetadata()
                .addToAnnotations(AnnotationKeys.GANG_SIZE, "1")
                .endMetadata()
                .build()));
    }

    private static Gang only(IntakeResult result) {
        assertThat(result.snapshot().held()).isEmpty();
        assertThat(result.snapshot().requests()).hasSize(1);
        return result.snapshot().requests().getFirst().gang();
    }

    private static String problem(io.fabric8.kubernetes.api.model.PodBuilder pod) {
        IntakeResult result = take(pod.build());
        assertThat(result.snapshot().requests()).isEmpty();
        assertThat(result.snapshot().held()).hasSize(1);
        assertThat(result.snapshot().held().getFirst().refusal()).isInstanceOf(Refusal.InvalidRequest.class);
        return result.snapshot().held().getFirst().refusal().message();
    }
}
