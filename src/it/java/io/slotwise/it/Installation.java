package io.slotwise.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The chart, installed by helm into a control plane, with its two containers as processes.
 *
 * <p>Slotwise and kube-scheduler run with the token of the chart's own service account and with the chart's policy,
 * prices, environment and KubeSchedulerConfiguration. Only addresses and the leader election of kube-scheduler differ.
 * The Deployment's own pod waits for a default scheduler that does not run.
 */
public final class Installation {
    /** Settings of a replica whose missing leader is noticed sooner than with the chart's fifteen seconds. */
    public static final Map<String, String> SHORT_LEASE = Map.of(
            "SLOTWISE_LEASE_DURATION", "6s",
            "SLOTWISE_LEASE_RENEW_DEADLINE", "4s",
            "SLOTWISE_LEASE_RETRY_PERIOD", "1s");

    /** The namespace and the name of the release. */
    public static final String RELEASE = "slotwise";

    /** The name of the hook that removes gates before the release is uninstalled, and of its service account. */
    static final String HOOK = RELEASE + "-ungate";

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private final ControlPlane plane;
    private final AtomicInteger replicas = new AtomicInteger();

    private Installation(ControlPlane plane) {
        this.plane = plane;
    }

    /** Installs the chart with {@code values} ({@code --set KEY=VALUE}). */
    public static Installation install(ControlPlane plane, Map<String, String> values) {
        Installation installation = new Installation(plane);
        installation.helm("install", values);
        return installation;
    }

    void upgrade(Map<String, String> values) {
        helm("upgrade", values);
    }

    /** Uninstalls the release with its hooks. A hook's pod is marked as succeeded, since no kubelet runs it. */
    void uninstall() {
        Thread.startVirtualThread(
                () -> Scenario.within("the pod of the hook", 60).until(this::endHook));
        runToEnd(List.of(
                plane.program("helm").toString(),
                "uninstall",
                RELEASE,
                "--namespace=" + RELEASE,
                "--kubeconfig=" + plane.adminKubeconfig()));
    }

    private boolean endHook() {
        List<Pod> pods = plane.client()
                .pods()
                .inNamespace(RELEASE)
                .withLabel("app.kubernetes.io/name", HOOK)
                .list()
                .getItems();
        pods.forEach(pod -> new Cluster(plane).end(pod, "Succeeded"));
        return !pods.isEmpty();
    }

    private void helm(String verb, Map<String, String> values) {
        List<String> command = new ArrayList<>(List.of(
                plane.program("helm").toString(),
                verb,
                RELEASE,
                ProjectFiles.root().resolve("helm/slotwise").toString(),
                "--namespace=" + RELEASE,
                "--kubeconfig=" + plane.adminKubeconfig()));
        if (verb.equals("install")) {
            command.add("--create-namespace");
        }
        values.forEach((key, value) -> command.add("--set=" + key + "=" + value));
        runToEnd(command);
    }

    /** The text that helm renders with {@code values}, including hooks. */
    public static String render(ControlPlane plane, Map<String, String> values) {
        List<String> command = new ArrayList<>(List.of(
                plane.program("helm").toString(),
                "template",
                RELEASE,
                ProjectFiles.root().resolve("helm/slotwise").toString(),
                "--namespace=" + RELEASE,
                "--kube-version=1.37.0"));
        values.forEach((key, value) -> command.add("--set=" + key + "=" + value));
        return runToEnd(command);
    }

    /** The objects of a rendered text. */
    public static List<HasMetadata> load(ControlPlane plane, String rendered) {
        return plane.client()
                .load(new ByteArrayInputStream(rendered.getBytes(StandardCharsets.UTF_8)))
                .items();
    }

    /** Waits half a second until the admission policy is in force. Earlier pods would have no gate. */
    public void awaitGate() {
        plane.await("the admission policy to be in force", () -> {
            var probe = plane.client()
                    .resource(Workload.pod("default", "probe", "slotwise-extender", 100, 64))
                    .dryRun()
                    .create();
            return !probe.getSpec().getSchedulingGates().isEmpty();
        });
    }

