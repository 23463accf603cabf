package io.slotwise.cli;

import io.slotwise.kubernetes.publish.GateRemoval;
import io.slotwise.kubernetes.publish.GateRemoval.Outcome;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Takes our gate off waiting pods; the chart's last act. */
final class UngateCommand implements Callable<Integer> {
    private static final String SCHEDULER_NAME = "--scheduler-name";
    private static final String POLICY_BINDING = "--policy-binding";
    private static final String USUAL_NAME = "slotwise";

    private final Session session;
    private final Ungating ungating;
    private final CommandSpec spec;

    UngateCommand(Session session) {
        this(session, GateRemoval::inCluster);
    }

    UngateCommand(Session session, Ungating ungating) {
        this.session = session;
        this.ungating = ungating;
        this.spec = Options.command(
                        "ungate",
                        this,
                        "Take the gate slotwise.io/window off all waiting pods, before Slotwise is uninstalled.")
                .addOption(Options.value(
                                SCHEDULER_NAME, "NAME", "The schedulerName of the pods. Default: " + USUAL_NAME + ".")
                        .build())
                .addOption(Options.value(
                                POLICY_BINDING,
                                "NAME",
                                "The MutatingAdmissionPolicyBinding that is deleted first, so that no new pod gets the gate.")
                        .build());
        spec.usageMessage()
                .description(
                        "",
                        "Pods of the scheduler name lose the gate; foreign gates and other pods stay as they are.",
                        "Finds the cluster as kubectl does (KUBECONFIG, or the service account of its pod).",
                        "")
                .footer("", "Examples:", "  slotwise ungate --policy-binding slotwise-gate");
    }

    /** How picocli sees this command. */
    CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() {
        String given = Options.given(spec, SCHEDULER_NAME, String.class);
        String schedulerName = given == null ? USUAL_NAME : given;
        return switch (ungating.run(schedulerName, Options.given(spec, POLICY_BINDING, String.class))) {
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
