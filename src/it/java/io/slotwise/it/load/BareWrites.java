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
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.slotwise.kubernetes.bind.BindRequest;
import io.slotwise.kubernetes.bind.Fabric8BindApi;
import io.slotwise.kubernetes.crd.v1alpha1.PlacementSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationSpec;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationStatus;
import io.slotwise.kubernetes.crd.v1alpha1.StartRecord;
import io.slotwise.kubernetes.crd.v1alpha1.WindowSpec;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.live.record.Phase;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a gang scheduler with durable records, with Slotwise's library and number of parallel calls. The only
 * state is which pods have come and ended, and which node has a place. There is no planning, checking or repair.
 */
final class BareWrites {
    private static final String GANG = "slotwise.io/gang";
    private static final String SIZE = "slotwise.io/gang-size";
    private static final int AT_ONCE = 64;
    private static final int CONNECTIONS = 512;
    private static final int RUNTIME_SECONDS = 3600;
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final KubernetesClient client;
    private final InstantSource clock = InstantSource.system();
    private final AtomicInteger count = new AtomicInteger();
    private final Map<String, Reservation> records = new ConcurrentHashMap<>();
    private final Fabric8BindApi api;
    private final ThreadPoolExecutor calls = new ThreadPoolExecutor(
            AT_ONCE,
            AT_ONCE,
            1,
            TimeUnit.MINUTES,
            new PriorityBlockingQueue<>(),
            Thread.ofVirtual().factory());

    BareWrites(KubernetesClient client) {
        this.client = client;
        this.api = new Fabric8BindApi(client, record -> records.put(key(record), record), () -> {});
    }

