package io.slotwise.cli.remote;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.config.InvalidInput;
import io.slotwise.kubernetes.kubectl.ClusterAccess;
import io.slotwise.kubernetes.kubectl.KubectlCluster;
import io.slotwise.kubernetes.kubectl.PodController;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Cancels a gang by deleting the owner of its pods, so that no controller recreates them. */
public final class CancelCommand extends ConsoleCommand implements Runnable {
    private static final String DRY_RUN = "--dry-run";

    private final Supplier<KubectlCluster> kubectlCluster;
    private final PositionalParamSpec gang =
            word("[NAMESPACE/]GANG", "The gang, or the advance reservation.").build();

    public CancelCommand(CommandConsole console) {
        this(console, () -> ClusterAccess.open(null));
    }

    CancelCommand(CommandConsole console, Supplier<KubectlCluster> cluster) {
        super(console, "cancel", "Cancel a gang: delete the objects that make its pods.");

        this.kubectlCluster = cluster;
        spec.addPositional(gang)
                .addOption(RemoteOptions.namespace("The namespace. Default: kubectl's."))
                .addOption(flag(DRY_RUN, "Only print what would be deleted."));
        help(
                spec,
                """
                slotwise cancel research/train
                slotwise cancel train -n research --dry-run
                """,
                "Deletes the Job, JobSet or other object that made the gang's pods, bare pods themselves, or the "
                        + "advance reservation of this name. An object that also made pods of other gangs is "
                        + "not deleted.",
                "Finds the cluster as kubectl does (KUBECONFIG), and acts with your permissions.");
    }

    @Override
    public void run() {
        String word = Objects.requireNonNull(gang.getValue(), "GANG");
        int slash = word.indexOf('/');
        String given = given(RemoteOptions.NAMESPACE, String.class);
        boolean dry = has(DRY_RUN);
        try (KubectlCluster cluster = kubectlCluster.get()) {
            String namespace =
                    slash > 0 ? word.substring(0, slash) : Objects.requireNonNullElseGet(given, cluster::namespace);
            String name = word.substring(slash + 1);
            List<PodController> makers = makers(cluster, namespace, name);
            if (makers.isEmpty()) {
                throw new InvalidInput("there is no gang and no advance reservation %s/%s".formatted(namespace, name));
            }
            for (PodController controller : makers) {
                if (!dry) {
                    cluster.delete(controller);
                }
                console.out().println("%s %s".formatted(controller, dry ? "would be deleted" : "deleted"));
            }
        }
    }

    private static List<PodController> makers(KubectlCluster cluster, String namespace, String name) {
        try {
            return cluster.makersOf(namespace, name);
        } catch (IllegalArgumentException e) {
            throw new InvalidInput(String.valueOf(e.getMessage()));
        }
    }
}
