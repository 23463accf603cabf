package io.slotwise.lab.experiment.log;

import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.work.Workers;
import io.slotwise.lab.experiment.Seeds;
import io.slotwise.lab.simulation.Scheduler;
import io.slotwise.lab.simulation.planned.PlannedClusterRules;
import io.slotwise.lab.simulation.planned.PlannedScheduler;
import io.slotwise.lab.simulation.planned.ProcessorNodes;
import io.slotwise.lab.simulation.processors.Conservative;
import io.slotwise.lab.simulation.processors.Easy;
import io.slotwise.lab.simulation.processors.ProcessorMachine;
import io.slotwise.lab.workload.Job;
import io.slotwise.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The policies that are tried as the chart's default, by the keys in which they differ, and the disciplines that they
 * have to beat.
 */
final class PolicyGrid {
    /** The discipline that is to be beaten. */
    static final String YARDSTICK = "easy-sjbf";

    private static final long CYCLE = 10;
    private static final long COLLECT = 1;
    private static final long GRACE = 60;
    private static final long MINUTE = 60;

    /** The default. */
    static final Policy USUAL = Policy.DEFAULT;

    private PolicyGrid() {}

    /**
     * A way to run a machine.
     *
     * @param name by the keys in which it differs from the chart's default
     * @param promises whether it promises windows
     * @param usual whether it is the chart's default as it is
     */
    record Contender(String name, boolean promises, boolean usual, Maker maker) {
        /** The scheduler of an idle machine. */
        Scheduler on(ProcessorNodes machine) {
            return maker.on(machine);
        }

        /** The job as the scheduler is asked. */
        Job asks(Job job) {
            return promises ? ProcessorNodes.onProcessors(job) : job;
        }
    }

    /** Makes schedulers. */
    @FunctionalInterface
    interface Maker {
        Scheduler on(ProcessorNodes machine);
    }

    /** The disciplines. */
    static List<Contender> disciplines() {
        return List.of(
                discipline("easy", processors -> new Easy(processors, Easy.Scan.ARRIVAL)),
                discipline(YARDSTICK, processors -> new Easy(processors, Easy.Scan.SHORTEST_ESTIMATE)),
                discipline("conservative", Conservative::new));
    }

    private interface Discipline {
        Scheduler on(ProcessorMachine processors);
    }

    private static Contender discipline(String name, Discipline discipline) {
        return new Contender(
                name,
                false,
                false,
                machine -> discipline.on(new ProcessorMachine(machine.processors(), machine.price())));
    }

    /** The policies that are tried. */
    static List<Contender> policies() {
        Policy without = USUAL.withSlack(PromiseSlack.NONE);
        Policy tenth = USUAL.withSlack(new PromiseSlack(100_000, 50_000, MINUTE));
        Policy fifth = USUAL.withSlack(new PromiseSlack(200_000, 100_000, MINUTE));
        Policy parts = USUAL.withSlack(new PromiseSlack(200_000, 100_000, 0));
        Policy twice = USUAL.withSlack(new PromiseSlack(400_000, 200_000, 0));
        String slack = "promises.slack {wait: 0.2, runtime: 0.1, at-least: 1m}";
        List<Contender> all = new ArrayList<>();
        all.add(planned("promises.slack 0", without));
        all.add(planned("promises.slack {wait: 0.1, runtime: 0.05, at-least: 1m}", tenth));
        all.add(planned("promises.slack {wait: 0.2, runtime: 0.1, at-least: 0s}", parts));
        all.add(planned(slack, fifth));
        all.add(planned("promises.slack {wait: 0.4, runtime: 0.2, at-least: 0s}", twice));
        all.add(planned(slack + ", promises.improve.gain 0", fifth.withReplanGain(0)));
        all.add(planned(slack + ", batch.alternatives 1", batch(fifth, batch -> batch.withAlternatives(1))));
        all.add(planned(
                slack + ", study.order afcfs", fifth.withQueue(fifth.queue().by(Policy.Order.AFCFS))));
        all.add(planned(
                slack + ", queue.order value", fifth.withQueue(fifth.queue().by(Policy.Order.VALUE))));
        all.add(planned(
                slack + ", batch.objective max-value",
                batch(fifth, batch -> batch.serving(Objective.MAX_VALUE, Limit.NONE))));
        all.add(planned(
                "promises.replan free, study.backfill easy, study.cyclic-fraction 0",
                batch(without.withReplan(Policy.Replan.FREE), PolicyGrid::uncycled)
                        .withBackfill(Policy.Backfill.EASY)));
        return List.copyOf(all);
    }

    private static Policy batch(Policy policy, UnaryOperator<Policy.Batch> change) {
        return policy.withBatch(change.apply(policy.batch()));
    }

    private static Policy.Batch uncycled(Policy.Batch batch) {
        Policy.Split usual = batch.split();
        return batch.withSplit(new Policy.Split(usual.subBatches(), 0, usual.choice()));
    }

    /** A policy of the planner. */
    static Contender planned(String name, Policy policy) {
        return new Contender(
                name,
                true,
                policy.equals(USUAL),
                machine -> new PlannedScheduler(
                        machine.nodes(Seeds.generator(1)),
                        new PlannedClusterRules(policy, CYCLE, COLLECT, GRACE),
                        Workers.CALLER,
                        SeededRandom.L64X128));
    }

    /** A machine of so many processors in one node, at one price. */
    static ProcessorNodes machine(int processors) {
        return new ProcessorNodes(processors, processors, new Money(Money.MICROS_PER_UNIT), 0);
    }
}
