package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.reservation.ReservationAssignments;
import io.slotwise.core.reservation.ReservationNames;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.port.ClusterFacts;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.port.ClusterView.Intaken;
import io.slotwise.live.port.ClusterView.Remade;
import io.slotwise.live.port.StartRefusals;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.RecordedTerms;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.Usual;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CycleStepsTest {
    private static final long NOW = 1_893_456_000L;
    private static final LoopSettings SETTINGS = LoopSettings.EXACT;

    private final PlanningErrors failures = new PlanningErrors();

    private static Gang gang(String name) {
        return GangBuilder.gang(name, 1, 1000, 100).arrival(NOW - 10).build();
    }

    private static Window window(Gang gang, long start) {
        return Window.of(
                gang.id(),
                start,
                List.of(new Placement(gang.pods().getFirst(), "n", start, start + 100, new Cost(3_600_000_000L))));
    }

    private static Promise promise(Gang gang, long start) {
        return new Promise(window(gang, start), WindowOrigin.CYCLIC, false);
    }

    private static GangRecord waiting(Gang gang) {
        return GangRecord.first(gang.id(), NOW - 10)
                .withTerms(RecordedTerms.of(gang))
                .withVersion("1");
    }

    private static GangRecord promised(Gang gang, long start) {
        GangRecord waiting = waiting(gang);
        return waiting.withHistory(waiting.history().promised(new FirstPromise(start)))
                .promised(promise(gang, start), PromiseTariff.CONSTANT)
                .withPhase(Phase.PROMISED);
    }

    private static ClusterFacts facts(GangRecord... records) {
        return ClusterFacts.of(
                List.of(records), _ -> List.of(), Collections.emptySortedMap(), Collections.emptySortedMap());
    }

    private static CycleFacts cycleFacts(ClusterFacts facts) {
        return new CycleFacts(SETTINGS, facts, Set.of(), Map.of(), Instant.ofEpochSecond(NOW));
    }

    private RecordUpdates updates(GangRecord... records) {
        RecordUpdates updates = new RecordUpdates(NOW, failures);
        for (GangRecord record : records) {
            updates.put(new RecordUpdate(record));
        }
        return updates;
    }

    /** Surroundings in which nothing happens. */
    private static final class QuietSurroundings implements GangLifecycle.Surroundings {
        @Override
        public ClusterView view() {
            throw new UnsupportedOperationException("Nothing is asked of the cluster.");
        }

        @Override
        public Map<String, RunHistory> histories() {
            return Map.of();
        }

        @Override
        public boolean hasRoom(Window window) {
            return true;
        }

        @Override
        public boolean isStarting(GangRecord record) {
            return false;
        }

        @Override
        public Optional<Remade> remade(GangRecord record) {
            return Optional.empty();
        }

        @Override
        public long leadingSince() {
            return NOW - 1000;
        }

        @Override
        public String nodeUid(String node) {
            return "";
        }

        @Override
        public Optional<GangId> awaited(GangRecord record) {
            return Optional.empty();
        }

        @Override
        public boolean isKept(GangId gang) {
            return false;
        }
    }

    @Nested
    class Settling {
        private final Settlement settlement = new Settlement(
                new GangLifecycle(SETTINGS, new QuietSurroundings()),
                new MemberEnds(NOW, false),
                new MemberSizes(new FakeHost(), NOW),
                failures);

        @Test
        void aPromiseForALaterSecondHolds() {
            GangRecord record = promised(gang("g"), NOW + 60);

            RecordUpdate update = settlement.settle(cycleFacts(facts(record))).of(record.gang());

            assertThat(update.isFrozen()).isFalse();
            assertThat(update.after().promise()).isEqualTo(record.promise());
            assertThat(update.broken()).isEmpty();
        }

        @Test
        void aFrozenGangStaysAsItIs() {
            GangRecord record = promised(gang("g"), NOW - 500);
            CycleFacts facts = new CycleFacts(
                    SETTINGS, facts(record), Set.of(record.gang()), Map.of(), Instant.ofEpochSecond(NOW));

            RecordUpdate update = settlement.settle(facts).of(record.gang());

            assertThat(update.isFrozen()).isTrue();
            assertThat(update.after()).isEqualTo(record);
        }

        @Test
        void aGangWhoseRecordCannotBeReadIsLeftAlone() {
            GangId gang = new GangId("user", "unread");
            CycleFacts facts = new CycleFacts(
                    SETTINGS, facts(), Set.of(gang), Map.of(gang, "no phase"), Instant.ofEpochSecond(NOW));

            assertThat(settlement.settle(facts).of(gang).isFrozen()).isTrue();
        }

        @Test
        void anErrorOverOneGangLeavesItAsItIsAndTheOthersAreSettled() {
            GangRecord poisoned = promised(gang("poisoned"), NOW + 60);
            GangRecord sound = promised(gang("sound"), NOW + 60);
            ClusterFacts facts = new ClusterFacts(
                    facts(poisoned, sound).records(),
                    Collections.emptySortedMap(),
                    new TreeMap<>(Map.of(poisoned.gang(), new IllegalStateException("on purpose"))),
                    Collections.emptySortedMap(),
                    Collections.emptySortedMap(),
                    Collections.emptySortedMap());

            RecordUpdates updates = settlement.settle(cycleFacts(facts));

            assertThat(failures.of(poisoned.gang())).isNotNull();
            assertThat(updates.of(poisoned.gang()).after()).isEqualTo(poisoned);
            assertThat(failures.of(sound.gang())).isNull();
            assertThat(updates.of(sound.gang()).isFrozen()).isFalse();
        }
    }

    @Nested
    class Agreeing {
        private final RecentPromises recent = new RecentPromises();
        private final Gang gang = gang("g");

        private Snapshot agreed(Intaken intaken, RecordUpdates updates, CycleFacts facts) {
            return new Agreement(facts, _ -> true, recent, failures, StartRefusals.NONE).agree(intaken, updates);
        }

        private Intaken intaken(Request... requests) {
            return new Intaken(
                    new Snapshot(NOW, new Cluster(List.of(), List.of()), List.of(requests), List.of()),
                    ReservationNames.NONE,
                    List.of(),
                    Collections.emptySortedMap(),
                    Map.of());
        }

        @Test
        void aPromiseThatMeetsItsGangsRequestHolds() {
            GangRecord record = promised(gang, NOW + 60);

            Snapshot agreed = agreed(
                    intaken(new Request(gang, promise(gang, NOW + 60))), updates(record), cycleFacts(facts(record)));

            assertThat(agreed.requests()).singleElement().satisfies(request -> {
                assertThat(request.promise()).isEqualTo(promise(gang, NOW + 60));
                assertThat(request.fresh()).isFalse();
            });
        }

        @Test
        void aPromiseOfAChangedGangIsBroken() {
            GangRecord record = promised(gang, NOW + 60);
            Gang poorer = gang.paying(new Budget(new Money(1), null));
            RecordUpdates updates = updates(record);
            Intaken intaken = intaken(new Request(poorer, promise(gang, NOW + 60)));

            Snapshot agreed = agreed(intaken, updates, cycleFacts(facts(record)));

            assertThat(agreed.requests())
                    .singleElement()
                    .satisfies(request -> assertThat(request.promise()).isNull());
            assertThat(updates.of(gang.id()).broken()).containsExactly(Cause.EDITED);
            assertThat(updates.of(gang.id()).after().phase()).isEqualTo(Phase.PENDING);
            assertThat(Agreement.isTakenBack(intaken, agreed))
                    .as("its pods are not on their way")
                    .isFalse();
        }

        @Test
        void theSnapshotIsTakenAgainAfterAReleasedGangsPromiseBroke() {
            GangRecord record = promised(gang, NOW + 60);
            Gang poorer = gang.paying(new Budget(new Money(1), null));
            Intaken intaken =
                    intaken(new Request(poorer, promise(gang, NOW + 60).withReleased(true)));

            Snapshot agreed = agreed(intaken, updates(record), cycleFacts(facts(record)));

            assertThat(Agreement.isTakenBack(intaken, agreed)).isTrue();
        }

        @Test
        void aFrozenGangKeepsItsPromiseWhateverItAsksForNow() {
            GangRecord record = promised(gang, NOW + 60);
            RecordUpdates updates = new RecordUpdates(NOW, failures);
            updates.put(RecordUpdate.frozen(record));
            Gang poorer = gang.paying(new Budget(new Money(1), null));

            Snapshot agreed =
                    agreed(intaken(new Request(poorer, promise(gang, NOW + 60))), updates, cycleFacts(facts(record)));

            assertThat(agreed.requests())
                    .singleElement()
                    .satisfies(request -> assertThat(request.promise()).isEqualTo(promise(gang, NOW + 60)));
        }

        @Test
        void aGangWhoseRecordCannotBeReadHasNoPartInThePlan() {
            RecordUpdates updates = new RecordUpdates(NOW, failures);
            updates.freeze(gang.id());
            CycleFacts facts = new CycleFacts(
                    SETTINGS, facts(), Set.of(gang.id()), Map.of(gang.id(), "no phase"), Instant.ofEpochSecond(NOW));

            Snapshot agreed = agreed(intaken(new Request(gang, null)), updates, facts);

            assertThat(agreed.requests()).isEmpty();
            assertThat(agreed.held()).containsExactly(new Pending(gang.id(), new Refusal.InvalidRequest("no phase")));
        }

        @Test
        void aPodInPlaceOfOneOfAGangThatIsBeingStartedIsNoGangOfItsOwn() {
            GangRecord starting = promised(gang, NOW).withPhase(Phase.RUNNING);
            Gang replacement = GangBuilder.gang("g-0", 1, 1000, 100).build();
            assertThat(replacement.pods()).as("its pod").hasSize(1);
            Gang same = GangBuilder.gang("other", 1, 1000, 100).build();

            Snapshot agreed = agreed(
                    intaken(new Request(named(replacement, gang.pods().getFirst()), null), new Request(same, null)),
                    updates(starting),
                    cycleFacts(facts(starting)));

            assertThat(agreed.requests())
                    .singleElement()
                    .satisfies(request -> assertThat(request.gang().id()).isEqualTo(same.id()));
        }

        private Gang named(Gang of, String pod) {
            return new Gang(
                    of.id(), List.of(pod), of.shapes().getFirst().request(), of.demand(), of.priority(), of.arrival());
        }

        @Test
        void aPromiseThatWasGivenAMomentAgoIsFresh() {
            GangRecord record = promised(gang, NOW + 60);
            RecordUpdate given = new RecordUpdate(waiting(gang));
            given.become(record);
            recent.note(List.of(given), SETTINGS.withPolicy(Policy.EXACT.withReplanGain(1)), NOW);

            Snapshot agreed = agreed(
                    intaken(new Request(gang, promise(gang, NOW + 60))), updates(record), cycleFacts(facts(record)));

            assertThat(agreed.requests())
                    .singleElement()
                    .satisfies(request -> assertThat(request.fresh()).isTrue());
        }
    }

    @Nested
    class Judging {
        private RecordUpdates judged(Plan plan, RecordUpdates updates, ClusterFacts facts) {
            return judged(plan, updates, facts, Set.of());
        }

        private RecordUpdates judged(Plan plan, RecordUpdates updates, ClusterFacts facts, Set<GangId> unreadable) {
            Snapshot snapshot = new Snapshot(NOW, new Cluster(List.of(), List.of()), List.of(), List.of());
            ReservationAssignments nobody =
                    ReservationAssignments.of(snapshot, ReservationNames.NONE, _ -> PromiseTariff.CONSTANT, false);
            PlanOutcomes verdicts = new PlanOutcomes(
                    NOW, new PromisedPrices(snapshot, Policy.EXACT), nobody, Currency.NONE, TestNews.ALL);
            new Judgement(verdicts, facts, unreadable).judge(plan, updates);
            return updates;
        }

        /** Its record keeps the room, which the plan may give to others. */
        @Test
        void aGangOverWhichThereWasAnErrorIsOvertakenByAPlanThatHasItElsewhere() {
            GangRecord record = promised(gang("g"), NOW + 60);
            RecordUpdates updates = updates();
            updates.put(RecordUpdate.untouched(record));

            judged(plan(List.of(), List.of()), updates, facts(record));

            assertThat(updates.of(record.gang()).isOvertaken()).isTrue();

            RecordUpdates others = updates();
            others.put(RecordUpdate.frozen(record));
            judged(plan(List.of(), List.of()), others, facts(record), Set.of(record.gang()));
            assertThat(others.of(record.gang()).isOvertaken())
                    .as("nobody knows what a record says that cannot be read")
                    .isFalse();
        }

        private Plan plan(List<Planned> windows, List<Pending> pending) {
            return Usual.plan(NOW, NOW + 1000, windows, pending, List.of(), List.of());
        }

        @Test
        void aGangThatIsInNoPlanIsForgottenAndThoseThatAreStay() {
            Gang gone = gang("gone");
            Gang refused = gang("refused");

            RecordUpdates updates = judged(
                    plan(List.of(), List.of(new Pending(refused.id(), new Refusal.NoWindow(1, 1000)))),
                    updates(waiting(gone), waiting(refused)),
                    facts());

            assertThat(updates.of(gone.id()).gone()).isTrue();
            assertThat(updates.of(refused.id()).gone()).isFalse();
            assertThat(updates.of(refused.id()).after().plannedAspect().refusal())
                    .isEqualTo(new Refusal.NoWindow(1, 1000));
        }

        @Test
        void runningAndFrozenGangsAreNotForgotten() {
            GangRecord running = promised(gang("running"), NOW - 10).withPhase(Phase.RUNNING);
            GangRecord frozen = waiting(gang("frozen"));
            RecordUpdates updates = updates(running);
            updates.put(RecordUpdate.frozen(frozen));

            judged(plan(List.of(), List.of()), updates, facts());

            assertThat(updates.of(running.gang()).gone()).isFalse();
            assertThat(updates.of(frozen.gang()).gone()).isFalse();
        }

        @Test
        void anErrorOverOneGangLeavesItAsItWasAndTheOthersAreJudged() {
            GangRecord poisoned = waiting(gang("poisoned"));
            GangRecord sound = waiting(gang("sound"));
            RecordUpdates updates = updates(poisoned, sound);

            updates.change(poisoned.gang(), "judged", update -> {
                update.remove();
                throw new IllegalStateException("on purpose");
            });
            judged(
                    plan(
                            List.of(),
                            List.of(
                                    new Pending(poisoned.gang(), new Refusal.NoWindow(1, 1000)),
                                    new Pending(sound.gang(), new Refusal.NoWindow(1, 1000)))),
                    updates,
                    facts());

            assertThat(failures.of(poisoned.gang())).isNotNull();
            assertThat(updates.of(poisoned.gang()).isFrozen()).isTrue();
            assertThat(updates.of(poisoned.gang()).after()).isEqualTo(poisoned);
            assertThat(updates.of(sound.gang()).after().plannedAspect().refusal())
                    .isEqualTo(new Refusal.NoWindow(1, 1000));
        }
    }

    @Test
    void theFirstPromiseIsRememberedUntilTheGangIsEdited() {
        RecordUpdate update = new RecordUpdate(promised(gang("g"), NOW + 5));

        update.breakPromise(Cause.NODE_LOST, "its node is lost", NOW);
        assertThat(update.after().history().first()).isEqualTo(new FirstPromise(NOW + 5));

        update.breakPromise(Cause.EDITED, "its window was deleted", NOW);
        assertThat(update.after().history().first()).isNull();
    }

    @Test
    void theNextGangOfARecordHasBeenPromisedNothing() {
        RecordUpdate update = new RecordUpdate(promised(gang("g"), NOW - 5).withPhase(Phase.COMPLETED));

        update.beginAnew(NOW);

        assertThat(update.after().history().first()).isNull();
    }

    @Nested
    class CountingThePassed {
        private final GangRecord early = waiting(gang("early"));
        private final GangRecord late = promised(gang("late"), NOW - 5).withPhase(Phase.COMPLETED);

        private RecordUpdate leaving(String name, long seen) {
            GangRecord first = GangRecord.first(new GangId("user", name), seen).withVersion("1");
            RecordUpdate update =
                    new RecordUpdate(first.withHistory(first.history().promised(new FirstPromise(NOW))));
            update.remove();
            return update;
        }

        @Test
        void deletedRecordsAreCountedUpToTheLimit() {
            RecordUpdates updates = updates(early);
            for (int i = 0; i < 5; i++) {
                updates.put(leaving("passed-" + i, NOW - 5));
            }
            updates.put(leaving("before", NOW - 20));

            BypassCounts.keep(updates, 3);

            assertThat(updates.of(early.gang()).after().history().passed()).isEqualTo(3);
            BypassCounts.keep(updates, 3);
            assertThat(updates.of(early.gang()).after().history().passed()).isEqualTo(3);
        }

        @Test
        void whileTheRecordsStayNothingIsWritten() {
            RecordUpdates updates = updates(early, late);

            BypassCounts.keep(updates, 3);

            assertThat(updates.of(early.gang()).after()).isEqualTo(early);
            assertThat(updates.of(early.gang()).changed()).isFalse();
        }
    }

    @Nested
    class RemovingRecords {
        @Test
        void aRecordThatIsBeingRemovedPassesNoGangAgain() {
            GangRecord record = promised(gang("g"), NOW);
            RecordUpdate update =
                    new RecordUpdate(record.withHistory(record.history().promised(new FirstPromise(NOW))));
            assertThat(update.before().history().promisedStart()).hasValue(NOW);
            update.remove();
            WritesUnderway underway = new WritesUnderway();

            underway.begin(update);

            assertThat(Objects.requireNonNull(underway.now().get(record.gang()))
                            .history()
                            .promisedStart())
                    .isEmpty();
        }
    }

    @Nested
    class RememberingWhatWasGiven {
        private final Gang gang = gang("g");
        private final LoopSettings gaining = SETTINGS.withPolicy(Policy.EXACT.withReplanGain(1));
        private final RecentPromises recent = new RecentPromises();

        private RecordUpdate update(GangRecord before, GangRecord after) {
            RecordUpdate update = new RecordUpdate(before);
            update.become(after);
            return update;
        }

        @Test
        void aNewPromiseIsFreshForACycle() {
            recent.note(List.of(update(waiting(gang), promised(gang, NOW + 60))), gaining, NOW);

            recent.forgetOld(gaining, NOW + gaining.cycle() - 1);
            assertThat(recent.contains(gang.id())).isTrue();
            recent.forgetOld(gaining, NOW + gaining.cycle());
            assertThat(recent.contains(gang.id())).isFalse();
        }

        @Test
        void aPromiseThatStaysOrStartsNowIsNotFresh() {
            recent.note(
                    List.of(
                            update(promised(gang, NOW + 60), promised(gang, NOW + 60)),
                            update(waiting(gang("now")), promised(gang("now"), NOW))),
                    gaining,
                    NOW);

            assertThat(recent.contains(gang.id())).isFalse();
            assertThat(recent.contains(new GangId("user", "now"))).isFalse();
        }

        @Test
        void withoutARequiredGainNoPromiseIsFresh() {
            LoopSettings indifferent = SETTINGS.withPolicy(Policy.EXACT.withReplanGain(0));

            recent.note(List.of(update(waiting(gang), promised(gang, NOW + 60))), indifferent, NOW);

            assertThat(recent.contains(gang.id())).isFalse();
        }
    }

    @Nested
    class TakingTheSnapshot {
        @Test
        void aWindowStaysWhereItIsOnceItsSecondHasComeOrItIsBeingWritten() {
            RecordUpdates updates =
                    updates(promised(gang("due"), NOW), promised(gang("later"), NOW + 60), waiting(gang("none")));
            updates.put(RecordUpdate.frozen(promised(gang("written"), NOW + 60)));
            RecordUpdate going = new RecordUpdate(promised(gang("going"), NOW + 60));
            going.remove();
            updates.put(going);

            assertThat(updates.forSnapshot())
                    .extracting(record -> record.gang().name(), CycleStepsTest::isReleased)
                    .containsExactly(
                            tuple("due", true), tuple("later", false), tuple("none", false), tuple("written", true));
        }

        @Test
        void aNewGangHasARecordUpdateFromThenOn() {
            RecordUpdates updates = updates();

            RecordUpdate first = updates.of(new GangId("user", "new"));

            assertThat(first.before().history().seen()).isEqualTo(NOW);
            assertThat(updates.of(new GangId("user", "new"))).isSameAs(first);
            assertThat(updates.after()).extracting(GangRecord::gang).containsExactly(new GangId("user", "new"));
        }
    }

    private static boolean isReleased(GangRecord record) {
        Promise promise = record.promise();
        return promise != null && promise.released();
    }
}
