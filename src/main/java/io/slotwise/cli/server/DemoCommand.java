package io.slotwise.cli.server;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.cli.plan.FilePlan;
import io.slotwise.config.PolicyFile;
import io.slotwise.core.time.Durations;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Runs a simulated cluster on this machine, or plans the built-in example. */
public final class DemoCommand extends ConsoleCommand implements Runnable {
    private static final String NODES = "--nodes";
    private static final String SPEED = "--speed";
    private static final String SEED = "--seed";
    private static final String FOR = "--for";
    private static final String PAUSE_AFTER = "--pause-after";
    private static final String PORT = "--port";
    private static final String HEADLESS = "--headless";
    private static final String PLAN = "--plan";
    private static final String KUBERNETES = "--kubernetes";

    private static final int MOST_NODES = 2_000;
    private static final int FASTEST = 100_000;

    private static final String FOLDER = "/io/slotwise/demo/";
    /** The currency of the cloud prices. */
    private static final Map<String, String> CURRENCY = Map.of("slotwise.policy.money.currency", "USD");

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    private final Server server;

    public DemoCommand(CommandConsole console, Server server) {
        super(console, "demo", "Watch a simulated cluster in fast motion.");

        this.server = server;
        spec.addOption(number(NODES, "N", "The number of nodes, 1 to %d. Default: 40.".formatted(MOST_NODES)))
                .addOption(
                        number(SPEED, "N", "Simulated seconds per real second; 0: as fast as possible. Default: 60."))
                .addOption(value(SEED, "N", "The random seed: the same seed gives the same run. Default: 1.")
                        .type(Long.class)
                        .build())
                .addOption(text(FOR, "DURATION", "End after this much simulated time, such as 6h. Default: never."))
                .addOption(text(
                        PAUSE_AFTER,
                        "DURATION",
                        "Pause after this much simulated time: with --speed 0 everyone who gives the "
                                + "same seed looks at the same board. Default: never."))
                .addOption(file(
                        POLICY,
                        "FILE",
                        "The policy file. Default: the chart's policy, with a horizon of 24h, a cycle of 1m "
                                + "and prices in USD."))
                .addOption(number(PORT, "N", "The port of the board; 0: a free one. Default: 0."))
                .addOption(flag(HEADLESS, "Do not open a browser."))
                .addOption(flag(PLAN, "Plan the bundled example once, print the plan and end."))
                .addOption(flag(
                        KUBERNETES,
                        "Run the example gangs on a real control plane on this machine (started by ./slotwise only)."));
        help(
                spec,
                """
                slotwise demo
                slotwise demo --nodes 200 --speed 600 --seed 7
                slotwise demo --headless --speed 0 --for 6h
                slotwise demo --speed 0 --pause-after 6h
                slotwise demo --plan
                """,
                "Nodes with real instance types and prices; gangs that arrive, end early or end late; spot prices "
                        + "that change and nodes that fail: all generated from a seed, and planned by the "
                        + "same planner as a real cluster. The board opens in the browser; each event is "
                        + "printed on one line.");
    }

    @Override
    public void run() {
        if (has(KUBERNETES)) {
            throw wrong("demo --kubernetes needs the launcher, which builds and starts the control plane; expected"
                    + " ./slotwise demo --kubernetes in the project's folder");
        }
        if (has(PLAN)) {
            plan();
        } else {
            server.run(properties());
        }
    }

    private SortedMap<String, String> properties() {
        SortedMap<String, String> properties = new TreeMap<>();
        properties.put("slotwise.host", "demo");
        properties.put("slotwise.auth", "none");
        properties.put("slotwise.demo.nodes", "" + within(NODES, 40, 1, MOST_NODES));
        properties.put("slotwise.demo.speed", "" + within(SPEED, 60, 0, FASTEST));
        properties.put("slotwise.demo.seed", "" + given(SEED, Long.class, 1L));
        String time = given(FOR, String.class);
        String pause = given(PAUSE_AFTER, String.class);
        if (time != null && pause != null) {
            throw wrong("%s (%s) ends the demo and %s (%s) keeps it; expected one of them"
                    .formatted(FOR, time, PAUSE_AFTER, pause));
        }
        if (time != null) {
            properties.put("slotwise.demo.for", duration(FOR, time).toString());
        }
        if (pause != null) {
            properties.put(
                    "slotwise.demo.pause-after", duration(PAUSE_AFTER, pause).toString());
        }
        Path policy = given(POLICY, Path.class);
        if (policy == null) {
            properties.put("slotwise.policy.planner.horizon", "24h");
            properties.put("slotwise.policy.planner.cycle", "1m");
            properties.putAll(CURRENCY);
        } else {
            PolicyFile.read(policy);
            properties.put("slotwise.policy-file", policy.toString());
        }
        properties.put(BoardAnnouncement.OPEN, "" + !has(HEADLESS));
        properties.put("quarkus.http.host", "127.0.0.1");
        properties.put("quarkus.http.port", "" + within(PORT, 0, 0, LAST_PORT));
        properties.put("quarkus.log.level", "WARN");
        return properties;
    }

    private Duration duration(String option, String text) {
        try {
            return Duration.ofSeconds(Durations.parsePositive(text));
        } catch (IllegalArgumentException e) {
            throw wrong("%s (%s): %s".formatted(option, text, e.getMessage()));
        }
    }

    private void plan() {
        ClusterObjects objects = read("cluster.yaml").plus(read("workload.yaml"));
        FilePlan plan = FilePlan.of(
                objects,
                PolicyFile.empty().overlay(CURRENCY).settings(),
                PriceCatalogue.bundled(),
                NOW.getEpochSecond());
        console.out().print(plan.table(console.terminal()));
    }

    private static ClusterObjects read(String file) {
        try (InputStream text = Objects.requireNonNull(DemoCommand.class.getResourceAsStream(FOLDER + file), file)) {
            return ManifestFile.read(text, file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
