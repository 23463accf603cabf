package io.slotwise.cli.study;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommonOptions;
import io.slotwise.cli.study.SimulationStudy.Replications;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.time.Durations;
import io.slotwise.core.time.StepFunction;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCalendar;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.lab.simulation.Priorities;
import io.slotwise.lab.simulation.ReplicationShard;
import io.slotwise.lab.simulation.disturbance.Disturbance;
import io.slotwise.lab.simulation.disturbance.DisturbanceFile;
import io.slotwise.lab.simulation.disturbance.NodeFailures;
import io.slotwise.lab.simulation.planned.ProcessorNodes;
import io.slotwise.lab.workload.DerivedWorkload;
import io.slotwise.lab.workload.Workload;
import io.slotwise.lab.workload.traces.NodeFile;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.settings.NodeTariff;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** The options of simulations: workload, machine, draws and replications. */
final class StudyOptions extends CommonOptions {
    static final String WORKLOAD = "--workload";
    private static final String MACHINE = "--machine";
    private static final String NODES = "--nodes";
    private static final String PERFECT = "--perfect-estimates";
    private static final String DRAW_USERS = "--draw-users";
    private static final String PRIORITIES = "--priorities";
    private static final String CHEAPEST_FIRST = "--cheapest-first";
    private static final String PRECEDING = "--preceding";
    private static final String DRAW_VALUES = "--draw-values";
    private static final String MISSTATE = "--misstate";
    private static final String VALUE_OF_TIME = "--value-of-time";
    private static final String DRAW_DEADLINES = "--draw-deadlines";
    private static final String PRICE_CALENDAR = "--price-calendar";
    private static final String DRAW_PRIORITIES = "--draw-priorities";
    private static final String DRAW_MIGRATABLE = "--draw-migratable";
    private static final String PRICE = "--price";
    private static final String SPREAD = "--price-spread";
    private static final String PER_NODE = "--processors-per-node";
    private static final String DISTURBANCES = "--disturbances";
    private static final String FAILURES = "--failures";
    private static final String QUEUES = "--queues";
    private static final String QUEUE_BY = "--queue-by";
    private static final String SEED = "--seed";
    private static final String RUNS = "--runs";
    private static final String SHARD = "--shard";
    private static final String BOUND = "--bound";
    private static final int MOST_RUNS = 1_000_000;
    private static final Pattern RANK = Pattern.compile("([^=,]+)=(-?\\d{1,9})");

    private final CommandConsole console;
    private final WorkloadOptions workloads;
    private final DistanceOptions distance;

    /** Adds the options to a command; {@code required} tells whether a workload is needed. */
    StudyOptions(CommandSpec spec, CommandConsole console, boolean required) {
        super(spec);
        this.console = console;
        this.workloads = new WorkloadOptions(spec, console, WORKLOAD, required);
        spec.addOption(file(
                        NODES,
                        "FILE",
                        "Priced nodes that pods share: Kubernetes objects, or a list (.csv, .machines)."))
                .addOption(flag(PERFECT, "Every job's estimate is its runtime."));
        market();
        drawing();
        this.distance = new DistanceOptions(spec);
    }

    void addReplications() {
        spec.addOption(number(RUNS, "R", "Replications, with seeds one after the other. Default: 1."))
                .addOption(read(
                        value(SHARD, "I/N", "Run only part I (from 0) of N of the replications; see merge."),
                        ReplicationShard.class,
                        StudyOptions::shard))
                .addOption(
                        flag(BOUND, "Also tell what cost and delay of the jobs come to at least, under any schedule."));
    }

    void addRuns(int usual) {
        spec.addOption(
                number(RUNS, "R", "Replications, with seeds one after the other. Default: %d.".formatted(usual)));
    }

    private void market() {
        spec.addOption(read(
                        value(PRICE, "AMOUNT", "The price of a whole processor per hour. Default: 1."),
                        Money.class,
                        parsing(Money::parse, "is not a price")))
                .addOption(read(
                        value(
                                PRICE_CALENDAR,
                                "CALENDAR",
                                "Other prices at other times, as in slotwise.io/price-calendar, such as '0.5@0 20 * "
                                        + "* */PT12H'; the workload's clock begins at 1970-01-01T00:00:00Z."),
                        PriceCalendar.class,
                        parsing(PriceCalendar::parse, "is no price calendar")))
                .addOption(number(
                        SPREAD, "PERCENT", "How far each processor's random price may be from that. Default: 0."))
                .addOption(number(
                        PER_NODE, "N", "The number of whole processors per node, under planning policies. Default: 1."))
                .addOption(flag(
                        CHEAPEST_FIRST,
                        "Queue disciplines also take the cheapest free processors first; otherwise they pay the "
                                + "mean price."))
                .addOption(flag(
                        PRECEDING,
                        "Jobs start after the end of the job that precedes them (column 17 of SWF), under planning "
                                + "policies."));
    }

