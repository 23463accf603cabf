package io.slotwise.cli;

import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.ManifestFile;
import io.slotwise.kubernetes.manifest.PriceCatalogue;
import io.slotwise.live.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Objects;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Plans the example that comes with the program. */
final class DemoCommand implements Runnable {
    private static final String KUBERNETES = "--kubernetes";
    private static final String FOLDER = "/io/slotwise/demo/";
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    private final Session session;
    private final CommandSpec spec;

    DemoCommand(Session session) {
        this.session = session;
        this.spec = Options.command("demo", this, "Plan the example that comes with the program.")
                .addOption(OptionSpec.builder(KUBERNETES)
                        .type(boolean.class)
                        .description(
                                "Run the example on a real control plane on this machine (started by ./slotwise only).")
                        .build());
        spec.usageMessage()
                .description(
                        "",
                        "Shows windows, nodes, costs, the reasons of those that wait, and a picture of the plan.",
                        "");
    }

    /** How picocli sees this command. */
    CommandSpec spec() {
        return spec;
    }

    @Override
    public void run() {
        if (spec.commandLine().getParseResult().hasMatchedOption(KUBERNETES)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "demo --kubernetes needs the launcher, which builds and starts the control plane; expected"
                            + " ./slotwise demo --kubernetes in the project's folder");
        }
        ClusterObjects objects = read("cluster.yaml").plus(read("workload.yaml"));
        Planning planning = Planning.of(objects, Settings.DEFAULT, PriceCatalogue.bundled(), NOW.getEpochSecond());
        planning.warn(session.err());
        session.out().print(planning.table(session.terminal()));
    }

    private static ClusterObjects read(String file) {
        try (InputStream text = Objects.requireNonNull(DemoCommand.class.getResourceAsStream(FOLDER + file), file)) {
            return ManifestFile.read(text, file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