    public Path policy() {
        return plane.write("policy.yaml", configMap(RELEASE, "policy.yaml"));
    }

    public Path prices() {
        return plane.write("prices.csv", configMap(RELEASE, "prices.csv"));
    }

    public Path kubeconfig(String server) {
        return plane.kubeconfig(RELEASE, plane.serviceAccountToken(RELEASE, RELEASE), server);
    }

    /** Starts another replica of Slotwise that calls the API server at {@code server}, and waits until it is ready. */
    public SlotwiseProcess startSlotwise(String server) {
        return startSlotwise(server, Map.of());
    }

    SlotwiseProcess startSlotwise(String server, Map<String, String> more) {
        SlotwiseProcess slotwise = slotwise(server, more, List.of());
        slotwise.start();
        return slotwise;
    }

    public SlotwiseProcess startSlotwiseWithoutWaiting() {
        return startSlotwiseAs(RELEASE);
    }

    /** Starts a replica as another account of its namespace, without waiting. */
    SlotwiseProcess startSlotwiseAs(String account) {
        String token = plane.serviceAccountToken(RELEASE, account);
        SlotwiseProcess slotwise = slotwise(plane.kubeconfig(account, token, plane.url()), Map.of(), List.of());
        slotwise.startWithoutWaiting();
        return slotwise;
    }

    /** A further replica that does not run yet. */
    public SlotwiseProcess slotwise(String server, Map<String, String> more, List<String> javaOptions) {
        return slotwise(kubeconfig(server), more, javaOptions);
    }

    private SlotwiseProcess slotwise(Path kubeconfig, Map<String, String> more, List<String> javaOptions) {
        Map<String, String> environment = new HashMap<>(environment());
        environment.putAll(more);
        String replica = "slotwise-" + replicas.incrementAndGet();
        environment.put("SLOTWISE_IDENTITY", replica);
        return new SlotwiseProcess(
                plane,
                replica,
                kubeconfig,
                List.of("--policy=" + policy(), "--prices=" + prices()),
                environment,
                javaOptions);
    }

    /**
     * Installs the chart for buying nodes, and returns a replica that does not run yet.
     *
     * @param most the most nodes
     * @param offers the chart's value, which grants the rights
     * @param catalogue the offers, YAML
     */
    static SlotwiseProcess buying(ControlPlane plane, String server, int most, String offers, String catalogue) {
        return forBuying(plane, most, offers).buyer(server, catalogue);
    }

    /** Installs the chart for buying at most this many nodes. {@code offers} is the value that grants the rights. */
    static Installation forBuying(ControlPlane plane, int most, String offers) {
        return install(
                plane,
                Map.of(
                        "policy.running.turnover", "0s",
                        "policy.buying.mode", "buy",
                        "policy.buying.max-nodes", Integer.toString(most),
                        "policy.buying.max-spend", "5/day",
                        "offers", offers));
    }

    /** A further replica that can buy the nodes of {@code catalogue} (YAML) and does not run yet. */
    SlotwiseProcess buyer(String server, String catalogue) {
        Map<String, String> more = new HashMap<>(SHORT_LEASE);
        more.put("SLOTWISE_OFFERS_FILE", plane.write("offers.yaml", catalogue).toString());
        return slotwise(server, more, List.of());
    }

    public SlotwiseProcess startSlotwise() {
        return startSlotwise(plane.url());
    }

    public KubeScheduler startScheduler(ExtenderPort extender) {
        return startScheduler(extender, true, List.of());
    }

    /**
     * Starts the chart's kube-scheduler.
     *
     * @param extender the address of Slotwise
     * @param namesOnly node names for the extender as in the chart ({@code nodeCacheCapable: true}), or whole nodes
     * @param others extenders before Slotwise
     */
    public KubeScheduler startScheduler(ExtenderPort extender, boolean namesOnly, List<KubeScheduler.Extender> others) {
        ObjectNode configuration = extended(schedulerConfiguration(false, plane.url()), extender);
        ObjectNode ours = (ObjectNode) configuration.path("extenders").path(0);
        ours.put("nodeCacheCapable", namesOnly);
        var extenders = configuration.putArray("extenders");
        others.forEach(other -> extenders.add(yaml(other.yaml()).path(0)));
        extenders.add(ours);
        return startScheduler("kube-scheduler", configuration);
    }

