package io.slotwise.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.crd.v1alpha1.Ledgers;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceLedger;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceRunHistory;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.crd.v1alpha1.RunHistories;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.kubernetes.watch.ClusterWatch;
import io.slotwise.kubernetes.watch.ReservationIndex;
import io.slotwise.kubernetes.watch.WatchTiming;
import io.slotwise.live.cycle.PlanPublisher;
import io.slotwise.live.cycle.PlanningLoop;
import io.slotwise.live.port.ClusterView.Notice;
import io.slotwise.live.port.DirectStarter;
import io.slotwise.live.port.EventRecorder;
import io.slotwise.live.port.LedgerStore;
import io.slotwise.live.port.NodeSupplier;
import io.slotwise.live.port.PodReleaser;
import io.slotwise.live.port.RecordStore;
import io.slotwise.live.port.WaitExplainer;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.start.GangStarter;
import io.slotwise.observability.Meters;
import io.slotwise.web.EveryAnswer;
import io.slotwise.web.GangAnswer;
import io.slotwise.web.board.Board;
import io.slotwise.web.board.BoardInput;
import io.slotwise.web.board.BoardRenderer;
import io.slotwise.web.board.Readers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A planning replica on the objects of an API server, which a test writes as JSON. Watch, intake, indices, records,
 * ledgers, meters and loop are the real ones. Only the calls to the server are simulated: everything written comes back
 * as JSON at once, and no pod is bound.
 */
