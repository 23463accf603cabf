package io.slotwise.testing;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.mockwebserver.http.Buffer;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.slotwise.kubernetes.crd.v1alpha1.PlacementSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.WindowSpec;
import io.slotwise.web.extender.PodKeys;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a rehearsal for the JVM's cache: {@code slotwise serve} plans and starts some dozens of gangs with an API server
 * in memory, and the JVM records what it loads and how it runs. With the resulting cache a replica is ready in a third
 * of the time, and its first gangs start on time.
 *
 * <p>Arguments: the folder with the program's {@code quarkus-run.jar}, where the cache {@code app.aot} is written, and
 * the options of the JVM. The cache is valid only for a JVM of the same version with the same paths and jars.
 */
final class Rehearsal {
    private static final int NODES = 24;
    private static final int WAVES = 8;
    private static final int GANGS_PER_WAVE = 4;
    private static final int PODS = 6;
    private static final int PLACES = WAVES * GANGS_PER_WAVE * PODS;
    private static final Duration BETWEEN_WAVES = Duration.ofMillis(800);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration RUNTIME = Duration.ofSeconds(3);
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final String NAMESPACE = "rehearsal";
    private static final String EXTENDER = "slotwise-extender";
    private static final int THROUGH_KUBE_SCHEDULER = 5;

    private final KubernetesClient client;
    private final BlockingQueue<Place> bindings;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Path keys;
    private final HttpClient scheduler;

    /**
     * The API server in memory. It lacks server-side apply, strategic merge patches and bindings, and its merge patches
     * append to lists. This dispatcher turns each such call into a supported call of the same effect.
     */
    private static final class Lenient extends KubernetesCrudDispatcher {
        private static final Pattern BINDING = Pattern.compile("/pods/([^/]+)/binding");
        private static final Pattern NODE = Pattern.compile("\"kind\":\"Node\",\"name\":\"([^\"]+)\"");
        private static final String TYPE = "Content-Type";
        private static final String JSON = "application/json";

        private final BlockingQueue<Place> bindings;

        Lenient(BlockingQueue<Place> bindings) {
            this.bindings = bindings;
        }

        @Override
        public MockResponse handlePatch(RecordedRequest request) {
            String type = String.valueOf(request.getHeader(TYPE));
            // A body can be read only once.
            String body = request.getUtf8Body();
            if (type.contains("apply-patch")) {
                return handleUpdate(as(HttpMethod.PUT, JSON, request, body));
            }
            if (type.contains("strategic-merge") && body.contains("schedulingGates")) {
                String removal = "[{\"op\":\"remove\",\"path\":\"/spec/schedulingGates\"}]";
                return super.handlePatch(as(HttpMethod.PATCH, "application/json-patch+json", request, removal));
            }
            String known = type.contains("strategic-merge") ? "application/merge-patch+json" : type;
            return super.handlePatch(as(HttpMethod.PATCH, known, request, body));
        }

        @Override
        public MockResponse handleCreate(RecordedRequest request) {
            Matcher binding = BINDING.matcher(request.getPath());
            if (!binding.find()) {
                return super.handleCreate(request);
            }
            Matcher node = NODE.matcher(request.getUtf8Body());
            bindings.add(new Place(binding.group(1), node.find() ? node.group(1) : "n0"));
            return new MockResponse().setResponseCode(201).setBody("{\"kind\":\"Status\",\"status\":\"Success\"}");
        }

        private static RecordedRequest as(HttpMethod method, String type, RecordedRequest request, String body) {
            return new RecordedRequest(
                    request.getHttpVersion(),
                    method,
                    request.getPath().replaceAll("[?].*", ""),
                    request.getHeaders().newBuilder().set(TYPE, type).build(),
                    new Buffer(body.getBytes(StandardCharsets.UTF_8)));
        }
    }

    private record Place(String pod, String node) {}

    private Rehearsal(KubernetesMockServer server, BlockingQueue<Place> bindings) throws IOException {
        this.client = server.createClient();
        this.bindings = bindings;
        this.keys = Files.createTempDirectory("rehearsal-keys-");
        Path own = keys.resolve("kube-scheduler");
        PodKeys.write(keys.resolve("slotwise"), own);
        this.scheduler = HttpClient.newBuilder().sslContext(ClientKeys.in(own)).build();
    }

