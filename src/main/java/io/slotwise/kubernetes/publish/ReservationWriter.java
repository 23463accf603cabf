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
 * Keeps standings as Reservations. A new one is created with its whole spec; spec and status are replaced, each with
 * the resource version that was read, so that a write that comes second is refused, and with the writer's epoch, so
 * that a leader that was succeeded without noticing is refused, too. Every answer goes into the index at once.
 */
public final class ReservationWriter implements RecordStore {
    /** Who writes. */
    public static final String FIELD_MANAGER = "slotwise";

    private static final Logger LOG = Logger.getLogger(ReservationWriter.class);

    private final KubernetesClient client;
    private final ReservationIndex index;
    /** The gangs of which the index may not know what the API server has. */
    private final Set<GangId> unknown;

    private final Leadership leadership;
    /** The epoch of all writes; null: that of the moment. */
    private final @Nullable Long epoch;

    /**
     * A writer.
     *
     * @param leadership says in which epoch it writes
     */
    public ReservationWriter(KubernetesClient client, ReservationIndex index, Leadership leadership) {
        this(client, index, leadership, ConcurrentHashMap.newKeySet(), null);
    }

    private ReservationWriter(
            KubernetesClient client,
            ReservationIndex index,
            Leadership leadership,
            Set<GangId> unknown,
            @Nullable Long epoch) {
        this.client = client;
        this.index = index;
        this.leadership = leadership;
        this.unknown = unknown;
        this.epoch = epoch;
    }

    @Override
    public RecordStore under(long only) {
        return new ReservationWriter(client, index, leadership, unknown, only);
    }

    private long epoch() {
        return epoch == null ? leadership.epoch() : epoch;
    }

    /** The record without its status, as written now. */
    private Reservation withSpec(GangRecord standing) {
        Reservation reservation = Reservations.withSpec(standing);
        reservation.setSpec(reservation.getSpec().in(epoch()));
        return reservation;
    }

    @Override
    public Outcome write(GangRecord before, GangRecord wanted) {
        GangRecord after = wanted;
        try {
            String version = before.version();
            Reservation written;
            if (version.isEmpty()) {
                GangRecord first = after;
                written = unlessWritten(first, () -> create(first));
                if (written == null || hasStarted(before, written)) {
                    return new Outcome.Conflict();
                }
                version = written.getMetadata().getResourceVersion();
                after = after.withUid(written.getMetadata().getUid());
            }
            // A gang that is rolled back is Broken before its window goes, so that no replica starts it in what is left
            // of it.
            boolean takenBack = isReleased(before.phase()) && !isReleased(after.phase());
            if (takenBack) {
                written = writeStatus(
                        after.with(before.promise()).withPhase(Phase.BROKEN).withVersion(version));
                version = written.getMetadata().getResourceVersion();
            }
            if (!before.version().isEmpty() && !specWritten(before).equals(spec(after))) {
                GangRecord next = after.withVersion(version);
                written = unlessWritten(next, () -> replace(next));
                if (written == null || hasStarted(before, written)) {
                    return new Outcome.Conflict();
                }
                version = written.getMetadata().getResourceVersion();
            }
            if (takenBack || before.version().isEmpty() || !status(before).equals(status(after))) {
                written = writeStatus(after.withVersion(version));
                version = written.getMetadata().getResourceVersion();
            }
            return new Outcome.Written(after.withVersion(version));
        } catch (KubernetesClientException e) {
            return outcome(before.gang(), e);
        }
    }

