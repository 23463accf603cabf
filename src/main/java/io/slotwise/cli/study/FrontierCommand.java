package io.slotwise.cli.study;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.cli.console.ExitStatus;
import io.slotwise.cli.console.GracefulStop;
import io.slotwise.cli.plan.FilePlan;
import io.slotwise.cli.plan.ObjectInputs;
import io.slotwise.core.plan.Frontier;
import io.slotwise.core.plan.Frontier.Against;
import io.slotwise.core.plan.Frontier.Axes;
import io.slotwise.core.plan.Frontier.Money;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.FrontierPlanner;
import io.slotwise.core.text.Keyed;
import io.slotwise.core.time.Durations;
import io.slotwise.core.work.StopSignal;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.random.SeededRandom;
import io.slotwise.report.FrontierReport;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Shows the trade-offs of waiting gangs between money and its benefits, from files or at a moment of a workload. */
public final class FrontierCommand extends ConsoleCommand implements Callable<Integer> {
    private static final String OF = "--of";
    private static final String AGAINST = "--against";
    private static final String PLANS = "--plans";
    private static final String PLAN = "--plan";
    private static final String FROM = "--from";
    private static final String WAITING = "--waiting";
    private static final int USUAL_PLANS = 20;
    private static final int MOST_PLANS = 10_000;
    private static final int USUAL_WAITING = 10;

    private final ObjectInputs inputs;
    private final StudyOptions options;

    public FrontierCommand(CommandConsole console) {
        super(console, "frontier", "Show what the gangs that wait could have between low cost and short delay.");

        this.inputs = new ObjectInputs(
                spec,
                console,
                "With -f: the instant to plan for",
                StudyFormat.option(StudyFormat.TABLE, StudyFormat.JSON, StudyFormat.HTML));
        this.options = new StudyOptions(spec, console, false);
        spec.addOption(read(
                        value(OF, "MONEY", "cost, the least, or income, the most. Default: cost."),
                        Money.class,
                        keyed(Money.class, "cost or income")))
                .addOption(read(
                        value(
                                AGAINST,
                                "FIGURE",
                                "What is to be low with it: delay or utility (its loss). Default: delay."),
                        Against.class,
                        keyed(Against.class, "delay or utility")))
                .addOption(number(
                        PLANS, "N", "The maximum number of plans, at least 2. Default: %d.".formatted(USUAL_PLANS)))
                .addOption(number(
                        PLAN, "N", "Also print the windows of plan number N; -o json and html have those of all."))
                .addOption(read(
                        value(
                                FROM,
                                "DURATION",
                                "With --workload: how long after the workload's clock begins to look. Default: 0s."),
                        Long.class,
                        StudyOptions.parsing(Durations::parse, "is not a duration")))
                .addOption(number(
                        WAITING,
                        "N",
                        "With --workload: look at the first second at which so many gangs wait. Default: %d."
                                .formatted(USUAL_WAITING)));
        spec.usageMessage()
                .customSynopsis(
                        "slotwise study frontier (-f FILE... | --cluster) [OPTION...]",
                        "       slotwise study frontier --workload FILE [--from DURATION] [OPTION...]");
        help(
                spec,
                """
                slotwise study frontier -f cluster.yaml -f workload.yaml
                kubectl get nodes,pods -A -o json | slotwise study frontier -f - --against utility
                slotwise study frontier --workload SDSC-SP2.swf.gz --price-spread 30 --draw-users --from 48h -o html > frontier.html
                """,
                "Takes the alternatives that the planner finds for each gang that waits, and lists the plans of "
                        + "which none is better than another in both figures. No cluster is touched.");
    }

    private static <E extends Enum<E> & Keyed> ITypeConverter<E> keyed(Class<E> type, String expected) {
        return key -> Keyed.of(type, key)
                .orElseThrow(
                        () -> new TypeConversionException("'%s' is not known; expected %s".formatted(key, expected)));
    }

    @Override
    public Integer call() {
        if (inputs.areGiven() == options.hasWorkload()) {
            throw wrong("%s; expected -f FILE or %s FILE"
                    .formatted(
                            inputs.areGiven() ? "Files and a workload are both given" : "No input is given",
                            StudyOptions.WORKLOAD));
        }
        Axes axes = new Axes(
                Objects.requireNonNullElse(given(OF, Money.class), Money.COST),
                Objects.requireNonNullElse(given(AGAINST, Against.class), Against.DELAY));
        int plans = within(PLANS, USUAL_PLANS, 2, MOST_PLANS);
        Input input = inputs.areGiven() ? ofFiles() : ofWorkload();
        if (input == null) {
            return ExitStatus.FAILED;
        }
        LoopSettings settings = inputs.settings();
        Frontier frontier = new FrontierPlanner(settings.policy(), CommonPoolWorkers.ALL, SeededRandom.L64X128)
                .of(input.snapshot, axes, plans, StopSignal.NEVER);
        int plan = within(PLAN, 0, 1, Math.max(1, frontier.points().size()));
        if (plan > frontier.points().size()) {
            throw wrong("%s (%d) is out of range; there is no plan".formatted(PLAN, plan));
        }
        print(new FrontierReport(frontier, input.name, settings.currency()), plan);
        return frontier.points().isEmpty() ? ExitStatus.FAILED : 0;
    }

    private void print(FrontierReport report, int plan) {
        console.out()
                .print(
                        switch (StudyFormat.of(spec)) {
                            case TABLE, CSV -> report.table(console.terminal(), plan);
                            case JSON -> report.json();
                            case HTML -> report.html();
                        });
    }

    private record Input(Snapshot snapshot, String name) {}

    private Input ofFiles() {
        IntakeResult result = inputs.taken();
        FilePlan.warn(result, console.err());
        return new Input(result.snapshot(), "the gangs that wait");
    }

    private @Nullable Input ofWorkload() {
        long from = Objects.requireNonNullElse(given(FROM, Long.class), 0L);
        int waiting = within(WAITING, USUAL_WAITING, 1, Integer.MAX_VALUE);
        SimulatedPolicy.Planning planning = SimulatedPolicy.of("policy", inputs.settings());
        SimulationStudy study = options.study(List.of(planning), 1);
        try (GracefulStop stop = new GracefulStop()) {
            Optional<Snapshot> snapshot = study.moment(planning, from, waiting, stop::asked);
            if (snapshot.isEmpty()) {
                console.err()
                        .println("slotwise: at no second of the workload from %s on do %d gangs wait"
                                .formatted(Durations.brief(from), waiting));
                return null;
            }
            return new Input(snapshot.get(), study.workload().name());
        }
    }
}
