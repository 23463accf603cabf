package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.bind.BindApi;
import io.slotwise.kubernetes.bind.BindApi.BindAnswer;
import io.slotwise.kubernetes.bind.BindRequest;
import io.slotwise.kubernetes.bind.Fabric8BindApi;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.crd.v1alpha1.StartRecord;
import io.slotwise.kubernetes.publish.ReservationWriter;
import io.slotwise.kubernetes.watch.ReservationIndex;
import io.slotwise.live.port.Leadership;
import io.slotwise.live.port.RecordStore;
import io.slotwise.live.port.RecordStore.Outcome;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.RecordedTerms;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Proves that the API server refuses records of a former leader, whatever that leader still believes. */
@RealControlPlane
class EpochIT {
    private static final long NOON = 1_893_499_200L;
    private static final int FIRST = 3;
    private static final int SECOND = 4;

    private final ControlPlane plane;
    private final ReservationIndex index = new ReservationIndex();
    private final KubernetesClient slotwise;
    private final RecordStore former;
    private final RecordStore present;

    EpochIT(ControlPlane plane) {
        this.plane = plane;
        slotwise = plane.clientAs(Installation.RELEASE, Installation.RELEASE);
        Leadership believed = () -> true;
        ReservationWriter writer = new ReservationWriter(slotwise, index, believed);
        former = writer.under(FIRST);
        present = writer.under(SECOND);
    }

    @BeforeAll
    static void install(ControlPlane plane) {
        Installation.install(plane, Map.of());
    }

    @BeforeEach
    void theFirstLeads() {
        plane.client()
                .resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withNamespace(Installation.RELEASE)
                        .withName(Installation.RELEASE)
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity("first")
                        .withLeaseTransitions(FIRST)
                        .endSpec()
                        .build())
                .createOr(there -> there.update());
        plane.await("the policy to know the first leader", this::isFormerLetIn);
    }

    @Test
    void recordsOfALeaderThatWasFollowedAreRefused() {
        GangRecord waiting = written(former.write(record("waiting"), record("waiting")));
        GangRecord due = written(former.write(record("due"), promised(record("due"))));

        theSecondLeads();

        assertThat(former.write(record("new"), promised(record("new")))).isEqualTo(new Outcome.Conflict());
        assertThat(former.write(waiting, promised(waiting))).isEqualTo(new Outcome.Conflict());
        assertThat(former.write(due, due.withPhase(Phase.STARTING))).isEqualTo(new Outcome.Conflict());
        assertThat(start(due, FIRST)).isInstanceOf(BindApi.Outdated.class);
        assertThat(reservation("new")).isNull();
        assertThat(Objects.requireNonNull(reservation("waiting")).window()).isNull();
        assertThat(Objects.requireNonNull(reservation("due")).phase()).isEqualTo(Phase.PROMISED);

        GangRecord begun = written(present.write(waiting, promised(waiting)));
        assertThat(start(due, SECOND)).isInstanceOf(BindAnswer.Bound.class);
        Reservation record = Objects.requireNonNull(reservation("waiting"));
        assertThat(begun.version()).isEqualTo(record.getMetadata().getResourceVersion());
        assertThat(record.getSpec().epoch()).isEqualTo(SECOND);
        assertThat(record.getStatus().epoch()).isEqualTo(SECOND);
    }

    @Test
    void oldVersionsAndOtherUsersMayWrite() {
        theSecondLeads();
        GangRecord record = record("old");

        Reservation byOldVersion =
                slotwise.resource(Reservations.withSpec(record)).create();
        Reservation byAdmin = plane.client().resource(byOldVersion).edit(there -> {
            there.setSpec(there.getSpec().in(FIRST));
            return there;
        });

        assertThat(byAdmin.getSpec().epoch()).isEqualTo(FIRST);
    }

    @Test
    void anOlderVersionBindsNobodyOnceAVersionHasLedThatSaysItsEpoch() {
        assertThat(start(record("before"), null)).isInstanceOf(BindAnswer.Bound.class);

        changeLease(spec -> spec.setLeaseTransitions(1_000_000));

        assertThat(start(record("after"), null)).isInstanceOf(BindApi.Refused.class);
        assertThat(start(record("newer"), 1_000_000)).isInstanceOf(BindAnswer.Bound.class);
    }

    private void theSecondLeads() {
        changeLease(spec -> {
            spec.setHolderIdentity("second");
            spec.setLeaseTransitions(SECOND);
        });
    }

    /** Changes the Lease to a later epoch. The API server learns of it by a watch of its own. */
    private void changeLease(Consumer<LeaseSpec> change) {
        plane.client()
                .leases()
                .inNamespace(Installation.RELEASE)
                .withName(Installation.RELEASE)
                .edit((Lease there) -> {
                    change.accept(there.getSpec());
                    return there;
                });
        plane.await("the policy to know the later epoch", () -> !isFormerLetIn());
    }

    private boolean isFormerLetIn() {
        Reservation probe = Reservations.withSpec(record("probe"));
        probe.setSpec(probe.getSpec().in(FIRST));
        try {
            slotwise.resource(probe).dryRun().create();
            return true;
        } catch (KubernetesClientException refused) {
            return false;
        }
    }

    /** Binds the only pod of a gang, as the leader of this epoch does, or one without an epoch. */
    private BindAnswer start(GangRecord record, @Nullable Integer epoch) {
        Pod pod = plane.client()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(record.gang().name() + "-" + epoch)
                        .endMetadata()
                        .withNewSpec()
                        .withSchedulerName("slotwise")
                        .addNewContainer()
                        .withName("main")
                        .withImage("none")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        return new Fabric8BindApi(slotwise, index::accept, () -> {})
                .bind(
                        new BindRequest(
                                "default",
                                pod.getMetadata().getName(),
                                pod.getMetadata().getUid(),
                                "n1"),
                        epoch == null
                                ? Map.of()
                                : Map.of(
                                        StartRecord.RUN,
                                        epoch + "/2030-01-01T00:00:00Z/"
                                                + record.gang().name()));
    }

    private Reservation reservation(String gang) {
        return plane.client()
                .resources(Reservation.class)
                .inNamespace("default")
                .withName(gang)
                .get();
    }

    private static GangRecord written(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Written.class);
        return ((Outcome.Written) outcome).record();
    }

    private static GangRecord record(String gang) {
        return GangRecord.first(new GangId("default", gang), NOON - 60)
                .withTerms(new RecordedTerms("start", 60, null, "r", 0, false));
    }

    private static GangRecord promised(GangRecord record) {
        Placement placement = new Placement(record.gang().name() + "-0", "n1", NOON, NOON + 60, new Cost(4000));
        return record.with(new Promise(Window.of(record.gang(), NOON, List.of(placement)), WindowOrigin.CYCLIC, false))
                .withPhase(Phase.PROMISED);
    }
}
