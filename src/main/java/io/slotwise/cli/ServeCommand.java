package io.slotwise.cli;

import io.slotwise.config.PolicyFile;
import io.slotwise.kubernetes.manifest.PriceCatalogue;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The extender and its planning cycle in a cluster. */
final class ServeCommand implements Runnable {
    private static final String PORT = "--port";
    private static final String HOST = "--host";

    private final Server server;
    private final CommandSpec spec;

    ServeCommand(Server server) {
        this.server = server;
        this.spec = Options.command("serve", this, "Plan a cluster and serve kube-scheduler's extender calls.")
                .addOption(Options.policy())
                .addOption(Options.prices())
                .addOption(Options.value(PORT, "N", "The HTTP port; 0: a free one. Default: 8080.")
                        .type(Integer.class)
                        .build())
                .addOption(Options.value(HOST, "ADDR", "The address to listen on. Default: all addresses.")
                        .build());
        spec.usageMessage()
                .description(
                        "", "Finds the cluster as kubectl does (KUBECONFIG, or the service account of its pod).", "")
                .footer("", "Examples:", "  slotwise serve --policy policy.yaml --port 8080");
    }

    /** How picocli sees this command. */
    CommandSpec spec() {
        return spec;
    }

    @Override
    public void run() {
        SortedMap<String, String> properties = new TreeMap<>();
        Path policy = Options.given(spec, Options.POLICY, Path.class);
        if (policy != null) {
            PolicyFile.read(policy);
            properties.put("slotwise.policy-file", policy.toString());
        }
        Path prices = Options.given(spec, Options.PRICES, Path.class);
        if (prices != null) {
            PriceCatalogue.read(prices);
            properties.put("slotwise.prices-file", prices.toString());
        }
        Integer port = Options.given(spec, PORT, Integer.class);
        if (port != null) {
            if (port < 0 || port > Options.LAST_PORT) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--port (%d) is not a port; expected 0 to %d".formatted(port, Options.LAST_PORT));
            }
            properties.put("quarkus.http.port", port.toString());
        }
        String host = Options.given(spec, HOST, String.class);
        if (host != null) {
            properties.put("quarkus.http.host", host);
        }
        server.run(properties);
    }
}
