package io.slotwise.cli.study;

import io.slotwise.config.InvalidInput;
import io.slotwise.config.PolicyFile;
import io.slotwise.config.Preset;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.money.Currency;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.text.Suggestion;
import io.slotwise.lab.simulation.Scheduler;
import io.slotwise.lab.simulation.planned.NodePrices;
import io.slotwise.lab.simulation.planned.PlannedClusterRules;
import io.slotwise.lab.simulation.planned.PlannedScheduler;
import io.slotwise.lab.simulation.planned.PolicyPreset;
import io.slotwise.lab.simulation.planned.ProcessorNodes;
import io.slotwise.lab.simulation.planned.ThresholdAutoscaler;
import io.slotwise.lab.simulation.processors.Conservative;
import io.slotwise.lab.simulation.processors.Easy;
import io.slotwise.lab.simulation.processors.Fcfs;
import io.slotwise.lab.simulation.processors.ProcessorMachine;
import io.slotwise.lab.workload.Job;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.settings.NodeTariff;
import io.slotwise.live.settings.TimeValues;
import io.slotwise.random.SeededRandom;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * A policy by its name on the command line: a queue discipline such as {@code fcfs} or {@code easy}, the baseline with
 * an autoscaler, a preset of the planner, or a policy file. {@code asks} adapts a job of the workload to the machine
 * and to the policy's defaults.
 */
sealed interface SimulatedPolicy {
    String PRESET = "preset:";

    String name();

    default Currency currency() {
        return Currency.NONE;
    }

    /** Returns the policy's weights of time and cost for each gang. Null if it has none. */
    default @Nullable CriterionWeights weights() {
        return null;
    }

    /** Returns the policy with these queues. A policy that does not know queues stays the same. */
    default SimulatedPolicy in(List<Queue> queues, Map<String, Allotment> budgets) {
        return this;
    }

    default List<NodeTariff> tariffs() {
        return List.of();
    }

    Job asks(Job job, SimulatedMachine machine);

    Scheduler scheduler(SimulatedMachine machine, long seed);

    record Discipline(String name, Function<ProcessorMachine, Scheduler> make) implements SimulatedPolicy {
        private static List<Discipline> all() {
            return List.of(
                    new Discipline("fcfs", Fcfs::new),
                    new Discipline("easy", machine -> new Easy(machine, Easy.Scan.ARRIVAL)),
                    new Discipline("easy-sjbf", machine -> new Easy(machine, Easy.Scan.SHORTEST_ESTIMATE)),
                    new Discipline("easy-value", machine -> new Easy(machine, Easy.Scan.ARRIVAL, Easy.Head.VALUE)),
                    new Discipline("conservative", Conservative::new));
        }

        @Override
        public Job asks(Job job, SimulatedMachine machine) {
            return job;
        }

        @Override
        public Scheduler scheduler(SimulatedMachine machine, long seed) {
            return switch (machine) {
                case SimulatedMachine.Whole whole ->
                    make.apply(
                            whole.cheapestFirst()
                                    ? ProcessorMachine.of(new NodePrices(whole.nodes(seed)).ofCores())
                                    : new ProcessorMachine(
                                            whole.processors().processors(), new NodePrices(whole.nodes(seed)).mean()));
                case SimulatedMachine.Listed _, SimulatedMachine.Repriced _ ->
                    throw new IllegalStateException(
                            "The policy (%s) must not meet %s.".formatted(name, machine.words()));
            };
        }
    }

    /** kube-scheduler with a threshold autoscaler. */
    record Autoscaled() implements SimulatedPolicy {
        private static final String NAME = "autoscaler";

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public Job asks(Job job, SimulatedMachine machine) {
            return switch (machine) {
                case SimulatedMachine.Whole _ -> ProcessorNodes.onProcessors(job);
                case SimulatedMachine.Listed _ -> job;
                case SimulatedMachine.Repriced repriced -> asks(job, repriced.machine());
            };
        }

        @Override
        public Scheduler scheduler(SimulatedMachine machine, long seed) {
            return new ThresholdAutoscaler(machine.nodes(seed), machine.offers());
        }
    }