    /** Starts the chart's kube-scheduler, which calls the API server at {@code server}. */
    public KubeScheduler startScheduler(ExtenderPort extender, String server) {
        return startScheduler("kube-scheduler", extended(schedulerConfiguration(false, server), extender));
    }

    /**
     * Starts the chart's kube-scheduler with leader election, which takes some seconds more. {@code program} names its
     * log.
     */
    KubeScheduler startElectedScheduler(String program, ExtenderPort extender) {
        return startScheduler(program, extended(schedulerConfiguration(true, plane.url()), extender));
    }

    /** Returns the configuration with the extender at another address, and with a folder of keys on this machine. */
    private static ObjectNode extended(ObjectNode configuration, ExtenderPort extender) {
        ObjectNode ours = (ObjectNode) configuration.path("extenders").path(0);
        ours.put("urlPrefix", extender.url() + "/scheduler/v1");
        Path keys = extender.keys();
        if (keys == null) {
            ours.remove(List.of("enableHTTPS", "tlsConfig"));
        } else {
            ObjectNode tls = (ObjectNode) ours.path("tlsConfig");
            tls.properties().forEach(file -> {
                String mounted = file.getValue().asText();
                String name = mounted.substring(mounted.lastIndexOf('/') + 1);
                file.setValue(TextNode.valueOf(keys.resolve(name).toString()));
            });
        }
        return configuration;
    }

    private ObjectNode schedulerConfiguration(boolean elected, String server) {
        ObjectNode configuration = (ObjectNode) yaml(configMap(RELEASE + "-kube-scheduler", "config.yaml"));
        if (!elected) {
            configuration.withObject("/leaderElection").removeAll().put("leaderElect", false);
        }
        configuration
                .withObject("/clientConnection")
                .put("kubeconfig", kubeconfig(server).toString());
        return configuration;
    }

    private KubeScheduler startScheduler(String program, ObjectNode configuration) {
        try {
            Path file = plane.write(program + ".yaml", YAML.writeValueAsString(configuration));
            return KubeScheduler.startWith(plane, program, file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The environment of the Deployment's container {@code slotwise}, without the parts that only a pod has, and
     * without authentication.
     */
    private Map<String, String> environment() {
        KubernetesClient client = plane.client();
        Deployment deployment = Objects.requireNonNull(client.apps()
                .deployments()
                .inNamespace(RELEASE)
                .withName(RELEASE)
                .get());
        Map<String, String> environment = new HashMap<>();
        environment.put("POD_NAMESPACE", RELEASE);
        deployment.getSpec().getTemplate().getSpec().getContainers().stream()
                .filter(container -> container.getName().equals("slotwise"))
                .flatMap(container -> container.getEnv().stream())
                .filter(variable -> isPlain(variable))
                .forEach(variable -> environment.put(variable.getName(), variable.getValue()));
        environment.put("SLOTWISE_NAMESPACE", RELEASE);
        // Tests of other features do not sign in, and there is no mounted key.
        environment.put("SLOTWISE_AUTH", "none");
        environment.remove("SLOTWISE_AUTH_SESSION_KEY_FILE");
        return environment;
    }

    /** Returns whether the variable can be set as it is. The JVM's heap is set by the caller. */
    private static boolean isPlain(EnvVar variable) {
        return variable.getValue() != null
                && !variable.getValue().contains("$(")
                && !variable.getName().equals("JAVA_TOOL_OPTIONS");
    }

    private String configMap(String name, String key) {
        return Objects.requireNonNull(plane.client()
                .configMaps()
                .inNamespace(RELEASE)
                .withName(name)
                .get()
                .getData()
                .get(key));
    }

    private static JsonNode yaml(String text) {
        try {
            return YAML.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String runToEnd(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("`" + String.join(" ", command) + "` failed: " + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
