package io.slotwise.it.load;

import io.slotwise.experiment.Growth;
import io.slotwise.it.load.Load.Shape;
import io.slotwise.it.load.Trial.Measured;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code ./slotwise bench cluster}: gangs on a real control plane with kwok's nodes, placed by Slotwise and by the same kube-scheduler without it,
 * in one run. All pods are created before the programs start, so that their rate is not that of their creation.
 */
@Command(
        name = "bench cluster",
        sortOptions = false,
        description = "Measures how fast gangs start on a real control plane, beside the same kube-scheduler alone.")
public final class ClusterBench implements Callable<Integer> {
    private static final PrintStream OUT = System.out;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            split = ",",
            defaultValue = "1000",
            description =
                    "Nodes (${DEFAULT-VALUE}); with several numbers, such as 500,1000,2000, also how times grow with them.")
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
            description = "What gangs ask for and run (${DEFAULT-VALUE}); up to 60 the end of the last one is awaited.")
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
            description =
                    "No gang may start before so many seconds after the creation of the first (${DEFAULT-VALUE}): all are promised by then and start together.")
    private int due;

    @Option(
            names = "--only",
            paramLabel = "WHO",
            split = ",",
            defaultValue = "kube-scheduler,slotwise",
            converter = ContenderReader.class,
            description = "Who places them (${DEFAULT-VALUE}).")
    private List<Contender> contenders = List.of();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description =
                    "A value of the chart, such as policy.turnover=2s. The policy's turnover is 0s here unless it is set, and its cycle 5s.")
    private Map<String, String> values = Map.of();

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description = "The most that one of them may take (${DEFAULT-VALUE}).")
    private int patience;

    /** Runs the benchmark. */
    public static void main(String[] arguments) {
        // Clients leave threads behind.
        System.exit(new CommandLine(new ClusterBench()).execute(arguments));
    }

    @Override
    public Integer call() {
        boolean all = true;
        List<Map<Contender, Measured>> rounds = new ArrayList<>();
        for (int size : nodes) {
            Load load = new Load(size, cores, gangs, milliCores, runtime, standing, due);
            Map<Contender, Measured> results = new EnumMap<>(Contender.class);
            for (Contender contender : contenders) {
                results.put(
                        contender, new Trial(load, contender, values, Duration.ofSeconds(patience), System.err).run());
            }
            print(load, results);
            rounds.add(results);
            all &= results.values().stream().allMatch(result -> result.outcome().pods() == load.pods());
        }
        if (nodes.size() > 1) {
            growth(rounds);
        }
        return all ? 0 : 1;
    }

    /** The exponents of the nodes in what takes time. */
    private void growth(List<Map<Contender, Measured>> rounds) {
        List<Double> sizes = nodes.stream().map(Integer::doubleValue).toList();
        OUT.printf("%nGrowth: the exponent of the nodes in%n%n| | seconds per pod | first start | longest cycle |%n");
        OUT.println("| --- |" + " ---: |".repeat(3));
        for (Contender contender : contenders) {
            List<Measured> measured = rounds.stream()
                    .map(round -> Objects.requireNonNull(round.get(contender)))
                    .toList();
            OUT.printf(
                    Locale.ROOT,
                    "| %s | %.2f | %.2f | %s |%n",
                    contender.key(),
                    exponent(sizes, measured, one -> 1 / one.outcome().podsPerSecond()),
                    exponent(sizes, measured, one -> one.outcome().first()),
                    contender == Contender.SLOTWISE
                            ? String.format(
                                    Locale.ROOT,
                                    "%.2f",
                                    exponent(
                                            sizes,
                                            measured,
                                            one -> Objects.requireNonNull(one.inside())
                                                    .longestCycle()))
                            : "");
        }
    }

    private static double exponent(List<Double> sizes, List<Measured> measured, ToDoubleFunction<Measured> of) {
        return Growth.exponent(
                sizes, measured.stream().map(one -> of.applyAsDouble(one)).toList());
    }

    private static void print(Load load, Map<Contender, Measured> results) {
        OUT.printf("%n%s%n%n", load);
        OUT.println(
                "| | pods bound | pods/s | gangs/s | first start s | first to last s | longest partial s | partial gangs |"
                        + (load.isShort() ? " done s |" : ""));
        OUT.println("| --- |" + " ---: |".repeat(load.isShort() ? 8 : 7));
        results.forEach((contender, measured) -> row(load, contender, measured.outcome()));
        Measured slotwise = results.get(Contender.SLOTWISE);
        Measured other = results.get(Contender.KUBE_SCHEDULER);
        if (slotwise != null && other != null && other.outcome().podsPerSecond() > 0) {
            OUT.printf(
                    Locale.ROOT,
                    "%nSlotwise binds %.2f times as many pods a second as kube-scheduler alone.%n",
                    slotwise.outcome().podsPerSecond() / other.outcome().podsPerSecond());
        }
        if (slotwise != null && slotwise.inside() != null) {
            Inside inside = slotwise.inside();
            OUT.printf(
                    Locale.ROOT,
                    "Slotwise itself: 99 %% of filter calls within %.1f ms, of prioritize calls within %.1f ms; longest cycle %.2f s; heap %d MiB.%n",
                    inside.filter() * 1000,
                    inside.prioritize() * 1000,
                    inside.longestCycle(),
                    inside.heap() >> 20);
        }
    }

    private static void row(Load load, Contender contender, Outcome outcome) {
        OUT.printf(
                Locale.ROOT,
                "| %s | %d of %d | %.0f | %.1f | %.2f | %.2f | %.3f | %d |%s%n",
                contender.key(),
                outcome.pods(),
                load.pods(),
                outcome.podsPerSecond(),
                outcome.gangsPerSecond(),
                outcome.first(),
                outcome.span(),
                outcome.partial(),
                outcome.partials(),
                load.isShort() ? String.format(Locale.ROOT, " %.1f |", outcome.done()) : "");
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

    /** Reads a contender by its name. */
    static final class ContenderReader implements ITypeConverter<Contender> {
        @Override
        public Contender convert(String text) {
            for (Contender contender : Contender.values()) {
                if (contender.key().equals(text)) {
                    return contender;
                }
            }
            throw new TypeConversionException("expected slotwise or kube-scheduler but was '" + text + "'");
        }
    }
}
