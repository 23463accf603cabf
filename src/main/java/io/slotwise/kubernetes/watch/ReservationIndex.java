package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.work.InternalFailure;
import io.slotwise.kubernetes.crd.v1alpha1.PlacementSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationName;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.crd.v1alpha1.ResourceVersion;
import io.slotwise.kubernetes.crd.v1alpha1.StartRecord;
import io.slotwise.kubernetes.crd.v1alpha1.WindowSpec;
import io.slotwise.kubernetes.extender.PodReservation;
import io.slotwise.kubernetes.extender.ReservationView;
import io.slotwise.kubernetes.manifest.field.Annotations;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import java.time.DateTimeException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The newest known Reservations, from the watch and from the answers to this replica's own writes. So the replica never
 * decides on a state that is older than its own writes. The later resource version wins.
 */
public final class ReservationIndex implements ReservationView {
    private static final Logger LOG = Logger.getLogger(ReservationIndex.class);

    private final Map<GangId, Entry> byGang = new ConcurrentHashMap<>();
    /** The gangs whose windows name a pod. There are several if a replacement has the name of a deleted pod. */
    private final Map<PodKey, List<GangId>> byPod = new ConcurrentHashMap<>();

    /** The gangs that are being bound to a node, or run there. */
    private final Map<String, Set<GangId>> onTheirWay = new ConcurrentHashMap<>();

    private final Map<String, PodKey> podByUid = new ConcurrentHashMap<>();
    private final Map<PodKey, SeenPod> seenPods = new ConcurrentHashMap<>();
    private final List<Consumer<GangId>> listeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<String>> answered = new CopyOnWriteArrayList<>();

    /** Completed once all records are known. */
    private final CompletableFuture<@Nullable Void> complete = new CompletableFuture<>();

    private final Map<GangId, String> unreadable = new ConcurrentHashMap<>();

    /** The UIDs of records that this replica has deleted, until the watch confirms it. */
    private final Set<String> deleted = ConcurrentHashMap.newKeySet();

    private record PodKey(String namespace, String name) {}

    /** A pod with its gang, and with its individual gang for the case that its gang proceeds without it. */
    private record SeenPod(String uid, GangId gang, GangId aloneId) {}

    /** A run whose pods ended longer ago had a record, because records stay for longer than this. Seconds. */
    private static final long LATE = 60;

    private final InstantSource clock;

    public ReservationIndex() {
        this(InstantSource.system());
    }

