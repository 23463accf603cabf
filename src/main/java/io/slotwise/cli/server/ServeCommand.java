package io.slotwise.cli.server;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.config.PolicyFile;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/** Runs the extender and the planning loop in a cluster. */
public final class ServeCommand extends ConsoleCommand implements Runnable {
    private static final String PORT = "--port";
    private static final String HOST = "--host";

    private final Server server;

    public ServeCommand(CommandConsole console, Server server) {
        super(console, "serve", "Plan a cluster and serve kube-scheduler's extender calls.");
        this.server = server;
        spec.addOption(policy())
                .addOption(prices())
                .addOption(number(PORT, "N", "The HTTP port; 0: a free one. Default: 8080."))
                .addOption(text(HOST, "ADDR", "The address to listen on. Default: all addresses."));
        help(
                spec,
                "slotwise serve --policy policy.yaml --port 8080",
                "Finds the cluster as kubectl does (KUBECONFIG, or the service account of its pod).");
    }

    @Override
    public void run() {
        SortedMap<String, String> properties = new TreeMap<>();
        Path policy = given(POLICY, Path.class);
        if (policy != null) {
            PolicyFile.read(policy);
            properties.put("slotwise.policy-file", policy.toString());
        }
        Path prices = given(PRICES, Path.class);
        if (prices != null) {
            PriceCatalogue.read(prices);
            properties.put("slotwise.prices-file", prices.toString());
        }
        Integer port = port(PORT, null);
        if (port != null) {
            properties.put("quarkus.http.port", port.toString());
        }
        String host = given(HOST, String.class);
        if (host != null) {
            properties.put("quarkus.http.host", host);
        }
        server.run(properties);
    }
}
