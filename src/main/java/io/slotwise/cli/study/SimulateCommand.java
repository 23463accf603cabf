package io.slotwise.cli.study;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommonOptions;
import io.slotwise.cli.console.ExitStatus;
import io.slotwise.cli.console.GracefulStop;
import io.slotwise.cli.console.ProgressBar;
import io.slotwise.cli.study.SimulationStudy.Answer;
import io.slotwise.cli.study.SimulationStudy.Replications;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.time.Durations;
import io.slotwise.core.time.StepFunction;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCalendar;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.report.ComparisonReport;
import io.slotwise.report.SimulationPage;
import io.slotwise.report.StartsReport;
import io.slotwise.simulation.PerfectEstimates;
import io.slotwise.simulation.Priorities;
import io.slotwise.simulation.ReplicationShard;
import io.slotwise.simulation.SimulationObserver;
import io.slotwise.simulation.SimulationObservers;
import io.slotwise.simulation.disturbance.Disturbance;
import io.slotwise.simulation.disturbance.DisturbanceFile;
import io.slotwise.simulation.disturbance.NodeFailures;
import io.slotwise.simulation.metric.Comparison;
import io.slotwise.simulation.metric.ReplicationOutcome;
import io.slotwise.simulation.planned.ProcessorNodes;
import io.slotwise.workload.Job;
import io.slotwise.workload.Workload;
import io.slotwise.workload.traces.NodeFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Runs a workload through virtual time under one or several policies. */
public final class SimulateCommand implements Callable<Integer> {
    private static final String WORKLOAD = "--workload";
    private static final String MACHINE = "--machine";
    private static final String NODES = "--nodes";
    private static final String POLICIES = "--policy";
    private static final String PERFECT = "--perfect-estimates";
    private static final String DRAW_USERS = "--draw-users";
    private static final String PRIORITIES = "--priorities";
    private static final String CHEAPEST_FIRST = "--cheapest-first";
    private static final String PRECEDING = "--preceding";
    private static final String DRAW_VALUES = "--draw-values";
    private static final String DRAW_DEADLINES = "--draw-deadlines";
    private static final String PRICE_CALENDAR = "--price-calendar";
    private static final String DRAW_PRIORITIES = "--draw-priorities";
    private static final String DRAW_MIGRATABLE = "--draw-migratable";
    private static final String PRICE = "--price";
    private static final String SPREAD = "--price-spread";
    private static final String PER_NODE = "--processors-per-node";
    private static final String DISTURBANCES = "--disturbances";
    private static final String FAILURES = "--failures";
    private static final String SEED = "--seed";
    private static final String RUNS = "--runs";
    private static final String SHARD = "--shard";
    private static final String STARTS = "--starts";
    private static final String OUTPUT = "--output";
    private static final int MOST_RUNS = 1_000_000;
    private static final Pattern RANK = Pattern.compile("([^=,]+)=(-?\\d{1,9})");

    private final CommandConsole session;
    private final CommandSpec spec;
    private final WorkloadOptions workloads;
    private final OptionSpec policies = OptionSpec.builder(POLICIES)
            .type(List.class)
            .auxiliaryTypes(SimulatedPolicy.class)
            .converters((ITypeConverter<SimulatedPolicy>) SimulatedPolicy::of)
            .splitRegex(",")
            .arity("1..*")
            .required(true)
            .paramLabel("POLICY")
            .description(
                    "%s, or a policy file; several may follow.".formatted(String.join(", ", SimulatedPolicy.names())))
            .build();

    public SimulateCommand(CommandConsole session) {
        this.session = session;
        this.spec = CommonOptions.command(
                "simulate", this, "Run a workload through virtual time under one or several policies.");
        this.workloads = new WorkloadOptions(spec, session, WORKLOAD);
        input();
        drawing();
        replications();
        spec.usageMessage()
                .description(
                        "",
                        "Runs the jobs of a log, a trace or a model on a machine of whole processors or on "
                                + "priced nodes, and reports how each policy served them. No cluster is touched.",
                        "")
                .footer(
                        "",
                        "Examples:",
                        "  slotwise simulate --workload KTH-SP2.swf.gz --policy fcfs easy conservative",
                        "  slotwise simulate --workload KTH-SP2.swf.gz --policy easy --starts starts.csv",
                        "  slotwise simulate --workload pods.csv --nodes nodes.csv --policy slotwise -o html > "
                                + "report.html",
                        "  slotwise simulate --workload SDSC-SP2.swf.gz --priorities 1=30,2=20 --policy slotwise "
                                + "--processors-per-node 128",
                        "  slotwise simulate --workload lublin:machine=64,jobs=500 --draw-users --policy "
                                + "slotwise amp --runs 10");
    }