    private void drawing() {
        spec.addOption(flag(DRAW_USERS, "Each user draws a budget and a criterion."))
                .addOption(flag(DRAW_VALUES, "Each user draws the value of ending a job an hour earlier."))
                .addOption(read(
                        value(VALUE_OF_TIME, "AMOUNT", "To every job it is worth so much to end an hour earlier."),
                        Money.class,
                        parsing(ValueOfTime::parseHour, "is no value of time")))
                .addOption(number(
                        MISSTATE,
                        "PERCENT",
                        "With --draw-values: how many users state ten times that value, or a tenth. Default: 0."))
                .addOption(number(
                        DRAW_DEADLINES,
                        "PERCENT",
                        "How many jobs have a deadline one to three days after their earliest end and want the "
                                + "least cost, drawn. Default: 0."))
                .addOption(ranks(
                        PRIORITIES,
                        "QUEUE=PRIORITY",
                        "The priorities of the log's queues (swf, metacentrum) or qualities of service (pods-csv)."))
                .addOption(ranks(
                        DRAW_PRIORITIES,
                        "PERCENT=PRIORITY",
                        "The random shares of the other jobs that have these priorities; the rest have 0."))
                .addOption(number(
                        DRAW_MIGRATABLE,
                        "PERCENT",
                        "The random share of jobs that keep their work when they are stopped. Default: 0."))
                .addOption(file(
                        QUEUES,
                        "FILE",
                        "Queue objects, whose spec.namespaces are users of the log. Planning policies keep to them, "
                                + "and every policy is measured by them."))
                .addOption(choice(
                        value(
                                QUEUE_BY,
                                "COLUMN",
                                "What spec.namespaces of queues are: user, group or queue of the log. Default: user."),
                        SimulatedQueues.By.class,
                        List.of(SimulatedQueues.By.values()),
                        "a column"))
                .addOption(file(
                        DISTURBANCES, "FILE", "Removals and returns of nodes, price changes and owners' jobs (CSV)."))
                .addOption(read(
                        value(
                                FAILURES,
                                "UP/AWAY/UNTIL",
                                "Nodes fail and return at random: mean times, "
                                        + "and the last second, such as 720h/1h/4320h."),
                        NodeFailures.class,
                        StudyOptions::failures));
    }

    private static OptionSpec ranks(String name, String label, String description) {
        return read(value(name, label + ",...", description), Ranks.class, Ranks::of);
    }

    /** The names before equals signs, with the priorities after them. */
    private record Ranks(SortedMap<String, Integer> priorities) {
        static Ranks of(String value) {
            SortedMap<String, Integer> priorities = new TreeMap<>();
            for (String part : value.split(",", -1)) {
                Matcher matcher = RANK.matcher(part);
                if (!matcher.matches() || priorities.put(matcher.group(1), Integer.valueOf(matcher.group(2))) != null) {
                    throw new TypeConversionException(
                            ("'%s' has priorities that are not valid ('%s'); expected NAME=PRIORITY,... such as "
                                            + "1=100,2=50, each name once")
                                    .formatted(value, part));
                }
            }
            return new Ranks(priorities);
        }
    }

