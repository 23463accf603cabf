package io.slotwise.cli.study;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.cli.console.ExitStatus;
import io.slotwise.cli.console.GracefulStop;
import io.slotwise.core.cluster.Node;
import io.slotwise.lab.report.PriceReport;
import io.slotwise.lab.simulation.metric.PriceCurve;
import io.slotwise.lab.simulation.metric.PriceCurve.Offer;
import io.slotwise.lab.simulation.metric.ReplicationOutcome;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine.TypeConversionException;

/** Shows an owner's income from some nodes at other prices: the same jobs are simulated for each price. */
public final class PriceCommand extends ConsoleCommand implements Callable<Integer> {
    private static final String POLICY = "--policy";
    private static final String POOL = "--pool";
    private static final String PERCENTS = "--percents";
    private static final String OWNER = "owner=";
    private static final String USUAL_POLICY = "slotwise";
    private static final int USUAL_RUNS = 5;
    private static final int MOST_PERCENT = 10_000;
    private static final Percents USUAL = new Percents(List.of(50, 70, 80, 90, 100, 110, 120, 130, 150, 200));

    private final StudyOptions options;

    public PriceCommand(CommandConsole console) {
        super(console, "price", "Show what an owner earns with some nodes by their price, on a replayed workload.");

        this.options = new StudyOptions(spec, console, true);
        options.addRuns(USUAL_RUNS);
        spec.addOption(value(
                                POOL,
                                "POOL",
                                "The nodes: names with commas between them, owner=NAME, or LABEL=VALUE. A machine of "
                                        + "whole processors has nodes p0, p1 and so on.")
                        .required(true)
                        .build())
                .addOption(read(
                        value(
                                PERCENTS,
                                "PERCENT,...",
                                "The prices to try, percent of what each node costs now. Default: %s."
                                        .formatted(USUAL)),
                        Percents.class,
                        Percents::of))
                .addOption(read(
                        value(
                                POLICY,
                                "POLICY",
                                "A planning policy of simulate, or a policy file. Default: %s."
                                        .formatted(USUAL_POLICY)),
                        SimulatedPolicy.class,
                        SimulatedPolicy::of))
                .addOption(StudyFormat.option(StudyFormat.TABLE, StudyFormat.JSON, StudyFormat.HTML));
        help(
                spec,
                """
                slotwise study price --workload SDSC-SP2.swf.gz --pool p000,p001 --price-spread 30 --draw-users
                slotwise study price --workload pods.csv --nodes nodes.csv --pool owner=physics --draw-values --runs 10 -o html > price.html
                """,
                "Runs the jobs of a log, a trace or a model through virtual time once for each price and "
                        + "replication, and reports the income of the pool's owner. Users draw the same at "
                        + "every price. No cluster is touched.");
    }

    private record Percents(List<Integer> percents) {
        static Percents of(String value) {
            TreeSet<Integer> percents = new TreeSet<>();
            for (String part : value.split(",", -1)) {
                int percent = part.matches("\\d{1,5}") ? Integer.parseInt(part) : 0;
                if (percent < 1 || percent > MOST_PERCENT || !percents.add(percent)) {
                    throw new TypeConversionException(
                            ("'%s' has a price that is not valid ('%s'); expected whole percentages from 1 to %d, "
                                            + "each once")
                                    .formatted(value, part, MOST_PERCENT));
                }
            }
            return new Percents(List.copyOf(percents));
        }

        @Override
        public String toString() {
            return String.join(",", percents.stream().map(String::valueOf).toList());
        }
    }

    @Override
    public Integer call() {
        SimulatedPolicy policy = Objects.requireNonNullElseGet(
                given(POLICY, SimulatedPolicy.class), () -> SimulatedPolicy.of(USUAL_POLICY));
        if (policy instanceof SimulatedPolicy.Discipline || policy instanceof SimulatedPolicy.Autoscaled) {
            throw wrong("The policy (%s) does not look at prices of nodes; expected a planning policy"
                    .formatted(policy.name()));
        }
        SimulationStudy study = options.study(List.of(policy), USUAL_RUNS);
        String pool = Objects.requireNonNull(given(POOL, String.class));
        List<Node> market = study.machine().nodes(study.replications().seed());
        Predicate<Node> chosen = pool(pool, market);
        try (GracefulStop stop = new GracefulStop()) {
            List<Offer> offers = new ArrayList<>();
            for (int percent : Objects.requireNonNullElse(given(PERCENTS, Percents.class), USUAL).percents) {
                SimulationStudy pricedStudy = study.on(new SimulatedMachine.Repriced(study.machine(), chosen, percent));
                List<ReplicationOutcome> outcomes = pricedStudy
                        .answer(List.of(), stop::asked)
                        .comparison()
                        .results()
                        .getFirst()
                        .outcomes();
                if (stop.asked()) {
                    console.err().println("slotwise: stopped before the end; nothing is known of all prices");
                    return ExitStatus.FAILED;
                }
                offers.add(offer(percent, outcomes));
            }
            print(new PriceReport(
                    new PriceCurve(offers),
                    study.workload().name(),
                    pool,
                    (int) market.stream().filter(chosen).count(),
                    study.replications().seed(),
                    study.currency()));
            return 0;
        }
    }

    private static Offer offer(int percent, List<ReplicationOutcome> outcomes) {
        return new Offer(
                percent,
                outcomes.stream()
                        .map(outcome ->
                                outcome.money().income().getOrDefault(SimulatedMachine.Repriced.OWNER, BigDecimal.ZERO))
                        .toList(),
                outcomes.stream().map(outcome -> outcome.money().paid()).toList(),
                outcomes.stream().map(outcome -> outcome.waited().mean()).toList());
    }

    private void print(PriceReport report) {
        console.out()
                .print(
                        switch (StudyFormat.of(spec)) {
                            case TABLE, CSV -> report.table(console.terminal());
                            case JSON -> report.json();
                            case HTML -> report.html();
                        });
    }

    /** Returns the selected nodes, at least one. */
    private Predicate<Node> pool(String text, List<Node> market) {
        int sign = text.indexOf('=');
        if (sign < 0) {
            Set<String> names = Set.copyOf(List.of(text.split(",", -1)));
            List<String> unknownNames = names.stream()
                    .filter(name ->
                            market.stream().noneMatch(node -> node.name().equals(name)))
                    .sorted()
                    .toList();
            if (!unknownNames.isEmpty()) {
                throw wrong("%s (%s) names nodes that are not there: %s; expected some such as %s"
                        .formatted(
                                POOL,
                                text,
                                String.join(", ", unknownNames),
                                market.isEmpty() ? "none" : first(market)));
            }
            return node -> names.contains(node.name());
        }
        String key = text.substring(0, sign);
        String value = text.substring(sign + 1);
        Predicate<Node> chosen = text.startsWith(OWNER)
                ? node -> node.owner().equals(value)
                : node -> value.equals(node.labels().get(key));
        if (market.stream().noneMatch(chosen)) {
            throw wrong("%s (%s) fits no node; expected names, owner=NAME or LABEL=VALUE".formatted(POOL, text));
        }
        return chosen;
    }

    private static String first(List<Node> market) {
        return String.join(
                ", ",
                Stream.of(market.getFirst(), market.getLast())
                        .map(Node::name)
                        .distinct()
                        .toList());
    }
}
