package io.slotwise.kubernetes.crd.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Preferences;
import io.slotwise.core.gang.Preferred;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.PodSizes;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.LastRefusal;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.NodeAvoidance;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.RecordedTerms;
import io.slotwise.live.record.WindowOwnership;
import io.slotwise.testing.EveryRefusal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReservationsTest {
    private static final long NOON = 1_893_499_200L;
    private static final GangId GANG = new GangId("user", "Train_7");

    @Test
    void aRecordIsReadBackAsItWasWritten() {
        GangRecord record = record().withVersion("17");

        Reservation written = written(record);

        assertThat(Reservations.record(written)).isEqualTo(record);
    }

    @Test
    void theValueOfTimeIsReadBack() {
        RecordedTerms terms = new RecordedTerms("value", 600, null, "abc", 0, false)
                .withWorth(new RecordedTerms.Worth(Money.parse("2.5"), NOON - 90, Interval.FOREVER));
        GangRecord record = record().withTerms(terms).withVersion("17");

        Reservation written = written(record);

        assertThat(written.getSpec().valueOfTime()).isEqualTo("2.500000");
        assertThat(Reservations.record(Serialization.unmarshal(Serialization.asJson(written), Reservation.class)))
                .isEqualTo(record);
    }

    @Test
    void aValueOfTimeThatNoGangMaySayIsNotRead() {
        RecordedTerms terms = new RecordedTerms("value", 600, null, "abc", 0, false)
                .withWorth(new RecordedTerms.Worth(Money.parse("100000.000001"), NOON - 90, Interval.FOREVER));
        Reservation written = written(record().withTerms(terms).withVersion("17"));

        assertThatThrownBy(() -> Reservations.record(written))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The value of time (100000.000001) must be between 0 and 100000.");
    }

    @Test
    void predecessorsAreReadBack() {
        RecordedTerms terms = new RecordedTerms("start", 600, null, "abc", 0, false)
                .withAfter(List.of(
                        new RecordedTerms.Before(new GangId("user", "a"), OptionalLong.of(NOON + 60)),
                        new RecordedTerms.Before(new GangId("other", "b"), OptionalLong.empty())));
        GangRecord record = record().withTerms(terms).withVersion("17");

        Reservation written = written(record);

        assertThat(written.getSpec().after())
                .extracting(ReservationSpec.After::gang)
                .containsExactly("user/a", "other/b");
        assertThat(Reservations.record(Serialization.unmarshal(Serialization.asJson(written), Reservation.class)))
                .isEqualTo(record);
    }

    @Test
    void theFallOfTheValueOfTimeIsReadBack() {
        RecordedTerms.Worth worth = new RecordedTerms.Worth(Money.parse("2.5"), NOON - 90, NOON + 600);
        GangRecord record = record().withTerms(new RecordedTerms("value", 600, null, "abc", 0, false).withWorth(worth))
                .withVersion("17");

        Reservation written = written(record);

        assertThat(written.getSpec().valueUntil()).isEqualTo(Reservations.instant(NOON + 600));
        assertThat(Reservations.record(Serialization.unmarshal(Serialization.asJson(written), Reservation.class)))
                .isEqualTo(record);
    }

    @Test
    void theQueueAndWhatIsBorrowedAreReadBack() {
        GangRecord record = record().withTerms(
                        new RecordedTerms("start", 600, null, "abc", 0, false).withQueue("physics"))
                .withVersion("17");
        Promise promise = Objects.requireNonNull(record.promise()).withBorrowed(new Interval(NOON, NOON + 60));
        GangRecord borrowing = record.with(promise);

        Reservation written = written(borrowing);

        assertThat(Serialization.asJson(written.getSpec()))
                .contains(
                        "\"queue\":\"physics\"",
                        "\"borrowed\":{\"from\":\"2030-01-01T12:00:00Z\",\"until\":\"2030-01-01T12:01:00Z\"}");
        assertThat(Reservations.record(Serialization.unmarshal(Serialization.asJson(written), Reservation.class)))
                .isEqualTo(borrowing);
    }

    @Test
    void preferencesAreReadBack() {
        Preferences wish = Preferences.NONE
                .withPreferredStart(new Preferred<>(NOON + 600, 2500))
                .withPreferredCost(new Preferred<>(Money.parse("5"), Preferred.ONE));
        GangRecord record = record().withTerms(
                        new RecordedTerms("preference", 600, null, "abc", 0, false).withPreferences(wish))
                .withVersion("17");

        Reservation written = written(record);

        assertThat(Serialization.asJson(written.getSpec()))
                .contains("{\"start\":{\"value\":\"2030-01-01T12:10:00Z\",\"weight\":2500},"
                        + "\"cost\":{\"value\":\"5.000000\"}}");
        assertThat(Reservations.record(Serialization.unmarshal(Serialization.asJson(written), Reservation.class)))
                .isEqualTo(record);
    }

    @Test
    void purchasesAreReadBack() {
        Promise promise = Objects.requireNonNull(record().promise());
        PurchaseOrder order = new PurchaseOrder("slotwise-1", "pool.node", NOON - 60, NOON, NOON + 3_600, 5, 7);
        GangRecord record = record().with(promise.withOrders(List.of(order))).withVersion("17");

        Reservation written = written(record);

        assertThat(written.getSpec().purchases()).singleElement().satisfies(purchase -> {
            assertThat(purchase.bought()).isEqualTo("2030-01-01T11:59:00Z");
            assertThat(purchase.exactBill()).isEqualTo(7);
        });
        assertThat(Reservations.record(Serialization.unmarshal(Serialization.asJson(written), Reservation.class)))
                .isEqualTo(record);
    }

    @Test
    void promisesWithSlackAreReadBack() {
        Promise expected = Objects.requireNonNull(record().promise());
        PromiseBound by = new PromiseBound(NOON + 500, NOON + 1_500, new Cost(9_001));
        GangRecord record = record().with(
                        new Promise(expected.window(), expected.origin(), expected.released()).withPromiseBound(by))
                .withVersion("17");

        Reservation written = written(record);

        assertThat(written.getSpec().promisedBy()).isEqualTo("2030-01-01T12:08:20Z");
        assertThat(written.getSpec().promisedEnd()).isEqualTo("2030-01-01T12:25:00Z");
        assertThat(Reservations.record(Serialization.unmarshal(Serialization.asJson(written), Reservation.class)))
                .isEqualTo(record);
    }

    @Test
    void refusalsAreReadBackAndNewerKindsAreSkipped() {
        GangRecord.History history = record().history();
        LastRefusal last = new LastRefusal(
                LastRefusal.By.KUBELET, List.of("t-1", "t-2", "t-3", "t-4"), 4, "OutOfcpu: Pod was rejected\nby n1");
        GangRecord refused = record().withHistory(new GangRecord.History(
                        history.seen(),
                        history.first(),
                        history.startedAt(),
                        history.endedAt(),
                        history.ends(),
                        history.attempts(),
                        history.passed(),
                        history.history(),
                        history.releasedAt(),
                        history.members(),
                        history.late(),
                        history.undone(),
                        last,
                        history.sizes()))
                .withVersion("18");

        String json = Serialization.asJson(written(refused));

        assertThat(json)
                .contains("\"lastRefusal\":{\"by\":\"kubelet\",\"pods\":[\"t-1\",\"t-2\",\"t-3\"],\"refused\":4");
        assertThat(Reservations.record(Serialization.unmarshal(json, Reservation.class)))
                .isEqualTo(refused);
        assertThat(Reservations.record(
                                Serialization.unmarshal(json.replace("\"kubelet\"", "\"oracle\""), Reservation.class))
                        .history()
                        .lastRefusal())
                .isNull();
    }

    @Test
    void aReservationCarriesTheGangsOwnNameInItsLabel() {
        Reservation written = written(record());

        assertThat(written.getMetadata().getName()).startsWith("train-7-");
        assertThat(written.getMetadata().getLabels()).containsEntry("slotwise.io/gang", "Train_7");
        assertThat(written.gang()).isEqualTo(GANG);
    }

    @Test
    void shownCostsAreRoundedSoThatTheyAddUp() {
        WindowSpec window = Objects.requireNonNull(Reservations.spec(record()).window());

        assertThat(window.cost()).isEqualTo("0.000003");
        assertThat(window.exactCost()).isEqualTo(8000);
        assertThat(window.placement()).extracting(PlacementSpec::cost).containsExactly("0.000001", "0.000002");
    }

    @Test
    void aWindowWhoseStatusWasNeverWrittenIsAPromise() {
        Reservation written = written(record());
        written.setStatus(null);

        assertThat(Reservations.record(written).phase()).isEqualTo(Phase.PROMISED);
    }

    /** The status still describes the window that the gang gave up. */
    @Test
    void aWindowAfterAnExchangeIsNoPromiseUntilItsStatusIsWritten() {
        GangRecord waits = record().withPhase(Phase.PENDING);
        GangRecord gaveUp = waits.planned(true, "Promised", "another window", NOON);
        GangRecord waited = waits.planned(false, "NoWindow", "no window", NOON);

        assertThat(Reservations.record(written(gaveUp)).phase()).isEqualTo(Phase.PENDING);
        assertThat(Reservations.record(written(gaveUp)).promise()).isNotNull();
        assertThat(Reservations.record(written(waited)).phase()).isEqualTo(Phase.PROMISED);
    }

    @Test
    void theHistoryOfAMovedGangIsReadBack() {
        MigrationHistory history = new MigrationHistory(
                List.of(
                        new MigrationHistory.Leg(
                                NOON, NOON + 600, new Cost(9), new Charge(new Cost(7), new Cost(2)), NOON + 300),
                        new MigrationHistory.Leg(
                                NOON + 1,
                                NOON + 305,
                                Cost.ZERO,
                                new Charge(Cost.ZERO, new Cost(15)),
                                NOON + 305,
                                true)),
                300,
                60,
                new Cost(9),
                Resources.of(Map.of(Resources.CPU, 1000L)),
                new TreeSet<>(Set.of("uid-1", "uid-2")),
                NOON + 345,
                3,
                new Cost(3),
                900);
        GangRecord moved =
                record().withHistory(record().history().moved(history)).withVersion("18");

        assertThat(Reservations.record(written(moved))).isEqualTo(moved);
    }

    @Test
    void theFieldsForTheLedgerAreReadBack() {
        GangRecord record = record();
        StepFunction rate =
                StepFunction.startingAt(7).then(NOON + 10, 5).then(NOON + 20, 9).build();
        GangRecord running = record.promised(
                        record.promise(),
                        new PromiseTariff(
                                new TreeMap<>(Map.of(new PromiseTariff.Place("a", new Cost(4000)), rate)),
                                List.of(Resources.of(Map.of("cpu", 100L)), Resources.NONE),
                                new TreeMap<>(Map.of("t-1", 1))))
                .withTerms(new RecordedTerms("cost", 600, Money.parse("2"), "abc", 7, true))
                .withHistory(record.history()
                        .passedBy(3)
                        .started(NOON, new TreeMap<>())
                        .withEnds(new TreeMap<>(Map.of("t-1", NOON + 30)))
                        .withSizes(new PodSizes(
                                NOON + 20,
                                new TreeMap<>(Map.of(21_000L, new Charge(new Cost(7), new Cost(3)))),
                                new TreeMap<>(Map.of("t-1", 3_500_000L, "t-0", 0L)))))
                .withPhase(Phase.RUNNING);

        Reservation written = written(running);
        written.getMetadata().setUid("u1");

        GangRecord read =
                Reservations.record(Serialization.unmarshal(Serialization.asJson(written), Reservation.class));
        assertThat(read).isEqualTo(running.withUid("u1"));
        assertThat(Serialization.asJson(written(record)))
                .doesNotContain("rates", "priority", "lockstep", "ends", "passed", "requests", "resized");
    }

    @Test
    void aRequestThatTheWindowDoesNotHaveIsRefused() {
        Reservation written = written(record().promised(
                        record().promise(),
                        new PromiseTariff(
                                new TreeMap<>(),
                                List.of(Resources.of(Map.of("cpu", 100L)), Resources.NONE),
                                new TreeMap<>(Map.of("t-1", 1)))));
        String json = Serialization.asJson(written).replace("\"request\":1", "\"request\":2");

        assertThatThrownBy(() -> Reservations.record(Serialization.unmarshal(json, Reservation.class)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the request (2) of pod t-1 is not valid: expected one of 2");
    }

    @Test
    void thePartOfAnAdvanceReservationIsReadBack() {
        GangRecord record = record().withOwnership(new WindowOwnership.Part("friday"));
        Reservation written = written(record);
        written.getMetadata().setUid("u1");

        assertThat(Reservations.record(Serialization.unmarshal(Serialization.asJson(written), Reservation.class)))
                .isEqualTo(record.withUid("u1"));
        assertThat(written.getMetadata().getFinalizers()).containsExactly(Reservations.FINALIZER);
    }

    @Test
    void aReservationOfAUserIsAnAdvanceReservation() {
        Reservation read = Serialization.unmarshal("""
            apiVersion: slotwise.io/v1alpha1
            kind: Reservation
            metadata: {name: friday, namespace: user, resourceVersion: "7", creationTimestamp: "2030-01-01T00:00:00Z"}
            spec:
              hold: {size: 2, resources: {cpu: 4}, runtime: 1h}
              window: {start: "2030-01-01T00:00:00Z", end: "2030-01-01T01:00:00Z", cost: "0.000000", exactCost: 0, placement: []}
            """, Reservation.class);

        GangRecord record = Reservations.record(read);

        assertThat(record.gang()).isEqualTo(new GangId("user", "friday"));
        assertThat(record.ownership()).isEqualTo(new WindowOwnership.Held(OptionalLong.empty()));
        assertThat(record.phase()).isEqualTo(Phase.PENDING);
        assertThat(record.promise()).as("a window that a person wrote").isNull();
    }

    @Test
    void aHeldWindowKeepsItsRecordAndLeavesWhatThePersonWrote() {
        GangRecord held =
                record().withPhase(Phase.PROMISED).withOwnership(new WindowOwnership.Held(OptionalLong.empty()));

        Reservation written = Reservations.withSpec(held);

        assertThat(written.getMetadata().getFinalizers()).containsExactly(Reservations.FINALIZER);
        assertThat(Reservations.spec(held).hold()).isNull();
        GangRecord unheld = held.with((Promise) null).withHistory(GangRecord.History.seen(NOON));
        assertThat(Reservations.withSpec(unheld).getMetadata().getFinalizers()).isEmpty();
    }

    @Test
    void amountsBeyondALongAreWrittenAsDigitsAndReadBack() {
        Cost wide = new Cost(Long.MAX_VALUE).plus(new Cost(7));
        MigrationHistory history = new MigrationHistory(
                List.of(new MigrationHistory.Leg(
                        NOON - 90, NOON - 60, new Cost(8), new Charge(new Cost(8), wide), NOON - 50)),
                60,
                5,
                wide.plus(new Cost(8)),
                Resources.of(Map.of("cpu", 1L)),
                new TreeSet<>(Set.of("uid-0")),
                NOON,
                1,
                wide,
                0);
        GangRecord moved = GangRecord.first(GANG, NOON - 60)
                .withPhase(Phase.PENDING)
                .withHistory(GangRecord.History.seen(NOON - 60).moved(history));

        String json = Serialization.asJson(written(moved));

        assertThat(json)
                .contains("\"exactOverrun\":9223372036854775807", "\"wholeOverrun\":\"9223372036854775814\"")
                .doesNotContain("wholeCharged");
        assertThat(Reservations.record(Serialization.unmarshal(json, Reservation.class))
                        .history()
                        .history())
                .isEqualTo(history);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"exactCost\":4000 | \"exactCost\":9223372036854775807 | the cost of `spec.window` "
                        + "(8000) is not valid: expected at least the 18446744073709551614",
                "\"exactCost\":4000 | \"exactCost\":-1 | the place of pod t-0",
                "2030-01-01T12:00:30Z | 2030-01-01T11:00:30Z | the place of pod t-1",
                "\"start\":\"2030-01-01T12:00:00Z\",\"end\":\"2030-01-01T12:00:30Z\" | "
                        + "\"start\":\"2030-01-01T11:00:00Z\",\"end\":\"2030-01-01T11:30:00Z\" | the place of pod "
                        + "t-1",
                "\"runtimeSeconds\":600 | \"runtimeSeconds\":9000000000000000000 | `spec.runtimeSeconds` "
                        + "(9000000000000000000)"
            })
    void aRecordWithAbsurdFiguresIsRefusedByItsField(String figure, String other, String problem) {
        String json = Serialization.asJson(written(record())).replace(figure, other);

        assertThatThrownBy(() -> Reservations.record(Serialization.unmarshal(json, Reservation.class)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void everyReasonIsReadBackAsAValue() {
        for (Refusal refusal : EveryRefusal.behind(new GangId("user", "other"))) {
            GangRecord record = GangRecord.first(GANG, NOON - 60).refused(refusal, NOON);

            GangRecord read = Reservations.record(
                    Serialization.unmarshal(Serialization.asJson(written(record)), Reservation.class));

            assertThat(read.plannedAspect()).isEqualTo(record.plannedAspect());
            assertThat(read.plannedAspect().refusal()).isEqualTo(refusal);
            assertThat(read.reason(refusal)).isEqualTo(refusal);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"week-1", "month-end-close", "prüfung-ä"})
    void aReservationNamesNoGangOfAnotherNamespace(String name) {
        GangId other = new GangId("secret", name);

        for (Refusal refusal : EveryRefusal.behind(other)) {
            GangRecord record = GangRecord.first(GANG, NOON - 60).refused(refusal, NOON);
            String json = Serialization.asJson(written(record));

            assertThat(json).doesNotContain(name, "secret");
            assertThat(Reservations.record(Serialization.unmarshal(json, Reservation.class)))
                    .as("nothing is to be written again")
                    .isEqualTo(record);
        }
    }

    @Test
    void aReasonThatCannotBeReadIsKnownByItsWords() {
        Reservation written = written(GangRecord.first(GANG, NOON - 60).refused(new Refusal.NotBefore(NOON), NOON));
        String json = Serialization.asJson(written);

        for (String spoiled : List.of(
                json.replace("\"not-before\"", "\"of-a-later-version\""),
                json.replace("\"earliestStart\":\"2030-01-01T12:00:00Z\"", "\"earliestStart\":\"noon\""),
                json.replace("\"earliestStart\":\"2030-01-01T12:00:00Z\"", "\"earliestStart\":[1]"),
                json.replace("\"earliestStart\":\"2030-01-01T12:00:00Z\"", ""))) {
            assertThat(spoiled).isNotEqualTo(json);
            GangRecord.Aspect planned = Reservations.record(Serialization.unmarshal(spoiled, Reservation.class))
                    .plannedAspect();

            assertThat(planned.refusal()).isNull();
            assertThat(planned.message()).startsWith("its earliest start (2030-01-01T12:00:00Z) is in the future");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE})
    void absurdFiguresAreReportedOrLeftOut(long seconds) {
        GangRecord record = GangRecord.first(GANG, NOON - 60).refused(new Refusal.LongerThanHorizon(7200, 3600), NOON);
        String json = Serialization.asJson(written(record)).replace("7200", String.valueOf(seconds));

        assertThat(Reservations.record(Serialization.unmarshal(json, Reservation.class))
                        .plannedAspect()
                        .message())
                .startsWith("longer than the horizon: it takes at least ");
    }

    @Test
    void aReservationWithoutAGangIsRefused() {
        assertThatThrownBy(() -> Reservations.record(new Reservation()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A reservation must name its gang.");
    }

    private static Reservation written(GangRecord record) {
        Reservation reservation = Reservations.withSpec(record);
        reservation.setMetadata(new ObjectMetaBuilder(reservation.getMetadata())
                .withCreationTimestamp(Reservations.instant(NOON - 60))
                .build());
        reservation.setStatus(Reservations.status(record));
        return reservation;
    }

    private static GangRecord record() {
        Window window = Window.of(
                GANG,
                NOON,
                List.of(
                        new Placement("t-0", "a", NOON, NOON + 60, new Cost(4000)),
                        new Placement("t-1", "b", NOON, NOON + 30, new Cost(4000))));
        return GangRecord.first(GANG, NOON - 60)
                .with(new Promise(window, WindowOrigin.BACKFILL, true))
                .withPhase(Phase.STARTING)
                .withTerms(new RecordedTerms("cost", 600, Money.parse("2"), "abc", 0, false))
                .planned(true, "Promised", "soon", NOON - 30)
                .withHistory(GangRecord.History.seen(NOON - 60)
                        .promised(new FirstPromise(NOON - 1, NOON + 60))
                        .started(NOON, new TreeMap<>(Map.of("t-0", "uid-0")))
                        .takenBack(window))
                .avoiding(Map.of(
                        "b", NodeAvoidance.until(NOON + 60), "c", new NodeAvoidance(NOON + 300, "uid-0", "uid-c")));
    }
}