public final class WholeReplica
        implements RecordStore, LedgerStore, PodReleaser, DirectStarter, EventRecorder, AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final CannedWatches watches = new CannedWatches();
    private final ReservationIndex records = new ReservationIndex();
    private final AtomicReference<Instant> now;
    private final ClusterWatch watch;
    private final GangStarter starter;
    private final AtomicReference<LoopSettings> inForce;
    private final CurrentSettings current;
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Meters meters;
    private final PlanPublisher publication;
    private final @Nullable FakeSeller seller;
    private PlanningLoop loop;
    private final List<Notice> notices = new ArrayList<>();
    private final List<GangRecord> due = new ArrayList<>();
    private final List<String> evicted = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private @Nullable Board board;
    private boolean refusing;
    private int versions = 1_000_000;

    public WholeReplica(LoopSettings settings, PriceCatalogue prices, Instant begin) {
        this(settings, prices, begin, null);
    }

    /** Creates a replica that can buy nodes, or cannot if the seller is null. */
    public WholeReplica(LoopSettings settings, PriceCatalogue prices, Instant begin, @Nullable FakeSeller seller) {
        this.seller = seller;
        now = new AtomicReference<>(begin);
        inForce = new AtomicReference<>(settings);
        current = new CurrentSettings() {
            @Override
            public LoopSettings get() {
                return inForce.get();
            }

            @Override
            public LoopSettings renewed() {
                return get();
            }
        };
        meters = new Meters(registry);
        watch = new ClusterWatch(
                watches.client(),
                new Intake(settings, prices, PodFilter.CLUSTER),
                records,
                () -> {},
                WatchTiming.DEFAULT.withNanos(() -> 0));
        starter = new GangStarter(
                current, () -> true, new GangStarter.Ports(watch, this, this, this), now::get, Runnable::run);
        publication = new PlanPublisher(
                new PlanPublisher.Ports(this, this, this, this, meters, WaitExplainer.SILENT, this::write),
                starter,
                PlanPublisher.Writers.all(Runnable::run),
                () -> {});
        if (seller != null) {
            seller.serve(this, watch.buying(seller.catalogue(), "slotwise"));
        }
        loop = begun();
        watch.start();
        while (!watch.ready()) {
            Thread.onSpinWait();
        }
    }

    private PlanningLoop begun() {
        return new PlanningLoop(
                current,
                now::get,
                new PlanningLoop.Ports(
                        () -> true, watch, publication, meters, seller == null ? NodeSupplier.NONE : seller),
                starter,
                Duration.ZERO);
    }

    /** Changes the settings. */
    public void under(LoopSettings settings) {
        inForce.set(settings);
    }

    /** Continues as another replica, from what is stored. */
    public void takeOver() {
        loop = begun();
    }

    /** The present second. */
    public long now() {
        return now.get().getEpochSecond();
    }

    /** Adds or updates objects, given as a sequence of JSON objects. */
    public WholeReplica seeing(String objects) {
        try (var values = MAPPER.readerFor(ObjectNode.class).<ObjectNode>readValues(objects)) {
            values.forEachRemaining(this::see);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Deletes an object. */
    public void missing(String object) {
        watches.remove(read(object, "uid"));
    }

    public void withoutNamespace(String name) {
        versions++;
        watch.ledgers().remove(Ledgers.object(Ledger.empty(name).at(Integer.toString(versions))));
        watch.runs().remove(RunHistories.object(RunHistory.empty(name).at(Integer.toString(versions))));
        missing("""
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "%s"}}\
            """.formatted(name));
    }

    /**
     * Returns the starts due since the last call, and records them with these pods (UIDs by name) as the barrier does.
     */
    public List<GangRecord> opened(Function<GangRecord, SortedMap<String, String>> uids) {
        List<GangRecord> opened = new ArrayList<>();
        for (GangRecord record : due) {
            SortedMap<String, String> pods = uids.apply(record);
            GangRecord started = record.withPhase(Phase.RUNNING)
                    .withHistory(record.history().started(now.get().getEpochSecond(), pods));
            if (!pods.isEmpty() && write(record, started) instanceof Outcome.Written) {
                opened.add(started);
            }
        }
        due.clear();
        return opened;
    }

    /** Sets whether disruption budgets refuse every eviction from now on. */
    public void refuseEvictions(boolean all) {
        refusing = all;
    }

    /** Returns the pods evicted since the last call, as namespace/name. */
    public List<String> newlyEvicted() {
        List<String> pods = List.copyOf(evicted);
        evicted.clear();
        return pods;
    }

    /** Returns the events of gangs since the last call, each as gang, reason and message. */
    public List<String> newlyTold() {
        List<String> words = List.copyOf(told);
        told.clear();
        return words;
    }

    public List<Notice> newNotices() {
        List<Notice> told = List.copyOf(notices);
        notices.clear();
        return told;
    }

    private static HasMetadata read(String object, String uid) {
        try {
            ObjectNode read = (ObjectNode) MAPPER.readTree(object);
            ((ObjectNode) read.get("metadata")).put("uid", uid);
            return Serialization.unmarshal(
                    read.toString(), type(read.path("apiVersion").asText(), read.path("kind")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void see(ObjectNode object) {
        ObjectNode meta = (ObjectNode) object.get("metadata");
        versions++;
        meta.put("resourceVersion", Integer.toString(versions));
        if (!meta.has("uid")) {
            meta.put("uid", "uid-" + versions);
        }
        watches.put(Serialization.unmarshal(
                object.toString(), type(object.path("apiVersion").asText(), object.path("kind"))));
    }

    private static Class<? extends HasMetadata> type(String apiVersion, JsonNode kind) {
        return switch (apiVersion + " " + kind.asText()) {
            case "v1 Node" -> Node.class;
            case "v1 Pod" -> Pod.class;
            case "v1 Namespace" -> Namespace.class;
            case "v1 ResourceQuota" -> ResourceQuota.class;
            case "v1 PersistentVolumeClaim" -> PersistentVolumeClaim.class;
            case "v1 PersistentVolume" -> PersistentVolume.class;
            case "storage.k8s.io/v1 StorageClass" -> StorageClass.class;
            case "storage.k8s.io/v1 CSINode" -> CSINode.class;
            case "resource.k8s.io/v1 ResourceSlice" -> ResourceSlice.class;
            case "resource.k8s.io/v1 DeviceClass" -> DeviceClass.class;
            case "resource.k8s.io/v1 ResourceClaim" -> ResourceClaim.class;
            case "resource.k8s.io/v1 ResourceClaimTemplate" -> ResourceClaimTemplate.class;
            case "policy/v1 PodDisruptionBudget" -> PodDisruptionBudget.class;
            case "slotwise.io/v1alpha1 Reservation" -> Reservation.class;
            case "slotwise.io/v1alpha1 Queue" -> QueueObject.class;
            case "slotwise.io/v1alpha1 Ledger" -> NamespaceLedger.class;
            case "slotwise.io/v1alpha1 RunHistory" -> NamespaceRunHistory.class;
            default -> GenericKubernetesResource.class;
        };
    }

    /** Runs one cycle, releases the gangs that are due, and draws the board. */
    public void cycle() {
        if (!loop.cycle()) {
            throw new AssertionError("The cycle was put off.");
        }
        loop.deadline();
        starter.look(now.get());
        draw(Objects.requireNonNull(loop.latest()));
    }

    public List<String> starting() {
        due.clear();
        starter.look(now.get());
        return due.stream().map(record -> record.gang().name()).distinct().toList();
    }

    /** Returns whether the pods of a gang's window still match the promise, by its written record. */
    public boolean isAsPromised(GangRecord record) {
        return watch.isAsPromised(record);
    }

    /** Returns all answers of the API: the plan, the list of gangs, and each gang with its quote. */
    public List<GangAnswer> answers() {
        return EveryAnswer.of(Objects.requireNonNull(loop.latest()), watch, now::get);
    }

    public List<EveryAnswer.Document> documents() {
        return EveryAnswer.documents(Objects.requireNonNull(loop.latest()), watch, now::get);
    }

    public Board board() {
        return Objects.requireNonNull(board);
    }

    /** Returns the value of a counter or gauge, or the count of a timer. Tags alternate KEY, VALUE. */
    public double metered(String name, String... tags) {
        return registry.get(name).tags(tags).meters().stream()
                .mapToDouble(meter -> meter.measure().iterator().next().getValue())
                .sum();
    }

    /** Draws the board as for a page's request. */
    private void draw(PlanningLoop.Latest latest) {
        BoardInput.Planner planner =
                new BoardInput.Planner(true, latest.carriedOutPlan().notes());
        Board drawn = BoardRenderer.of(new BoardInput(
                now.get().getEpochSecond(), latest.settings().policy(), latest.snapshot(), records.records(), planner));
        board = drawn;
        Readers.of(drawn);
        if (drawn.nodes().size() != latest.snapshot().cluster().inventory().size()) {
            throw new AssertionError("The board lacks a node.");
        }
    }

    /** Advances the clock. */
    public void pass(Duration time) {
        now.updateAndGet(instant -> instant.plus(time));
    }

    public Collection<GangRecord> records() {
        return records.records();
    }

    /** The written gangs, ledgers and run histories, as the API server has them. */
    public List<HasMetadata> written() {
        List<HasMetadata> objects = new ArrayList<>();
        records.records().forEach(record -> objects.add(Objects.requireNonNull(records.byGang(record.gang()))));
        ledgers().values().forEach(ledger -> objects.add(Ledgers.object(ledger)));
        watch.runs().values().values().forEach(history -> objects.add(RunHistories.object(history)));
        return objects;
    }

    public List<Notice> notices() {
        return List.copyOf(notices);
    }

    /** The last cycle's plan and input, or null before the first cycle. */
    public PlanningLoop.@Nullable Latest latest() {
        return loop.latest();
    }

    @Override
    public void close() {
        watch.close();
    }

    @Override
    public Outcome write(GangRecord before, GangRecord after) {
        Reservation known = records.byGang(before.gang());
        String version = known == null ? "" : known.getMetadata().getResourceVersion();
        if (!version.equals(before.version())) {
            return new Outcome.Conflict();
        }
        versions++;
        GangRecord written =
                after.withVersion(Integer.toString(versions)).withUid(known == null ? "uid-" + versions : after.uid());
        Reservation record = Reservations.withSpec(written);
        record.setStatus(Reservations.status(written));
        record.getMetadata().setUid(written.uid());
        if (known == null) {
            record.getMetadata().setCreationTimestamp(now.get().toString());
        } else {
            record.getMetadata().setCreationTimestamp(known.getMetadata().getCreationTimestamp());
            record.setSpec(asking(record.getSpec(), known.getSpec()));
        }
        records.accept(Serialization.unmarshal(Serialization.asJson(record), Reservation.class));
        return new Outcome.Written(written);
    }

    /** Returns the specification with the fields that a person wrote kept. */
    private static ReservationSpec asking(ReservationSpec spec, ReservationSpec known) {
        return spec.withGang(known.gang()).withHold(known.hold());
    }

    @Override
    public Outcome delete(GangRecord record) {
        Reservation known = records.byGang(record.gang());
        if (known != null) {
            records.remove(known);
        }
        return new Outcome.Written(record);
    }

    @Override
    public boolean catchUp() {
        return true;
    }

    @Override
    public boolean write(Ledger ledger) {
        versions++;
        NamespaceLedger object = Ledgers.object(ledger.at(Integer.toString(versions)));
        watch.ledgers().accept(Serialization.unmarshal(Serialization.asJson(object), NamespaceLedger.class));
        return true;
    }

    private void write(RunHistory history) {
        versions++;
        NamespaceRunHistory object = RunHistories.object(history.at(Integer.toString(versions)));
        watch.runs().accept(Serialization.unmarshal(Serialization.asJson(object), NamespaceRunHistory.class));
    }

    public SortedMap<String, Ledger> ledgers() {
        return watch.ledgers().values();
    }

    public SortedMap<String, RunHistory> runHistories() {
        return watch.runs().values();
    }

    @Override
    public List<String> release(Window window, List<Member> members) {
        return List.of();
    }

    @Override
    public void recall(GangId gang, Collection<String> pods) {}

    @Override
    public void evict(GangId gang, List<Member> bound) {
        bound.forEach(member -> evicted.add(gang.namespace() + "/" + member.pod()));
    }

    @Override
    public SortedMap<String, String> evictIfAllowed(GangId gang, List<Member> bound) {
        return evictTogether(gang, bound);
    }

    @Override
    public SortedMap<String, String> evictTogether(GangId gang, List<Member> bound) {
        TreeMap<String, String> refused = new TreeMap<>();
        if (refusing) {
            bound.forEach(member -> refused.put(member.pod(), "a disruption budget of the test refuses it"));
        } else {
            evict(gang, bound);
        }
        return refused;
    }

    @Override
    public CompletableFuture<Optional<GangRecord>> start(GangRecord record) {
        due.add(record);
        GangRecord known = records.record(record.gang());
        GangRecord before = known == null ? GangRecord.first(record.gang(), now()) : known;
        return CompletableFuture.completedFuture(
                !record.equals(known) && write(before, record) instanceof Outcome.Written(GangRecord written)
                        ? Optional.of(written)
                        : Optional.empty());
    }

    @Override
    public boolean isStarting(GangRecord record) {
        return false;
    }

    @Override
    public void announce(GangRecord record, Announcement announcement) {
        told.add("%s %s %s".formatted(record.gang(), announcement.reason().key(), announcement.message()));
    }

    @Override
    public void notice(Notice notice) {
        notices.add(notice);
    }
}
