package io.slotwise.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.anticipation.Distance.Form;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Patience;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.gang.TopologyLevels;
import io.slotwise.core.ledger.HalfLife;
import io.slotwise.core.ledger.Period;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.FairBy;
import io.slotwise.core.plan.PromiseSlack;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyFileTest {
    private static final HalfLife WEEK = new HalfLife(604_800);

    @Test
    void aPolicyThatSaysNothingHasTheDefaults() {
        assertThat(read("")).isEqualTo(LoopSettings.DEFAULT);
        assertThat(read("---\n# nothing\n")).isEqualTo(LoopSettings.DEFAULT);
        assertThat(read("{}")).isEqualTo(LoopSettings.DEFAULT);
        assertThat(PolicyFile.empty().settings()).isEqualTo(LoopSettings.DEFAULT);
    }

    @Test
    void tariffsHaveASelectorAndACalendarEach() {
        LoopSettings settings = read("""
                money.tariffs:
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
            money.tariffs: nightly                                  | `money.tariffs` (nightly) is not valid: expected a list of mappings with nodes and calendar
            money.tariffs: [nightly]                                | `money.tariffs` ([nightly]) is not valid: expected a list of mappings with nodes and calendar
            money.tariffs: [{nodes: pool=batch}]                    | `money.tariffs[0]` ({}) is not valid: expected both nodes, a label selector such as pool=batch, and calendar, a price calendar
            money.tariffs: [{nodes: "a~b", calendar: "0.4@2030-01-01T02:00:00Z/PT4H"}] | `money.tariffs[0].nodes` (a~b) is not valid: `a~b` is no requirement
            money.tariffs: [{nodes: a, calendar: "0.4@2030-01-01T02:00:00Z/PT4H"}, {nodes: b, calendar: dear}] | `money.tariffs[1].calendar` (dear) is not valid
            money.tariffs: [{nodes: a, calender: x}]                | `money.tariffs[0]` ({}) is not valid
            """)
    void aTariffThatCannotBeReadIsNamedByItsPlace(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("line 1: " + message);
    }

    @Test
    void readsExplicitValues() {
        LoopSettings settings = read("""
                planner.horizon: 2h
                planner.cycle: 20s
                planner.collect: 0s
                batch.objective: max-income
                batch.limit: {cost: 12.5}
                batch.alternatives: 7
                study.shift: false
                study.backfill: none
                study.cyclic-fraction: 0.5
                queue.order: priority
                money.charge: whole-node
                gangs.runtime.default: PT30M
                gangs.criterion: cost
                running.overrun.grace: 90s
                running.overrun.unpaid: evict
                running.turnover: 5s
                running.start-timeout: 15s
                records.reservation-ttl: 2m
                records.holds.grace: 2m
                records.holds.seats: 64
                promises.replan: improve
                promises.improve.gain: 0.25
                promises.improve.limit: 300
                queue.preemption: promised
                planner.search-time: 0.25
                money.currency: EUR
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
                                        new Policy.Split(1, 500_000, Policy.Split.Choice.ORDER),
                                        false,
                                        Policy.Anticipating.NOT),
                                Policy.Backfill.NONE,
                                new Policy.Queue(Policy.Order.PRIORITY, 3600, 100, WEEK, FairBy.SHARE),
                                Policy.Charge.WHOLE_NODE,
                                5,
                                Policy.Replan.IMPROVE,
                                250_000,
                                300,
                                PromiseSlack.DEFAULT,
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
                        120,
                        120,
                        64,
                        Criterion.COST,
                        250_000,
                        LoopSettings.DEFAULT.runtimePrediction(),
                        new Currency("EUR"),
                        TimeValues.NONE,
                        LoopSettings.Overrun.EVICT,
                        TimeValues.NO_LIMIT,
                        List.of(),
                        TopologyLevels.NONE));
    }

    @Test
    void readsTheLevelsOfTopologies() {
        LoopSettings settings = read("gangs.topology: {levels: [x/block, x/rack, kubernetes.io/hostname], "
                + "trees: {gpu: [x/block, gpu/tray]}, patience: 50%}");

        assertThat(settings.topology())
                .isEqualTo(new TopologyLevels(
                        List.of(List.of("x/block", "x/rack", "kubernetes.io/hostname"), List.of("x/block", "gpu/tray")),
                        new Patience(0, 500_000)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "levels: rack | expected a list of node labels' keys",
                "'levels: [a b]' | expected a list of node labels' keys",
                "'levels: [a, a]' | expected the label a at one level, not below both the cluster and a",
                "'{levels: [a, b], trees: {t: [b]}}' | expected the label b at one level, not below both a and the"
                        + " cluster",
                "trees: {t: rack} | expected a list of node labels' keys",
                "patience: long | expected a duration such as 20m, or percent of the runtime such as 50%"
            })
    void levelsThatNoTreeCanHaveAreRefused(String topology, String expected) {
        assertThatThrownBy(
                        () -> read("gangs.topology: " + (topology.startsWith("{") ? topology : "{" + topology + "}")))
                .isInstanceOf(InvalidInput.class)
                .hasMessageStartingWith("policy.yaml, line 1: `gangs.topology")
                .hasMessageEndingWith("is not valid: " + expected);
    }

    @Test
    void readsWhatMayBeBought() {
        LoopSettings settings = read("buying: {mode: plan, max-nodes: 7, max-spend: 12.50/week, "
                + "max-spend-namespace: 3/day, spot-risk: 0.1}");

        assertThat(settings.policy().provisioning())
                .isEqualTo(new Provisioning(
                                Provisioning.Mode.PLAN,
                                7,
                                new Provisioning.Spending(new Money(12_500_000), Period.WEEK),
                                100_000)
                        .withNamespaceSpend(new Provisioning.Spending(new Money(3_000_000), Period.DAY)));
    }

    @Test
    void readsHowLongIdleNodesStay() {
        assertThat(read("buying: {mode: buy, keep-idle: 10m}").policy().provisioning())
                .isEqualTo(Provisioning.NONE.in(Provisioning.Mode.BUY).withKeepIdle(600));
    }

    @Test
    void readsValuesOfTimeByDefaultPriorityClassAndNamespace() {
        LoopSettings settings = read("""
                gangs.criterion: value
                gangs.value-of-time:
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
        assertThatThrownBy(() -> read("gangs.value-of-time: {namespaces: {research: 100001}}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("`gangs.value-of-time.namespaces.research` (100001) is not valid")
                .hasMessageEndingWith("expected at most 100000");
        assertThat(read("gangs.value-of-time.limit: {default: 3, namespaces: {research: 9}}")
                        .timeLimits())
                .isEqualTo(new TimeValues(Money.parse("3"), Map.of(), Map.of("research", Money.parse("9"))));
        assertThatThrownBy(() -> read("gangs.value-of-time: 3"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageEndingWith("expected a mapping with default, priority-classes, namespaces and limit");
    }

    @Test
    void readsTheSlackOfPromises() {
        assertThat(read("promises.slack: {wait: 0.3, runtime: 0.4, at-least: 2m}")
                        .policy()
                        .slack())
                .isEqualTo(new PromiseSlack(300_000, 400_000, 120));
        assertThat(read("promises.slack: {cost: 0.5}").policy().slack())
                .isEqualTo(new PromiseSlack(400_000, 200_000, 0, 500_000, 0));
        assertThat(read("promises.slack: {dearer: 0.5}").policy().slack())
                .isEqualTo(new PromiseSlack(400_000, 200_000, 0, 0, 500_000));
        assertThat(read("batch: {objective: max-value, max-value.least-saving: 8.5}")
                        .policy()
                        .leastSaving())
                .isEqualTo(8_500_000);
        assertThat(read("batch: {objective: max-value, max-value.expected-use: 0.35}")
                        .policy()
                        .expectedUse())
                .isEqualTo(350_000);
        assertThat(read("promises.slack: {wait: '0.3'}").policy().slack())
                .isEqualTo(new PromiseSlack(300_000, 200_000, 0));
        assertThat(read("promises.slack: {wait: 0, runtime: 0}").policy().slack())
                .isEqualTo(PromiseSlack.NONE);
        assertThat(read("promises.slack: {}")).isEqualTo(LoopSettings.DEFAULT);
    }

    @Test
    void onlyPromisesThatAreImprovedHaveSlack() {
        assertThat(read("promises.replan: free").policy().slack()).isEqualTo(PromiseSlack.NONE);
        assertThat(read("promises.replan: never").policy().slack()).isEqualTo(PromiseSlack.NONE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            study: {backfill: easy}                    | `study.backfill` (easy) has no effect: expected `study.cyclic-fraction` below 1, or `preset: easy`
            study: {cyclic-choice: cost}               | `study.cyclic-choice` (cost) has no effect: expected `study.cyclic-fraction` below 1
            promises: {replan: free, slack: {wait: 1}} | `promises.slack.wait` (1) has no effect: expected `promises.replan: improve`
            promises: {replan: never, improve.gain: 0} | `promises.improve.gain` (0) has no effect: expected `promises.replan: improve`
            batch: {max-value: {least-saving: 8}}      | `batch.max-value.least-saving` (8) has no effect: expected `batch.objective: max-value`
            queue: {half-life: 1h}                     | `queue.half-life` (1h) has no effect: expected `queue.order: fair` or `queue.fair-by: money`
            buying: {max-nodes: 3}                     | `buying.max-nodes` (3) has no effect: expected `buying.mode` plan or buy
            buying: {keep-idle: 1h}                    | `buying.keep-idle` (1h) has no effect: expected `buying.mode` plan or buy
            running: {migration.limit: 3}              | `running.migration.limit` (3) has no effect: expected `running.migration.reach` local or external
            """)
    void refusesAKeyWithoutEffectUnderTheOtherKeys(String policy, String message) {
        assertThatThrownBy(() -> read(policy))
                .isInstanceOf(InvalidInput.class)
                .hasMessage("policy.yaml, line 1: " + message);
    }

    @Test
    void aKeyAtItsDefaultMayComeWithAnyOther() {
        assertThat(read("{queue: {half-life: 7d}, buying: {max-nodes: 100}, study.backfill: conservative}"))
                .isEqualTo(LoopSettings.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            queue: fifo              | queue.order
            aging: 2h                | queue.aging
            objective: user          | batch.objective
            turnover: 5s             | running.turnover
            promise-slack: 0         | promises.slack
            overrun-grace: 1m        | running.overrun.grace
            migration-limit: 1       | running.migration.limit
            fair-half-life: 1h       | queue.half-life
            default-runtime: 1h      | gangs.runtime.default
            hold-grace: 1m           | records.holds.grace
            planner: {cyle: 1s}      | planner.cycle
            """)
    void aKeyThatIsElsewhereIsSuggestedInItsGroup(String policy, String meant) {
        assertThatThrownBy(() -> read(policy))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("did you mean `%s`?".formatted(meant));
    }

    @Test
    void aPresetIsChangedByAdditionalKeys() {
        assertThat(read("preset: paper")).isEqualTo(LoopSettings.EXACT);
        assertThat(read("{preset: paper, running: {turnover: 5s}}").policy()).isEqualTo(Policy.EXACT.withTurnover(5));
        assertThat(read("preset: default")).isEqualTo(LoopSettings.DEFAULT);
        assertThat(read("{preset: value, batch: {alternatives: 3}}").policy().leastSaving())
                .isEqualTo(8_000_000);
        assertThat(PolicyFile.empty()
                        .overlay(Map.of("slotwise.policy.preset", "paper"))
                        .settings())
                .isEqualTo(LoopSettings.EXACT);
        assertThatThrownBy(() -> read("preset: papers"))
                .isInstanceOf(InvalidInput.class)
                .hasMessage("policy.yaml, line 1: `preset` (papers) is not valid: expected one of default, easy, fair, "
                        + "cheap-nights, value, paper");
    }

    @Test
    void everyPresetIsAPolicyWithASentenceAboutItsUse() {
        for (Preset preset : Preset.values()) {
            assertThat(preset.policy().settings()).isEqualTo(read("preset: " + preset.key()));
            assertThat(preset.suits()).matches("For .+\\.");
        }
        assertThat(read("preset: easy").policy())
                .isEqualTo(Policy.DEFAULT
                        .withReplan(Policy.Replan.FREE)
                        .withBackfill(Policy.Backfill.EASY)
                        .withBatch(
                                Policy.DEFAULT.batch().withSplit(new Policy.Split(1, 0, Policy.Split.Choice.ORDER))));
        assertThat(read("preset: fair").policy())
                .isEqualTo(Policy.DEFAULT.withQueue(Policy.DEFAULT.queue().by(Policy.Order.FAIR)));
        assertThat(read("preset: cheap-nights").policy())
                .isEqualTo(read("preset: value").policy().withLeastSaving(1_000_000));
    }

    @Test
    void readsTheOtherChoices() {
        assertThat(read("batch.objective: min-cost").policy().batch().objective())
                .isEqualTo(Objective.MIN_COST);
        assertThat(read("promises.replan: free").policy().replan()).isEqualTo(Policy.Replan.FREE);
        assertThat(read("batch.limit: {cost: auto}").policy().batch().limit())
                .isEqualTo(new Limit(Limit.Measure.COST, OptionalLong.empty()));
        assertThat(read("batch.limit: {processor-time: 7200}").policy().batch().limit())
                .isEqualTo(new Limit(Limit.Measure.PROCESSOR_TIME, OptionalLong.of(7200)));
        assertThat(read("batch.limit: {processor-time: 2h}").policy().batch().limit())
                .isEqualTo(new Limit(Limit.Measure.PROCESSOR_TIME, OptionalLong.of(7200)));
        assertThat(read("batch.limit: {processor-time: auto}").policy().batch().limit())
                .isEqualTo(new Limit(Limit.Measure.PROCESSOR_TIME, OptionalLong.empty()));
        assertThat(read("batch.limit: {average-utility: auto}").policy().batch().limit())
                .isEqualTo(new Limit(Limit.Measure.AVERAGE_UTILITY, OptionalLong.empty()));
        assertThat(read("batch.limit: {average-utility: 12.34567}")
                        .policy()
                        .batch()
                        .limit())
                .isEqualTo(new Limit(Limit.Measure.AVERAGE_UTILITY, OptionalLong.of(123_456)));
    }

    @Test
    void readsAnticipationAndHowGangsArePlacedOnline() {
        Policy policy = read("""
                        study.anticipation: geometric
                        study.anticipation-criteria: [runtime, start]
                        study.mode: emet
                        study.weights: {time: 0.5, cost: 0.25, fragmentation: 0.25}
                        running.migration.domain-key: example.com/rack
                        """).policy();

        assertThat(policy.batch().anticipating())
                .isEqualTo(new Policy.Anticipating(Form.GEOMETRIC, Set.of(Criterion.RUNTIME, Criterion.START)));
        assertThat(policy.online())
                .isEqualTo(new Policy.Online(Manner.EMET, new CriterionWeights(0.5, 0.25, 0.25), "example.com/rack"));
    }

    @Test
    void readsHowABatchIsSplitOrderedAndBackfilled() {
        Policy policy = read("""
                        batch.objective: min-processor-time
                        study.sub-batches: 3
                        study.cyclic-fraction: 0.25
                        study.cyclic-choice: processor-time
                        study.backfill: easy
                        study.order: lgfs
                        queue.aging: 30m
                        queue.passing-limit: 7
                        """).policy();

        assertThat(policy.batch().objective()).isEqualTo(Objective.MIN_PROCESSOR_TIME);
        assertThat(policy.batch().split()).isEqualTo(new Policy.Split(3, 250_000, Policy.Split.Choice.PROCESSOR_TIME));
        assertThat(policy.backfill()).isEqualTo(Policy.Backfill.EASY);
        assertThat(policy.queue()).isEqualTo(new Policy.Queue(Policy.Order.LGFS, 1800, 7, WEEK, FairBy.SHARE));
        assertThat(read("batch.objective: max-processor-time").policy().batch().objective())
                .isEqualTo(Objective.MAX_PROCESSOR_TIME);
        assertThat(read("{queue.order: fair, queue.half-life: 12h}").policy().queue())
                .isEqualTo(new Policy.Queue(Policy.Order.FAIR, 3600, 100, new HalfLife(43_200), FairBy.SHARE));
        assertThat(read("study.order: afcfs").policy().queue().order()).isEqualTo(Policy.Order.AFCFS);
        assertThat(read("study.window-search: exact").policy().batch().searching())
                .isEqualTo(Policy.Searching.EXACT);
        assertThat(read("study.window-search: aep").policy().batch().searching())
                .isEqualTo(Policy.Searching.AEP);
        assertThat(read("study.window-search: csa").policy().batch().searching())
                .isEqualTo(Policy.Searching.CSA);
        assertThat(read("{study.cyclic-choice: cost, study.cyclic-fraction: 0.5}")
                        .policy()
                        .batch()
                        .split()
                        .choice())
                .isEqualTo(Policy.Split.Choice.COST);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "planner.horizon: soon | `planner.horizon` (soon) is not valid: expected a duration in whole seconds "
                        + "such as 90s, 1h30m, 7d or PT1H30M",
                "planner.horizon: 0s | `planner.horizon` (0s) is not valid: expected a duration between 1s and 8784h",
                "planner.horizon: 9000h | `planner.horizon` (9000h) is not valid: expected a duration between 1s and "
                        + "8784h",
                "planner.horizon: [1h] | `planner.horizon` ([1h]) is not valid: expected a plain value",
                "planner.cycle: 10 | `planner.cycle` (10) is not valid: expected a duration in whole seconds such as "
                        + "90s, 1h30m, 7d or PT1H30M",
                "planner.cycle: 0s | `planner.cycle` (0s) is not valid: expected a duration between 1s and 87600h",
                "planner.collect: -1s | `planner.collect` (-1s) is not valid: expected a duration in whole seconds "
                        + "such as 90s, 1h30m, 7d or PT1H30M",
                "batch.objective: profit | `batch.objective` (profit) is not valid: expected one of user, "
                        + "max-income, min-cost, min-processor-time, max-processor-time, max-value",
                "batch.limit: 5 | `batch.limit` (5) is not valid: expected a mapping with cost, "
                        + "processor-time and average-utility",
                "batch.limit: {cost: much} | `batch.limit.cost` (much) is not valid: expected a decimal number such "
                        + "as 1.25",
                "batch.limit: {cost: -1} | `batch.limit.cost` (-1) is not valid: expected a number that is not "
                        + "negative",
                "batch.limit: {processor-time: x} | `batch.limit.processor-time` (x) is not valid: expected a "
                        + "duration in whole seconds such as 90s, 1h30m, 7d or PT1H30M",
                "batch.limit: {average-utility: 101} | `batch.limit.average-utility` (101) is not valid: expected a "
                        + "number between 0 and 100",
                "batch.limit: {average-utility: low} | `batch.limit.average-utility` (low) is not valid: expected a "
                        + "number between 0 and 100",
                "'batch.limit: {processor-time: 1, average-utility: 1}' | `batch.limit.average-utility` (1) is not "
                        + "valid: expected one limit, and there is one on processor-time",
                "queue.aging: 0s | `queue.aging` (0s) is not valid: expected a duration between 1s and 87600h",
                "'batch.limit: {cost: 1, processor-time: 1}' | `batch.limit.processor-time` (1) is not valid: "
                        + "expected one limit, and there is one on cost",
                "batch.alternatives: 0 | `batch.alternatives` (0) is not valid: expected a whole number between 1 "
                        + "and 10000",
                "batch.alternatives: 1.5 | `batch.alternatives` (1.5) is not valid: expected a whole number between "
                        + "1 and 10000",
                "study.search-limit: -1 | `study.search-limit` (-1) is not valid: expected a whole number between 0 "
                        + "and 1000000000000",
                "planner.search-time: 2 | `planner.search-time` (2) is not valid: expected a number between 0 and 1",
                "study.window-search: greedy | `study.window-search` (greedy) is not valid: expected one of exact, "
                        + "aep, csa",
                "study.sub-batches: many | `study.sub-batches` (many) is not valid: expected a whole number between "
                        + "1 and 1000000",
                "study.cyclic-fraction: 2 | `study.cyclic-fraction` (2) is not valid: expected a number between 0 "
                        + "and 1",
                "study.cyclic-choice: luck | `study.cyclic-choice` (luck) is not valid: expected one of order, cost, "
                        + "processor-time",
                "study.shift: yes | `study.shift` (yes) is not valid: expected true or false",
                "study.anticipation: cubic | `study.anticipation` (cubic) is not valid: expected one of none, "
                        + "linear, geometric",
                "study.anticipation-criteria: cost | `study.anticipation-criteria` (cost) is not valid: expected a "
                        + "list of start, finish, runtime, cost, processor-time, energy, value",
                "study.anticipation-criteria: [beauty] | `study.anticipation-criteria` ([beauty]) is not valid: "
                        + "expected a list of start, finish, runtime, cost, processor-time, energy, value",
                "study.backfill: greedy | `study.backfill` (greedy) is not valid: expected one of conservative, "
                        + "easy, none",
                "queue.order: lifo | `queue.order` (lifo) is not valid: expected one of fifo, priority, fair, value",
                "queue.passing-limit: -1 | `queue.passing-limit` (-1) is not valid: expected a whole number between "
                        + "0 and 1000000",
                "queue.aging: never | `queue.aging` (never) is not valid: expected a duration in whole seconds such "
                        + "as 90s, 1h30m, 7d or PT1H30M",
                "study.mode: online | `study.mode` (online) is not valid: expected one of batch, emct, emet",
                "study.weights: 1 | `study.weights` (1) is not valid: expected a mapping with time, cost and "
                        + "fragmentation",
                "study.weights: {time: 2} | `study.weights.time` (2) is not valid: expected a number between 0 and 1",
                "study.weights: {time: 0.5} | `study.weights` ({}) is not valid: "
                        + "expected a sum of 1, not that of time 0.5, cost 0.4 and fragmentation 0.2",
                "running.migration.domain-key: '' | `running.migration.domain-key` () is not valid: expected a node "
                        + "label's key",
                "money.charge: half | `money.charge` (half) is not valid: expected one of dominant-share, whole-node",
                "gangs.runtime: {quantile: 0} | `gangs.runtime.quantile` (0) is not valid: "
                        + "expected a number above 0 and up to 1",
                "gangs.runtime: {quantile: 1.5} | `gangs.runtime.quantile` (1.5) is not valid: "
                        + "expected a number between 0 and 1",
                "gangs.runtime: {history: 51} | `gangs.runtime.history` (51) is not valid: "
                        + "expected a whole number between 0 and 50",
                "gangs.runtime: {fallback: luck} | `gangs.runtime.fallback` (luck) is not "
                        + "valid: expected one of default, namespace",
                "gangs.runtime: 0.9 | `gangs.runtime` (0.9) is not valid: expected a mapping "
                        + "with default, quantile, history and fallback",
                "gangs.runtime.default: 0s | `gangs.runtime.default` (0s) is not valid: expected a duration between "
                        + "1s and 87600h",
                "gangs.criterion: luck | `gangs.criterion` (luck) is not valid: expected one of start, finish, "
                        + "runtime, cost, processor-time, energy, value",
                "gangs.criterion: luck | `gangs.criterion` (luck) is not valid: expected one of "
                        + "start, finish, runtime, cost, processor-time, energy, value",
                "running.overrun.then: ignore | `running.overrun.then` (ignore) is not valid: expected one of "
                        + "extend, evict",
                "running.overrun.grace: 0s | `running.overrun.grace` (0s) is not valid: expected a duration between "
                        + "1s and 87600h",
                "running.migration.reach: far | `running.migration.reach` (far) is not valid: expected one of none, "
                        + "local, external",
                "running.migration.limit: x | `running.migration.limit` (x) is not valid: expected a whole number "
                        + "between 0 and 1000000",
                "running.min-run: x | `running.min-run` (x) is not valid: expected a duration in whole seconds such as "
                        + "90s, 1h30m, 7d or PT1H30M",
                "running.min-run: -1s | `running.min-run` (-1s) is not valid: expected a duration in whole seconds "
                        + "such as 90s, 1h30m, 7d or PT1H30M",
                "running.migration.overhead: 99999h | `running.migration.overhead` (99999h) is not valid: expected "
                        + "at most 87600h",
                "queue.half-life: 0s | `queue.half-life` (0s) is not valid: expected a duration between 1s and 87600h",
                "running.turnover: {a: 1} | `running.turnover` ({}) is not valid: expected a plain value",
                "running.start-timeout: 0s | `running.start-timeout` (0s) is not valid: expected a duration between "
                        + "1s and 87600h",
                "running.member-loss: panic | `running.member-loss` (panic) is not valid: expected one of continue, "
                        + "restart",
                "records.reservation-ttl: x | `records.reservation-ttl` (x) is not valid: expected a duration in whole "
                        + "seconds such as 90s, 1h30m, 7d or PT1H30M",
                "records.reservation-ttl: 119s | `records.reservation-ttl` (119s) is not valid: expected a duration "
                        + "between 2m and 87600h",
                "buying: plan | `buying` (plan) is not valid: expected a mapping with mode, "
                        + "max-nodes, max-spend, max-spend-namespace, spot-risk and keep-idle; "
                        + "did you mean `buying.mode`?",
                "buying: {keep-idle: -1s} | `buying.keep-idle` (-1s) is not valid: expected a "
                        + "duration in whole seconds such as 90s, 1h30m, 7d or PT1H30M",
                "buying: {mode: sell} | `buying.mode` (sell) is not valid: expected one of none, plan, buy",
                "buying: {max-nodes: -1} | `buying.max-nodes` (-1) is not valid: expected a "
                        + "whole number between 0 and 100000",
                "buying: {spot-risk: 0.95} | `buying.spot-risk` (0.95) is not valid: "
                        + "expected a number between 0 and 0.9",
                "promises.slack: 0.2 | `promises.slack` (0.2) is not valid: expected a mapping with "
                        + "wait, runtime, at-least, cost and dearer",
                "promises.slack: {cost: 11} | `promises.slack.cost` (11) is not valid: expected a number "
                        + "between 0 and 10",
                "batch.max-value.least-saving: 1001 | `batch.max-value.least-saving` (1001) is not valid: expected a "
                        + "number between 0 and 1000",
                "batch.max-value.expected-use: 0 | `batch.max-value.expected-use` (0) is not valid: expected a "
                        + "number above 0 and up to 1",
                "promises.slack: {wait: -1} | `promises.slack.wait` (-1) is not valid: expected a number "
                        + "between 0 and 10",
                "promises.slack: {runtime: much} | `promises.slack.runtime` (much) is not valid: expected "
                        + "a number between 0 and 10",
                "promises.slack: {at-least: 5} | `promises.slack.at-least` (5) is not valid: expected a "
                        + "duration in whole seconds such as 90s, 1h30m, 7d or PT1H30M",
                "promises.slack: {at-least: 32d} | `promises.slack.at-least` (32d) is not valid: expected "
                        + "a duration between 0s and 744h",
                "promises.replan: maybe | `promises.replan` (maybe) is not valid: expected one of improve, never, free"
            })
    void refusesWrongValuesWithKeyValueAndWhatWasExpected(String policy, String message) {
        assertThatThrownBy(() -> read(policy))
                .isInstanceOf(InvalidInput.class)
                .hasMessageStartingWith("policy.yaml, line 1: ")
                .hasMessageEndingWith(message);
    }

    @Test
    void readsWhatBecomesOfOverrunsAndOfGangsThatLoseAMember() {
        assertThat(read("running.overrun.then: evict").overrun()).isEqualTo(LoopSettings.Overrun.EVICT);
        assertThat(read("running.member-loss: restart").memberLoss()).isEqualTo(LoopSettings.MemberLoss.RESTART);
    }

    @Test
    void migrationIsReadWithItsLimits() {
        assertThat(read("running.migration.reach: local\n").policy().migration())
                .isEqualTo(new MigrationPolicy(MigrationPolicy.Reach.LOCAL, 1, 300, 60));
        assertThat(read("{running.migration.reach: external, running.migration.limit: 3, "
                                + "running.min-run: 10s, running.migration.overhead: 0s}")
                        .policy()
                        .migration())
                .isEqualTo(new MigrationPolicy(MigrationPolicy.Reach.EXTERNAL, 3, 10, 0));
    }

    @Test
    void refusesAnUnknownKeyWithItsLine() {
        assertThatThrownBy(() -> read("planner.horizon: 1h\nhorizont: 2h\n"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageStartingWith(
                        "policy.yaml, line 2: `horizont` (2h) is not known; did you mean `planner.horizon`? Expected "
                                + "one of preset, batch, buying,");
        assertThatThrownBy(() -> read("batch.limit: {time: 1}"))
                .hasMessageStartingWith("policy.yaml, line 1: `batch.limit.time` (1) is not known");
    }

    @Test
    void refusesAKeyThatIsThereTwice() {
        assertThatThrownBy(() -> read("planner.horizon: 1h\nplanner.cycle: 5s\nplanner.horizon: 2h\n"))
                .isInstanceOf(InvalidInput.class)
                .hasMessage(
                        "policy.yaml, line 3: `planner.horizon` appears twice, also at policy.yaml, line 1: expected "
                                + "it once");
        assertThatThrownBy(() -> read("batch.limit: {cost: 1, cost: 2}"))
                .hasMessageContaining("`batch.limit.cost` appears twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"planner.horizon: [1h", "planner.horizon: \"1h", "a: b: c", "\t- x"})
    void refusesInvalidYamlWithItsPosition(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(InvalidInput.class)
                .hasMessageMatching("policy\\.yaml, line \\d+, column \\d+: .*: expected YAML");
    }

    @Test
    void refusesADocumentThatIsNoMapping() {
        assertThatThrownBy(() -> read("- horizon")).hasMessage("policy.yaml: expected a YAML mapping of policy keys");
        assertThatThrownBy(() -> read("planner.horizon"))
                .hasMessage("policy.yaml: expected a YAML mapping of policy keys");
        assertThatThrownBy(() -> read("planner.cycle: 1s\n---\nplanner.cycle: 2s\n"))
                .hasMessage("policy.yaml: a second document: expected one policy");
    }

    @Test
    void readsAFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), "planner.cycle: 3s\n");

        assertThat(PolicyFile.read(file).cycle()).isEqualTo(3);
        assertThatThrownBy(() -> PolicyFile.read(folder.resolve("none.yaml")))
                .isInstanceOf(InvalidInput.class)
                .hasMessageEndingWith("none.yaml: no such file: expected a policy file");
    }

    @Test
    void propertiesLieOnTopOfTheFile() {
        PolicyFile file = PolicyFile.load(
                new StringReader("planner.horizon: 1h\nbatch.limit: {cost: 5}\nrunning.turnover: 5s\n"), "p");

        LoopSettings settings = file.overlay(Map.of(
                        "slotwise.policy.planner.horizon", "2h",
                        "batch.limit.processor-time", "auto",
                        "slotwise.policy.study.anticipation-criteria", "[cost, processor-time, start]",
                        "slotwise.policy.study.shift", "false"))
                .settings();

        assertThat(settings.policy().horizon()).isEqualTo(7200);
        assertThat(settings.policy().batch().limit())
                .isEqualTo(new Limit(Limit.Measure.PROCESSOR_TIME, OptionalLong.empty()));
        assertThat(settings.policy().batch().shift()).isFalse();
        assertThat(settings.policy().turnover()).isEqualTo(5);
    }

    @Test
    void aPropertyCanLiftTheLimit() {
        PolicyFile file = PolicyFile.load(new StringReader("batch.limit: {cost: 5}\n"), "p");

        assertThat(file.overlay(Map.of("batch.limit", "{}"))
                        .settings()
                        .policy()
                        .batch()
                        .limit())
                .isEqualTo(Limit.NONE);
    }

    @Test
    void messagesNameTheProperty() {
        assertThatThrownBy(() -> PolicyFile.empty()
                        .overlay(Map.of("slotwise.policy.planner.cycle", "often"))
                        .settings())
                .isInstanceOf(InvalidInput.class)
                .hasMessageStartingWith("property slotwise.policy.planner.cycle: `planner.cycle` (often) is not valid");
        assertThatThrownBy(() -> PolicyFile.empty()
                        .overlay(Map.of("slotwise.policy.cyle", "1s"))
                        .settings())
                .hasMessageStartingWith("property slotwise.policy.cyle: `cyle` (1s) is not known");
    }

    private static LoopSettings read(String text) {
        return PolicyFile.read(new StringReader(text), "policy.yaml");
    }
}
