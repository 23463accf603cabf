package io.slotwise.kubernetes.publish;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.Epoch;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationName;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationSpec;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationStatus;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.refusal.ApiRefusal;
import io.slotwise.kubernetes.watch.ReservationIndex;
import io.slotwise.live.port.Leadership;
import io.slotwise.live.port.RecordStore;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as Reservations. A new one is created with its whole spec. Spec and status are replaced separately.
 * Each write names the resource version that was read, so that the second of two concurrent writes is refused. It also
 * names the writer's epoch, so that a replica that no longer leads is refused even if it does not know that. Every
 * answer is added to the index at once.
 */
public final class ReservationWriter implements RecordStore {
    public static final String FIELD_MANAGER = "slotwise";

    private static final Logger LOG = Logger.getLogger(ReservationWriter.class);

    private final KubernetesClient client;
    private final ReservationIndex index;
    /** The gangs whose records in the index may be outdated. */
    private final Set<GangId> staleGangs;

    private final Leadership leadership;
    /** The epoch of all writes; null for the current one. */
    private final @Nullable Long epoch;

    public ReservationWriter(KubernetesClient client, ReservationIndex index, Leadership leadership) {
        this(client, index, leadership, ConcurrentHashMap.newKeySet(), null);
    }

    private ReservationWriter(
            KubernetesClient client,
            ReservationIndex index,
            Leadership leadership,
            Set<GangId> staleGangs,
            @Nullable Long epoch) {
        this.client = client;
        this.index = index;
        this.leadership = leadership;
        this.staleGangs = staleGangs;
        this.epoch = epoch;
    }

    @Override
    public RecordStore under(long only) {
        return new ReservationWriter(client, index, leadership, staleGangs, only);
    }

    private long epoch() {
        return epoch == null ? leadership.epoch() : epoch;
    }

    private Reservation withSpec(GangRecord record) {
        Reservation reservation = Reservations.withSpec(record);
        reservation.setSpec(reservation.getSpec().in(epoch()));
        return reservation;
    }

    @Override
    public boolean show(GangRecord record) {
        index.show(record);
        return true;
    }

    @Override
    public void showWritten() {
        index.showWritten(null);
    }

    @Override
    public Outcome write(GangRecord before, GangRecord wantedRecord) {
        GangRecord after = wantedRecord;
        try {
            String version = before.version();
            Reservation writtenReservation;
            if (version.isEmpty()) {
                GangRecord first = after;
                writtenReservation = unlessWritten(first, () -> create(first));
                if (writtenReservation == null) {
                    return new Outcome.Conflict();
                }
                version = writtenReservation.getMetadata().getResourceVersion();
                after = after.withUid(writtenReservation.getMetadata().getUid());
            }
            // A gang that is rolled back becomes Broken before its window is removed. Otherwise a replica could start
            // the gang late, in the rest of that window.
            boolean takenBack = isReleased(before.phase()) && !isReleased(after.phase());
            if (takenBack) {
                writtenReservation = writeStatus(
                        after.with(before.promise()).withPhase(Phase.BROKEN).withVersion(version));
                version = writtenReservation.getMetadata().getResourceVersion();
            }
            GangRecord writtenRecord = written(before);
            if (!before.version().isEmpty() && !spec(writtenRecord).equals(spec(after))) {
                GangRecord next = after.withVersion(version);
                writtenReservation = unlessWritten(next, () -> replace(next));
                if (writtenReservation == null) {
                    return new Outcome.Conflict();
                }
                version = writtenReservation.getMetadata().getResourceVersion();
            }
            if (takenBack || before.version().isEmpty() || !status(writtenRecord).equals(status(after))) {
                writtenReservation = writeStatus(after.withVersion(version));
                version = writtenReservation.getMetadata().getResourceVersion();
            }
            return new Outcome.Written(after.withVersion(version));
        } catch (KubernetesClientException e) {
            return outcome(before.gang(), e);
        }
    }

