package io.slotwise.cli.plan;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.cli.console.OutputFormat;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.work.StopSignal;
import io.slotwise.report.CsvReport;
import io.slotwise.report.Explanation;
import io.slotwise.report.JsonReport;
import io.slotwise.report.PlanReport;
import io.slotwise.report.PurchaseText;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Stream;

/** Plans the objects of files or of a cluster without writing anything. */
public final class PlanCommand extends ConsoleCommand implements Runnable {
    private static final String EXPLAIN = "--explain";
    private static final String SEARCH_TURNS = "--search-turns";

    private final ObjectInputs inputs;

    public PlanCommand(CommandConsole console) {
        super(console, "plan", "Plan the gangs of a cluster, or of Kubernetes objects in files.");

        this.inputs = new ObjectInputs(spec, console, "The instant to plan for");
        spec.addOption(text(EXPLAIN, "GANG", "Also explain what was decided about this gang; NAMESPACE/NAME or NAME."));
        spec.addOption(value(
                        SEARCH_TURNS,
                        "NUMBER",
                        "End the search for more alternatives after this many turns, for example to repeat a "
                                + "plan (search.turns in its JSON). Default: when all are found.")
                .type(Long.class)
                .build());
        help(
                spec,
                """
                slotwise plan -f cluster.yaml -f workload.yaml --now 2030-01-01T00:00:00Z
                slotwise plan -f cluster.yaml -f workload.yaml --explain research/train
                slotwise plan --cluster --as-if-all
                kubectl get nodes,pods -A -o json | slotwise plan -f - -o json
                """,
                "Reads nodes and pods, plans a window for every gang that waits, and prints the plan."
                        + " Nothing is written to a cluster.");
    }

    @Override
    public void run() {
        OutputFormat format = inputs.format();
        String explained = given(EXPLAIN, String.class);
        if (format == OutputFormat.CSV && explained != null) {
            throw wrong("--explain (%s) does not support CSV; expected -o table or json".formatted(explained));
        }
        FilePlan plan = FilePlan.of(inputs.taken(), inputs.settings(), stop());
        List<String> explanation = explained == null ? List.of() : explanation(plan, explained);
        plan.warn(console.err());
        print(plan, explanation, format);
    }

    private StopSignal stop() {
        Long turns = given(SEARCH_TURNS, Long.class);
        if (turns == null) {
            return StopSignal.NEVER;
        }
        if (turns < 0) {
            throw wrong("%s (%d) is not valid: expected a whole number, 0 or more".formatted(SEARCH_TURNS, turns));
        }
        return StopSignal.after(turns);
    }

    private void print(FilePlan plan, List<String> explanation, OutputFormat format) {
        PrintWriter out = console.out();
        switch (format) {
            case TABLE -> {
                out.print(plan.table(console.terminal()));
                if (!explanation.isEmpty()) {
                    out.println();
                    explanation.stream()
                            .flatMap(sentence -> console.terminal().lines(sentence).stream())
                            .forEach(out::println);
                }
            }
            case JSON -> out.print(JsonReport.write(plan.report(), explanation));
            case CSV -> {
                out.print(CsvReport.write(plan.report()));
                PlanReport report = plan.report();
                report.pending()
                        .forEach(pending -> console.err()
                                .println("Waiting: %s: %s"
                                        .formatted(
                                                pending.gang(),
                                                pending.refusal().message(report.currency()))));
            }
        }
    }

    private List<String> explanation(FilePlan plan, String gang) {
        List<GangId> gangs = Explanation.matching(plan.plan(), gang);
        if (gangs.size() == 1) {
            return Stream.concat(
                            Explanation.of(
                                    plan.plan(),
                                    gangs.getFirst(),
                                    plan.advice(gangs.getFirst()),
                                    plan.settings().currency())
                                    .stream(),
                            PurchaseText.of(plan.plan(), gangs.getFirst()).stream())
                    .toList();
        }
        List<String> expected = (gangs.isEmpty() ? Explanation.gangs(plan.plan()) : gangs)
                .stream().map(GangId::toString).toList();
        throw wrong("--explain (%s) names %s gang that waits; expected one of %s"
                .formatted(
                        gang,
                        gangs.isEmpty() ? "no" : "more than one",
                        expected.isEmpty() ? "none, as no gang waits" : String.join(", ", expected)));
    }
}
