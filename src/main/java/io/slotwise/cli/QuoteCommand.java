package io.slotwise.cli;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Quoter;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.kubernetes.manifest.Taken;
import io.slotwise.report.QuoteReport;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What one gang could have, and for how much; no cluster is touched. */
final class QuoteCommand implements Runnable {
    private final Session session;
    private final CommandSpec spec;
    private final Inputs inputs;

    QuoteCommand(Session session) {
        this.session = session;
        this.spec = Options.command("quote", this, "Tell one gang's choice between early and cheap.");
        this.inputs = new Inputs(spec, session, "Quote as if it were this instant");
        spec.usageMessage()
                .customSynopsis("slotwise quote -f FILE... [--now INSTANT] [--policy FILE] [-o FORMAT] GANG")
                .description(
                        "",
                        "Lists every window that GANG (NAMESPACE/NAME or NAME) could have beside what runs and what is"
                                + " promised, such that none starts as early and costs less, whatever its budget. Of a"
                                + " stretch of falling price only the first and the last second are listed.",
                        "")
                .footer(
                        "",
                        "Examples:",
                        "  slotwise quote -f cluster.yaml -f workload.yaml research/train",
                        "  kubectl get nodes,pods -A -o json | slotwise quote -f - train -o json");
    }

    /** How picocli sees this command. */
    CommandSpec spec() {
        return spec;
    }

    @Override
    public void run() {
        List<String> words = inputs.words();
        if (words.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "No gang is named; expected NAMESPACE/NAME or NAME");
        }
        String name = words.getLast();
        Taken taken = inputs.taken(words.subList(0, words.size() - 1));
        Snapshot snapshot = taken.snapshot();
        Gang gang = gang(snapshot, name);
        QuoteReport report = new QuoteReport(
                snapshot.now(), gang, new Quoter(inputs.settings().policy()).menu(snapshot, gang.id()));
        taken.warnings().forEach(warning -> session.err().println("Warning: " + warning.message()));
        session.out()
                .print(
                        switch (inputs.format()) {
                            case TABLE -> report.table(session.terminal());
                            case JSON -> report.json();
                            case CSV -> report.csv();
                        });
    }

    private Gang gang(Snapshot snapshot, String name) {
        List<Gang> gangs = snapshot.requests().stream().map(Request::gang).toList();
        List<Gang> named = gangs.stream()
                .filter(gang ->
                        gang.id().toString().equals(name) || gang.id().name().equals(name))
                .toList();
        if (named.size() == 1) {
            return named.getFirst();
        }
        for (Pending held : snapshot.held()) {
            if (held.gang().toString().equals(name) || held.gang().name().equals(name)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "The gang (%s) cannot be quoted: %s"
                                .formatted(held.gang(), held.refusal().message()));
            }
        }
        List<String> there = Stream.of(named.isEmpty() ? gangs : named)
                .flatMap(List::stream)
                .map(gang -> gang.id().toString())
                .sorted()
                .toList();
        throw new ParameterException(
                spec.commandLine(),
                "The gang (%s) names %s that waits; expected one of %s"
                        .formatted(
                                name,
                                named.isEmpty() ? "none" : "more than one",
                                there.isEmpty() ? "none, as no gang waits" : String.join(", ", there)));
    }
}