    record Planning(
            String name,
            PlannedClusterRules rules,
            Currency currency,
            UnaryOperator<Job> terms,
            List<NodeTariff> tariffs)
            implements SimulatedPolicy {
        private static Planning of(String name, LoopSettings settings, Policy policy, UnaryOperator<Job> terms) {
            return new Planning(
                    name,
                    new PlannedClusterRules(policy, settings.cycle(), settings.collect(), settings.overrunGrace()),
                    settings.currency(),
                    terms,
                    settings.tariffs());
        }

        @Override
        public Planning in(List<Queue> queues, Map<String, Allotment> budgets) {
            return new Planning(name, rules.in(queues, budgets), currency, terms, tariffs);
        }

        /** Returns the policy on a cluster in which the distance of tasks costs runtime. */
        Planning apart(Topology topology) {
            return new Planning(name, rules.apart(topology), currency, terms, tariffs);
        }

        @Override
        public Job asks(Job job, SimulatedMachine machine) {
            return switch (machine) {
                case SimulatedMachine.Whole _ -> terms.apply(ProcessorNodes.onProcessors(job));
                case SimulatedMachine.Listed _ -> terms.apply(job);
                case SimulatedMachine.Repriced repriced -> asks(job, repriced.machine());
            };
        }

        @Override
        public @Nullable CriterionWeights weights() {
            Policy.Online online = rules.policy().online();
            return online.manner() == Manner.BATCH ? null : online.weights();
        }

        @Override
        public PlannedScheduler scheduler(SimulatedMachine machine, long seed) {
            return new PlannedScheduler(
                    machine.nodes(seed), machine.offers(), rules, CommonPoolWorkers.ALL, SeededRandom.L64X128);
        }
    }

    static List<String> names() {
        return Stream.of(
                        Discipline.all().stream().map(Discipline::name),
                        Stream.of(Autoscaled.NAME),
                        Arrays.stream(PolicyPreset.values()).map(PolicyPreset::key))
                .flatMap(names -> names)
                .toList();
    }

    /** Refuses settings that are not simulated. */
    private static void refuseUnsimulated(String file, LoopSettings settings) {
        if (settings.overrun() != LoopSettings.Overrun.EXTEND) {
            throw new InvalidInput(
                    "%s: `running.overrun.then` (evict) is not simulated: expected extend".formatted(file));
        }
        if (settings.memberLoss() != LoopSettings.MemberLoss.CONTINUE) {
            throw new InvalidInput(
                    "%s: `running.member-loss` (restart) is not simulated: expected continue".formatted(file));
        }
        if (!settings.timeValues().equals(TimeValues.NONE)) {
            throw new InvalidInput(
                    ("%s: `gangs.value-of-time` is not simulated: expected the options --value-of-time or "
                                    + "--draw-values")
                            .formatted(file));
        }
    }

    static SimulatedPolicy of(String name) {
        for (Discipline discipline : Discipline.all()) {
            if (discipline.name.equals(name)) {
                return discipline;
            }
        }
        if (name.equals(Autoscaled.NAME)) {
            return new Autoscaled();
        }
        for (PolicyPreset preset : PolicyPreset.values()) {
            if (preset.key().equals(name)) {
                return Planning.of(name, LoopSettings.DEFAULT, preset.policy(), preset::asks);
            }
        }
        if (name.startsWith(PRESET)) {
            return of(
                    name,
                    PolicyFile.load(new StringReader("preset: " + name.substring(PRESET.length())), name)
                            .settings());
        }
        if (!Files.exists(Path.of(name))) {
            throw new TypeConversionException(
                    "'%s' is neither a policy nor a file; expected one of %s, preset:NAME, or a policy file%s"
                            .formatted(
                                    name,
                                    String.join(", ", names()),
                                    nearest(name)
                                            .map("\nMaybe you mean %s."::formatted)
                                            .orElse("")));
        }
        return of(name, PolicyFile.read(Path.of(name)));
    }

    /**
     * Returns the name that the user probably meant. A preset of policy files is returned with the prefix that it
     * needs.
     */
    private static Optional<String> nearest(String typed) {
        Map<String, String> meant = new HashMap<>();
        Arrays.stream(Preset.values()).forEach(preset -> meant.put(preset.key(), PRESET + preset.key()));
        names().forEach(name -> meant.put(name, name));
        return Suggestion.nearest(typed, List.copyOf(meant.keySet())).map(word -> meant.getOrDefault(word, word));
    }

    /**
     * Returns a function that gives jobs without a criterion the policy's. A job that minimizes the start counts as one
     * without a criterion.
     */
    private static UnaryOperator<Job> wanting(Criterion usualCriterion) {
        return job -> job.terms().criterion() == Criterion.START
                ? job.on(job.terms().paying(job.terms().budget(), usualCriterion))
                : job;
    }

    static Planning of(String file, LoopSettings settings) {
        refuseUnsimulated(file, settings);
        return Planning.of(file, settings, settings.policy(), wanting(settings.defaultCriterion()));
    }
}
