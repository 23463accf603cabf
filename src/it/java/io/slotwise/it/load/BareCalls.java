package io.slotwise.it.load;

import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.slotwise.kubernetes.bind.BindRequest;
import io.slotwise.kubernetes.bind.Fabric8BindApi;
import io.slotwise.kubernetes.crd.v1alpha1.PlacementSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationSpec;
import io.slotwise.kubernetes.crd.v1alpha1.WindowSpec;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The limit: it makes the calls that a gang scheduler with durable records cannot do without, and nothing else. For each gang whose pods have all
 * come one record is created and marked as running, then all pods are bound, each to the next node in turn, then an event for each of them and one
 * for the gang are written, with as many calls at once and the same library as Slotwise has. It plans nothing, watches nothing but pods, checks
 * nothing and mends nothing.
 */
final class BareCalls {
    private static final String GANG = "slotwise.io/gang";
    private static final String SIZE = "slotwise.io/gang-size";
    private static final int AT_ONCE = 32;
    private static final int CONNECTIONS = 512;
    private static final int RUNTIME_SECONDS = 3600;
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final KubernetesClient client;
    private final List<String> nodes;
    private final InstantSource clock = InstantSource.system();
    private final AtomicInteger count = new AtomicInteger();
    private final Map<String, List<Pod>> waiting = new ConcurrentHashMap<>();
    private final Fabric8BindApi api;
    private final ThreadPoolExecutor calls = new ThreadPoolExecutor(
            AT_ONCE,
            AT_ONCE,
            1,
            TimeUnit.MINUTES,
            new PriorityBlockingQueue<>(),
            Thread.ofVirtual().factory());

    private BareCalls(KubernetesClient client) {
        this.client = client;
        this.api = new Fabric8BindApi(client, record -> {}, () -> {});
        this.nodes = client.nodes().list().getItems().stream()
                .map(node -> node.getMetadata().getName())
                .toList();
    }

    /** A call with its rank: bindings first, then starts, then events; within a rank in the order in which they came. */
    private record Call(int rank, int number, Runnable task) implements Runnable, Comparable<Call> {
        @Override
        public int compareTo(Call other) {
            return rank != other.rank ? Integer.compare(rank, other.rank) : Integer.compare(number, other.number);
        }

        @Override
        public void run() {
            task.run();
        }
    }

    /** Runs until it is killed. */
    public static void main(String[] arguments) throws InterruptedException {
        Config config = new ConfigBuilder(Config.autoConfigure(null))
                .withMaxConcurrentRequests(CONNECTIONS)
                .withMaxConcurrentRequestsPerHost(CONNECTIONS)
                .build();
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build()) {
            BareCalls program = new BareCalls(client);
            var _ = client.pods().inAnyNamespace().inform(program.new Arrivals());
            new CountDownLatch(1).await();
        }
    }

    private final class Arrivals implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            arrived(pod);
        }

        @Override
        public void onUpdate(Pod before, Pod after) {}

        @Override
        public void onDelete(Pod pod, boolean unknown) {}
    }

    private void arrived(Pod pod) {
        String name = pod.getMetadata().getLabels() == null
                ? null
                : pod.getMetadata().getLabels().get(GANG);
        if (name == null || pod.getSpec().getNodeName() != null) {
            return;
        }
        String gang = pod.getMetadata().getNamespace() + "/" + name;
        List<Pod> members = waiting.computeIfAbsent(gang, key -> new ArrayList<>());
        members.add(pod);
        if (members.size()
                == Integer.parseInt(pod.getMetadata().getAnnotations().get(SIZE))) {
            waiting.remove(gang);
            call(1, () -> start(name, members));
        }
    }

    private void call(int rank, Runnable task) {
        calls.execute(new Call(rank, count.incrementAndGet(), task));
    }

    private void start(String gang, List<Pod> pods) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        String namespace = pods.getFirst().getMetadata().getNamespace();
        List<BindRequest> members = pods.stream()
                .map(pod -> new BindRequest(
                        namespace,
                        pod.getMetadata().getName(),
                        pod.getMetadata().getUid(),
                        next()))
                .toList();
        Reservation created =
                client.resource(record(namespace, gang, now, members)).create();
        api.markRunning(created, now, members, 0);
        AtomicInteger left = new AtomicInteger(members.size());
        members.forEach(member -> call(0, () -> {
            api.bind(member);
            if (left.decrementAndGet() == 0) {
                tell(created, pods, members);
            }
        }));
    }

    private String next() {
        return nodes.get(Math.floorMod(count.incrementAndGet(), nodes.size()));
    }

    private static Reservation record(String namespace, String gang, Instant now, List<BindRequest> members) {
        String start = now.toString();
        String end = now.plusSeconds(RUNTIME_SECONDS).toString();
        List<PlacementSpec> places = members.stream()
                .map(member -> new PlacementSpec(member.pod(), member.node(), start, end, "1.000000", 3_600_000_000L))
                .toList();
        WindowSpec window = new WindowSpec(
                start, end, members.size() + ".000000", members.size() * 3_600_000_000L, null, places, List.of());
        Reservation reservation = new Reservation();
        reservation.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName(gang)
                .addToLabels(GANG, gang)
                .build());
        reservation.setSpec(new ReservationSpec(
                gang,
                "finish",
                (long) RUNTIME_SECONDS,
                null,
                "cyclic",
                "2:0123456789abcdef0123456789abcdef",
                null,
                null,
                window,
                null,
                null,
                0L));
        return reservation;
    }

    private void tell(Reservation reservation, List<Pod> pods, List<BindRequest> members) {
        String gang = reservation.getMetadata().getName();
        String message = "all %d pods started together".formatted(pods.size());
        for (int i = 0; i < pods.size(); i++) {
            Pod pod = pods.get(i);
            ObjectReference about = about(
                    "v1",
                    "Pod",
                    pod.getMetadata().getNamespace(),
                    pod.getMetadata().getName());
            about.setUid(pod.getMetadata().getUid());
            String note = "assigned %s to %s; gang %s: %s"
                    .formatted(members.get(i).podName(), members.get(i).node(), gang, message);
            call(2, () -> event(about, "Scheduled", note));
        }
        ObjectReference about = about(
                reservation.getApiVersion(),
                "Reservation",
                reservation.getMetadata().getNamespace(),
                gang);
        about.setUid(reservation.getMetadata().getUid());
        call(2, () -> event(about, "GangStarted", message));
    }

    private static ObjectReference about(String version, String kind, @Nullable String namespace, String name) {
        return new ObjectReferenceBuilder()
                .withApiVersion(version)
                .withKind(kind)
                .withNamespace(namespace)
                .withName(name)
                .build();
    }

    private void event(ObjectReference about, String reason, String note) {
        client.resource(new EventBuilder()
                        .withNewMetadata()
                        .withNamespace(about.getNamespace())
                        .withName(about.getName() + "." + Integer.toHexString(count.incrementAndGet()))
                        .endMetadata()
                        .withEventTime(new MicroTime(MICROS.format(clock.instant())))
                        .withReportingController("slotwise.io/slotwise")
                        .withReportingInstance("bare-calls")
                        .withAction("Plan")
                        .withReason(reason)
                        .withRegarding(about)
                        .withNote(note)
                        .withType("Normal")
                        .build())
                .create();
    }
}
