package io.slotwise.it;

import io.slotwise.testing.Loopback;
import io.slotwise.web.extender.PodKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code slotwise serve} from the built program, as a process of its own that can be killed. A restart keeps its port.
 */
public final class SlotwiseProcess implements AutoCloseable {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    private static final String POD_KEYS = "SLOTWISE_EXTENDER_POD_TLS";
    private static final String SCHEDULER_KEYS = "SLOTWISE_EXTENDER_POD_SCHEDULER_KEYS";
    private static final String POLICY = "--policy=";
    private static final String POD_PORT = "SLOTWISE_EXTENDER_POD_PORT";

    private final ControlPlane plane;
    private final String program;
    private Path kubeconfig;
    private List<String> arguments;
    private final Map<String, String> environment;
    private final List<String> javaOptions;
    private final int port = Loopback.freePort();
    private final int extenderPort = Loopback.freePort();
    private final Path keys;
    private Path jar = ProjectFiles.root().resolve("target/quarkus-app/quarkus-run.jar");
    private @Nullable RunningProgram running;

    /** Further JVM options, such as those of a profiler. */
    private static final List<String> JAVA_OPTIONS = Stream.of(
                    System.getProperty("slotwise.it.java-options", "").split(" "))
            .filter(option -> !option.isEmpty())
            .toList();

    /**
     * Creates a process that does not run yet.
     *
     * @param program the name of its log
     * @param kubeconfig its credentials
     * @param arguments of {@code serve}, without host and port
     * @param environment its settings, as in the chart's Deployment
     * @param javaOptions further JVM options
     */
    SlotwiseProcess(
            ControlPlane plane,
            String program,
            Path kubeconfig,
            List<String> arguments,
            Map<String, String> environment,
            List<String> javaOptions) {
        this.plane = plane;
        this.program = program;
        this.kubeconfig = kubeconfig;
        this.arguments = List.copyOf(arguments);
        this.environment = Map.copyOf(environment);
        this.keys = plane.folder().resolve("keys-" + program);
        this.javaOptions =
                Stream.concat(JAVA_OPTIONS.stream(), javaOptions.stream()).toList();
    }

    /** The JVM command as in a container with the chart's limit of 1 GiB: the same heap and the same collector. */
    public static List<String> java() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:MaxRAM=1g",
                "-XX:MaxRAMPercentage=70",
                "-XX:+UseSerialGC",
                "@" + ProjectFiles.root().resolve("deploy/jvm.options"));
    }

    /** The address, which restarts keep. */
    public String url() {
        return "http://127.0.0.1:" + port;
    }

    /** The address for the kube-scheduler of its pod, which restarts keep. */
    public ExtenderPort extender() {
        return new ExtenderPort("https://127.0.0.1:" + extenderPort, keys.resolve("kube-scheduler"));
    }

    /** Writes the keys as the pod's init container does. */
    void writeKeys() {
        PodKeys.write(keys.resolve("slotwise"), keys.resolve("kube-scheduler"));
    }

    /** Uses another build of the program, such as an older version, from the next start on. */
    SlotwiseProcess from(Path otherJar) {
        jar = otherJar;
        return this;
    }

    /** Uses another policy file from the next start on. */
    SlotwiseProcess under(Path policy) {
        arguments = arguments.stream()
                .map(argument -> argument.startsWith(POLICY) ? POLICY + policy : argument)
                .toList();
        return this;
    }

    /** Uses another account's kubeconfig from the next start on. */
    SlotwiseProcess as(Path other) {
        kubeconfig = other;
        return this;
    }

    /** The lines logged since the last start. */
    List<String> log() throws IOException {
        return running == null ? List.of() : Files.readAllLines(running.log());
    }

    /** Starts the process if it does not run, and waits until it is ready. */
    public void start() {
        startWithoutWaiting();
        awaitReady();
    }

    public void startWithoutWaiting() {
        if (running == null) {
            if (!Files.exists(jar)) {
                throw new IllegalStateException(
                        "The program (" + jar + ") is not built. Maybe run `mvn package` first.");
            }
            List<String> command = new ArrayList<>(java());
            Path cache = jar.resolveSibling("app.aot");
            if (Files.exists(cache)) {
                command.add("-XX:AOTCache=" + cache);
            }
            command.addAll(javaOptions);
            command.addAll(List.of("-jar", jar.toString(), "serve", "--host=127.0.0.1", "--port=" + port));
            command.addAll(arguments);
            Map<String, String> all = new HashMap<>(environment);
            all.put("KUBECONFIG", kubeconfig.toString());
            if (all.containsKey(POD_KEYS)) {
                writeKeys();
                all.put(POD_KEYS, keys.resolve("slotwise").toString());
                all.put(SCHEDULER_KEYS, keys.resolve("kube-scheduler").toString());
                all.put(POD_PORT, Integer.toString(extenderPort));
            }
            running = plane.run(program, command, all);
        }
    }

    public void awaitReady() {
        plane.await("Slotwise to be ready at " + url(), () -> {
            RunningProgram started = running;
            if (started != null) {
                started.requireRunning();
            }
            return isReady();
        });
    }

    public boolean isReady() {
        try {
            return send("/q/health/ready").statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * The body of a page such as {@code /metrics}.
     *
     * @throws UncheckedIOException if there is no answer within five seconds
     */
    public String get(String path) {
        try {
            return send(path).body();
        } catch (IOException e) {
            throw new UncheckedIOException("Slotwise did not answer " + path + ".", e);
        }
    }

    /** The sum of a metric over all its labels. 0 if there is none. */
    public double metric(String name) {
        return get("/metrics")
                .lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private HttpResponse<String> send(String path) throws IOException {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url() + path))
                    .timeout(Duration.ofSeconds(5))
                    .build();
            return HTTP.send(request, BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** Kills the process with SIGKILL, as a crash would. */
    public void kill() {
        if (running != null) {
            running.kill();
            running = null;
        }
    }

    /** Restarts the process if it has ended by itself, as the kubelet restarts a container. */
    public void revive() {
        if (running != null && !running.isRunning()) {
            kill();
            start();
        }
    }

    /** Freezes the process (SIGSTOP) until {@link #wake}, as a host does that is out of memory or asleep. */
    public void freeze() {
        if (running != null) {
            running.signal("STOP");
        }
    }

    /** Resumes the frozen process (SIGCONT). */
    public void wake() {
        if (running != null) {
            running.signal("CONT");
        }
    }

    @Override
    public void close() {
        if (running != null) {
            running.close();
            running = null;
        }
    }
}