    /** A client of the environment's kubeconfig, with a connection for each parallel call. */
    static KubernetesClient client() {
        Config config = new ConfigBuilder(Config.autoConfigure(null))
                .withMaxConcurrentRequests(CONNECTIONS)
                .withMaxConcurrentRequestsPerHost(CONNECTIONS)
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** The ranks of calls. Within a rank, calls keep their order. */
    enum Rank {
        BINDING,
        START,
        EVENT
    }

    private record Call(Rank rank, int number, Runnable task) implements Runnable, Comparable<Call> {
        @Override
        public int compareTo(Call other) {
            return rank != other.rank ? rank.compareTo(other.rank) : Integer.compare(number, other.number);
        }

        @Override
        public void run() {
            task.run();
        }
    }

    void call(Rank rank, Runnable task) {
        calls.execute(new Call(rank, count.incrementAndGet(), task));
    }

    /** Binds a pod of a gang that has started. */
    void bind(Gang gang, BindRequest member) {
        api.bind(member, Map.of(StartRecord.RUN, run(gang)));
    }

    /** Makes the start of a gang durable by the binding of its first pod. */
    void bindFirst(Gang gang) {
        Reservation record = record(gang, now());
        record.setStatus(running(gang));
        api.bind(
                gang.members().getFirst(),
                Map.of(StartRecord.RUN, run(gang), StartRecord.RECORD, StartRecord.text(record)));
    }

    private String run(Gang gang) {
        return "0/" + now() + "/" + gang.name();
    }

    /** A gang whose pods have all come, each with a node. */
    record Gang(String name, List<Pod> pods, List<BindRequest> members) {
        String namespace() {
            return pods.getFirst().getMetadata().getNamespace();
        }
    }

    /** Places for equal pods: each node in turn, as many times as such a pod fits. */
    private static final class Places {
        private final List<String> free = new ArrayList<>();
        private int next;

        Places(KubernetesClient client, Pod like) {
            double cores = cores(like.getSpec()
                    .getContainers()
                    .getFirst()
                    .getResources()
                    .getRequests()
                    .get("cpu"));
            List<String> nodes = new ArrayList<>();
            int most = 0;
            Map<String, Integer> room = new HashMap<>();
            for (var node : client.nodes().list().getItems()) {
                int fits = (int) (cores(node.getStatus().getAllocatable().get("cpu")) / cores);
                nodes.add(node.getMetadata().getName());
                room.put(node.getMetadata().getName(), fits);
                most = Math.max(most, fits);
            }
            for (int round = 0; round < most; round++) {
                for (String node : nodes) {
                    if (room.getOrDefault(node, 0) > round) {
                        free.add(node);
                    }
                }
            }
        }

        private static double cores(io.fabric8.kubernetes.api.model.@Nullable Quantity quantity) {
            return quantity == null ? 0 : quantity.getNumericalAmount().doubleValue();
        }

        boolean has(int places) {
            return free.size() - next >= places;
        }

        String take() {
            return free.get(next++);
        }

        void giveBack(String node) {
            free.add(node);
        }
    }

    /** Reports each gang, in the order of arrival, when all its pods exist and have places, and when all have ended. */
    void watch(BiConsumer<String, List<Pod>> begins, BiConsumer<String, List<Pod>> ended) {
        var _ = client.pods().inAnyNamespace().inform(new Pods(begins, ended));
    }

    private final class Pods implements ResourceEventHandler<Pod> {
        private final BiConsumer<String, List<Pod>> begins;
        private final BiConsumer<String, List<Pod>> ended;
        private final Map<String, List<Pod>> coming = new ConcurrentHashMap<>();
        private final Map<String, List<Pod>> ending = new ConcurrentHashMap<>();
        private final List<List<Pod>> whole = new ArrayList<>();
        private int first;
        private @Nullable Places places;

        private Pods(BiConsumer<String, List<Pod>> begins, BiConsumer<String, List<Pod>> ended) {
            this.begins = begins;
            this.ended = ended;
        }

        @Override
        public synchronized void onAdd(Pod pod) {
            if (gang(pod) != null && pod.getSpec().getNodeName() == null) {
                List<Pod> members = together(coming, pod);
                if (members != null) {
                    whole.add(members);
                    begin();
                }
            }
        }

        @Override
        public synchronized void onUpdate(Pod before, Pod after) {
            boolean over = after.getStatus().getPhase().equals("Succeeded")
                    && !before.getStatus().getPhase().equals("Succeeded");
            if (gang(after) != null && over && places != null) {
                places.giveBack(after.getSpec().getNodeName());
                begin();
                List<Pod> members = together(ending, after);
                if (members != null) {
                    ended.accept(String.valueOf(gang(after)), members);
                }
            }
        }

        @Override
        public void onDelete(Pod pod, boolean unknown) {}

        private void begin() {
            while (first < whole.size()) {
                List<Pod> members = whole.get(first);
                if (places == null) {
                    places = new Places(client, members.getFirst());
                }
                if (!places.has(members.size())) {
                    return;
                }
                first++;
                List<Pod> placed = new ArrayList<>();
                for (Pod pod : members) {
                    placed.add(pod.edit()
                            .editSpec()
                            .withNodeName(places.take())
                            .endSpec()
                            .build());
                }
                begins.accept(String.valueOf(gang(members.getFirst())), placed);
            }
        }

        private static @Nullable List<Pod> together(Map<String, List<Pod>> gangs, Pod pod) {
            String gang = pod.getMetadata().getNamespace() + "/" + gang(pod);
            List<Pod> members = gangs.computeIfAbsent(gang, key -> new ArrayList<>());
            members.add(pod);
            if (members.size()
                    < Integer.parseInt(pod.getMetadata().getAnnotations().get(SIZE))) {
                return null;
            }
            gangs.remove(gang);
            return members;
        }
    }

    private static @Nullable String gang(Pod pod) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        return labels == null ? null : labels.get(GANG);
    }

    private static String key(Reservation record) {
        return record.getMetadata().getNamespace() + "/" + record.getMetadata().getName();
    }

    /** Returns a gang from its pods, each with its node. */
    static Gang gang(String name, List<Pod> placed) {
        return new Gang(
                name,
                placed,
                placed.stream()
                        .map(pod -> new BindRequest(
                                pod.getMetadata().getNamespace(),
                                pod.getMetadata().getName(),
                                pod.getMetadata().getUid(),
                                pod.getSpec().getNodeName()))
                        .toList());
    }