    /**
     * Writes a spec. A refusal for another write's sake may be for this very one, whose answer was lost before the
     * client tried again: one read tells.
     *
     * @return as the API server has it; null: another write came first, which the index knows
     */
    private @Nullable Reservation unlessWritten(GangRecord wanted, Supplier<Reservation> write) {
        try {
            return write.get();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || !catchUp(wanted.gang())) {
                throw e;
            }
            Reservation there = index.written(wanted.gang());
            return there != null && isOwn(there, wanted) ? there : null;
        }
    }

    /** Whether a gang has started between two writes, of which the second must not be made then. */
    private static boolean hasStarted(GangRecord before, Reservation written) {
        return !isReleased(before.phase()) && isReleased(written.phase());
    }

    /** Whether a record has the spec that is wanted, from this writer's epoch. */
    private boolean isOwn(Reservation there, GangRecord wanted) {
        return Objects.equals(there.getSpec().epoch(), epoch())
                && spec(Reservations.standing(there)).equals(spec(wanted));
    }

    /** One read for each gang: those of a second in which the API server was away are some hundred. */
    @Override
    public boolean catchUp() {
        return List.copyOf(unknown).stream().allMatch(this::catchUp);
    }

    @Override
    public boolean catchUp(GangId gang) {
        unknown.remove(gang);
        try {
            look(gang);
            return true;
        } catch (KubernetesClientException e) {
            unknown.add(gang);
            LOG.debugf("%s cannot be looked up: %s", gang, e.getMessage());
            return false;
        }
    }

    private void look(GangId gang) {
        Reservation there = client.resources(Reservation.class)
                .inNamespace(gang.namespace())
                .withName(ReservationName.of(gang))
                .get();
        Reservation known = index.written(gang);
        if (there != null) {
            index.accept(there);
        } else if (known != null) {
            index.remove(known);
        }
    }

    @Override
    public Outcome delete(GangRecord standing) {
        try {
            String version = freed(standing);
            client.resource(Reservations.withSpec(standing))
                    .lockResourceVersion(version)
                    .delete();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                return outcome(standing.gang(), e);
            }
        }
        Reservation known = index.written(standing.gang());
        if (known != null) {
            index.deleted(known);
        }
        return new Outcome.Written(standing);
    }

    /** Creates the record with its whole spec; fails if there is one already. */
    private Reservation create(GangRecord standing) {
        Reservation created = client.resource(withSpec(standing)).create();
        index.accept(created);
        return created;
    }

    /**
     * Replaces the spec; labels, annotations and the like stay as they were seen last. What a person wrote, who asks
     * for room, stays as well. Owners and finalizers of others go: they could remove or keep the record against its
     * charge.
     */
    private Reservation replace(GangRecord standing) {
        Reservation known = index.written(standing.gang());
        if (standing.tenure().isHeld() || known == null) {
            return apply(standing);
        }
        Reservation wanted = withSpec(standing);
        wanted.setMetadata(new ObjectMetaBuilder(known.getMetadata())
                .withManagedFields()
                .withResourceVersion(standing.version())
                .addToLabels(wanted.getMetadata().getLabels())
                .withOwnerReferences(List.of())
                .withFinalizers(wanted.getMetadata().getFinalizers())
                .build());
        Reservation replaced = client.resource(wanted).update();
        index.accept(replaced);
        return replaced;
    }

    private Reservation apply(GangRecord standing) {
        Reservation applied = client.resource(withSpec(standing))
                .fieldManager(FIELD_MANAGER)
                .forceConflicts()
                .serverSideApply();
        index.accept(applied);
        return applied;
    }

    /**
     * Nothing keeps the record any more; if a user has deleted it, it is gone with that. The finalizers of others that
     * an advance reservation has stay.
     */
    private String freed(GangRecord standing) {
        Reservation known = index.written(standing.gang());
        List<String> finalizers =
                known == null ? List.of() : known.getMetadata().getFinalizers();
        if (finalizers.isEmpty() && !standing.isKept()) {
            return standing.version();
        }
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        ObjectNode metadata = patch.putObject("metadata").put("resourceVersion", standing.version());
        ArrayNode others = metadata.putArray("finalizers");
        finalizers.stream()
                .filter(finalizer -> standing.tenure().isHeld() && !finalizer.equals(Reservations.FINALIZER))
                .forEach(others::add);
        patch.putObject("spec").put("epoch", epoch());
        return client.resource(Reservations.withSpec(standing))
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch.toString())
                .getMetadata()
                .getResourceVersion();
    }

    private Reservation writeStatus(GangRecord standing) {
        Reservation reservation = Reservations.withSpec(standing);
        reservation.setStatus(Reservations.status(standing).in(epoch()));
        Reservation written = client.resource(reservation).updateStatus();
        index.accept(written);
        return written;
    }

    /** The spec as the API server has it: that of a gang whose start only its first pod tells may be another one. */
    private ReservationSpec specWritten(GangRecord before) {
        Reservation written = before.isAhead() ? index.written(before.gang()) : null;
        return spec(written == null ? before : Reservations.standing(written));
    }

    private static ReservationSpec spec(GangRecord standing) {
        return Reservations.spec(standing);
    }

    private static ReservationStatus status(GangRecord standing) {
        return Reservations.status(standing);
    }

    private static boolean isReleased(Phase phase) {
        return phase == Phase.STARTING || phase.started();
    }

    /** A write that was refused for another one's sake may have been this writer's own, tried again by the client. */
    private Outcome outcome(GangId gang, KubernetesClientException e) {
        if (ApiRefusal.isRefusal(e)) {
            return new Outcome.Refused(ApiRefusal.words(e));
        }
        unknown.add(gang);
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
