package io.slotwise.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.anticipation.Distance.Form;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.ledger.HalfLife;
import io.slotwise.core.ledger.Period;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.provision.Headroom;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.settings.NodeTariff;
import io.slotwise.live.settings.TimeValues;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyFileTest {
    private static final HalfLife WEEK = new HalfLife(604_800);

    /** Every key with the default that the documentation promises. */
    private static final String DEFAULTS = """
            horizon: 168h             # how far ahead windows are planned
            cycle: 10s
            collect: 1s
            objective: user
            limit: {}
            alternatives: 50
            search-limit: 0
            search-time: 0.5
            window-search: exact
            sub-batches: 1
            cyclic-fraction: 1.0
            cyclic-choice: order
            shift: true
            anticipation: none
            anticipation-criteria: [cost, processor-time, start]
            backfill: conservative
            queue: fifo
            aging: 1h
            passing-limit: 100
            mode: batch
            weights: {time: 0.4, cost: 0.4, fragmentation: 0.2}
            domain-key: topology.kubernetes.io/zone
            charge: dominant-share
            default-runtime: 1h
            runtime-prediction: {quantile: 0.9, history: 20, fallback: namespace}
            default-criterion: start
            overrun: extend
            overrun-grace: 1m
            migration: none
            migration-limit: 1
            min-run: 5m
            migration-overhead: 1m
            fair-half-life: 168h
            turnover: 0s
            start-timeout: 10s
            member-loss: continue
            reservation-ttl: 1h
            replan: improve
            improve-limit: 2000
            """;

    @Test
    void aPolicyThatSaysNothingHasTheDefaults() {
        assertThat(read("")).isEqualTo(LoopSettings.DEFAULT);
        assertThat(read("---\n# nothing\n")).isEqualTo(LoopSettings.DEFAULT);
        assertThat(read("{}")).isEqualTo(LoopSettings.DEFAULT);
        assertThat(PolicyFile.empty().settings()).isEqualTo(LoopSettings.DEFAULT);
    }

    @Test
    void theDefaultsMayBeWrittenOut() {
        assertThat(read(DEFAULTS)).isEqualTo(LoopSettings.DEFAULT);
        assertThat(LoopSettings.DEFAULT.policy().horizon()).isEqualTo(604_800);
        assertThat(LoopSettings.DEFAULT.defaultRuntime()).isEqualTo(3600);
    }

    @Test
    void theDefaultCriterionHasTwoNamesAndIsStatedOnce() {
        assertThat(read("criterion: cost").defaultCriterion()).isEqualTo(Criterion.COST);
        assertThat(read("default-criterion: cost")).isEqualTo(read("criterion: cost"));
        assertThatThrownBy(() -> read("criterion: cost\ndefault-criterion: cost"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("line 2: `default-criterion` (cost) is not valid")
                .hasMessageEndingWith("expected only one of criterion and default-criterion");
    }

    @Test
    void tariffsHaveASelectorAndACalendarEach() {
        LoopSettings settings = read("""
                tariffs:
                - nodes: pool=batch,arch in (arm64, riscv)
                  calendar: 0.4@2030-01-01T02:00:00Z/PT4H
                - {nodes: "", calendar: "0.4@2030-01-01T02:00:00Z/PT4H"}
                """);

        assertThat(settings.tariffs()).hasSize(2);
        NodeTariff first = settings.tariffs().getFirst();
        assertThat(first.calendar()).isEqualTo("0.4@2030-01-01T02:00:00Z/PT4H");
        assertThat(first.selects(Map.of("pool", "batch", "arch", "riscv"))).isTrue();
        assertThat(first.selects(Map.of("pool", "batch"))).isFalse();
        assertThat(settings.tariffs().getLast().selects(Map.of())).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tariffs: nightly                                  | `tariffs` (nightly) is not valid: expected a list of mappings with nodes and calendar
            tariffs: [nightly]                                | `tariffs` ([nightly]) is not valid: expected a list of mappings with nodes and calendar
            tariffs: [{nodes: pool=batch}]                    | `tariffs[0]` ({}) is not valid: expected both nodes, a label selector such as pool=batch, and calendar, a price calendar
            tariffs: [{nodes: "a~b", calendar: "0.4@2030-01-01T02:00:00Z/PT4H"}] | `tariffs[0].nodes` (a~b) is not valid: `a~b` is no requirement
            tariffs: [{nodes: a, calendar: "0.4@2030-01-01T02:00:00Z/PT4H"}, {nodes: b, calendar: dear}] | `tariffs[1].calendar` (dear) is not valid
            tariffs: [{nodes: a, calender: x}]                | `tariffs[0]` ({}) is not valid
            """)
    void aTariffThatCannotBeReadIsNamedByItsPlace(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("line 1: " + message);
    }

    @Test
    void readsExplicitValues() {
        LoopSettings settings = read("""
                horizon: 2h
                cycle: 20s
                collect: 0s
                objective: max-income
                limit: {cost: 12.5}
                alternatives: 7
                shift: false
                backfill: none
                queue: priority
                charge: whole-node
                default-runtime: PT30M
                default-criterion: cost
                overrun-grace: 90s
                overrun-unpaid: evict
                turnover: 5s
                start-timeout: 15s
                reservation-ttl: 0s
                hold-grace: 2m
                reservation-seats: 64
                replan: never
                replan-gain: 0.25
                improve-limit: 300
                preemption: promised
                search-time: 0.25
                currency: EUR
                """);

        assertThat(settings)
                .isEqualTo(new LoopSettings(
                        new Policy(
                                7200,
                                new Policy.Batch(
                                        Objective.MAX_INCOME,
                                        new Limit(Limit.Measure.COST, OptionalLong.of(12_500_000L * 3600)),
                                        7,
                                        0,
                                        Policy.Searching.EXACT,
                                        Policy.Split.NONE,
                                        false,
                                        Policy.Anticipating.NOT),
                                Policy.Backfill.NONE,
                                new Policy.Queue(Policy.Order.PRIORITY, 3600, 100, WEEK),
                                Policy.Charge.WHOLE_NODE,
                                5,
                                Policy.Replan.NEVER,
                                250_000,
                                300,
                                PromiseSlack.NONE,
                                Policy.Split.ALL,
                                0,
                                Policy.Online.DEFAULT,
                                MigrationPolicy.NONE,
                                Policy.Preempting.PROMISED,
                                Provisioning.NONE),
                        20,
                        0,
                        1800,
                        LoopSettings.Overrun.EXTEND,
                        90,
                        15,
                        LoopSettings.MemberLoss.CONTINUE,
                        0,
                        120,
                        64,
                        Criterion.COST,
                        250_000,
                        LoopSettings.DEFAULT.runtimePrediction(),
                        new Currency("EUR"),
                        TimeValues.NONE,
                        LoopSettings.Overrun.EVICT,
                        TimeValues.NO_LIMIT,
                        List.of()));
    }

    @Test
    void readsWhatMayBeBought() {
        LoopSettings settings = read("provisioning: {mode: plan, max-nodes: 7, max-spend: 12.50/week, spot-risk: 0.1}");

        assertThat(settings.policy().provisioning())
                .isEqualTo(new Provisioning(
                        Provisioning.Mode.PLAN,
                        7,
                        new Provisioning.Spending(new Money(12_500_000), Period.WEEK),
                        100_000));
    }

    @Test
    void readsWhatIsBoughtAheadAndHowLongIdleNodesStay() {
        LoopSettings settings = read("""
                provisioning:
                  headroom: {pool.small: 2, pool.large: 0}
                  headroom-time: 2h
                  keep-idle: 10m
                """);

        assertThat(settings.policy().provisioning())
                .isEqualTo(Provisioning.NONE.keeping(new Headroom(new TreeMap<>(Map.of("pool.small", 2)), 7200), 600));
    }

    @Test
    void readsWhatTimeIsWorthByDefaultByPriorityClassAndByNamespace() {
        LoopSettings settings = read("""
                criterion: value
                value-of-time:
                  default: 0.5
                  priority-classes: {urgent: 20, team.urgent: 30}
                  namespaces: {research: 2}
                """);

        assertThat(settings.defaultCriterion()).isEqualTo(Criterion.VALUE);
        assertThat(settings.timeValues())
                .isEqualTo(new TimeValues(
                        Money.parse("0.5"),
                        Map.of("urgent", Money.parse("20"), "team.urgent", Money.parse("30")),
                        Map.of("research", Money.parse("2"))));
        assertThatThrownBy(() -> read("value-of-time: {namespaces: {research: 100001}}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("`value-of-time.namespaces.research` (100001) is not valid")
                .hasMessageEndingWith("expected at most 100000");
        assertThat(read("value-of-time-limit: {default: 3, namespaces: {research: 9}}")
                        .timeLimits())
                .isEqualTo(new TimeValues(Money.parse("3"), Map.of(), Map.of("research", Money.parse("9"))));
        assertThatThrownBy(() -> read("value-of-time: 3"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageEndingWith("expected a mapping with default, priority-classes and namespaces");
    }

    @Test
    void readsTheSlackOfPromises() {
        assertThat(read("promise-slack: {wait: 0.3, runtime: 0.4, at-least: 2m}")
                        .policy()
                        .slack())
                .isEqualTo(new PromiseSlack(300_000, 400_000, 120));
        assertThat(read("promise-slack: {cost: 0.5}").policy().slack())
                .isEqualTo(new PromiseSlack(200_000, 100_000, 0, 500_000, 0));
        assertThat(read("promise-slack: {dearer: 0.5}").policy().slack())
                .isEqualTo(new PromiseSlack(200_000, 100_000, 0, 0, 500_000));
        assertThat(read("least-saving: 8.5").policy().leastSaving()).isEqualTo(8_500_000);
        assertThat(read("expected-use: 0.35").policy().expectedUse()).isEqualTo(350_000);
        assertThat(read("promise-slack: {wait: '0.3'}").policy().slack())
                .isEqualTo(new PromiseSlack(300_000, 100_000, 0));
        assertThat(read("promise-slack: 0").policy().slack()).isEqualTo(PromiseSlack.NONE);
        assertThat(read("promise-slack: {}")).isEqualTo(LoopSettings.DEFAULT);
    }

    @Test
    void onlyPromisesThatAreImprovedHaveSlack() {
        assertThat(read("{promise-slack: {wait: 1}, replan: free}").policy().slack())
                .isEqualTo(PromiseSlack.NONE);
        assertThat(read("replan: never").policy().slack()).isEqualTo(PromiseSlack.NONE);
    }

    @Test
    void readsTheOtherChoices() {
        assertThat(read("objective: min-cost").policy().batch().objective()).isEqualTo(Objective.MIN_COST);
        assertThat(read("replan: free").policy().replan()).isEqualTo(Policy.Replan.FREE);
        assertThat(read("limit: {cost: auto}").policy().batch().limit())
                .isEqualTo(new Limit(Limit.Measure.COST, OptionalLong.empty()));
        assertThat(read("limit: {processor-time: 7200}").policy().batch().limit())
                .isEqualTo(new Limit(Limit.Measure.PROCESSOR_TIME, OptionalLong.of(7200)));
        assertThat(read("limit: {processor-time: 2h}").policy().batch().limit())
                .isEqualTo(new Limit(Limit.Measure.PROCESSOR_TIME, OptionalLong.of(7200)));
        assertThat(read("limit: {processor-time: auto}").policy().batch().limit())
                .isEqualTo(new Limit(Limit.Measure.PROCESSOR_TIME, OptionalLong.empty()));
        assertThat(read("limit: {average-utility: auto}").policy().batch().limit())
                .isEqualTo(new Limit(Limit.Measure.AVERAGE_UTILITY, OptionalLong.empty()));
        assertThat(read("limit: {average-utility: 12.34567}").policy().batch().limit())
                .isEqualTo(new Limit(Limit.Measure.AVERAGE_UTILITY, OptionalLong.of(123_456)));
    }

    @Test
    void readsAnticipationAndHowGangsArePlacedOnline() {
        Policy policy = read("""
                        anticipation: geometric
                        anticipation-criteria: [runtime, start]
                        mode: emet
                        weights: {time: 0.5, cost: 0.25, fragmentation: 0.25}
                        domain-key: example.com/rack
                        """).policy();

        assertThat(policy.batch().anticipating())
                .isEqualTo(new Policy.Anticipating(Form.GEOMETRIC, Set.of(Criterion.RUNTIME, Criterion.START)));
        assertThat(policy.online())
                .isEqualTo(new Policy.Online(Manner.EMET, new CriterionWeights(0.5, 0.25, 0.25), "example.com/rack"));
    }

    @Test
    void readsHowABatchIsSplitOrderedAndBackfilled() {
        Policy policy = read("""
                        objective: min-processor-time
                        sub-batches: 3
                        cyclic-fraction: 0.25
                        cyclic-choice: processor-time
                        backfill: easy
                        queue: lgfs
                        aging: 30m
                        passing-limit: 7
                        """).policy();

        assertThat(policy.batch().objective()).isEqualTo(Objective.MIN_PROCESSOR_TIME);
        assertThat(policy.batch().split()).isEqualTo(new Policy.Split(3, 250_000, Policy.Split.Choice.PROCESSOR_TIME));
        assertThat(policy.backfill()).isEqualTo(Policy.Backfill.EASY);
        assertThat(policy.queue()).isEqualTo(new Policy.Queue(Policy.Order.LGFS, 1800, 7, WEEK));
        assertThat(read("objective: max-processor-time").policy().batch().objective())
                .isEqualTo(Objective.MAX_PROCESSOR_TIME);
        assertThat(read("{queue: fair, fair-half-life: 12h}").policy().queue())
                .isEqualTo(new Policy.Queue(Policy.Order.FAIR, 3600, 100, new HalfLife(43_200)));
        assertThat(read("queue: afcfs").policy().queue().order()).isEqualTo(Policy.Order.AFCFS);
        assertThat(read("window-search: exact").policy().batch().searching()).isEqualTo(Policy.Searching.EXACT);
        assertThat(read("window-search: aep").policy().batch().searching()).isEqualTo(Policy.Searching.AEP);
        assertThat(read("window-search: csa").policy().batch().searching()).isEqualTo(Policy.Searching.CSA);
        assertThat(read("cyclic-choice: cost").policy().batch().split().choice())
                .isEqualTo(Policy.Split.Choice.COST);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "horizon: soon | `horizon` (soon) is not valid: expected a duration in whole seconds "
                        + "such as 90s, 1h30m, 7d or PT1H30M",
                "horizon: 0s | `horizon` (0s) is not valid: expected a duration between 1s and 8784h",
                "horizon: 9000h | `horizon` (9000h) is not valid: expected a duration between 1s and 8784h",
                "horizon: [1h] | `horizon` ([1h]) is not valid: expected a plain value",
                "cycle: 10 | `cycle` (10) is not valid: expected a duration in whole seconds such as "
                        + "90s, 1h30m, 7d or PT1H30M",
                "cycle: 0s | `cycle` (0s) is not valid: expected a duration between 1s and 87600h",
                "collect: -1s | `collect` (-1s) is not valid: expected a duration in whole seconds such "
                        + "as 90s, 1h30m, 7d or PT1H30M",
                "objective: profit | `objective` (profit) is not valid: expected one of user, "
                        + "max-income, min-cost, min-processor-time, max-processor-time, max-value",
                "limit: 5 | `limit` (5) is not valid: expected a mapping with one of cost, "
                        + "processor-time and average-utility, or {}",
                "limit: {cost: much} | `limit.cost` (much) is not valid: expected a decimal number such as 1.25",
                "limit: {cost: -1} | `limit.cost` (-1) is not valid: expected a number that is not negative",
                "limit: {processor-time: x} | `limit.processor-time` (x) is not valid: expected a "
                        + "duration in whole seconds such as 90s, 1h30m, 7d or PT1H30M",
                "limit: {average-utility: 101} | `limit.average-utility` (101) is not valid: expected a "
                        + "number between 0 and 100",
                "limit: {average-utility: low} | `limit.average-utility` (low) is not valid: expected a "
                        + "number between 0 and 100",
                "'limit: {processor-time: 1, average-utility: 1}' | `limit.average-utility` (1) is not "
                        + "valid: expected one limit, and there is one on processor-time",
                "aging: 0s | `aging` (0s) is not valid: expected a duration between 1s and 87600h",
                "'limit: {cost: 1, processor-time: 1}' | `limit.processor-time` (1) is not valid: "
                        + "expected one limit, and there is one on cost",
                "alternatives: 0 | `alternatives` (0) is not valid: expected a whole number between 1 and 10000",
                "alternatives: 1.5 | `alternatives` (1.5) is not valid: expected a whole number between 1 and 10000",
                "search-limit: -1 | `search-limit` (-1) is not valid: expected a whole number between 0 "
                        + "and 1000000000000",
                "search-time: 2 | `search-time` (2) is not valid: expected a number between 0 and 1",
                "window-search: greedy | `window-search` (greedy) is not valid: expected one of exact, aep, csa",
                "sub-batches: many | `sub-batches` (many) is not valid: expected a whole number between 1 and 1000000",
                "cyclic-fraction: 2 | `cyclic-fraction` (2) is not valid: expected a number between 0 and 1",
                "cyclic-choice: luck | `cyclic-choice` (luck) is not valid: expected one of order, cost, "
                        + "processor-time",
                "shift: yes | `shift` (yes) is not valid: expected true or false",
                "anticipation: cubic | `anticipation` (cubic) is not valid: expected one of none, linear, geometric",
                "anticipation-criteria: cost | `anticipation-criteria` (cost) is not valid: expected a "
                        + "list of start, finish, runtime, cost, processor-time, energy, value",
                "anticipation-criteria: [beauty] | `anticipation-criteria` ([beauty]) is not valid: "
                        + "expected a list of start, finish, runtime, cost, processor-time, energy, value",
                "backfill: greedy | `backfill` (greedy) is not valid: expected one of conservative, easy, none",
                "queue: lifo | `queue` (lifo) is not valid: expected one of fifo, priority, afcfs, lgfs, fair, value",
                "passing-limit: -1 | `passing-limit` (-1) is not valid: expected a whole number between 0 and 1000000",
                "aging: never | `aging` (never) is not valid: expected a duration in whole seconds such "
                        + "as 90s, 1h30m, 7d or PT1H30M",
                "mode: online | `mode` (online) is not valid: expected one of batch, emct, emet",
                "weights: 1 | `weights` (1) is not valid: expected a mapping with time, cost and fragmentation",
                "weights: {time: 2} | `weights.time` (2) is not valid: expected a number between 0 and 1",
                "weights: {time: 0.5} | `weights` (time 0.5, cost 0.4, fragmentation 0.2) is not valid: "
                        + "expected a sum of 1",
                "domain-key: '' | `domain-key` () is not valid: expected a node label's key",
                "charge: half | `charge` (half) is not valid: expected one of dominant-share, whole-node",
                "runtime-prediction: {quantile: 0} | `runtime-prediction.quantile` (0) is not valid: "
                        + "expected a number above 0 and up to 1",
                "runtime-prediction: {quantile: 1.5} | `runtime-prediction.quantile` (1.5) is not valid: "
                        + "expected a number between 0 and 1",
                "runtime-prediction: {history: 51} | `runtime-prediction.history` (51) is not valid: "
                        + "expected a whole number between 0 and 50",
                "runtime-prediction: {fallback: luck} | `runtime-prediction.fallback` (luck) is not "
                        + "valid: expected one of default, namespace",
                "runtime-prediction: 0.9 | `runtime-prediction` (0.9) is not valid: expected a mapping "
                        + "with quantile, history and fallback",
                "default-runtime: 0s | `default-runtime` (0s) is not valid: expected a duration between 1s and 87600h",
                "criterion: luck | `criterion` (luck) is not valid: expected one of start, finish, "
                        + "runtime, cost, processor-time, energy, value",
                "default-criterion: luck | `default-criterion` (luck) is not valid: expected one of "
                        + "start, finish, runtime, cost, processor-time, energy, value",
                "overrun: ignore | `overrun` (ignore) is not valid: expected one of extend, evict",
                "overrun-grace: 0s | `overrun-grace` (0s) is not valid: expected a duration between 1s and 87600h",
                "migration: far | `migration` (far) is not valid: expected one of none, local, external",
                "migration-limit: x | `migration-limit` (x) is not valid: expected a whole number "
                        + "between 0 and 1000000",
                "min-run: x | `min-run` (x) is not valid: expected a duration in whole seconds such as "
                        + "90s, 1h30m, 7d or PT1H30M",
                "min-run: -1s | `min-run` (-1s) is not valid: expected a duration in whole seconds such "
                        + "as 90s, 1h30m, 7d or PT1H30M",
                "migration-overhead: 99999h | `migration-overhead` (99999h) is not valid: expected at most 87600h",
                "fair-half-life: 0s | `fair-half-life` (0s) is not valid: expected a duration between 1s and 87600h",
                "turnover: {a: 1} | `turnover` ({}) is not valid: expected a plain value",
                "start-timeout: 0s | `start-timeout` (0s) is not valid: expected a duration between 1s and 87600h",
                "member-loss: panic | `member-loss` (panic) is not valid: expected one of continue, restart",
                "reservation-ttl: x | `reservation-ttl` (x) is not valid: expected a duration in whole "
                        + "seconds such as 90s, 1h30m, 7d or PT1H30M",
                "provisioning: plan | `provisioning` (plan) is not valid: expected a mapping with mode, "
                        + "max-nodes, max-spend, spot-risk, headroom, headroom-time and keep-idle",
                "provisioning: {headroom: 2} | `provisioning.headroom` (2) is not valid: expected a mapping of "
                        + "offers to numbers of nodes",
                "provisioning: {headroom: {small: some}} | `provisioning.headroom.small` (some) is not valid: "
                        + "expected a whole number between 0 and 100000",
                "provisioning: {headroom-time: 0s} | `provisioning.headroom-time` (0s) is not valid: expected a "
                        + "duration between 1s and 8784h",
                "provisioning: {keep-idle: -1s} | `provisioning.keep-idle` (-1s) is not valid: expected a "
                        + "duration in whole seconds such as 90s, 1h30m, 7d or PT1H30M",
                "provisioning: {mode: sell} | `provisioning.mode` (sell) is not valid: expected one of none, plan, buy",
                "provisioning: {max-nodes: -1} | `provisioning.max-nodes` (-1) is not valid: expected a "
                        + "whole number between 0 and 100000",
                "provisioning: {spot-risk: 0.95} | `provisioning.spot-risk` (0.95) is not valid: "
                        + "expected a number between 0 and 0.9",
                "promise-slack: 0.2 | `promise-slack` (0.2) is not valid: expected 0, or a mapping with "
                        + "wait, runtime, at-least, cost and dearer",
                "promise-slack: {cost: 11} | `promise-slack.cost` (11) is not valid: expected a number "
                        + "between 0 and 10",
                "least-saving: 1001 | `least-saving` (1001) is not valid: expected a number between 0 and 1000",
                "expected-use: 0 | `expected-use` (0) is not valid: expected a number above 0 and up to 1",
                "promise-slack: {wait: -1} | `promise-slack.wait` (-1) is not valid: expected a number "
                        + "between 0 and 10",
                "promise-slack: {runtime: much} | `promise-slack.runtime` (much) is not valid: expected "
                        + "a number between 0 and 10",
                "promise-slack: {at-least: 5} | `promise-slack.at-least` (5) is not valid: expected a "
                        + "duration in whole seconds such as 90s, 1h30m, 7d or PT1H30M",
                "promise-slack: {at-least: 32d} | `promise-slack.at-least` (32d) is not valid: expected "
                        + "a duration between 0s and 744h",
                "replan: maybe | `replan` (maybe) is not valid: expected one of improve, never, free"
            })
    void refusesWrongValuesWithKeyValueAndWhatWasExpected(String policy, String message) {
        assertThatThrownBy(() -> read(policy))
                .isInstanceOf(InvalidInput.class)
                .hasMessageStartingWith("policy.yaml, line 1: ")
                .hasMessageEndingWith(message);
    }

    @Test
    void readsWhatBecomesOfOverrunsAndOfGangsThatLoseAMember() {
        assertThat(read("overrun: evict").overrun()).isEqualTo(LoopSettings.Overrun.EVICT);
        assertThat(read("member-loss: restart").memberLoss()).isEqualTo(LoopSettings.MemberLoss.RESTART);
    }

    @Test
    void migrationIsReadWithItsLimits() {
        assertThat(read("migration: local\n").policy().migration())
                .isEqualTo(new MigrationPolicy(MigrationPolicy.Reach.LOCAL, 1, 300, 60));
        assertThat(read("{migration: external, migration-limit: 3, min-run: 10s, migration-overhead: 0s}")
                        .policy()
                        .migration())
                .isEqualTo(new MigrationPolicy(MigrationPolicy.Reach.EXTERNAL, 3, 10, 0));
    }

    @Test
    void refusesAnUnknownKeyWithItsLine() {
        assertThatThrownBy(() -> read("horizon: 1h\nhorizont: 2h\n"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageStartingWith(
                        "policy.yaml, line 2: `horizont` (2h) is not known; did you mean `horizon`? Expected one "
                                + "of aging, alternatives,");
        assertThatThrownBy(() -> read("limit: {time: 1}"))
                .hasMessageStartingWith("policy.yaml, line 1: `limit.time` (1) is not known");
    }

    @Test
    void refusesAKeyThatIsThereTwice() {
        assertThatThrownBy(() -> read("horizon: 1h\ncycle: 5s\nhorizon: 2h\n"))
                .isInstanceOf(InvalidInput.class)
                .hasMessage(
                        "policy.yaml, line 3: `horizon` appears twice, also at policy.yaml, line 1: expected it once");
        assertThatThrownBy(() -> read("limit: {cost: 1, cost: 2}")).hasMessageContaining("`limit.cost` appears twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"horizon: [1h", "horizon: \"1h", "a: b: c", "\t- x"})
    void refusesWhatIsNoYamlWithItsPlace(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(InvalidInput.class)
                .hasMessageMatching("policy\\.yaml, line \\d+, column \\d+: .*: expected YAML");
    }

    @Test
    void refusesWhatIsNoMapping() {
        assertThatThrownBy(() -> read("- horizon")).hasMessage("policy.yaml: expected a YAML mapping of policy keys");
        assertThatThrownBy(() -> read("horizon")).hasMessage("policy.yaml: expected a YAML mapping of policy keys");
        assertThatThrownBy(() -> read("cycle: 1s\n---\ncycle: 2s\n"))
                .hasMessage("policy.yaml: a second document: expected one policy");
    }

    @Test
    void readsAFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), "cycle: 3s\n");

        assertThat(PolicyFile.read(file).cycle()).isEqualTo(3);
        assertThatThrownBy(() -> PolicyFile.read(folder.resolve("none.yaml")))
                .isInstanceOf(InvalidInput.class)
                .hasMessageEndingWith("none.yaml: no such file: expected a policy file");
    }

    @Test
    void propertiesLieOnTopOfTheFile() {
        PolicyFile file = PolicyFile.load(new StringReader("horizon: 1h\nlimit: {cost: 5}\nturnover: 5s\n"), "p");

        LoopSettings settings = file.overlay(Map.of(
                        "slotwise.policy.horizon", "2h",
                        "limit.processor-time", "auto",
                        "slotwise.policy.anticipation-criteria", "[cost, processor-time, start]",
                        "slotwise.policy.shift", "false"))
                .settings();

        assertThat(settings.policy().horizon()).isEqualTo(7200);
        assertThat(settings.policy().batch().limit())
                .isEqualTo(new Limit(Limit.Measure.PROCESSOR_TIME, OptionalLong.empty()));
        assertThat(settings.policy().batch().shift()).isFalse();
        assertThat(settings.policy().turnover()).isEqualTo(5);
    }

    @Test
    void aPropertyCanLiftTheLimit() {
        PolicyFile file = PolicyFile.load(new StringReader("limit: {cost: 5}\n"), "p");

        assertThat(file.overlay(Map.of("limit", "{}"))
                        .settings()
                        .policy()
                        .batch()
                        .limit())
                .isEqualTo(Limit.NONE);
    }

    @Test
    void messagesNameTheProperty() {
        assertThatThrownBy(() -> PolicyFile.empty()
                        .overlay(Map.of("slotwise.policy.cycle", "often"))
                        .settings())
                .isInstanceOf(InvalidInput.class)
                .hasMessageStartingWith("property slotwise.policy.cycle: `cycle` (often) is not valid");
        assertThatThrownBy(() -> PolicyFile.empty()
                        .overlay(Map.of("slotwise.policy.cyle", "1s"))
                        .settings())
                .hasMessageStartingWith("property slotwise.policy.cyle: `cyle` (1s) is not known");
    }

    private static LoopSettings read(String text) {
        return PolicyFile.read(new StringReader(text), "policy.yaml");
    }
}
