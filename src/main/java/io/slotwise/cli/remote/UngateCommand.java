package io.slotwise.cli.remote;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.cli.console.ExitStatus;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.publish.GateRemoval;
import io.slotwise.kubernetes.publish.GateRemoval.Outcome;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Removes Slotwise's gate from waiting pods when the chart is uninstalled. */
public final class UngateCommand extends ConsoleCommand implements Callable<Integer> {
    private static final String SCHEDULER_NAME = "--scheduler-name";
    private static final String POLICY_BINDING = "--policy-binding";
    private static final String DEPLOYMENT = "--deployment";
    private static final String KEEP_GATES = "--keep-gates";
    private static final List<String> USUAL_NAMES =
            List.of(PodFilter.CLUSTER.schedulerName(), PodFilter.CLUSTER.extenderSchedulerName());

    private final Ungating ungating;

    public UngateCommand(CommandConsole console) {
        this(console, GateRemoval::inCluster);
    }

    UngateCommand(CommandConsole console, Ungating ungating) {
        super(
                console,
                "ungate",
                "Remove the scheduling gate slotwise.io/window from all waiting pods before you "
                        + "uninstall Slotwise.");

        this.ungating = ungating;
        spec.addOption(list(
                                SCHEDULER_NAME,
                                "NAME",
                                "A schedulerName of the pods; may be repeated. Default: "
                                        + String.join(" and ", USUAL_NAMES) + ".")
                        .build())
                .addOption(text(
                        POLICY_BINDING,
                        "NAME",
                        "The MutatingAdmissionPolicyBinding that is deleted first, so that no new pod gets the "
                                + "gate."));
        spec.addOption(text(
                DEPLOYMENT,
                "NAMESPACE/NAME",
                "Slotwise's Deployment, which is stopped before its records are let go."));
        spec.addOption(flag(KEEP_GATES, "Leave the gates, and only let the records go."));
        help(
                spec,
                """
                slotwise ungate --policy-binding slotwise-gate
                """,
                "Removes the gate from pods with these scheduler names. Other gates and other pods stay as they are.",
                "Finds the cluster as kubectl does (KUBECONFIG, or the service account of its pod).");
    }

    @Override
    public Integer call() {
        List<?> given = given(SCHEDULER_NAME, List.class);
        List<String> names = given == null
                ? USUAL_NAMES
                : given.stream().map(Object::toString).toList();
        String deployment = given(DEPLOYMENT, String.class);
        String binding = given(POLICY_BINDING, String.class);
        if (given(KEEP_GATES, Boolean.class) != null) {
            if (given != null || binding != null) {
                throw wrong("%s leaves the gates; expected neither %s nor %s"
                        .formatted(KEEP_GATES, SCHEDULER_NAME, POLICY_BINDING));
            }
            return switch (ungating.run(null, null, deployment)) {
                case Outcome.Removed _ -> {
                    console.out().println("Released all Reservations; the gates stay.");
                    yield 0;
                }
                case Outcome.Failed failed -> failed(failed);
            };
        }
        for (String name : names) {
            switch (ungating.run(name, binding, deployment)) {
                case Outcome.Removed removed ->
                    console.out()
                            .println("Removed the gate from %d %s with schedulerName %s."
                                    .formatted(removed.pods(), removed.pods() == 1 ? "pod" : "pods", name));
                case Outcome.Failed failed -> {
                    return failed(failed);
                }
            }
            // Already deleted.
            binding = null;
        }
        return 0;
    }

    private int failed(Outcome.Failed failed) {
        console.err().println("slotwise: " + failed.message());
        return ExitStatus.FAILED;
    }

    /** Removes the gates from pods with a scheduler name, or of none if null, and releases records. */
    @FunctionalInterface
    interface Ungating {
        Outcome run(@Nullable String schedulerName, @Nullable String policyBinding, @Nullable String deployment);
    }
}
