package io.slotwise.it.load;

import io.slotwise.it.load.Load.Shape;
import io.slotwise.it.load.OneAfterAnother.Waits;
import io.slotwise.it.load.Trial.Measured;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code ./slotwise bench cluster}: gangs on a real control plane with kwok nodes, placed by Slotwise and by the same
 * kube-scheduler without Slotwise in the same run, measured by the API server's audit log.
 */
@Command(
        name = "bench cluster",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description = "Measures how fast gangs start on a real control plane, beside the same kube-scheduler alone.")
public final class ClusterBench implements Callable<Integer> {
    @Option(
            names = "--nodes",
            paramLabel = "N",
            split = ",",
            defaultValue = "1000",
            description = "Nodes (${DEFAULT-VALUE}); with several numbers, such as 500,1000,2000, also how times "
                    + "grow with them.")
    private List<Integer> nodes = List.of();

    @Option(
            names = "--cores",
            paramLabel = "N",
            defaultValue = "32",
            description = "Cores of a node (${DEFAULT-VALUE}).")
    private int cores;

    @Option(
            names = "--gangs",
            paramLabel = "COUNTxSIZE",
            split = ",",
            defaultValue = "200x8",
            converter = ShapeReader.class,
            description = "Gangs and their pods, such as 200x8 or 100x4,2x256 (${DEFAULT-VALUE}).")
    private List<Shape> gangs = List.of();

    @Option(
            names = "--cpu",
            paramLabel = "MILLI",
            defaultValue = "4000",
            description = "Of each pod (${DEFAULT-VALUE}).")
    private int milliCores;

    @Option(
            names = "--runtime",
            paramLabel = "SECONDS",
            defaultValue = "3600",
            description = "What gangs ask for and run (${DEFAULT-VALUE}); up to 60 the end of the last one is "
                    + "awaited and measured.")
    private int runtime;

    @Option(
            names = "--standing",
            paramLabel = "PODS",
            defaultValue = "0",
            description = "Pods that run on the nodes already (${DEFAULT-VALUE}).")
    private int standing;

    @Option(
            names = "--due",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = "No gang may start before so many seconds after the creation of the first "
                    + "(${DEFAULT-VALUE}): all are promised by then and start together.")
    private int due;

