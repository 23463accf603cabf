package io.slotwise.cli;

import io.slotwise.kubernetes.publish.GateRemoval;
import io.slotwise.kubernetes.publish.GateRemoval.Outcome;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Takes our gate off waiting pods; the chart's last act. */
@Command(
        name = "ungate",
        header = "Take the gate slotwise.io/window off all waiting pods, before Slotwise is uninstalled.",
        description = {
            "",
            "Pods of the scheduler name lose the gate; foreign gates and other pods stay as they are.",
            "Finds the cluster as kubectl does (KUBECONFIG, or the service account of its pod).",
            ""
        },
        footer = {"", "Examples:", "  slotwise ungate --policy-binding slotwise-gate"})
final class UngateCommand implements Callable<Integer> {
    private final Session session;
    private final Ungating ungating;

    @Option(
            names = "--scheduler-name",
            paramLabel = "NAME",
            defaultValue = "slotwise",
            description = "The schedulerName of the pods. Default: slotwise.")
    String schedulerName = "slotwise";

    @Option(
            names = "--policy-binding",
            paramLabel = "NAME",
            description = "The MutatingAdmissionPolicyBinding that is deleted first, so that no new pod gets the gate.")
    @Nullable
    String policyBinding;

    UngateCommand(Session session) {
        this(session, GateRemoval::inCluster);
    }

    UngateCommand(Session session, Ungating ungating) {
        this.session = session;
        this.ungating = ungating;
    }

    @Override
    public Integer call() {
        return switch (ungating.run(schedulerName, policyBinding)) {
            case Outcome.Removed removed -> {
                session.out()
                        .println("Took the gate off %d pods of schedulerName %s."
                                .formatted(removed.pods(), schedulerName));
                yield 0;
            }
            case Outcome.Failed failed -> {
                session.err().println("slotwise: " + failed.message());
                yield Slotwise.FAILED;
            }
        };
    }

    /** Takes gates off. */
    @FunctionalInterface
    interface Ungating {
        Outcome run(String schedulerName, @Nullable String policyBinding);
    }
}