    private void input() {
        spec.addOption(policies)
                .addOption(CommonOptions.value(
                                NODES,
                                "FILE",
                                "Priced nodes that pods share: Kubernetes objects, or a list (.csv, .machines).")
                        .type(Path.class)
                        .build())
                .addOption(flag(PERFECT, "Every job's estimate is its runtime."));
    }

    private void drawing() {
        spec.addOption(CommonOptions.value(PRICE, "AMOUNT", "The price of a whole processor per hour. Default: 1.")
                        .type(Money.class)
                        .converters((ITypeConverter<Money>) SimulateCommand::price)
                        .build())
                .addOption(CommonOptions.value(
                                PRICE_CALENDAR,
                                "CALENDAR",
                                "Other prices at other times, as in slotwise.io/price-calendar, such as '0.5@0 20 * * "
                                        + "*/PT12H';" + " the workload's clock begins at 1970-01-01T00:00:00Z.")
                        .type(PriceCalendar.class)
                        .converters((ITypeConverter<PriceCalendar>) SimulateCommand::calendar)
                        .build())
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
                                + "policies."))
                .addOption(flag(DRAW_USERS, "Each user draws a budget and a criterion."))
                .addOption(flag(DRAW_VALUES, "Each user draws the value of ending a job an hour earlier."))
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
                .addOption(CommonOptions.value(
                                DISTURBANCES,
                                "FILE",
                                "Removals and returns of nodes, price changes and owners' jobs (CSV).")
                        .type(Path.class)
                        .build())
                .addOption(CommonOptions.value(
                                FAILURES,
                                "UP/AWAY/UNTIL",
                                "Nodes fail and return at random: mean times, "
                                        + "and the last second, such as 720h/1h/4320h.")
                        .type(NodeFailures.class)
                        .converters((ITypeConverter<NodeFailures>) SimulateCommand::failures)
                        .build());
    }

    private void replications() {
        spec.addOption(number(RUNS, "R", "Replications, with seeds one after the other. Default: 1."))
                .addOption(CommonOptions.value(
                                SHARD, "I/N", "Run only part I (from 0) of N of the replications; see merge.")
                        .type(ReplicationShard.class)
                        .converters(CommonOptions::shard)
                        .build())
                .addOption(CommonOptions.value(
                                STARTS, "FILE", "Also write job_id,submit,start,end; needs one policy and one run.")
                        .type(Path.class)
                        .build())
                .addOption(OptionSpec.builder("-o", OUTPUT)
                        .type(Shape.class)
                        .paramLabel("FORMAT")
                        .converters((ITypeConverter<Shape>) Shape::of)
                        .description("table (default), json, csv or html.")
                        .build());
    }

    private static OptionSpec ranks(String name, String label, String description) {
        return CommonOptions.value(name, label + ",...", description)
                .type(Ranks.class)
                .converters((ITypeConverter<Ranks>) Ranks::of)
                .build();
    }

    /** What stands before equals signs, and the priorities behind them. */
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

    private static OptionSpec flag(String name, String description) {
        return OptionSpec.builder(name)
                .type(boolean.class)
                .description(description)
                .build();
    }

    private static OptionSpec number(String name, String label, String description) {
        return CommonOptions.value(name, label, description).type(Integer.class).build();
    }

    /** How the answer is printed. */
    private enum Shape {
        TABLE,
        JSON,
        CSV,
        HTML;

        static Shape of(String value) {
            return Stream.of(values())
                    .filter(shape -> shape.name().toLowerCase(Locale.ROOT).equals(value))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "'%s' is not an output format; expected table, json, csv or html".formatted(value)));
        }
    }

    private static Money price(String value) {
        try {
            return Money.parse(value);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'%s' is not a price: %s".formatted(value, e.getMessage()));
        }
    }

    private static PriceCalendar calendar(String value) {
        try {
            return PriceCalendar.parse(value);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'%s' is no price calendar: %s".formatted(value, e.getMessage()));
        }
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

    /** How picocli sees this command. */
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() throws IOException {
        SimulationStudy study = study();
        Path starts = CommonOptions.given(spec, STARTS, Path.class);
        if (starts != null && study.size() != 1) {
            throw wrong("--starts (%s) needs one simulation, and there are %d; expected one policy and one run"
                    .formatted(starts, study.size()));
        }
        try (GracefulStop interruption = new GracefulStop()) {
            Answer answer = run(study, starts, interruption);
            warn(answer.comparison());
            print(answer, study.currency());
            session.out().flush();
            return answer.comparison().complete() ? 0 : ExitStatus.FAILED;
        }
    }

    private Answer run(SimulationStudy study, @Nullable Path starts, GracefulStop interruption) throws IOException {
        List<SimulationObserver> watching = new ArrayList<>();
        try (ProgressBar progress = progress(study);
                StartsReport report = starts == null ? null : new StartsReport(Files.newBufferedWriter(starts))) {
            if (progress != null) {
                watching.add(progress);
            }
            if (report != null) {
                watching.add(report);
            }
            return study.answer(new SimulationObservers(watching), interruption::asked);
        }
    }

    /** A bar where there is a screen, and a person before it. */
    private @Nullable ProgressBar progress(SimulationStudy study) {
        if (!CommandConsole.onTerminal()) {
            return null;
        }
        try (Stream<Job> jobs = study.workload().jobs()) {
            return new ProgressBar(session.err(), jobs.count() * study.size());
        }
    }

    private void warn(Comparison.Result result, ToLongFunction<ReplicationOutcome.Jobs> count, String what) {
        long jobs = result.outcomes().stream()
                .map(ReplicationOutcome::jobs)
                .mapToLong(count)
                .sum();
        if (jobs > 0) {
            session.err().println("Warning: %d jobs ".formatted(jobs) + what.formatted(result.policy()));
        }
    }

    private void warn(Comparison comparison) {
        for (Comparison.Result result : comparison.results()) {
            warn(
                    result,
                    ReplicationOutcome.Jobs::refused,
                    "were refused under %s: larger than the machine, or longer than the horizon");
            if (comparison.complete()) {
                warn(
                        result,
                        ReplicationOutcome.Jobs::left,
                        "never started under %s: no window within their budget or by their deadline");
            }
        }
        if (!comparison.complete()) {
            session.err().println("Warning: stopped before the end; the result is partial");
        }
    }

    private void print(Answer answer, Currency currency) {
        session.out()
                .print(
                        switch (Objects.requireNonNullElse(
                                CommonOptions.given(spec, OUTPUT, Shape.class), Shape.TABLE)) {
                            case TABLE -> ComparisonReport.table(answer.comparison(), currency, session.terminal());
                            case JSON -> ComparisonReport.json(answer.comparison());
                            case CSV -> ComparisonReport.csv(answer.comparison());
                            case HTML -> SimulationPage.write(answer.comparison(), answer.histories(), currency);
                        });
    }

    private SimulationStudy study() {
        Workload workload = workloads.workload(matched(PRECEDING));
        SimulatedMachine machine = machine(workload);
        List<SimulatedPolicy> chosen = policies.getValue();
        if (chosen.stream().map(SimulatedPolicy::name).distinct().count() < chosen.size()) {
            throw wrong("A policy is named twice with --policy; expected each once");
        }
        boolean disturbed = matched(DISTURBANCES) || matched(FAILURES);
        for (SimulatedPolicy policy : chosen) {
            if (policy instanceof SimulatedPolicy.Discipline && (disturbed || matched(NODES))) {
                throw wrong("The policy (%s) does not simulate failures and other disturbances; expected no %s"
                        .formatted(
                                policy.name(),
                                matched(NODES) ? NODES : matched(DISTURBANCES) ? DISTURBANCES : FAILURES));
            }
        }
        for (SimulatedPolicy policy : chosen) {
            if (policy instanceof SimulatedPolicy.Discipline && matched(PRECEDING)) {
                throw wrong("The policy (%s) does not know preceding jobs; expected no %s"
                        .formatted(policy.name(), PRECEDING));
            }
        }
        return new SimulationStudy(
                matched(PERFECT) ? new PerfectEstimates(workload) : workload,
                machine,
                chosen,
                matched(DRAW_USERS),
                matched(DRAW_VALUES),
                percent(DRAW_DEADLINES),
                priorities(),
                disturbances(machine),
                CommonOptions.given(spec, FAILURES, NodeFailures.class),
                asked());
    }

    private SimulationStudy.Ranking priorities() {
        List<Priorities.Share> shares = new ArrayList<>();
        int all = 0;
        for (Map.Entry<String, Integer> share : ranks(DRAW_PRIORITIES).entrySet()) {
            int percent = share.getKey().matches("\\d{1,3}") ? Integer.parseInt(share.getKey()) : -1;
            all += percent;
            if (percent < 0 || all > 100) {
                throw wrong("%s (%s=%d) is not a share of the jobs; expected whole percentages that sum to at most 100"
                        .formatted(DRAW_PRIORITIES, share.getKey(), share.getValue()));
            }
            shares.add(new Priorities.Share(percent, share.getValue()));
        }
        return new SimulationStudy.Ranking(ranks(PRIORITIES), shares, percent(DRAW_MIGRATABLE));
    }

    private int percent(String option) {
        int percent = Objects.requireNonNullElse(CommonOptions.given(spec, option, Integer.class), 0);
        if (percent < 0 || percent > 100) {
            throw wrong("%s (%d) is out of range; expected 0 to 100".formatted(option, percent));
        }
        return percent;
    }

    private SortedMap<String, Integer> ranks(String option) {
        Ranks ranks = CommonOptions.given(spec, option, Ranks.class);
        return ranks == null ? Collections.emptySortedMap() : ranks.priorities;
    }

    private boolean matched(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    private SimulatedMachine machine(Workload workload) {
        Path file = CommonOptions.given(spec, NODES, Path.class);
        if (file != null && matched(MACHINE)) {
            throw wrong("--machine and --nodes are both given; expected one of them");
        }
        if (file != null) {
            if (matched(PRICE_CALENDAR)) {
                throw wrong("%s and --nodes are both given; expected one of them: nodes have calendars of their own"
                        .formatted(PRICE_CALENDAR));
            }
            return new SimulatedMachine.Listed(nodes(file));
        }
        int processors =
                matched(MACHINE) ? positive(MACHINE, 1) : workload.processors().orElse(0);
        if (processors == 0) {
            throw wrong("The workload (%s) does not state the size of its machine; expected --machine N or --nodes FILE"
                    .formatted(workload.name()));
        }
        Money price = Objects.requireNonNullElse(
                CommonOptions.given(spec, PRICE, Money.class), new Money(Money.MICROS_PER_UNIT));
        return new SimulatedMachine.Whole(
                new ProcessorNodes(processors, positive(PER_NODE, 1), over(price), percent(SPREAD)),
                matched(CHEAPEST_FIRST));
    }

    /** The price over the workload's clock: as long as any workload that is read. */
    private StepFunction over(Money plain) {
        PriceCalendar calendar = CommonOptions.given(spec, PRICE_CALENDAR, PriceCalendar.class);
        try {
            return calendar == null
                    ? StepFunction.constant(plain.micros())
                    : calendar.over(plain.micros(), 0, Durations.LONGEST);
        } catch (IllegalArgumentException e) {
            throw wrong("%s: %s, ten years from the beginning of the workload's clock"
                    .formatted(PRICE_CALENDAR, e.getMessage()));
        }
    }

    private static List<Node> nodes(Path file) {
        if (NodeFile.isList(file)) {
            return NodeFile.read(file);
        }
        try (var text = Files.newInputStream(file)) {
            return new Intake(LoopSettings.DEFAULT, PriceCatalogue.bundled(), PodFilter.FILES)
                    .take(ManifestFile.read(text, file.toString()), Map.of(), 0)
                    .snapshot()
                    .cluster()
                    .nodes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Disturbance> disturbances(SimulatedMachine machine) {
        Path file = CommonOptions.given(spec, DISTURBANCES, Path.class);
        return file == null
                ? List.of()
                : DisturbanceFile.read(
                        file, machine.nodes(0).stream().map(Node::name).collect(Collectors.toCollection(TreeSet::new)));
    }

    private Replications asked() {
        long seed = Objects.requireNonNullElse(CommonOptions.given(spec, SEED, Long.class), 1L);
        int runs = positive(RUNS, 1);
        ReplicationShard shard = Objects.requireNonNullElse(
                CommonOptions.given(spec, SHARD, ReplicationShard.class), ReplicationShard.WHOLE);
        if (shard.of() > runs) {
            throw wrong(("--shard (%s) divides %d runs (--runs) into more parts than there are; expected I/N with "
                            + "N at most %d")
                    .formatted(shard, runs, runs));
        }
        return new Replications(seed, runs, shard);
    }

    private int positive(String option, int usual) {
        int value = Objects.requireNonNullElse(CommonOptions.given(spec, option, Integer.class), usual);
        if (value < 1 || value > MOST_RUNS) {
            throw wrong("%s (%d) is out of range; expected 1 to %d".formatted(option, value, MOST_RUNS));
        }
        return value;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