    /**
     * Writes a spec. If the client repeated this very write after a lost answer, the second try is a conflict. So a
     * conflict is followed by a read.
     *
     * @return the written record; null if another write came first, which the index then has
     */
    private @Nullable Reservation unlessWritten(GangRecord wantedRecord, Supplier<Reservation> writeReservation) {
        try {
            return writeReservation.get();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || !catchUp(wantedRecord.gang())) {
                throw e;
            }
            Reservation existingReservation = index.byGang(wantedRecord.gang());
            return existingReservation != null && isOwn(existingReservation, wantedRecord) ? existingReservation : null;
        }
    }

    /** Returns whether a record has the wanted spec in this writer's epoch. */
    private boolean isOwn(Reservation reservation, GangRecord wantedRecord) {
        return Objects.equals(reservation.getSpec().epoch(), epoch())
                && spec(Reservations.record(reservation)).equals(spec(wantedRecord));
    }

    /** Reads each gang separately. If the API server was away for a second, this concerns only some hundred gangs. */
    @Override
    public boolean catchUp() {
        return List.copyOf(staleGangs).stream().allMatch(this::catchUp);
    }

    @Override
    public boolean catchUp(GangId gang) {
        staleGangs.remove(gang);
        try {
            look(gang);
            return true;
        } catch (KubernetesClientException e) {
            staleGangs.add(gang);
            LOG.debugf("%s cannot be looked up: %s", gang, e.getMessage());
            return false;
        }
    }

    private void look(GangId gang) {
        Reservation reservation = client.resources(Reservation.class)
                .inNamespace(gang.namespace())
                .withName(ReservationName.of(gang))
                .get();
        Reservation knownReservation = index.written(gang);
        if (reservation != null) {
            index.accept(reservation);
        } else if (knownReservation != null) {
            index.remove(knownReservation);
        }
    }

    @Override
    public Outcome delete(GangRecord record) {
        try {
            String version = freed(record);
            client.resource(Reservations.withSpec(record))
                    .lockResourceVersion(version)
                    .delete();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                return outcome(record.gang(), e);
            }
        }
        Reservation knownReservation = index.written(record.gang());
        if (knownReservation != null) {
            index.deleted(knownReservation);
        }
        index.showWritten(record.gang());
        return new Outcome.Written(record);
    }

    private Reservation create(GangRecord record) {
        Reservation createdReservation = client.resource(withSpec(record)).create();
        index.accept(createdReservation);
        return createdReservation;
    }

    /**
     * Replaces the spec. Labels and annotations are kept, and so are the user's own fields of an advance reservation.
     * Owners and finalizers of others are removed. With such an owner the record could be deleted before its run is
     * charged, and with such a finalizer it could stay after that.
     */
    private Reservation replace(GangRecord record) {
        Reservation knownReservation = index.written(record.gang());
        if (record.ownership().isHeld() || knownReservation == null) {
            return apply(record);
        }
        Reservation reservation = withSpec(record);
        reservation.setMetadata(new ObjectMetaBuilder(knownReservation.getMetadata())
                .withManagedFields()
                .withResourceVersion(record.version())
                .addToLabels(reservation.getMetadata().getLabels())
                .withOwnerReferences(List.of())
                .withFinalizers(reservation.getMetadata().getFinalizers())
                .build());
        Reservation replacedReservation = client.resource(reservation).update();
        index.accept(replacedReservation);
        return replacedReservation;
    }

    private Reservation apply(GangRecord record) {
        Reservation reservation = client.resource(withSpec(record))
                .fieldManager(FIELD_MANAGER)
                .forceConflicts()
                .serverSideApply();
        index.accept(reservation);
        return reservation;
    }

    /**
     * Removes the finalizers, so that a record that a user has deleted disappears. Other finalizers of an advance
     * reservation are kept.
     */
    private String freed(GangRecord record) {
        Reservation knownReservation = index.written(record.gang());
        List<String> finalizers = knownReservation == null
                ? List.of()
                : knownReservation.getMetadata().getFinalizers();
        if (finalizers.isEmpty() && !record.isKept()) {
            return record.version();
        }
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode metadata = patch.putObject("metadata").put("resourceVersion", record.version());
        ArrayNode others = metadata.putArray("finalizers");
        finalizers.stream()
                .filter(finalizer -> record.ownership().isHeld() && !finalizer.equals(Reservations.FINALIZER))
                .forEach(others::add);
        patch.putObject("spec").put("epoch", epoch());
        return client.resource(Reservations.withSpec(record))
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch.toString())
                .getMetadata()
                .getResourceVersion();
    }

    private Reservation writeStatus(GangRecord record) {
        Reservation reservation = Reservations.withSpec(record);
        reservation.setStatus(Reservations.status(record).in(epoch()));
        Reservation writtenReservation = client.resource(reservation).updateStatus();
        index.accept(writtenReservation);
        return writtenReservation;
    }

    /** Returns the record as it is stored. A start, or a window that has moved, may not be in it yet. */
    private GangRecord written(GangRecord before) {
        Reservation writtenReservation = index.written(before.gang());
        return writtenReservation != null
                        && before.version()
                                .equals(writtenReservation.getMetadata().getResourceVersion())
                ? Reservations.record(writtenReservation)
                : before;
    }

    private static ReservationSpec spec(GangRecord record) {
        return Reservations.spec(record);
    }

    private static ReservationStatus status(GangRecord record) {
        return Reservations.status(record);
    }

    private static boolean isReleased(Phase phase) {
        return phase == Phase.STARTING || phase.started();
    }

    /**
     * Returns the result of a failed write. After a conflict the gang is read again, because the conflicting write may
     * be this writer's own, repeated by the client.
     */
    private Outcome outcome(GangId gang, KubernetesClientException e) {
        if (ApiRefusal.isRefusal(e)) {
            return new Outcome.Refused(ApiRefusal.words(e));
        }
        staleGangs.add(gang);
        if (Epoch.isOld(e)) {
            LOG.infof("%s is not written: %s", gang, e.getMessage());
            leadership.outdated();
            return new Outcome.Conflict();
        }
        if (e.getCode() == HttpURLConnection.HTTP_CONFLICT || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
            return new Outcome.Conflict();
        }
        return new Outcome.Failed(String.valueOf(e.getMessage()));
    }
}
