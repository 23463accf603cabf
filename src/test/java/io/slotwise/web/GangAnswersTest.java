package io.slotwise.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.cli.remote.WhyText;
import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.Preferences;
import io.slotwise.core.gang.Preferred;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.provision.Billing;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.provision.PurchaseQuota;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.runtime.Prediction;
import io.slotwise.core.runtime.RecurringWorkload;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.cycle.PlanningLoop.Latest;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.RecordedTerms;
import io.slotwise.live.record.WindowOwnership;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.report.GangListReport;
import io.slotwise.report.GangListReport.GangRow;
import io.slotwise.report.JsonReport;
import io.slotwise.report.PlanReport;
import io.slotwise.report.QueueReport;
import io.slotwise.report.QuoteReport;
import io.slotwise.report.Terminal;
import io.slotwise.testing.GangsView;
import io.slotwise.testing.PlanBuilder;
import io.slotwise.testing.Usual;
import io.slotwise.web.PlannerAnswer.AdviceAnswer;
import io.slotwise.web.PlannerAnswer.ChoiceAnswer;
import io.slotwise.web.PlannerAnswer.DomainsAnswer;
import io.slotwise.web.access.NamespaceScope;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The answers about three gangs on a node for two pods: one is promised, one cannot pay, one is not whole. */
class GangAnswersTest {
    /** 2030-01-01T00:00:00Z. */
    private static final long NOW = 1_893_456_000L;

    private static final GangId PROMISED = new GangId("user", "promised");
    private static final GangId POOR = new GangId("user", "poor");
    private static final GangId PART = new GangId("other", "part");

    private final Latest latest = latest();
    private final GangAnswers answers =
            new GangAnswers(() -> latest, known(records(latest)), () -> Instant.ofEpochSecond(NOW));
    private final GangAnswers follower =
            new GangAnswers(() -> null, known(records(latest)), () -> Instant.ofEpochSecond(NOW));