    public ReservationIndex(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * The known state of a gang.
     *
     * @param writtenReservation its record as the API server has it, or null
     * @param changedReservation the start that its first pod carries, or a change that this replica shows, which is not
     *     in its record yet; or null
     * @param reservation the record with that change
     * @param record the same in the loop's words
     */
    private record Entry(
            @Nullable Reservation writtenReservation,
            @Nullable Reservation changedReservation,
            Reservation reservation,
            GangRecord record) {
        /** Returns the entry of a record and a change, if the record does not contain it. Null if there is neither. */
        static @Nullable Entry of(@Nullable Reservation writtenReservation, @Nullable Reservation changedReservation) {
            Reservation reservation =
                    changedReservation == null ? null : StartRecord.over(changedReservation, writtenReservation);
            if (reservation != null) {
                return new Entry(writtenReservation, changedReservation, reservation, Reservations.record(reservation));
            }
            return writtenReservation == null
                    ? null
                    : new Entry(writtenReservation, null, writtenReservation, Reservations.record(writtenReservation));
        }
    }

    public List<GangRecord> records() {
        return byGang.values().stream().map(Entry::record).toList();
    }

    /**
     * Returns the gangs whose newest records are unreadable, with the reason. Their last readable records are still
     * returned by the other methods.
     */
    public Map<GangId, String> unreadable() {
        return Map.copyOf(unreadable);
    }

    public @Nullable GangRecord record(GangId gang) {
        Entry entry = byGang.get(gang);
        return entry == null ? null : entry.record();
    }

    @Override
    public @Nullable Reservation byGang(GangId gang) {
        return Optional.ofNullable(byGang.get(gang)).map(Entry::reservation).orElse(null);
    }

    /** Returns the Reservation of a gang as the API server has it, or null. */
    public @Nullable Reservation written(GangId gang) {
        return Optional.ofNullable(byGang.get(gang))
                .map(Entry::writtenReservation)
                .orElse(null);
    }

    /** Returns the gangs with placements on a node that were sent to kube-scheduler or have started. O(1). */
    Set<GangId> onTheirWay(String node) {
        return onTheirWay.getOrDefault(node, Set.of());
    }

    @Override
    public @Nullable PodReservation ofPod(String namespace, String pod) {
        PodKey key = new PodKey(namespace, pod);
        for (GangId gang : byPod.getOrDefault(key, List.of())) {
            Reservation reservation = byGang(gang);
            WindowSpec window = reservation == null ? null : reservation.window();
            PlacementSpec placement = window == null ? null : window.placementOf(pod);
            if (reservation != null && placement != null) {
                return new PodReservation(reservation, placement);
            }
        }
        SeenPod seen = seenPods.get(key);
        if (seen == null) {
            return null;
        }
        Reservation ownReservation = byGang(seen.aloneId());
        Reservation reservation = ownReservation == null ? byGang(seen.gang()) : ownReservation;
        return reservation == null ? null : new PodReservation(reservation, null);
    }

    @Override
    public @Nullable Reservation byPodUid(String uid) {
        PodKey key = podByUid.get(uid);
        PodReservation podReservation = key == null ? null : ofPod(key.namespace(), key.name());
        return podReservation == null ? null : podReservation.reservation();
    }

    @Override
    public void onChange(Consumer<GangId> listener) {
        listeners.add(listener);
    }

    /**
     * Calls {@code listener} with the version of every Reservation in an answer of the API server. The watch has to
     * deliver it too.
     */
    void onAnswer(Consumer<String> listener) {
        answered.add(listener);
    }

    /** Adds a Reservation from an answer of the API server to this replica. */
    public void accept(Reservation reservation) {
        watched(reservation);
        String version = reservation.getMetadata().getResourceVersion();
        if (version != null) {
            answered.forEach(listener -> listener.accept(version));
        }
    }

    /**
     * Adds a Reservation from the API server. It is ignored if a newer version is known, or if it does not have its
     * gang's name, because it would hide the gang's own record.
     */
    void watched(Reservation reservation) {
        GangId gang = reservation.gang();
        if (gang == null) {
            return;
        }
        if (!isNamedAfter(gang, reservation)) {
            LOG.errorf(
                    "reservation %s/%s is left out: it is about the gang %s, whose record has the name %s",
                    gang.namespace(), reservation.getMetadata().getName(), gang.name(), ReservationName.of(gang));
            return;
        }
        if (deleted.contains(uid(reservation))) {
            // A late event from before the deletion.
            return;
        }
        Reservation before = written(gang);
        if (before != null && !isNewer(reservation, before)) {
            // Mostly this replica's own write, known from the answer.
            return;
        }
        GangRecord record;
        try {
            record = Reservations.record(reservation);
        } catch (RuntimeException e) {
            boolean foreseen = e instanceof IllegalArgumentException || e instanceof DateTimeException;
            Object why = foreseen ? e.getMessage() : InternalFailure.of(e);
            String problem = "reservation %s cannot be read: %s".formatted(gang, why);
            LOG.errorf(foreseen ? null : e, "%s; nothing is written of this gang until then", problem);
            unreadable.put(gang, problem);
            return;
        }
        unreadable.remove(gang);
        change(gang, knownEntry -> {
            Reservation writtenReservation = knownEntry == null ? null : knownEntry.writtenReservation();
            if (writtenReservation != null && !isNewer(reservation, writtenReservation)) {
                return knownEntry;
            }
            return knownEntry == null || knownEntry.changedReservation() == null
                    ? new Entry(reservation, null, reservation, record)
                    : Entry.of(reservation, knownEntry.changedReservation());
        });
    }

    /** Changes the entry of a gang, and tells the listeners unless it stays the same. */
    @SuppressWarnings("ReferenceEquality") // The same entry is no change.
    private void change(GangId gang, UnaryOperator<@Nullable Entry> how) {
        boolean[] changed = new boolean[1];
        byGang.compute(gang, (id, knownEntry) -> {
            Entry currentEntry = how.apply(knownEntry);
            if (currentEntry != knownEntry) {
                changed[0] = true;
                index(
                        gang,
                        knownEntry == null ? null : knownEntry.reservation(),
                        currentEntry == null ? null : currentEntry.reservation());
            }
            return currentEntry;
        });
        if (changed[0]) {
            listeners.forEach(listenerId -> listenerId.accept(gang));
        }
    }

    /**
     * Takes in the start that a pod carries, and removes it from the pod, because no plan depends on it there.
     *
     * @return the pod
     */
    Pod bound(Pod pod) {
        Map<String, String> annotations = Annotations.of(pod);
        if (!annotations.containsKey(StartRecord.RUN)) {
            return pod;
        }
        try {
            Reservation reservation = StartRecord.of(pod);
            if (reservation != null && PodState.isOver(pod)) {
                GangRecord startedRecord = Reservations.record(reservation);
                var _ = complete.thenRun(() -> {
                    if (mayLackRecord(pod, startedRecord)) {
                        started(reservation);
                    }
                });
            } else if (reservation != null) {
                started(reservation);
            }
        } catch (IllegalArgumentException | DateTimeException e) {
            LOG.errorf(
                    "the start that pod %s/%s carries cannot be read: %s",
                    pod.getMetadata().getNamespace(), pod.getMetadata().getName(), e.getMessage());
        }
        Map<String, String> others = new LinkedHashMap<>(annotations);
        others.keySet().removeAll(Set.of(StartRecord.RUN, StartRecord.RECORD));
        pod.getMetadata().setAnnotations(others);
        return pod;
    }

    /**
     * Returns whether the record of a gang may lack a start whose pod is over: it is the version that the start
     * continues, or only its window was written. Without a record the pod is still there, or ended a moment ago.
     */
    private boolean mayLackRecord(Pod pod, GangRecord startedRecord) {
        Reservation writtenReservation = written(startedRecord.gang());
        if (writtenReservation == null) {
            return PodState.nodeOf(pod) != null
                    || Pods.endedAt(pod).orElse(0) > clock.instant().getEpochSecond() - LATE;
        }
        GangRecord record = Reservations.record(writtenReservation);
        return record.version().equals(startedRecord.version())
                || (record.promise() != null && record.isOpenFor(startedRecord));
    }

    @Override
    public void started(Reservation reservation) {
        GangId gang = reservation.gang();
        if (gang == null || !isNamedAfter(gang, reservation)) {
            return;
        }
        change(gang, knownEntry -> {
            Reservation changedReservation = knownEntry == null ? null : knownEntry.changedReservation();
            boolean isKnown = changedReservation != null
                    && ((changedReservation.getSpec().equals(reservation.getSpec())
                                    && changedReservation.getStatus().equals(reservation.getStatus()))
                            || (changedReservation.phase().started()
                                    && !reservation.phase().started()));
            Entry currentEntry =
                    isKnown ? null : Entry.of(knownEntry == null ? null : knownEntry.writtenReservation(), reservation);
            return currentEntry == null || currentEntry.changedReservation() == null ? knownEntry : currentEntry;
        });
    }

    /** Shows a record that is not written yet until it is. */
    public void show(GangRecord record) {
        started(StartRecord.of(record));
    }

    /** Shows a gang, or all of them if it is null, as its record is written. Starts still count. */
    public void showWritten(@Nullable GangId gangId) {
        byGang.forEach((gang, entry) -> {
            Reservation changedReservation = entry.changedReservation();
            if ((gangId == null || gang.equals(gangId))
                    && changedReservation != null
                    && !changedReservation.phase().started()) {
                change(gang, _ -> Entry.of(entry.writtenReservation(), null));
            }
        });
    }

    /** Removes a Reservation that this replica has deleted. Later events about it are ignored. */
    public void deleted(Reservation reservation) {
        remove(reservation, knownReservation -> deleted.add(uid(knownReservation)));
    }

    /** Removes a Reservation that no longer exists, unless another one of its name is known. */
    public void remove(Reservation reservation) {
        remove(reservation, knownReservation -> {});
        deleted.remove(uid(reservation));
    }

    private void remove(Reservation reservation, Consumer<Reservation> also) {
        GangId gang = reservation.gang();
        if (gang == null || !isNamedAfter(gang, reservation)) {
            return;
        }
        unreadable.remove(gang);
        change(gang, knownEntry -> {
            Reservation writtenReservation = knownEntry == null ? null : knownEntry.writtenReservation();
            if (knownEntry == null || writtenReservation == null || !isSame(writtenReservation, reservation)) {
                return knownEntry;
            }
            also.accept(writtenReservation);
            return Entry.of(null, knownEntry.changedReservation());
        });
    }

    public void podSeen(Pod pod) {
        PodKey key = key(pod);
        String uid = pod.getMetadata().getUid();
        podByUid.put(uid, key);
        seenPods.put(key, new SeenPod(uid, Pods.gangOf(pod), Pods.ownGang(pod)));
    }

    public void podGone(Pod pod) {
        String uid = pod.getMetadata().getUid();
        podByUid.remove(uid);
        seenPods.computeIfPresent(key(pod), (key, seen) -> seen.uid().equals(uid) ? null : seen);
    }

    private static PodKey key(Pod pod) {
        return new PodKey(pod.getMetadata().getNamespace(), pod.getMetadata().getName());
    }

    /**
     * Removes the Reservations that a list lacks, because their deletion was not seen.
     *
     * @param keys the keys of all listed objects, as {@code NAMESPACE/NAME}
     * @param version the version of the list; newer objects are kept
     */
    void listed(Set<String> keys, String version) {
        List<Reservation> known = byGang.values().stream()
                .flatMap(entry -> Stream.ofNullable(entry.writtenReservation()))
                .toList();
        for (Reservation knownReservation : known) {
            String key = knownReservation.getMetadata().getNamespace() + "/"
                    + knownReservation.getMetadata().getName();
            String of = knownReservation.getMetadata().getResourceVersion();
            if (!keys.contains(key) && of != null && !ResourceVersion.isLater(of, version)) {
                remove(knownReservation);
            }
        }
        unreadable.keySet().removeIf(gang -> !keys.contains(gang.namespace() + "/" + ReservationName.of(gang)));
        deleted.clear();
        complete();
    }

    /** Notes that all records are known. */
    void complete() {
        complete.complete(null);
    }

    private void index(GangId gang, @Nullable Reservation before, @Nullable Reservation after) {
        for (PlacementSpec placement : places(before)) {
            byPod.computeIfPresent(new PodKey(gang.namespace(), placement.pod()), (key, gangs) -> {
                List<GangId> left =
                        gangs.stream().filter(id -> !id.equals(gang)).toList();
                return left.isEmpty() ? null : left;
            });
        }
        for (String node : goal(before)) {
            onTheirWay.computeIfPresent(node, (key, gangs) -> {
                Set<GangId> left = new HashSet<>(gangs);
                left.remove(gang);
                return left.isEmpty() ? null : Set.copyOf(left);
            });
        }
        for (String node : goal(after)) {
            onTheirWay.merge(node, Set.of(gang), (known, added) -> {
                Set<GangId> all = new HashSet<>(known);
                all.addAll(added);
                return Set.copyOf(all);
            });
        }
        for (PlacementSpec placement : places(after)) {
            byPod.merge(new PodKey(gang.namespace(), placement.pod()), List.of(gang), (known, added) -> {
                TreeSet<GangId> all = new TreeSet<>(singleFirst(placement.pod()));
                all.addAll(known);
                all.addAll(added);
                return List.copyOf(all);
            });
        }
    }

    private static Comparator<GangId> singleFirst(String pod) {
        return Comparator.comparing((GangId gang) -> !gang.name().equals("pod-" + pod))
                .thenComparing(Comparator.naturalOrder());
    }

    /** Returns the nodes on which a gang runs or is being bound. */
    private static Set<String> goal(@Nullable Reservation reservation) {
        return reservation == null || (reservation.phase() != Phase.STARTING && reservation.phase() != Phase.RUNNING)
                ? Set.of()
                : places(reservation).stream().map(PlacementSpec::node).collect(Collectors.toSet());
    }

    /** Returns the placements of pods. The seats of an advance reservation belong to no pod. */
    private static Collection<PlacementSpec> places(@Nullable Reservation reservation) {
        boolean held = reservation != null
                && reservation.getSpec() != null
                && reservation.getSpec().hold() != null;
        WindowSpec window = reservation == null || held ? null : reservation.window();
        return window == null ? List.of() : window.placement();
    }

    private static boolean isNamedAfter(GangId gang, Reservation reservation) {
        return reservation.getMetadata().getName().equals(ReservationName.of(gang));
    }

    private static boolean isSame(Reservation knownReservation, Reservation other) {
        String uid = knownReservation.getMetadata().getUid();
        return uid == null || uid.equals(other.getMetadata().getUid());
    }

    private static String uid(Reservation reservation) {
        return String.valueOf(reservation.getMetadata().getUid());
    }

    private static boolean isNewer(Reservation reservation, Reservation knownReservation) {
        String version = reservation.getMetadata().getResourceVersion();
        String knownVersion = knownReservation.getMetadata().getResourceVersion();
        return version == null || knownVersion == null || ResourceVersion.isLater(version, knownVersion);
    }
}