    Reservation create(Gang gang) {
        return client.resource(record(gang, now())).create();
    }

    /** Removes the gate of a pod with one patch. The library's own patches read the pod first. */
    void ungate(BindRequest member) {
        String path = "%sapi/v1/namespaces/%s/pods/%s?fieldManager=slotwise"
                .formatted(client.getMasterUrl(), member.namespace(), member.pod());
        HttpRequest patch = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(URI.create(path))
                .method("PATCH", "application/strategic-merge-patch+json", """
                        {"metadata": {"uid": "%s"},
                         "spec": {"schedulingGates": [{"name": "%s", "$patch": "delete"}]}}""".formatted(
                                member.uid(), AnnotationKeys.WINDOW_GATE))
                .build();
        int code = client.getHttpClient().sendAsync(patch, String.class).join().code();
        if (code != HttpURLConnection.HTTP_OK) {
            throw new IllegalStateException("The patch of " + member.podName() + " was answered " + code + ".");
        }
    }

    void start(Gang gang, Reservation created) {
        created.setStatus(running(gang));
        Reservation written = client.resource(created).updateStatus();
        records.put(key(written), written);
    }

    private ReservationStatus running(Gang gang) {
        String now = now().toString();
        return ReservationStatus.NONE.with(status -> status.phase(Phase.RUNNING)
                .promisedStart(now)
                .startedAt(now)
                .members(gang.members().stream().map(BindRequest::uid).toList()));
    }

    void end(String namespace, String gang) {
        Reservation record = records.remove(namespace + "/" + gang);
        if (record != null) {
            ReservationStatus before = record.getStatus();
            record.setStatus(new ReservationStatus(
                    Phase.COMPLETED,
                    before.conditions(),
                    before.promisedStart(),
                    before.promisedBy(),
                    before.startedAt(),
                    now().toString(),
                    List.of(),
                    0,
                    0,
                    List.of(),
                    null,
                    null,
                    before.members(),
                    List.of(),
                    null,
                    null,
                    before.epoch()));
            client.resource(record).updateStatus();
        }
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }

    private static Reservation record(Gang gang, Instant now) {
        String start = now.toString();
        String end = now.plusSeconds(RUNTIME_SECONDS).toString();
        int size = gang.members().size();
        List<PlacementSpec> places = gang.members().stream()
                .map(member ->
                        new PlacementSpec(member.pod(), member.node(), start, end, "1.000000", 3_600_000_000L, null))
                .toList();
        WindowSpec window =
                new WindowSpec(start, end, size + ".000000", size * 3_600_000_000L, null, places, List.of(), List.of());
        Reservation reservation = new Reservation();
        reservation.setMetadata(new ObjectMetaBuilder()
                .withNamespace(gang.namespace())
                .withName(gang.name())
                .addToLabels(GANG, gang.name())
                .build());
        reservation.setSpec(new ReservationSpec(
                gang.name(),
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

    /** Writes the event of each bound pod. */
    void tellPods(Gang gang) {
        for (int i = 0; i < gang.pods().size(); i++) {
            BindRequest member = gang.members().get(i);
            ObjectReference about = about("v1", "Pod", gang.namespace(), member.pod());
            about.setUid(member.uid());
            String note = "assigned %s to %s; gang %s: %s"
                    .formatted(member.podName(), member.node(), gang.name(), together(gang));
            call(Rank.EVENT, () -> event(about, "Scheduled", note));
        }
    }

    /** Writes the event of the gang's start. */
    void tell(Gang gang, Reservation record) {
        ObjectReference about = about(record.getApiVersion(), "Reservation", gang.namespace(), gang.name());
        about.setUid(record.getMetadata().getUid());
        call(Rank.EVENT, () -> event(about, "GangStarted", together(gang)));
    }

    private static String together(Gang gang) {
        return "all %d pods started together".formatted(gang.pods().size());
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
