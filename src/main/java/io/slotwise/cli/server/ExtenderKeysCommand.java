package io.slotwise.cli.server;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommonOptions;
import io.slotwise.cli.console.ExitStatus;
import io.slotwise.web.extender.PodKeys;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;

/** Makes the keys by which Slotwise and its kube-scheduler know each other; the chart's first act in each pod. */
public final class ExtenderKeysCommand implements Callable<Integer> {
    private static final String SLOTWISE = "--slotwise";
    private static final String KUBE_SCHEDULER = "--kube-scheduler";

    private final CommandConsole session;
    private final CommandSpec spec;

    public ExtenderKeysCommand(CommandConsole session) {
        this.session = session;
        this.spec = CommonOptions.command(
                        "extender-keys",
                        this,
                        "Create the keys with which Slotwise and the kube-scheduler in its pod authenticate each "
                                + "other.")
                .addOption(CommonOptions.value(SLOTWISE, "DIR", "The folder to set as slotwise.extender.pod.tls.")
                        .type(Path.class)
                        .required(true)
                        .build())
                .addOption(CommonOptions.value(
                                KUBE_SCHEDULER,
                                "DIR",
                                "The folder to set in the tlsConfig of kube-scheduler's extender.")
                        .type(Path.class)
                        .required(true)
                        .build());
        spec.usageMessage()
                .description(
                        "",
                        "Each folder gets tls.crt, tls.key and ca.crt (PEM) for connections to 127.0.0.1. "
                                + "Existing keys are kept.",
                        "")
                .footer(
                        "",
                        "Examples:",
                        "  slotwise extender-keys --slotwise keys/slotwise --kube-scheduler keys/kube-scheduler");
    }

    /** How picocli sees this command. */
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public Integer call() {
        Path slotwise = Objects.requireNonNull(CommonOptions.given(spec, SLOTWISE, Path.class));
        Path kubeScheduler = Objects.requireNonNull(CommonOptions.given(spec, KUBE_SCHEDULER, Path.class));
        try {
            boolean made = PodKeys.write(slotwise, kubeScheduler);
            session.out()
                    .println((made ? "Wrote keys to %s and %s." : "%s and %s already have keys, which are kept.")
                            .formatted(slotwise, kubeScheduler));
            return 0;
        } catch (UncheckedIOException e) {
            session.err()
                    .println("slotwise: the keys cannot be written (%s); expected writable folders"
                            .formatted(e.getCause()));
            return ExitStatus.FAILED;
        }
    }
}
