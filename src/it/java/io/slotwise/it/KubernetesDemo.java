package io.slotwise.it;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * {@code ./slotwise demo --kubernetes}: a real control plane with thirty priced nodes, the chart, a real
 * kube-scheduler, and the example gangs as Jobs, from their promises to their starts.
 *
 * <p>The demo ends when every gang has started or can never start (at a terminal it stays for the board), after {@code
 * --for SECONDS}, or on Ctrl-C. In all cases no process stays behind.
 */
public final class KubernetesDemo {
    private static final int NODES = 30;
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final String NAMESPACE = "demo";

    private final InstantSource clock = InstantSource.system();
    private final PrintStream out = System.out;
    private final ControlPlane plane;
    private volatile boolean ending;

    private KubernetesDemo(ControlPlane plane) {
        this.plane = plane;
    }

    /** A machine type, by its name in the catalogue, with its capacity. */
    private enum Machine {
        C5("c5.2xlarge", 7910, 14, 0),
        M5("m5.2xlarge", 7910, 28, 0),
        M5_LARGE("m5.4xlarge", 15890, 57, 0),
        R5("r5.2xlarge", 7910, 59, 0),
        G4("g4dn.2xlarge", 7910, 28, 1);

        private final String type;
        private final int milliCores;
        private final int memoryGi;
        private final int gpus;

        Machine(String type, int milliCores, int memoryGi, int gpus) {
            this.type = type;
            this.milliCores = milliCores;
            this.memoryGi = memoryGi;
            this.gpus = gpus;
        }
    }

    public static void main(String[] arguments) {
        Duration longest = LONGEST;
        if (arguments.length == 2 && arguments[0].equals("--for") && arguments[1].matches("[1-9][0-9]{0,6}")) {
            longest = Duration.ofSeconds(Long.parseLong(arguments[1]));
        } else if (arguments.length > 0) {
            System.err.println("demo --kubernetes: unexpected arguments (" + String.join(" ", arguments)
                    + "); expected nothing or --for SECONDS");
            System.exit(2);
        }
        System.out.println("Starting etcd, kube-apiserver, kube-controller-manager and kwok ...");
        KubernetesDemo demo = new KubernetesDemo(ControlPlane.start("demo"));
        Runtime.getRuntime().addShutdownHook(new Thread(demo::end, "end"));
        try {
            demo.run(longest);
        } catch (RuntimeException e) {
            if (!demo.ending) {
                System.err.println("demo --kubernetes: " + e.getMessage());
                System.exit(1);
            }
        }
        // Clients leave threads running. The control plane ends in the shutdown hook.
        System.exit(0);
    }

    private synchronized void end() {
        if (!ending) {
            ending = true;
            out.println();
            out.println("Ending the control plane; its logs are in " + plane.logs() + ".");
            plane.close();
        }
    }

    private void run(Duration longest) {
        KubernetesClient client = plane.client();
        nodes().forEach(node -> client.resource(node).create());
        out.println("Made " + NODES + " nodes of " + Machine.values().length + " instance types in 3 zones.");
        Installation chart = Installation.install(plane, Map.of("policy.money.currency", "USD"));
        out.println("Installed the chart. Starting Slotwise and kube-scheduler ...");
        SlotwiseProcess slotwise = chart.startSlotwise();
        chart.startScheduler(slotwise.extender());
        out.println("The board: " + slotwise.url() + "/   metrics: " + slotwise.url() + "/metrics");
        out.println("kubectl:   export KUBECONFIG=" + plane.adminKubeconfig());
        chart.awaitGate();
        submit(client);
        Instant end = clock.instant().plus(longest);
        show(client, end);
        stay(end);
    }

    private static List<Node> nodes() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            Machine machine = Machine.values()[i % Machine.values().length];
            Map<String, String> labels = new HashMap<>();
            labels.put("node.kubernetes.io/instance-type", machine.type);
            labels.put("topology.kubernetes.io/region", "us-east-1");
            labels.put("topology.kubernetes.io/zone", "us-east-1" + "abc".charAt(i % 3));
            labels.put("karpenter.sh/capacity-type", "on-demand");
            nodes.add(node("%s-%02d".formatted(machine.type.replace('.', '-'), i + 1), machine, labels));
        }
        return nodes;
    }

    private static Node node(String name, Machine machine, Map<String, String> labels) {
        Node node = Workload.node(name, 1, machine.memoryGi, labels);
        var status = new NodeBuilder(node).editStatus();
        Map<String, Quantity> capacity = new HashMap<>(node.getStatus().getAllocatable());
        capacity.put("cpu", new Quantity(machine.milliCores + "m"));
        if (machine.gpus > 0) {
            capacity.put("nvidia.com/gpu", new Quantity("" + machine.gpus));
        }
        return status.withCapacity(capacity)
                .withAllocatable(capacity)
                .endStatus()
                .build();
    }

    /** Submits the example gangs, and short gangs that together exceed the nodes, so that some wait for room. */
    private static void submit(KubernetesClient client) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        examples().forEach(file -> load(client, file));
        for (int i = 1; i <= 8; i++) {
            GangSpec gang = GangSpec.of(NAMESPACE, "render-" + i, 12, 3000, 20);
            client.resource((i % 2 == 0 ? gang.with("max-price", "0.35") : gang).job())
                    .create();
        }
        client.resource(GangSpec.of(NAMESPACE, "too-dear", 4, 3000, 3600)
                        .with("budget", "0.01")
                        .job())
                .create();
    }

    private static List<Path> examples() {
        try (Stream<Path> files = Files.list(ProjectFiles.root().resolve("deploy/examples"))) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void load(KubernetesClient client, Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            client.load(in).items().forEach(object -> {
                object.getMetadata().setNamespace(NAMESPACE);
                client.resource(object).create();
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void show(KubernetesClient client, Instant end) {
        ReservationTable table = new ReservationTable(out);
        while (!ending && clock.instant().isBefore(end)) {
            List<GenericKubernetesResource> reservations = Cluster.reservations(client, NAMESPACE);
            table.show(reservations, clock.instant());
            if (!reservations.isEmpty() && reservations.stream().allMatch(KubernetesDemo::isSettled)) {
                out.println();
                out.println("Every gang has started, or says why it waits.");
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
        }
    }

    /** A user at a terminal may want to look at the board. */
    private void stay(Instant end) {
        if (ending
                || Optional.ofNullable(System.console())
                        .filter(Console::isTerminal)
                        .isEmpty()) {
            return;
        }
        out.println("The board stays until " + end + "; Ctrl-C ends it before.");
        while (!ending && clock.instant().isBefore(end)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
        }
    }

    /** Returns whether the gang has started, or is pending for a reason that waiting does not change. */
    private static boolean isSettled(GenericKubernetesResource reservation) {
        String phase = Cluster.phase(reservation);
        return phase.equals("Running")
                || phase.equals("Completed")
                || (phase.equals("Pending") && isNever(Cluster.condition(reservation, "Planned")));
    }

    private static boolean isNever(String condition) {
        return Stream.of("OverBudget", "NoWindow", "InvalidRequest").anyMatch(condition::contains);
    }
}
