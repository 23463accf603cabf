package io.slotwise.cli.plan;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.cli.console.OutputFormat;
import io.slotwise.cli.remote.ClustersOptions;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.work.StopSignal;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.InvalidField;
import io.slotwise.kubernetes.manifest.inquiry.Inquiry;
import io.slotwise.report.CsvReport;
import io.slotwise.report.Explanation;
import io.slotwise.report.JsonReport;
import io.slotwise.report.PlanReport;
import io.slotwise.report.PurchaseText;
import io.slotwise.report.clusters.ClusterPlanReport;
import io.slotwise.report.clusters.ClusterPlanReport.GangChoice;
import io.slotwise.report.clusters.ClusterQuotes;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Plans the objects of files or of a cluster without writing anything. */
public final class PlanCommand extends ConsoleCommand implements Runnable {
    private static final String EXPLAIN = "--explain";
    private static final String SEARCH_TURNS = "--search-turns";

    private final ObjectInputs inputs;
    private final ClustersOptions clusters;

    public PlanCommand(CommandConsole console) {
        super(console, "plan", "Plan the gangs of a cluster, or of Kubernetes objects in files.");

        this.inputs = new ObjectInputs(spec, console, "The instant to plan for");
        this.clusters = new ClustersOptions(spec);
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
                slotwise plan --clusters east,west -f workload.yaml
                kubectl get nodes,pods -A -o json | slotwise plan -f - -o json
                """,
                "Reads nodes and pods, plans a window for every gang that waits, and prints the plan."
                        + " Nothing is written to a cluster.",
                "With --clusters the gangs of the files are quoted in each cluster, and the cluster with the best "
                        + "window by a gang's own criterion is printed.");
    }

    @Override
    public void run() {
        OutputFormat format = inputs.format();
        String explained = given(EXPLAIN, String.class);
        if (format == OutputFormat.CSV && explained != null) {
            throw wrong("--explain (%s) does not support CSV; expected -o table or json".formatted(explained));
        }
        if (clusters.areGiven()) {
            printClusters(format);
            return;
        }
        FilePlan plan = FilePlan.of(inputs.taken(), inputs.settings(), stop());
        List<String> explanation = explained == null ? List.of() : explanation(plan, explained);
        plan.warn(console.err());
        print(plan, explanation, format);
    }

    private void printClusters(OutputFormat format) {
        clusters.excludes(ObjectInputs.OF_ONE_CLUSTER);
        clusters.excludes(List.of(EXPLAIN, SEARCH_TURNS));
        IntakeResult result = inputs.taken();
        List<IntakeWarning> warnings = FilePlan.concerns(result);
        FilePlan.warn(warnings, console.err());
        ClusterPlanReport report =
                new ClusterPlanReport(console.clock().instant().getEpochSecond(), choices(result.snapshot()));
        console.out()
                .print(
                        switch (format) {
                            case TABLE -> report.table(console.terminal());
                            case JSON -> report.json(FilePlan.notes(warnings));
                            case CSV -> report.csv();
                        });
        if (format != OutputFormat.JSON) {
            report.leftOut().forEach(line -> console.err().println("slotwise: " + line));
        }
    }

    /** Returns the choice for each gang by name, also for those that no cluster can be asked about. */
    private List<GangChoice> choices(Snapshot snapshot) {
        List<GangChoice> choices = new ArrayList<>();
        snapshot.held()
                .forEach(pending -> choices.add(GangChoice.none(
                        pending.gang(),
                        pending.refusal().message(inputs.settings().currency()))));
        List<Gang> gangs = new ArrayList<>();
        List<Map<String, String>> described = new ArrayList<>();
        Inquiry inquiry = inputs.inquiry(snapshot);
        for (Request request : snapshot.requests()) {
            Gang gang = request.gang();
            try {
                described.add(inquiry.fields(gang));
                gangs.add(gang);
            } catch (InvalidField e) {
                choices.add(GangChoice.none(gang.id(), String.valueOf(e.getMessage())));
            }
        }
        List<ClusterQuotes> quotes = clusters.quotes(inputs.kubeconfig(), described);
        for (int i = 0; i < gangs.size(); i++) {
            Gang gang = gangs.get(i);
            choices.add(GangChoice.of(gang.id(), gang.criterion(), quotes.get(i)));
        }
        choices.sort(Comparator.comparing(GangChoice::gang));
        return choices;
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
