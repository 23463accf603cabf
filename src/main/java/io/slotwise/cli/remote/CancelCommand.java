package io.slotwise.cli.remote;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommonOptions;
import io.slotwise.config.InvalidInput;
import io.slotwise.kubernetes.kubectl.ClusterAccess;
import io.slotwise.kubernetes.kubectl.PodController;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Gives a gang up: what made its pods is deleted, so that no controller makes them again. */
public final class CancelCommand implements Runnable {
    private static final String DRY_RUN = "--dry-run";

    private final CommandConsole session;
    private final Supplier<Cluster> finder;
    private final CommandSpec spec;
    private final PositionalParamSpec gang = PositionalParamSpec.builder()
            .type(String.class)
            .index("0")
            .required(true)
            .paramLabel("[NAMESPACE/]GANG")
            .description("The gang, or the advance reservation.")
            .build();

    /** Where the gang is. */
    interface Cluster extends AutoCloseable {
        /** The namespace that kubectl works in. */
        String namespace();

        /**
         * What has to be deleted for a gang to go; empty: there is none of this name. An IllegalArgumentException tells
         * what it would take along.
         */
        List<PodController> makersOf(String namespace, String gang);

        /** Deletes one, with all that it made. */
        void delete(PodController maker);

        @Override
        void close();
    }

    public CancelCommand(CommandConsole session) {
        this(session, () -> new Kubeconfig(ClusterAccess.open(null)));
    }

    CancelCommand(CommandConsole session, Supplier<Cluster> finder) {
        this.session = session;
        this.finder = finder;
        this.spec = CommonOptions.command("cancel", this, "Cancel a gang: delete the objects that make its pods.")
                .addPositional(gang)
                .addOption(OptionSpec.builder("-n", RemoteOptions.NAMESPACE)
                        .type(String.class)
                        .paramLabel("NAMESPACE")
                        .description("The namespace. Default: kubectl's.")
                        .build())
                .addOption(OptionSpec.builder(DRY_RUN)
                        .type(boolean.class)
                        .description("Only print what would be deleted.")
                        .build());
        spec.usageMessage()
                .description(
                        "",
                        "Deletes the Job, JobSet or other object that made the gang's pods, bare pods "
                                + "themselves, or the advance reservation of this name. An object that also made "
                                + "pods of "
                                + "other gangs is not deleted.",
                        "Finds the cluster as kubectl does (KUBECONFIG), and acts with your permissions.",
                        "")
                .footer(
                        "",
                        "Examples:",
                        "  slotwise cancel research/train",
                        "  slotwise cancel train -n research --dry-run");
    }

    /** How picocli sees this command. */
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public void run() {
        String word = Objects.requireNonNull(gang.getValue(), "GANG");
        int slash = word.indexOf('/');
        String given = CommonOptions.given(spec, RemoteOptions.NAMESPACE, String.class);
        boolean dry = spec.commandLine().getParseResult().hasMatchedOption(DRY_RUN);
        try (Cluster cluster = finder.get()) {
            String namespace =
                    slash > 0 ? word.substring(0, slash) : Objects.requireNonNullElseGet(given, cluster::namespace);
            String name = word.substring(slash + 1);
            List<PodController> makers = makers(cluster, namespace, name);
            if (makers.isEmpty()) {
                throw new InvalidInput("there is no gang and no advance reservation %s/%s".formatted(namespace, name));
            }
            for (PodController maker : makers) {
                if (!dry) {
                    cluster.delete(maker);
                }
                session.out().println("%s %s".formatted(maker, dry ? "would be deleted" : "deleted"));
            }
        }
    }

    private static List<PodController> makers(Cluster cluster, String namespace, String name) {
        try {
            return cluster.makersOf(namespace, name);
        } catch (IllegalArgumentException e) {
            throw new InvalidInput(String.valueOf(e.getMessage()));
        }
    }

    /** The cluster that kubectl would talk to. */
    private record Kubeconfig(ClusterAccess access) implements Cluster {
        @Override
        public String namespace() {
            return access.namespace();
        }

        @Override
        public List<PodController> makersOf(String namespace, String gang) {
            return access.makersOf(namespace, gang);
        }

        @Override
        public void delete(PodController maker) {
            access.delete(maker);
        }

        @Override
        public void close() {
            access.close();
        }
    }
}
