package io.slotwise.cli.server;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.cli.console.ExitStatus;
import io.slotwise.web.extender.PodKeys;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;

/** Makes the keys of Slotwise and its kube-scheduler, in the chart's init container of each pod. */
public final class ExtenderKeysCommand extends ConsoleCommand implements Callable<Integer> {
    private static final String SLOTWISE = "--slotwise";
    private static final String KUBE_SCHEDULER = "--kube-scheduler";

    public ExtenderKeysCommand(CommandConsole console) {
        super(
                console,
                "extender-keys",
                "Create the keys with which Slotwise and the kube-scheduler in its pod authenticate each " + "other.");

        spec.addOption(value(SLOTWISE, "DIR", "The folder to set as slotwise.extender.pod.tls.")
                        .type(Path.class)
                        .required(true)
                        .build())
                .addOption(
                        value(KUBE_SCHEDULER, "DIR", "The folder to set in the tlsConfig of kube-scheduler's extender.")
                                .type(Path.class)
                                .required(true)
                                .build());
        help(
                spec,
                """
                slotwise extender-keys --slotwise keys/slotwise --kube-scheduler keys/kube-scheduler
                """,
                "Each folder gets tls.crt, tls.key and ca.crt (PEM) for connections to 127.0.0.1. "
                        + "Existing keys are kept.");
    }

    @Override
    public Integer call() {
        Path slotwise = Objects.requireNonNull(given(SLOTWISE, Path.class));
        Path kubeScheduler = Objects.requireNonNull(given(KUBE_SCHEDULER, Path.class));
        try {
            boolean made = PodKeys.write(slotwise, kubeScheduler);
            console.out()
                    .println((made ? "Wrote keys to %s and %s." : "%s and %s already have keys, which are kept.")
                            .formatted(slotwise, kubeScheduler));
            return 0;
        } catch (UncheckedIOException e) {
            console.err()
                    .println("slotwise: the keys cannot be written (%s); expected writable folders"
                            .formatted(e.getCause()));
            return ExitStatus.FAILED;
        }
    }
}
