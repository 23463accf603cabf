package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationName;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationSpec;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationStatus;
import io.slotwise.live.record.Phase;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * What the chart's policies keep accounts from that RBAC alone would let through: Slotwise's own, and those of tenants
 * with the role edit.
 */
@RealControlPlane
class RestrainedAccountsIT {
    private static final String NAMESPACE = "tenant";
    private static final String TENANT = "developer";
    private static final int FORBIDDEN = 403;
    private static final int INVALID = 422;

    private static boolean inForce;

    private final ControlPlane plane;
    private final KubernetesClient admin;
    private final KubernetesClient slotwise;
    private final KubernetesClient tenant;

    RestrainedAccountsIT(ControlPlane plane) {
        this.plane = plane;
        this.admin = plane.client();
        this.slotwise = plane.clientAs(Installation.RELEASE, Installation.RELEASE);
        this.tenant = plane.clientAs(NAMESPACE, TENANT);
    }

    @BeforeAll
    static void install(ControlPlane plane) {
        Installation.install(plane, Map.of()).awaitGate();
        new Cluster(plane).namespace(NAMESPACE);
        Account person = Account.create(plane, NAMESPACE, TENANT);
        // Aggregation is a controller's work, and this control plane has none: the part that the chart adds to edit.
        for (String role : List.of("slotwise-edit", "slotwise-view")) {
            person.may(role, NAMESPACE);
        }
    }

    /** Policies take a moment to be in force, each by itself. */
    @BeforeEach
    void theyAreInForce() {
        if (inForce) {
            return;
        }
        Pod pod = gated("probe");
        plane.await("the policy of pods to be in force", () -> {
            try {
                patch(pod, "/status", "{\"status\": {\"reason\": \"%d\"}}".formatted(System.nanoTime()));
                return false;
            } catch (KubernetesClientException e) {
                return String.valueOf(e.getMessage()).contains("Slotwise's account");
            }
        });
        plane.await("the policy of records to be in force", () -> {
            try {
                tenant.resource(record("probe-" + System.nanoTime(), Phase.RUNNING))
                        .delete();
                return false;
            } catch (KubernetesClientException e) {
                // Before its role is known a tenant is forbidden everything.
                return String.valueOf(e.getMessage()).contains("charged");
            }
        });
        inForce = true;
    }

