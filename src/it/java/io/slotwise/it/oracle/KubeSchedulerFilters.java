package io.slotwise.it.oracle;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.it.ControlPlane;
import io.slotwise.it.KubeScheduler;
import io.slotwise.it.KubeScheduler.Extender;
import io.slotwise.kubernetes.extender.ExtenderMessages.ExtenderArgs;
import io.slotwise.kubernetes.extender.ExtenderMessages.ExtenderFilterResult;
import io.slotwise.kubernetes.extender.SchedulerJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A real kube-scheduler that never binds. Its extender records the nodes that pass kube-scheduler's own filters, and
 * then refuses them all. If no node passes, kube-scheduler calls no extender and says so in the pod's condition.
 */
final class KubeSchedulerFilters implements AutoCloseable {
    static final String SCHEDULER = "oracle";
    private static final Set<String> REASONS = Set.of("Unschedulable", "SchedulerError");

    private final SchedulerJson json = new SchedulerJson();
    /** The first answer by the pod's UID. */
    private final Map<String, Set<String>> answers = new ConcurrentHashMap<>();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final KubeScheduler scheduler;

    KubeSchedulerFilters(ControlPlane plane) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/filter", this::filter);
        server.setExecutor(threads);
        server.start();
        scheduler = KubeScheduler.start(
                plane,
                SCHEDULER,
                plane.adminKubeconfig(),
                List.of(new Extender(
                        "http://127.0.0.1:" + server.getAddress().getPort(),
                        List.of("filter"),
                        true,
                        Duration.ofSeconds(20),
                        false)));
    }

    private void filter(HttpExchange exchange) throws IOException {
        try (exchange) {
            ExtenderArgs asked = json.read(exchange.getRequestBody(), ExtenderArgs.class);
            answers.putIfAbsent(
                    Objects.requireNonNull(asked.pod()).metadata().uid(), new TreeSet<>(asked.candidates()));
            byte[] answer = json.write(new ExtenderFilterResult(null, List.of(), Map.of(), Map.of(), ""));
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        } catch (SchedulerJson.Unreadable e) {
            throw new IOException(e);
        }
    }

    /** The nodes that passed for a pod, or null if unknown yet. */
    @Nullable
    Set<String> answer(Pod pod) {
        Set<String> asked = answers.get(pod.getMetadata().getUid());
        return asked != null ? asked : isUnschedulable(pod) ? Set.of() : null;
    }

    /**
     * Returns whether no node passes. This includes a filter that fails, and one that refuses a pod before another
     * filter, which looks for victims, has seen it.
     */
    private static boolean isUnschedulable(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(condition ->
                        "PodScheduled".equals(condition.getType()) && REASONS.contains(condition.getReason()));
    }

    @Override
    public void close() {
        scheduler.close();
        server.stop(0);
        threads.close();
    }
}