    private static Gang gang(GangId id, int pods, Budget budget) {
        return new Gang(
                id,
                IntStream.range(0, pods).mapToObj(i -> id.name() + "-" + i).toList(),
                new PodRequest(
                        Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 1L)),
                        NodeConstraint.NONE,
                        3600,
                        false),
                Demand.NONE.withBudget(budget),
                0,
                NOW);
    }

    private static Latest latest() {
        return latest(LoopSettings.EXACT);
    }

    private static Latest latest(LoopSettings settings) {
        Node node = new Node(
                "n1",
                Map.of(),
                List.of(),
                true,
                Resources.of(Map.of(Resources.CPU, 2000L, Resources.PODS, 110L)),
                Performance.REFERENCE,
                "o",
                StepFunction.constant(2_000_000),
                List.of());
        Snapshot snapshot = new Snapshot(
                NOW,
                new Cluster(List.of(node), List.of()),
                List.of(
                        new Request(gang(PROMISED, 2, Budget.UNLIMITED), null),
                        new Request(gang(POOR, 2, new Budget(Money.parse("1.5"), null)), null)),
                List.of(new Pending(PART, new Refusal.WaitingForMembers(3, 4))));
        Plan plan = new Planner(settings.policy()).plan(snapshot);
        return new Latest(settings, snapshot, plan, plan);
    }

    /** The records that the loop would have written of this plan. */
    private static Map<GangId, GangRecord> records(Latest latest) {
        Plan plan = latest.plan();
        Map<GangId, GangRecord> records = new TreeMap<>();
        for (Planned planned : plan.windows()) {
            Promise promise = new Promise(planned.window(), planned.origin(), false);
            records.put(
                    planned.gang().id(),
                    GangRecord.first(planned.gang().id(), NOW)
                            .withTerms(RecordedTerms.of(planned.gang()))
                            .promised(promise, PromiseTariff.CONSTANT)
                            .withPhase(Phase.PROMISED)
                            .planned(true, "Promised", "a window", NOW));
        }
        for (Pending pending : plan.pending()) {
            records.put(pending.gang(), GangRecord.first(pending.gang(), NOW).refused(pending.refusal(), NOW));
        }
        return records;
    }

    @Test
    void theListTellsEveryGangWithTheReasonInOneWord() {
        List<GangRow> rows = answers.rows(_ -> true, _ -> true);

        assertThat(rows).extracting(GangRow::gang).containsExactly("other/part", "user/poor", "user/promised");
        assertThat(rows)
                .extracting(row -> String.valueOf(row.key()))
                .containsExactly("waiting-for-members", "over-budget", "null");
        assertThat(rows).extracting(GangRow::size).containsExactly(4, 2, 2);
        assertThat(rows.getLast().start()).isEqualTo("2030-01-01T00:00:00Z");
        assertThat(rows.getLast().cost()).isEqualTo("2.000000");
        assertThat(answers.rows("other"::equals, _ -> true))
                .extracting(GangRow::gang)
                .containsExactly("other/part");
    }

    @Test
    void theListIsATableThatTellsWhy() {
        String table = new QueueReport(answers.rows(_ -> true, _ -> true), Currency.NONE)
                .table(
                        new Terminal(120, false, true),
                        Instant.parse("2030-01-01T00:00:00Z").getEpochSecond());

        assertThat(table).isEqualTo("""
            START                 PROMISED BY   IN  GANG           PHASE     PODS  COST  BUDGET  WHY
            -                     -              -  other/part     Waiting      4     -       -  waiting for members: 3 of 4 pods
                                                                                                 exist
            -                     -              -  user/poor      Waiting      2     -       -  no window within budget: the
                                                                                                 cheapest costs 2 at
                                                                                                 2030-01-01T01:00:00Z, the budget is
                                                                                                 1.5
            2030-01-01T00:00:00Z  00:00:00Z    +0s  user/promised  Promised     2     2       -  -

            3 gangs: 2 waiting, 1 promised
            """);
    }

    @Test
    void anAdvanceReservationIsShownAsWhatItIs() {
        GangRecord held = GangRecord.first(PROMISED, NOW).withOwnership(new WindowOwnership.Held(OptionalLong.empty()));
        GangRecord pending = held.planned(false, "NoWindow", "no window", NOW);
        Window window = Window.of(
                PROMISED, NOW + 3600, List.of(new Placement("promised-0", "n1", NOW + 3600, NOW + 7200, Cost.ZERO)));
        GangRecord kept = held.with(new Promise(window, WindowOrigin.CYCLIC, false))
                .withPhase(Phase.PROMISED)
                .planned(true, "Promised", "words", NOW)
                .started(false, "Claimed", "gang user/g takes it over at noon", NOW);
        GangRecord part = GangRecord.first(POOR, NOW)
                .with(new Promise(window, WindowOrigin.CYCLIC, false))
                .withOwnership(new WindowOwnership.Part("promised"));

        assertThat(GangAnswer.of(pending).next()).isEqualTo("it waits: no window");
        assertThat(GangAnswer.of(kept).kind()).isEqualTo("reservation");
        assertThat(GangAnswer.of(kept).next())
                .isEqualTo("an advance reservation: its room is kept from 2030-01-01T01:00:00Z to 2030-01-01T02:00:00Z"
                        + " for the gang that names it");
        assertThat(GangAnswer.of(part).reservation()).isEqualTo("promised");
        String table = new QueueReport(List.of(GangAnswers.row(kept), GangAnswers.row(part)), Currency.NONE)
                .table(
                        new Terminal(160, false, true),
                        Instant.parse("2030-01-01T00:00:00Z").getEpochSecond());
        assertThat(table)
                .contains("advance reservation: gang user/g takes it over at noon")
                .contains("takes reservation promised over")
                .contains("1 gang: 1 waiting; 1 advance reservation");
    }

    @Test
    void theListIsCsvWithTheSentenceInQuotes() {
        assertThat(new GangListReport(answers.rows("user"::equals, _ -> true))
                        .csv()
                        .lines())
                .containsExactly(
                        "gang,phase,reason,key,message,start,end,cost,budget,size,submitted,kind,reservation,promisedBy,"
                                + "queue,position",
                        "user/poor,Pending,OverBudget,over-budget,\"no window within budget: the cheapest costs "
                                + "2 at 2030-01-01T01:00:00Z, the budget is 1.5\",,,,,2,2030-01-01T00:00:00Z,gang,,,,",
                        "user/promised,Promised,Promised,,\"a "
                                + "window\",2030-01-01T00:00:00Z,2030-01-01T01:00:00Z,"
                                + "2.000000,,2,2030-01-01T00:00:00Z,gang,,,,");
    }

    @Test
    void aGangIsToldItsPlaceInItsQueueUntilItStarts() {
        Latest placed = new Latest(
                latest.settings(),
                latest.snapshot(),
                latest.plan(),
                latest.plan().withPositions(Map.of(POOR, 3, PROMISED, 1)));
        Map<GangId, GangRecord> records = records(latest);
        records.computeIfPresent(PROMISED, (_, record) -> record.withPhase(Phase.RUNNING));
        records.computeIfPresent(
                POOR, (_, record) -> record.withTerms(record.terms().with(terms -> terms.queue("physics"))));
        GangAnswers asked = new GangAnswers(() -> placed, known(records), () -> Instant.ofEpochSecond(NOW));

        assertThat(asked.rows(_ -> true, _ -> true))
                .extracting(GangRow::gang, GangRow::queue, GangRow::position)
                .containsExactly(
                        tuple("other/part", null, null),
                        tuple("user/poor", "physics", 3),
                        tuple("user/promised", null, null));
        GangAnswer answer = asked.gang(POOR, false, _ -> true).orElseThrow();
        assertThat(answer.queue()).isEqualTo("physics");
        assertThat(answer.position()).isEqualTo(3);
        assertThat(WhyText.of(answer, new Terminal(120, false, true))).contains("\nIt is number 3 in queue physics.\n");
        assertThat(new QueueReport(asked.rows(_ -> true, _ -> true), Currency.NONE)
                        .table(new Terminal(200, false, true), NOW))
                .containsPattern("QUEUE +POSITION")
                .containsPattern("user/poor +physics +3 ");
    }

    @Test
    void aGangThatCannotPayIsToldTheFiguresAndWhatHelps() {
        GangAnswer answer = answers.gang(POOR, true, _ -> true).orElseThrow();

        assertThat(answer.key()).isEqualTo("over-budget");
        assertThat(answer.figures())
                .containsExactly(
                        Map.entry("cheapest", "2.000000"),
                        Map.entry("start", "2030-01-01T01:00:00Z"),
                        Map.entry("budget", "1.500000"));
        assertThat(answer.advice())
                .extracting(AdviceAnswer::message)
                .containsExactly(
                        "Set slotwise.io/budget to 2 to start at 2030-01-01T01:00:00Z, end at "
                                + "2030-01-01T02:00:00Z and cost 2.",
                        "Set slotwise.io/gang-size to 1 to start at 2030-01-01T01:00:00Z, end at "
                                + "2030-01-01T02:00:00Z and cost 1.",
                        "Set slotwise.io/runtime to 45m to start at 2030-01-01T01:00:00Z, end at "
                                + "2030-01-01T01:45:00Z and cost 1.5.");
        assertThat(answer.hint()).isNull();
    }

    /** The gang requests an hour, and would have a window for 45 minutes. */
    @ParameterizedTest
    @CsvSource(nullValues = "-", delimiter = '|', textBlock = """
            2000 | 2400 | Set slotwise.io/runtime to 45m to start at 2030-01-01T01:00:00Z, end at 2030-01-01T01:45:00Z and cost 1.5.
            2400 | 3000 | -
            300  | 600  | Set slotwise.io/runtime to 10m to start at 2030-01-01T01:00:00Z, end at 2030-01-01T01:10:00Z and cost 0.333334.
            """)
    void noRuntimeIsAdvisedThatPastRunsContradictAndAWrongOneIsPutRight(
            long typical, long within, @Nullable String told) {
        RuntimeSource source = new RuntimeSource(
                new RecurringWorkload("k", "train"),
                new Prediction(3, typical, 900_000, within, Prediction.Basis.WORKLOAD),
                true);
        GangAnswers informed = new GangAnswers(
                () -> latest,
                known(Map.of(
                        POOR,
                        Objects.requireNonNull(records(latest).get(POOR))
                                .withTerms(RecordedTerms.of(gang(POOR, 2, new Budget(Money.parse("1.5"), null)))
                                        .withSource(source)))),
                () -> Instant.ofEpochSecond(NOW));

        assertThat(informed.gang(POOR, true, _ -> true).orElseThrow().advice())
                .extracting(AdviceAnswer::message)
                .filteredOn(message -> message.contains("slotwise.io/runtime"))
                .isEqualTo(told == null ? List.of() : List.of(told));
    }

    @Test
    void nothingThatStartsInThePastIsAdvisedOrOffered() {
        GangAnswers later =
                new GangAnswers(() -> latest, known(records(latest)), () -> Instant.ofEpochSecond(NOW + 4000));

        assertThat(later.gang(POOR, true, _ -> true).orElseThrow().advice())
                .isNotEmpty()
                .allSatisfy(advice ->
                        assertThat(Instant.parse(advice.start())).isAfterOrEqualTo(Instant.ofEpochSecond(NOW + 4000)));
        assertThat(later.quote(latest, latest.snapshot().requests().getFirst().gang(), true, _ -> true)
                        .menu())
                .isNotEmpty()
                .allSatisfy(window -> assertThat(window.start()).isGreaterThanOrEqualTo(NOW + 4000));
    }

    @Test
    void aPromisedGangIsToldWhatItCouldHaveHad() {
        GangAnswer answer = answers.gang(PROMISED, true, _ -> true).orElseThrow();

        ChoiceAnswer choice = Objects.requireNonNull(answer.choice());
        assertThat(choice.alternatives().getFirst().chosen()).isTrue();
        assertThat(choice.decider()).isEqualTo("criterion");
        assertThat(answer.advice()).isEmpty();
    }

    @Test
    void aGangInAnOnlineModeIsToldHowItsDomainWasChosen() {
        Policy usual = LoopSettings.EXACT.policy();
        Policy online =
                usual.withOnline(new Policy.Online(Manner.EMET, usual.online().weights(), "zone"));
        Latest chosen = latest(LoopSettings.EXACT.withPolicy(online));
        GangAnswers told = new GangAnswers(() -> chosen, known(records(chosen)), () -> Instant.ofEpochSecond(NOW));

        DomainsAnswer domains = Objects.requireNonNull(
                told.gang(PROMISED, false, _ -> true).orElseThrow().domains());

        assertThat(domains.mode()).isEqualTo("emet");
        assertThat(domains.weights().cost()).isEqualTo(usual.online().weights().cost());
        assertThat(domains.compared()).singleElement().satisfies(row -> {
            assertThat(row.domain()).isEmpty();
            assertThat(row.start()).isEqualTo("2030-01-01T00:00:00Z");
            assertThat(row.timeSeconds()).isEqualTo(3600);
            assertThat(row.cost()).isEqualTo("2.000000");
        });
        assertThat(domains.leftOut()).isEmpty();
        assertThat(answers.gang(PROMISED, false, _ -> true).orElseThrow().domains())
                .isNull();
    }

    @Test
    void withoutAHelpfulChangeAHintIsGiven() {
        GangAnswer answer = answers.gang(PART, true, _ -> true).orElseThrow();

        assertThat(answer.figures()).containsExactly(Map.entry("present", 3), Map.entry("size", 4));
        assertThat(answer.advice()).isEmpty();
        assertThat(answer.hint()).isEqualTo("Create the missing pod, or correct slotwise.io/gang-size.");
    }

    @Test
    void adviceIsOnlyGivenOnRequest() {
        assertThat(answers.gang(POOR, false, _ -> true).orElseThrow().advice()).isNull();
    }

    @Test
    void aReplicaThatDoesNotPlanSaysWhatTheReservationSays() {
        GangAnswer answer = follower.gang(POOR, true, _ -> true).orElseThrow();

        assertThat(answer.reason()).isEqualTo("OverBudget");
        assertThat(answer.message()).startsWith("no window within budget: the cheapest costs 2");
        assertThat(answer.key()).isEqualTo("over-budget");
        assertThat(answer.figures()).containsEntry("budget", "1.500000");
        assertThat(answer.hint()).startsWith("Raise slotwise.io/budget to 2");
        assertThat(answer.advice()).isNull();
        assertThat(follower.rows(_ -> true, _ -> true)).hasSize(3);
        assertThat(follower.gang(new GangId("user", "nobody"), true, _ -> true)).isEmpty();
    }

    @Test
    void amountsAreAnsweredWithTheirCurrency() {
        GangAnswers euros = new GangAnswers(
                () -> latest,
                known(records(latest)),
                () -> Instant.ofEpochSecond(NOW),
                _ -> List.of(),
                () -> new Currency("EUR"));

        GangAnswer poor = euros.gang(POOR, true, _ -> true).orElseThrow();

        assertThat(poor.currency()).isEqualTo("EUR");
        assertThat(poor.message()).contains("EUR");
        assertThat(poor.next()).contains(poor.message());
        assertThat(answers.gang(POOR, true, _ -> true).orElseThrow().message()).doesNotContain("EUR");
        assertThat(euros.rows(_ -> true, _ -> true))
                .anySatisfy(row -> assertThat(row.message()).contains("EUR"));
    }

    @Test
    void aReasonThatIsNotPublishedYetIsNotTold() {
        GangRecord older = GangRecord.first(POOR, NOW).planned(false, "NoWindow", "something else", NOW);
        GangAnswers early = new GangAnswers(() -> latest, known(Map.of(POOR, older)), () -> Instant.ofEpochSecond(NOW));
        GangAnswers late = new GangAnswers(
                () -> latest,
                known(Map.of(POOR, older.refused(new Refusal.NotBackfilled(), NOW))),
                () -> Instant.ofEpochSecond(NOW));

        assertThat(early.gang(POOR, false, _ -> true).orElseThrow().key()).isNull();
        assertThat(late.gang(POOR, false, _ -> true).orElseThrow().key()).isEqualTo("not-backfilled");
    }

    @Test
    void aReasonMovedByLessThanAMinuteKeepsKeyFiguresAndHint() {
        Refusal.OverBudget now = (Refusal.OverBudget) latest.plan().pending().stream()
                .filter(pending -> pending.gang().equals(POOR))
                .findFirst()
                .orElseThrow()
                .refusal();
        GangRecord before = GangRecord.first(POOR, NOW)
                .refused(new Refusal.OverBudget(now.cheapest(), now.start() - 59, now.budget(), now.atOnce()), NOW);
        GangAnswers drifted =
                new GangAnswers(() -> latest, known(Map.of(POOR, before)), () -> Instant.ofEpochSecond(NOW));

        GangAnswer answer = drifted.gang(POOR, false, _ -> true).orElseThrow();

        assertThat(answer.key()).isEqualTo("over-budget");
        assertThat(answer.figures()).as("those of the record").containsEntry("start", "2030-01-01T00:59:01Z");
        assertThat(answer.message()).isEqualTo(before.plannedAspect().message());
        assertThat(answer.hint()).isNotNull();
        assertThat(drifted.rows(_ -> true, _ -> true))
                .singleElement()
                .satisfies(row -> assertThat(row.key()).isEqualTo("over-budget"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"train", "week-1", "month-end-close", "prüfung-ä"})
    void onlyReadersOfANamespaceAreToldItsGangsNames(String name) {
        Refusal behind = new Refusal.BehindPromises(new GangId("secret", name), NOW + 60, 0);
        Latest planned = new Latest(
                latest.settings(), latest.snapshot(), latest.plan(), behind(latest.plan(), new Pending(POOR, behind)));
        GangAnswers all = new GangAnswers(
                () -> planned,
                known(Map.of(POOR, GangRecord.first(POOR, NOW).refused(behind, NOW))),
                () -> Instant.ofEpochSecond(NOW));

        GangAnswer mine = all.gang(POOR, true, "user"::equals).orElseThrow();
        GangAnswer whole = all.gang(POOR, true, _ -> true).orElseThrow();

        assertThat(mine.toString()).doesNotContain("secret", name);
        assertThat(mine.key()).isEqualTo("behind-promises");
        assertThat(mine.figures()).containsOnlyKeys("start", "others");
        assertThat(mine.message()).startsWith("behind promised gangs: a gang of another namespace, which starts at");
        assertThat(whole.message()).contains("secret/" + name);
        assertThat(whole.figures()).containsEntry("gang", "secret/" + name);
        assertThat(new GangListReport(all.rows(_ -> true, "user"::equals)).json())
                .doesNotContain("secret", name);
        assertThat(new GangListReport(all.rows(_ -> true, _ -> true)).json()).contains("secret/" + name);
        String plan = JsonReport.write(PlanReport.of(
                PlanResource.seen(planned, new NamespaceScope(false, Set.of("user"))),
                latest.snapshot(),
                latest.settings().policy(),
                Currency.NONE));
        assertThat(plan).contains("a gang of another namespace").doesNotContain("secret", name);
    }

    private static Plan behind(Plan plan, Pending pending) {
        return Usual.plan(
                plan.now(),
                plan.horizonEnd(),
                plan.windows(),
                List.of(pending),
                List.of(),
                List.of("a note on secret/train"));
    }

    @Test
    void aQuoteIsTheMenuNextToAllPromises() throws Exception {
        JsonNode quote = new ObjectMapper()
                .readTree(answers.quote(latest, gang(new GangId("user", "new"), 2, Budget.UNLIMITED), true, _ -> true)
                        .json());

        assertThat(quote.get("menu")).hasSize(1);
        assertThat(quote.get("menu").get(0).get("start").asText()).isEqualTo("2030-01-01T01:00:00Z");
        assertThat(quote.get("menu").get(0).get("withinBudget").asBoolean()).isTrue();
    }

    /** A caller who may ask for no namespace gets no namespace, because the default one's budget is private. */
    @Test
    void aQuoteWithoutANamespaceTellsNothingOfABudget() {
        Gang asked = gang(new GangId("default", "quote"), 2, Budget.UNLIMITED)
                .wanting(Criterion.PREFERENCE)
                .preferring(new Preferences(new Preferred<>(NOW + 600, Preferred.ONE), null, null, Cost.ZERO));
        Latest rich = buying(Cost.UNLIMITED);
        Latest poor = buying(Cost.ZERO);

        assertThat(answers.quote(poor, asked, true, _ -> true))
                .isNotEqualTo(answers.quote(rich, asked, true, _ -> true));
        assertThat(answers.quote(poor, asked, false, _ -> true))
                .isEqualTo(answers.quote(rich, asked, false, _ -> true));
    }

    /** The latest cycle where nodes can be bought, and the namespace has this much left. */
    private Latest buying(Cost left) {
        Snapshot snapshot = latest.snapshot()
                .withAccounts(List.of(new Account("default", NOW, Interval.FOREVER, left)))
                .offering(List.of(new NodeOffer(
                        PlanBuilder.cores("large", 4, 2_000_000),
                        new Billing(60, 0, 1, 0),
                        PurchaseQuota.of("large", 5),
                        0)));
        LoopSettings settings = latest.settings()
                .withPolicy(latest.settings()
                        .policy()
                        .withProvisioning(new Provisioning(Provisioning.Mode.BUY, 5, null, 50_000)));
        return new Latest(settings, snapshot, latest.plan(), latest.carriedOutPlan());
    }

    @Test
    void aQuoteOfAPromisedGangGivesItsOwnRoomBack() {
        List<QuoteReport.QuoteRow> menu = answers.quote(latest, gang(PROMISED, 2, Budget.UNLIMITED), true, _ -> true)
                .menu();

        assertThat(menu).extracting(QuoteReport.QuoteRow::start).containsExactly(NOW);
    }

    private static GangsView known(Map<GangId, GangRecord> records) {
        return new GangsView(records::values);
    }

    /** A tenant may write a record's spec. */
    @Test
    void aRecordWithAnyValueOfTimeAndHistoryIsAnswered() {
        GangRecord promised = Objects.requireNonNull(records(latest).get(PROMISED));
        Cost wide = Cost.product(Long.MAX_VALUE, 1_000_000);
        GangRecord absurd = promised.withTerms(new RecordedTerms("value", 3600, null, "", 0, false)
                        .withWorth(new RecordedTerms.Worth(
                                Money.parse("999999.999999"), -62_135_596_800L, Interval.FOREVER)))
                .withHistory(promised.history()
                        .moved(new MigrationHistory(
                                List.of(new MigrationHistory.Leg(0, 10, Cost.ZERO, new Charge(wide, wide), 10, false)),
                                60,
                                60,
                                wide,
                                Resources.NONE,
                                new TreeSet<>(),
                                0,
                                1,
                                wide,
                                0)));

        GangAnswer answer = GangAnswer.of(absurd);

        assertThat(answer.delayValue()).isEqualTo("17785848999982.214151");
        GangAnswer.MovedAnswer moved = Objects.requireNonNull(answer.moved());
        assertThat(moved.spent()).isEqualTo(wide.shown());
        assertThat(moved.runs().getFirst().cost()).isEqualTo(wide.plus(wide).shown());
    }
}
