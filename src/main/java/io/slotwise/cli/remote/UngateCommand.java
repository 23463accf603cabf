package io.slotwise.cli.remote;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommonOptions;
import io.slotwise.cli.console.ExitStatus;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.publish.GateRemoval;
import io.slotwise.kubernetes.publish.GateRemoval.Outcome;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Takes our gate off waiting pods; the chart's last act. */
public final class UngateCommand implements Callable<Integer> {
    private static final String SCHEDULER_NAME = "--scheduler-name";
    private static final String POLICY_BINDING = "--policy-binding";
    private static final String DEPLOYMENT = "--deployment";
    private static final String KEEP_GATES = "--keep-gates";
    private static final List<String> USUAL_NAMES =
            List.of(PodFilter.CLUSTER.schedulerName(), PodFilter.CLUSTER.extenderSchedulerName());

    private final CommandConsole session;
    private final Ungating ungating;
    private final CommandSpec spec;

    public UngateCommand(CommandConsole session) {
        this(session, GateRemoval::inCluster);
    }

    UngateCommand(CommandConsole session, Ungating ungating) {
        this.session = session;
        this.ungating = ungating;
        this.spec = CommonOptions.command(
                        "ungate",
                        this,
                        "Remove the scheduling gate slotwise.io/window from all waiting pods before you "
                                + "uninstall Slotwise.")
                .addOption(CommonOptions.value(
                                SCHEDULER_NAME,
                                "NAME",
                                "A schedulerName of the pods; may be repeated. Default: "
                                        + String.join(" and ", USUAL_NAMES) + ".")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .build())
                .addOption(CommonOptions.value(
                                POLICY_BINDING,
                                "NAME",
                                "The MutatingAdmissionPolicyBinding that is deleted first, so that no new pod gets the "
                                        + "gate.")
                        .build());
        spec.addOption(CommonOptions.value(
                        DEPLOYMENT,
                        "NAMESPACE/NAME",
                        "Slotwise's Deployment, which is stopped before its records are let go.")
                .build());
        spec.addOption(OptionSpec.builder(KEEP_GATES)
                .type(boolean.class)
                .description("Leave the gates, and only let the records go.")
                .build());
        spec.usageMessage()
                .description(
                        "",
                        "Removes the gate from pods with these scheduler names. Other gates and other pods stay "
                                + "as they are.",
                        "Finds the cluster as kubectl does (KUBECONFIG, or the service account of its pod).",
                        "")
                .footer("", "Examples:", "  slotwise ungate --policy-binding slotwise-gate");
    }

    /** How picocli sees this command. */
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() {
        List<?> given = CommonOptions.given(spec, SCHEDULER_NAME, List.class);
        List<String> names = given == null
                ? USUAL_NAMES
                : given.stream().map(Object::toString).toList();
        String deployment = CommonOptions.given(spec, DEPLOYMENT, String.class);
        String binding = CommonOptions.given(spec, POLICY_BINDING, String.class);
        if (CommonOptions.given(spec, KEEP_GATES, Boolean.class) != null) {
            if (given != null || binding != null) {
                throw new ParameterException(
                        spec.commandLine(),
                        "%s leaves the gates; expected neither %s nor %s"
                                .formatted(KEEP_GATES, SCHEDULER_NAME, POLICY_BINDING));
            }
            return switch (ungating.run(null, null, deployment)) {
                case Outcome.Removed _ -> {
                    session.out().println("Released all Reservations; the gates stay.");
                    yield 0;
                }
                case Outcome.Failed failed -> failed(failed);
            };
        }
        for (String name : names) {
            switch (ungating.run(name, binding, deployment)) {
                case Outcome.Removed removed ->
                    session.out()
                            .println("Removed the gate from %d %s with schedulerName %s."
                                    .formatted(removed.pods(), removed.pods() == 1 ? "pod" : "pods", name));
                case Outcome.Failed failed -> {
                    return failed(failed);
                }
            }
            // It is gone.
            binding = null;
        }
        return 0;
    }

    private int failed(Outcome.Failed failed) {
        session.err().println("slotwise: " + failed.message());
        return ExitStatus.FAILED;
    }

    /** Takes gates off the pods of a scheduler name, null: of none, and lets records go. */
    @FunctionalInterface
    interface Ungating {
        Outcome run(@Nullable String schedulerName, @Nullable String policyBinding, @Nullable String deployment);
    }
}