    @Option(
            names = "--only",
            paramLabel = "WHO",
            split = ",",
            defaultValue = "kube-scheduler,slotwise",
            converter = ContenderReader.class,
            description =
                    "Who places them (${DEFAULT-VALUE}); kube-scheduler-gangs: kube-scheduler with Kubernetes' own "
                            + "gang scheduling, a PodGroup for each gang; slotwise-extender: Slotwise with the "
                            + "chart's value start=extender; bare-calls: a program that only makes the calls that "
                            + "gangs cost; bare-extender: the same through kube-scheduler.")
    private List<Contender> contenders = List.of();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description =
                    "A value of the chart, such as policy.running.turnover=2s or start=extender; it counts more than "
                            + "--policy.")
    private Map<String, String> values = Map.of();

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description = "The most that one of them may take (${DEFAULT-VALUE}).")
    private int patience;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "1",
            description = "Everything so many times (${DEFAULT-VALUE}); at the end the worst of them.")
    private int runs;

    @Option(
            names = "--create",
            paramLabel = "first|live",
            defaultValue = "first",
            description = "All pods before the programs go to work (first), or while they run and wait for them "
                    + "(live); ${DEFAULT-VALUE}.")
    private Creation creation = Creation.FIRST;

    @Option(
            names = "--warm-up",
            paramLabel = "COUNTxSIZE",
            converter = ShapeReader.class,
            description = "Gangs of 5 s that run before and are removed again. With --create first the programs "
                    + "then stand still (SIGSTOP) while the measured pods are created.")
    private @Nullable Shape warmUp;

    @Option(
            names = "--one-after-another",
            paramLabel = "N",
            defaultValue = "0",
            description = "In place of all at once: N gangs of the first size of --gangs, each created when the "
                    + "one before has been bound and removed, after a random pause; how long each waits for "
                    + "its bindings.")
    private int turns;

    @Option(
            names = "--policy",
            paramLabel = "eager|chart",
            defaultValue = "eager",
            description = "Slotwise's policy: the chart's own (chart), or with turnover 0s and cycle 5s (eager); "
                    + "${DEFAULT-VALUE}.")
    private PolicyValues policy = PolicyValues.EAGER;

    private final LoadReport report = new LoadReport(System.out);

    public static void main(String[] arguments) {
        // Clients leave threads running.
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new ClusterBench()).setCaseInsensitiveEnumValuesAllowed(true);
    }

    @Override
    public Integer call() {
        Course course = new Course(policy.with(values), creation, warmUp, Duration.ofSeconds(patience));
        return turns > 0 ? oneAfterAnother(course) : allAtOnce(course);
    }

    private int oneAfterAnother(Course course) {
        boolean all = true;
        for (int size : nodes) {
            for (int run = 0; run < runs; run++) {
                Load load = load(size);
                Map<Contender, Waits> results = new EnumMap<>(Contender.class);
                for (Contender contender : contenders) {
                    results.put(contender, new OneAfterAnother(load, contender, course, System.err).run(turns));
                }
                report.print(load, results, turns);
                all &= results.values().stream().allMatch(waits -> waits.waits().size() == turns);
            }
        }
        return all ? 0 : 1;
    }

    private int allAtOnce(Course course) {
        boolean all = true;
        List<Double> sizes = new ArrayList<>();
        List<Map<Contender, Measured>> rounds = new ArrayList<>();
        report.begin(course);
        for (int size : nodes) {
            List<Map<Contender, Measured>> same = new ArrayList<>();
            for (int run = 1; run <= runs; run++) {
                Load load = load(size);
                Map<Contender, Measured> results = new EnumMap<>(Contender.class);
                for (Contender contender : contenders) {
                    results.put(contender, new Trial(load, contender, course, System.err).run());
                }
                report.print(load, results);
                same.add(results);
                ratios("Run %d of %d".formatted(run, runs), List.of(results));
                all &= results.values().stream()
                        .allMatch(result -> result.outcome().pods() == load.pods());
                sizes.add((double) size);
            }
            rounds.addAll(same);
            if (runs > 1) {
                ratios("The worst of %d runs with %d nodes".formatted(runs, size), same);
            }
        }
        if (nodes.size() > 1) {
            report.growth(sizes, rounds, contenders);
        }
        return all ? 0 : 1;
    }

    private Load load(int size) {
        return new Load(size, cores, gangs, milliCores, runtime, standing, due);
    }

    private void ratios(String which, List<Map<Contender, Measured>> runs) {
        for (Contender contender : contenders) {
            for (Contender other : contenders) {
                if (other.isKubeScheduler() && !contender.isKubeScheduler()) {
                    List<Ratio> ratios = runs.stream()
                            .map(results -> Ratio.of(
                                    Objects.requireNonNull(results.get(contender)),
                                    Objects.requireNonNull(results.get(other))))
                            .toList();
                    report.ratio(which, contender, other, Ratio.worst(ratios));
                }
            }
        }
    }

    /** Reads {@code 200x8}. */
    static final class ShapeReader implements ITypeConverter<Shape> {
        private static final Pattern SHAPE = Pattern.compile("([1-9]\\d{0,4})x([1-9]\\d{0,4})");

        @Override
        public Shape convert(String text) {
            Matcher shape = SHAPE.matcher(text);
            if (!shape.matches()) {
                throw new TypeConversionException("expected COUNTxSIZE such as 200x8 but was '" + text + "'");
            }
            return new Shape(Integer.parseInt(shape.group(1)), Integer.parseInt(shape.group(2)));
        }
    }

    static final class ContenderReader implements ITypeConverter<Contender> {
        @Override
        public Contender convert(String text) {
            for (Contender contender : Contender.values()) {
                if (contender.key().equals(text)) {
                    return contender;
                }
            }
            String keys = Arrays.stream(Contender.values()).map(Contender::key).collect(Collectors.joining(", "));
            throw new TypeConversionException("expected one of " + keys + " but was '" + text + "'");
        }
    }
}