    /** Returns a converter by {@code parse}, which refuses values with an IllegalArgumentException. */
    static <T> ITypeConverter<T> parsing(Function<String, T> parse, String problem) {
        return value -> {
            try {
                return parse.apply(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException("'%s' %s: %s".formatted(value, problem, e.getMessage()));
            }
        };
    }

    private static NodeFailures failures(String value) {
        String[] parts = value.split("/", -1);
        try {
            if (parts.length == 3) {
                return new NodeFailures(
                        Durations.parsePositive(parts[0]),
                        Durations.parsePositive(parts[1]),
                        Durations.parsePositive(parts[2]));
            }
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'%s' is not valid: %s".formatted(value, e.getMessage()));
        }
        throw new TypeConversionException(
                "'%s' is not valid: expected UP/AWAY/UNTIL such as 720h/1h/4320h".formatted(value));
    }

    SimulationStudy study(List<SimulatedPolicy> named, int usualRuns) {
        List<SimulatedPolicy> chosen = distance.apart(named);
        Workload workload = distance.requesting(workloads.workload(has(PRECEDING)));
        SimulatedMachine machine = machine(workload, tariffs(chosen));
        if (chosen.stream().map(SimulatedPolicy::name).distinct().count() < chosen.size()) {
            throw wrong("A policy is named twice with --policy; expected each once");
        }
        boolean disturbed = has(DISTURBANCES) || has(FAILURES);
        for (SimulatedPolicy policy : chosen) {
            if (policy instanceof SimulatedPolicy.Autoscaled && disturbed) {
                throw wrong("The policy (%s) does not simulate failures and other disturbances; expected no %s"
                        .formatted(policy.name(), has(DISTURBANCES) ? DISTURBANCES : FAILURES));
            }
            if (policy instanceof SimulatedPolicy.Autoscaled && has(PRECEDING)) {
                throw wrong("The policy (%s) does not know preceding jobs; expected no %s"
                        .formatted(policy.name(), PRECEDING));
            }
            if (!(policy instanceof SimulatedPolicy.Discipline)) {
                continue;
            }
            if (disturbed || has(NODES)) {
                throw wrong("The policy (%s) does not simulate failures and other disturbances; expected no %s"
                        .formatted(policy.name(), has(NODES) ? NODES : has(DISTURBANCES) ? DISTURBANCES : FAILURES));
            }
            if (has(PRECEDING)) {
                throw wrong("The policy (%s) does not know preceding jobs; expected no %s"
                        .formatted(policy.name(), PRECEDING));
            }
        }
        if (has(MISSTATE) && !has(DRAW_VALUES)) {
            throw wrong("%s is given without %s; expected both".formatted(MISSTATE, DRAW_VALUES));
        }
        if (has(VALUE_OF_TIME) && has(DRAW_VALUES)) {
            throw wrong("%s and %s are both given; expected one of them".formatted(VALUE_OF_TIME, DRAW_VALUES));
        }
        SimulatedQueues queues = queues(machine, workload);
        Workload estimatedWorkload =
                has(PERFECT) ? DerivedWorkload.of(workload, job -> job.estimated(job.runtime())) : workload;
        return new SimulationStudy(
                queues == null ? estimatedWorkload : DerivedWorkload.of(estimatedWorkload, queues::assigned),
                machine,
                queues == null
                        ? chosen
                        : chosen.stream()
                                .map(policy -> policy.in(queues.queues().queues(), queues.budgets()))
                                .toList(),
                new SimulationStudy.Drawn(
                        has(DRAW_USERS),
                        has(DRAW_VALUES),
                        given(VALUE_OF_TIME, Money.class, Money.ZERO),
                        percent(MISSTATE),
                        percent(DRAW_DEADLINES)),
                priorities(),
                queues,
                disturbances(machine),
                given(FAILURES, NodeFailures.class),
                asked(usualRuns));
    }

    private @Nullable SimulatedQueues queues(SimulatedMachine machine, Workload workload) {
        Path file = given(QUEUES, Path.class);
        if (file == null) {
            if (has(QUEUE_BY)) {
                throw wrong("%s is given without %s; expected both".formatted(QUEUE_BY, QUEUES));
            }
            return null;
        }
        SimulatedQueues simulated = SimulatedQueues.read(
                file,
                given(QUEUE_BY, SimulatedQueues.By.class, SimulatedQueues.By.USER),
                Inventory.of(machine.nodes(0)).total());
        simulated.notes(workload).forEach(note -> console.err().println("Warning: " + note));
        return simulated;
    }

    boolean hasWorkload() {
        return has(WORKLOAD);
    }

    private SimulationStudy.Ranking priorities() {
        List<Priorities.Share> shares = new ArrayList<>();
        int all = 0;
        for (Map.Entry<String, Integer> entry : ranks(DRAW_PRIORITIES).entrySet()) {
            int percent = entry.getKey().matches("\\d{1,3}") ? Integer.parseInt(entry.getKey()) : -1;
            all += percent;
            if (percent < 0 || all > 100) {
                throw wrong("%s (%s=%d) is not a share of the jobs; expected whole percentages that sum to at most 100"
                        .formatted(DRAW_PRIORITIES, entry.getKey(), entry.getValue()));
            }
            shares.add(new Priorities.Share(percent, entry.getValue()));
        }
        return new SimulationStudy.Ranking(ranks(PRIORITIES), shares, percent(DRAW_MIGRATABLE));
    }

    private int percent(String option) {
        int percent = given(option, Integer.class, 0);
        if (percent < 0 || percent > 100) {
            throw wrong("%s (%d) is out of range; expected 0 to 100".formatted(option, percent));
        }
        return percent;
    }

    private SortedMap<String, Integer> ranks(String option) {
        Ranks ranks = given(option, Ranks.class);
        return ranks == null ? Collections.emptySortedMap() : ranks.priorities;
    }

    /** Returns the tariffs of the policies that have any: all policies are simulated on the same nodes. */
    private List<NodeTariff> tariffs(List<SimulatedPolicy> chosen) {
        List<List<NodeTariff>> stated = chosen.stream()
                .map(SimulatedPolicy::tariffs)
                .filter(tariffs -> !tariffs.isEmpty())
                .distinct()
                .toList();
        if (stated.size() > 1) {
            throw wrong(
                    "The policies have different `money.tariffs`; expected the same, as all are simulated on the same "
                            + "nodes");
        }
        return stated.isEmpty() ? List.of() : stated.getFirst();
    }

    private SimulatedMachine machine(Workload workload, List<NodeTariff> tariffs) {
        Path file = given(NODES, Path.class);
        if (file != null && has(MACHINE)) {
            throw wrong("--machine and --nodes are both given; expected one of them");
        }
        if (file != null) {
            if (has(PRICE_CALENDAR)) {
                throw wrong("%s and --nodes are both given; expected one of them: nodes have calendars of their own"
                        .formatted(PRICE_CALENDAR));
            }
            return listed(file, tariffs);
        }
        int processors =
                has(MACHINE) ? positive(MACHINE, 1) : workload.processors().orElse(0);
        if (processors == 0) {
            throw wrong("The workload (%s) does not state the size of its machine; expected --machine N or --nodes FILE"
                    .formatted(workload.name()));
        }
        Money price = given(PRICE, Money.class, new Money(Money.MICROS_PER_UNIT));
        return new SimulatedMachine.Whole(
                new ProcessorNodes(processors, positive(PER_NODE, 1), over(price), percent(SPREAD)),
                has(CHEAPEST_FIRST));
    }

    /** Returns the price over the workload's clock, for the longest workload that can be read. */
    private StepFunction over(Money money) {
        PriceCalendar calendar = given(PRICE_CALENDAR, PriceCalendar.class);
        try {
            return calendar == null
                    ? StepFunction.constant(money.micros())
                    : calendar.over(money.micros(), 0, Durations.LONGEST);
        } catch (IllegalArgumentException e) {
            throw wrong("%s: %s, ten years from the beginning of the workload's clock"
                    .formatted(PRICE_CALENDAR, e.getMessage()));
        }
    }

    private static SimulatedMachine listed(Path file, List<NodeTariff> tariffs) {
        if (NodeFile.isList(file)) {
            return new SimulatedMachine.Listed(NodeFile.read(file), List.of());
        }
        try (var text = Files.newInputStream(file)) {
            Snapshot snapshot = new Intake(
                            LoopSettings.DEFAULT.withTariffs(tariffs), PriceCatalogue.bundled(), PodFilter.FILES)
                    .take(ManifestFile.read(text, file.toString()), Map.of(), 0)
                    .snapshot();
            return new SimulatedMachine.Listed(snapshot.cluster().inventory(), snapshot.offers());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Disturbance> disturbances(SimulatedMachine machine) {
        Path file = given(DISTURBANCES, Path.class);
        return file == null
                ? List.of()
                : DisturbanceFile.read(
                        file, machine.nodes(0).stream().map(Node::name).collect(Collectors.toCollection(TreeSet::new)));
    }

    private Replications asked(int usualRuns) {
        long seed = given(SEED, Long.class, 1L);
        int runs = positive(RUNS, usualRuns);
        ReplicationShard shard = given(SHARD, ReplicationShard.class, ReplicationShard.WHOLE);
        if (shard.of() > runs) {
            throw wrong(("--shard (%s) divides %d runs (--runs) into more parts than there are; expected I/N with "
                            + "N at most %d")
                    .formatted(shard, runs, runs));
        }
        return new Replications(seed, runs, shard, bounded());
    }

    private boolean bounded() {
        if (!has(BOUND)) {
            return false;
        }
        for (String other : List.of(NODES, DISTURBANCES, FAILURES, DRAW_MIGRATABLE)) {
            if (has(other)) {
                throw wrong(("%s and %s are both given; expected one of them: the bound is of whole processors that "
                                + "stay, and of jobs that run without a stop")
                        .formatted(BOUND, other));
            }
        }
        return true;
    }

    private int positive(String option, int usual) {
        int value = given(option, Integer.class, usual);
        if (value < 1 || value > MOST_RUNS) {
            throw wrong("%s (%d) is out of range; expected 1 to %d".formatted(option, value, MOST_RUNS));
        }
        return value;
    }

    /** Parses {@code I/N}. */
    static ReplicationShard shard(String value) {
        try {
            return ReplicationShard.parse(value);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(Objects.requireNonNull(e.getMessage()));
        }
    }
}