    // ---- Slotwise's own account and pods

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            image           | {"spec": {"containers": [{"name": "main", "image": "somebody/else"}]}}
            toleration      | {"spec": {"tolerations": [{"key": "k", "operator": "Exists"}]}}
            label           | {"metadata": {"labels": {"team": "other"}}}
            annotation      | {"metadata": {"annotations": {"slotwise.io/budget": "1"}}}
            finalizer       | {"metadata": {"finalizers": ["example.com/stays"]}}
            owner           | {"metadata": {"ownerReferences": [{"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "u"}]}}
            """)
    void ofPodsItsAccountChangesNothingElse(String what, String patch) {
        Pod pod = gated("no-" + what);

        assertForbidden(() -> patch(pod, "", patch), "Slotwise's account");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            phase      | {"status": {"phase": "Succeeded"}}
            address    | {"status": {"podIP": "10.0.0.1", "podIPs": [{"ip": "10.0.0.1"}]}}
            containers | {"status": {"containerStatuses": [{"name": "main", "image": "x", "imageID": "x", "ready": true, "restartCount": 0}]}}
            """)
    void ofTheStatusOfPodsItsAccountChangesNothingElse(String what, String patch) {
        Pod pod = gated("no-status-" + what);

        assertForbidden(() -> patch(pod, "/status", patch), "Slotwise's account");
    }

    @Test
    void whatSlotwiseDoesItsAccountMayDo() {
        Pod pod = gated("works");

        patch(pod, "", """
                {"spec": {"schedulingGates": [{"$patch": "delete", "name": "slotwise.io/window"}],
                "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}]}]}}}}}""");
        patch(pod, "", "{\"spec\": {\"activeDeadlineSeconds\": 60}}");
        patch(pod, "/status", """
                {"status": {"nominatedNodeName": "n1",
                "conditions": [{"type": "PodScheduled", "status": "False", "reason": "WaitingForWindow"}]}}""");

        Pod now = admin.resource(pod).get();
        assertThat(now.getSpec().getSchedulingGates()).isEmpty();
        assertThat(now.getSpec().getActiveDeadlineSeconds()).isEqualTo(60);
        assertThat(now.getStatus().getNominatedNodeName()).isEqualTo("n1");
    }

    // ---- records

    @ParameterizedTest
    @EnumSource(
            value = Phase.class,
            names = {"STARTING", "RUNNING"})
    void theRecordOfAGangThatRunsIsNotForTenantsToDelete(Phase phase) {
        Reservation record = record("runs-" + phase.name().toLowerCase(Locale.ROOT), phase);

        assertForbidden(() -> tenant.resource(record).delete(), "charged");
        assertThat(admin.resource(record).get()).isNotNull();

        slotwise.resource(record).delete();
        assertThat(admin.resource(record).get()).isNull();
    }

    @ParameterizedTest
    @EnumSource(
            value = Phase.class,
            mode = Mode.EXCLUDE,
            names = {"STARTING", "RUNNING"})
    void otherRecordsAre(Phase phase) {
        Reservation record = record("rests-" + phase.name().toLowerCase(Locale.ROOT), phase);

        tenant.resource(record).delete();

        assertThat(admin.resource(record).get()).isNull();
    }

    @Test
    void aNamespaceIsClearedWithItsRunningGangs() {
        Reservation record = record("goes", Phase.RUNNING);

        // As the namespace controller does it, which has an account of its own.
        plane.client()
                .resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace("kube-system")
                        .withName("namespace-controller")
                        .endMetadata()
                        .build())
                .createOr(there -> there.update());
        plane.clientAs("kube-system", "namespace-controller").resource(record).delete();

        assertThat(admin.resource(record).get()).isNull();
    }

    @Test
    void theRecordOfAGangHasItsName() {
        String foreign = ReservationName.of(new GangId(NAMESPACE, "Team A"));

        assertRefused(() -> tenant.resource(named("other", "mine")).create());
        assertRefused(() -> tenant.resource(named("x-0123456789", "mine")).create());
        assertThat(slotwise.resource(named("mine", "mine")).create()).isNotNull();
        assertThat(slotwise.resource(named(foreign, "Team A")).create()).isNotNull();
    }

    private Pod gated(String name) {
        Pod pod = Workload.pod(NAMESPACE, name, Installation.RELEASE, 100, 64);
        return admin.resource(new PodBuilder(pod)
                        .editSpec()
                        .withSchedulingGates(new PodSchedulingGate("slotwise.io/window"))
                        .endSpec()
                        .build())
                .create();
    }

    private void patch(Pod pod, String subresource, String patch) {
        var resource = slotwise.pods()
                .inNamespace(NAMESPACE)
                .withName(pod.getMetadata().getName());
        var _ = subresource.isEmpty()
                ? resource.patch(PatchContext.of(PatchType.STRATEGIC_MERGE), patch)
                : resource.subresource("status").patch(PatchContext.of(PatchType.STRATEGIC_MERGE), patch);
    }

    private static Reservation named(String name, String gang) {
        Reservation reservation = new Reservation();
        reservation.setMetadata(
                new ObjectMetaBuilder().withNamespace(NAMESPACE).withName(name).build());
        reservation.setSpec(
                new ReservationSpec(gang, "finish", 60L, null, null, null, null, null, null, null, null, null));
        return reservation;
    }

    private Reservation record(String name, Phase phase) {
        Reservation reservation = slotwise.resource(named(name, name)).create();
        reservation.setStatus(new ReservationStatus(
                phase, List.of(), null, null, null, null, List.of(), 0, 0, List.of(), null, null, List.of(), List.of(),
                null, null));
        return slotwise.resource(reservation).updateStatus();
    }

    private static void assertForbidden(ThrowingCallable call, String words) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(FORBIDDEN))
                .hasMessageContaining(words);
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(INVALID));
    }
}
