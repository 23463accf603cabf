package io.slotwise.cli;

import io.slotwise.config.PolicyFile;
import io.slotwise.kubernetes.manifest.PriceCatalogue;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The extender and its planning cycle in a cluster. */
@Command(
        name = "serve",
        header = "Plan a cluster and serve kube-scheduler's extender calls.",
        description = {"", "Finds the cluster as kubectl does (KUBECONFIG, or the service account of its pod).", ""},
        footer = {"", "Examples:", "  slotwise serve --policy policy.yaml --port 8080"})
final class ServeCommand implements Runnable {
    private static final int LAST_PORT = 65_535;

    private final Server server;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Option(names = "--policy", paramLabel = "FILE", description = "The policy file. Default: every key's default.")
    @Nullable
    Path policy;

    @Option(
            names = "--prices",
            paramLabel = "FILE",
            description = "The price catalogue (CSV). Default: public list prices that come with the program.")
    @Nullable
    Path prices;

    @Option(names = "--port", paramLabel = "N", description = "The HTTP port; 0: a free one. Default: 8080.")
    @Nullable
    Integer port;

    @Option(names = "--host", paramLabel = "ADDR", description = "The address that is listened on. Default: every one.")
    @Nullable
    String host;

    ServeCommand(Server server) {
        this.server = server;
    }

    @Override
    public void run() {
        SortedMap<String, String> properties = new TreeMap<>();
        if (policy != null) {
            PolicyFile.read(policy);
            properties.put("slotwise.policy-file", policy.toString());
        }
        if (prices != null) {
            PriceCatalogue.read(prices);
            properties.put("slotwise.prices-file", prices.toString());
        }
        if (port != null) {
            if (port < 0 || port > LAST_PORT) {
                throw new ParameterException(
                        spec.commandLine(), "--port (%d) is no port; expected 0 to %d".formatted(port, LAST_PORT));
            }
            properties.put("quarkus.http.port", port.toString());
        }
        if (host != null) {
            properties.put("quarkus.http.host", host);
        }
        server.run(properties);
    }
}
