package io.slotwise.cli.remote;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.report.GangListReport;
import io.slotwise.report.QueueReport;
import io.slotwise.report.QueueReport.PhaseWord;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Lists waiting, promised and running gangs by start. */
public final class QueueCommand extends ConsoleCommand implements Runnable {
    private static final String SORT = "--sort";
    private static final String QUEUE = "--queue";
    private static final List<String> ORDERS = Stream.of(QueueReport.Order.values())
            .map(order -> order.name().toLowerCase(Locale.ROOT))
            .toList();

    private final ListedGangs gangs;
    private final OptionSpec phases = list(
                    "--phase",
                    "PHASE,...",
                    "Gangs in these phases: waiting, promised, starting, running, completed. Default: all "
                            + "but completed.")
            .splitRegex(",")
            .completionCandidates(QueueReport.PHASES)
            .build();

    public QueueCommand(CommandConsole console, Remote.Finder finder) {
        this(console, finder, Watched.Pause.USUAL);
    }

    QueueCommand(CommandConsole console, Remote.Finder finder, Watched.Pause pause) {
        super(console, "queue", "List the gangs of a running Slotwise by start.");

        this.gangs = new ListedGangs(console, spec, finder, pause);
        spec.addOption(phases)
                .addOption(text(QUEUE, "NAME", "Only the gangs of this queue."))
                .addOption(value(SORT, "ORDER", "start (default), cost, gang or submitted.")
                        .completionCandidates(ORDERS)
                        .build());
        help(
                spec,
                """
                slotwise queue -A
                slotwise queue -n research --phase waiting,promised --watch
                slotwise queue -A --queue physics
                slotwise queue -A --sort cost -o csv
                """,
                "Lists first the gangs without a window and why they wait, then each "
                        + "gang with the second in which it starts or has started.",
                ListedGangs.WHERE);
    }

    @Override
    public void run() {
        List<String> given = Objects.requireNonNullElse(phases.getValue(), List.of());
        List<String> chosen = given.stream().map(PhaseWord::of).toList();
        chosen.stream()
                .filter(phase -> !QueueReport.PHASES.contains(phase))
                .findFirst()
                .ifPresent(phase -> {
                    throw oneOf("--phase", phase, QueueReport.PHASES);
                });
        String sort = Objects.requireNonNullElse(given(SORT, String.class), ORDERS.getFirst());
        if (!ORDERS.contains(sort)) {
            throw oneOf(SORT, sort, ORDERS);
        }
        QueueReport.Order order = QueueReport.Order.valueOf(sort.toUpperCase(Locale.ROOT));
        gangs.show(
                report -> picked(report, chosen, given(QUEUE, String.class), order),
                list -> new QueueReport(list.gangs(), list.money())
                        .table(
                                console.terminal(),
                                list.second(console.clock().instant().getEpochSecond())));
    }

    private static GangListReport picked(
            GangListReport report, List<String> phases, @Nullable String queue, QueueReport.Order order) {
        return new GangListReport(
                QueueReport.of(report, phases, queue, order).gangs(), report.currency(), report.now());
    }

    private ParameterException oneOf(String option, String value, List<String> expected) {
        return wrong("%s (%s) is not valid; expected one of %s".formatted(option, value, String.join(", ", expected)));
    }
}
