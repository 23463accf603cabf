package io.slotwise.cli.plan;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.cli.console.ExitStatus;
import io.slotwise.cli.console.OutputFormat;
import io.slotwise.core.money.Currency;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Reason;
import io.slotwise.kubernetes.manifest.inquiry.ForeignKeys;
import io.slotwise.kubernetes.manifest.inquiry.GangCheck;
import io.slotwise.report.CheckReport;
import io.slotwise.report.CheckReport.CheckedGang;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Shows the gangs that objects become, and why they would be refused. Nodes are not needed. */
public final class CheckCommand extends ConsoleCommand implements Callable<Integer> {
    /** The reasons of notes about objects that are refused. */
    private static final Set<Reason> REFUSED = Set.of(Reason.INVALID_VALUE, Reason.REFUSED, Reason.UNKNOWN_FIELD);

    private final ObjectInputs inputs;

    public CheckCommand(CommandConsole console) {
        super(console, "check", "Check which gangs Kubernetes objects become, and whether they are refused.");

        this.inputs = new ObjectInputs(spec, console, "The instant to check for");
        inputs.readAllSchedulers();
        help(
                spec,
                """
                slotwise check -f train.yaml
                kustomize build . | slotwise check -f - -o json
                """,
                "Shows each gang, the label, annotation or owner that makes it, and how many pods start together. "
                        + "Says what is refused, missing or ignored. Pods of every scheduler are read. The exit "
                        + "status is 1 if something is refused. Nothing is written to a cluster.");
    }

    @Override
    public Integer call() {
        OutputFormat format = inputs.format();
        if (format == OutputFormat.CSV) {
            throw wrong("check does not support CSV; expected -o table or json");
        }
        IntakeResult result = inputs.taken();
        Map<Boolean, List<IntakeWarning>> warnings = Stream.concat(
                        result.warnings().stream().filter(warning -> !isAboutLackOfNodes(warning)),
                        ForeignKeys.warnings(result).stream())
                .collect(Collectors.partitioningBy(warning -> REFUSED.contains(warning.reason())));
        Currency currency = inputs.settings().currency();
        CheckReport report = new CheckReport(
                GangCheck.of(result).stream()
                        .map(check -> checked(check, currency))
                        .toList(),
                FilePlan.notes(warnings.getOrDefault(true, List.of())),
                FilePlan.notes(warnings.getOrDefault(false, List.of())));
        console.out().print(format == OutputFormat.JSON ? report.json() : report.table(console.terminal()));
        return report.isRefused() ? ExitStatus.FAILED : 0;
    }

    private static boolean isAboutLackOfNodes(IntakeWarning warning) {
        return warning.kind().equals("Node") && warning.name().isEmpty();
    }

    private static CheckedGang checked(GangCheck check, Currency currency) {
        return new CheckedGang(
                check.gang().toString(),
                check.rule(),
                check.pods(),
                check.size(),
                check.policy(),
                check.refusal() == null ? null : check.refusal().message(currency));
    }
}