    /** Runs the rehearsal. The exit status is 0 if the cache was written. */
    public static void main(String[] arguments) throws Exception {
        Path jar = Path.of(arguments[0], "quarkus-run.jar");
        Path cache = Path.of(arguments[0], "app.aot");
        List<String> options = List.of(arguments).subList(1, arguments.length);
        BlockingQueue<Place> bindings = new LinkedBlockingQueue<>();
        KubernetesMockServer server = new KubernetesMockServer(
                new Context(), new MockWebServer(), new HashMap<>(), new Lenient(bindings), true);
        server.init();
        Path kubeconfig = kubeconfig(server.url("/"));
        int status = 1;
        try {
            status = new Rehearsal(server, bindings).run(jar, cache, options, kubeconfig) ? 0 : 1;
        } catch (IOException | RuntimeException e) {
            System.err.println("The rehearsal failed: " + e);
        }
        Files.delete(kubeconfig);
        // The API server in memory has threads that would keep the JVM alive.
        Runtime.getRuntime().halt(status);
    }

    private boolean run(Path jar, Path cache, List<String> options, Path kubeconfig)
            throws IOException, InterruptedException {
        for (int i = 0; i < NODES; i++) {
            client.resource(node("n" + i, "0." + (1 + i % 4) + "0")).create();
        }
        int port = Loopback.freePort();
        int extenderPort = Loopback.freePort();
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        command.addAll(List.of(
                "-XX:AOTCacheOutput=" + cache, "-jar", jar.toString(), "serve", "--host=127.0.0.1", "--port=" + port));
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        builder.environment().put("SLOTWISE_IDENTITY", "rehearsal");
        builder.environment().put("SLOTWISE_NAMESPACE", NAMESPACE);
        builder.environment()
                .put("SLOTWISE_EXTENDER_POD_TLS", keys.resolve("slotwise").toString());
        builder.environment().put("SLOTWISE_EXTENDER_POD_PORT", Integer.toString(extenderPort));
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        try {
            play("http://127.0.0.1:" + port, "https://127.0.0.1:" + extenderPort);
            process.destroy();
            return process.waitFor(3, TimeUnit.MINUTES) && Files.exists(cache);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Submits the gangs in waves, and plays kube-scheduler and the kubelets for them. */
    private void play(String address, String extender) throws IOException, InterruptedException {
        await().atMost(LONGEST).pollInterval(PAUSE).until(() -> isReady(address));
        Set<String> sent = new HashSet<>();
        int bound = 0;
        long end = System.nanoTime() + LONGEST.toNanos();
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
                ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor()) {
            for (int i = 0; i < WAVES; i++) {
                int wave = i;
                after(BETWEEN_WAVES.multipliedBy(wave), clock, calls, () -> submit(wave));
            }
            var _ = clock.scheduleWithFixedDelay(
                    () -> told(() -> released()
                            .filter(pod -> sent.add(pod.getMetadata().getUid()))
                            .forEach(pod -> calls.execute(() -> schedule(extender, pod)))),
                    0,
                    PAUSE.toMillis(),
                    TimeUnit.MILLISECONDS);
            while (bound < PLACES) {
                Place place = bindings.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (place == null) {
                    break;
                }
                bound++;
                calls.execute(() -> told(() -> begin(place)));
                after(RUNTIME, clock, calls, () -> phase(place, "Succeeded"));
            }
        }
        send(http, address + "/metrics", null);
        System.out.printf("%d of %d pods started%n", bound, PLACES);
    }

    private static void after(Duration time, ScheduledExecutorService clock, ExecutorService calls, Runnable call) {
        var _ = clock.schedule(() -> calls.execute(() -> told(call)), time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Makes a call that the server may refuse, and prints why it was refused. */
    private static void told(Runnable call) {
        try {
            call.run();
        } catch (KubernetesClientException e) {
            System.out.println(e.getMessage());
        }
    }

    private Stream<Pod> released() {
        return client.pods().inNamespace(NAMESPACE).list().getItems().stream()
                .filter(pod -> pod.getSpec().getSchedulerName().equals(EXTENDER)
                        && pod.getSpec().getSchedulingGates().isEmpty());
    }

    private boolean isReady(String address) throws InterruptedException {
        try {
            return send(http, address + "/q/health/ready", null) == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private String promised(Pod pod) {
        for (Reservation reservation : client.resources(Reservation.class)
                .inNamespace(NAMESPACE)
                .list()
                .getItems()) {
            WindowSpec window = reservation.window();
            PlacementSpec placement =
                    window == null ? null : window.placementOf(pod.getMetadata().getName());
            if (placement != null) {
                return placement.node();
            }
        }
        return "n0";
    }

    /** Submits one wave. One gang in eight goes through kube-scheduler. */
    private void submit(int wave) {
        for (int gang = 0; gang < GANGS_PER_WAVE; gang++) {
            for (int pod = 0; pod < PODS; pod++) {
                client.resource(pod("g%d-%d".formatted(wave, gang), pod, wave)).create();
            }
        }
    }

    private void schedule(String extender, Pod pod) {
        try {
            String node = promised(pod);
            String names = IntStream.range(0, NODES)
                    .mapToObj(i -> "\"n" + i + "\"")
                    .collect(Collectors.joining(",", "[", "]"));
            String json = client.getKubernetesSerialization().asJson(pod);
            String args = "{\"Pod\":%s,\"Nodes\":null,\"NodeNames\":%s}".formatted(json, names);
            send(scheduler, extender + "/scheduler/v1/filter", args);
            send(scheduler, extender + "/scheduler/v1/prioritize", args);
            send(
                    scheduler,
                    extender + "/scheduler/v1/bind",
                    "{\"PodName\":\"%s\",\"PodNamespace\":\"%s\",\"PodUID\":\"%s\",\"Node\":\"%s\"}"
                            .formatted(
                                    pod.getMetadata().getName(),
                                    NAMESPACE,
                                    pod.getMetadata().getUid(),
                                    node));
        } catch (IOException | KubernetesClientException e) {
            System.out.println(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void begin(Place place) {
        edit(place.pod(), pod -> pod.getSpec().setNodeName(place.node()));
        phase(place, "Running");
    }

    private void phase(Place place, String phase) {
        edit(place.pod(), pod -> pod.getStatus().setPhase(phase));
    }

    private void edit(String pod, Consumer<Pod> change) {
        client.pods().inNamespace(NAMESPACE).withName(pod).edit(current -> {
            change.accept(current);
            return current;
        });
    }

    private static int send(HttpClient by, String url, @Nullable String body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json");
        return by.send(
                        (body == null ? request : request.POST(HttpRequest.BodyPublishers.ofString(body))).build(),
                        BodyHandlers.ofString())
                .statusCode();
    }

    private static Path kubeconfig(String url) throws IOException {
        Path file = Files.createTempFile("rehearsal", ".kubeconfig");
        return Files.writeString(file, """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "%s", insecure-skip-tls-verify: true}}]
                contexts: [{name: c, context: {cluster: c, user: u}}]
                current-context: c
                users: [{name: u, user: {token: none}}]
                """.formatted(url));
    }

    private static Node node(String name, String price) {
        Map<String, Quantity> room =
                Map.of("cpu", new Quantity("8"), "memory", new Quantity("32Gi"), "pods", new Quantity("110"));
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("slotwise.io/price", price)
                .addToLabels("kubernetes.io/hostname", name)
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .withAllocatable(room)
                .withCapacity(room)
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }

    private static Pod pod(String gang, int index, int wave) {
        boolean direct = wave != THROUGH_KUBE_SCHEDULER;
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(gang + "-" + index)
                .addToLabels("slotwise.io/gang", gang)
                .addToAnnotations("slotwise.io/gang-size", Integer.toString(PODS))
                .addToAnnotations("slotwise.io/runtime", "5s")
                .addToAnnotations(
                        wave % 2 == 0 ? Map.of("slotwise.io/budget", "100") : Map.of("slotwise.io/criterion", "cost"))
                .endMetadata()
                .withNewSpec()
                .withSchedulerName(direct ? "slotwise" : EXTENDER)
                .withSchedulingGates(direct ? List.of() : List.of(new PodSchedulingGate("slotwise.io/window")))
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .withNewResources()
                .addToRequests("cpu", new Quantity("1"))
                .addToRequests("memory", new Quantity("256Mi"))
                .endResources()
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase("Pending")
                .endStatus()
                .build();
    }
}
