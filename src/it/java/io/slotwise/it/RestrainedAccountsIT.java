package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationName;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationSpec;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationStatus;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.live.record.Phase;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Actions of accounts that the chart's policies forbid although RBAC alone would allow them: those of Slotwise's own
 * accounts, and of tenants with the role edit.
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
    private final KubernetesClient hook;
    private final KubernetesClient tenant;

    RestrainedAccountsIT(ControlPlane plane) {
        this.plane = plane;
        this.admin = plane.client();
        this.slotwise = plane.clientAs(Installation.RELEASE, Installation.RELEASE);
        this.hook = plane.clientAs(Installation.RELEASE, Installation.HOOK);
        this.tenant = plane.clientAs(NAMESPACE, TENANT);
    }

    @BeforeAll
    static void install(ControlPlane plane) {
        // These policies work alone, without those against malformed requests.
        Installation.install(
                        plane,
                        Map.of(
                                "admission.validation.enabled", "false",
                                "admission.nodes.labels", "{example.com/tier}",
                                "offers", "#"))
                .awaitGate();
        // The account of the uninstall hook exists only during an uninstallation.
        Set<String> ofHook = Set.of("ServiceAccount", "ClusterRole", "ClusterRoleBinding");
        Installation.load(plane, Installation.render(plane, Map.of())).stream()
                .filter(object ->
                        object.getMetadata().getName().equals(Installation.HOOK) && ofHook.contains(object.getKind()))
                .forEach(object -> plane.client().resource(object).create());
        new Cluster(plane).namespace(NAMESPACE);
        Account person = Account.create(plane, NAMESPACE, TENANT);
        // A controller would aggregate the chart's part into the role edit, but this control plane has no controllers.
        for (String role : List.of("slotwise-edit", "slotwise-view")) {
            person.may(role, NAMESPACE);
        }
    }

    /** Waits until the policies are in force, each of which takes a moment. */
    @BeforeEach
    void theyAreInForce() {
        if (inForce) {
            return;
        }
        Pod pod = gated("probe");
        for (KubernetesClient account : List.of(slotwise, hook)) {
            plane.await("the policy of pods to be in force", () -> {
                try {
                    String label = "{\"metadata\": {\"labels\": {\"team\": \"%d\"}}}".formatted(System.nanoTime());
                    patch(account, pod, "", label);
                    return false;
                } catch (KubernetesClientException e) {
                    // Before its role is known, the hook's account may do nothing.
                    return String.valueOf(e.getMessage()).contains("Slotwise's account");
                }
            });
        }
        admin.resource(node("probed", Map.of("karpenter.sh/capacity-type", "spot")))
                .create();
        try (KubernetesClient kubelet = as("system:node:probed", "system:nodes")) {
            plane.await("the policy of kubelets to be in force", () -> {
                try {
                    String change = "{\"metadata\": {\"labels\": {\"%s\": \"%d\"}}}"
                            .formatted("karpenter.sh/capacity-type", System.nanoTime());
                    patchNode(kubelet, "probed", "", change);
                    return false;
                } catch (KubernetesClientException e) {
                    return String.valueOf(e.getMessage()).contains("is priced by");
                }
            });
        }
        plane.await("the policy of records to be in force", () -> {
            try {
                tenant.resource(record("probe-" + System.nanoTime(), Phase.RUNNING))
                        .delete();
                return false;
            } catch (KubernetesClientException e) {
                // Before its role is known, a tenant may do nothing.
                return String.valueOf(e.getMessage()).contains("charged");
            }
        });
        inForce = true;
    }

    // ---- Slotwise's own account and pods

    /** The hook may not evict or bind pods, or change their status. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            image           | {"spec": {"containers": [{"name": "main", "image": "somebody/else"}]}}
            toleration      | {"spec": {"tolerations": [{"key": "k", "operator": "Exists"}]}}
            label           | {"metadata": {"labels": {"team": "other"}}}
            annotation      | {"metadata": {"annotations": {"slotwise.io/budget": "1"}}}
            finalizer       | {"metadata": {"finalizers": ["example.com/stays"]}}
            owner           | {"metadata": {"ownerReferences": [{"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "u"}]}}
            """)
    void slotwisesAccountChangesNothingElseOfPods(String what, String patch) {
        Pod pod = gated("no-" + what);

        assertForbidden(() -> patch(slotwise, pod, "", patch), "Slotwise's account");
        assertForbidden(() -> patch(hook, pod, "", patch), "Slotwise's account");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            phase      | {"status": {"phase": "Succeeded"}}
            address    | {"status": {"podIP": "10.0.0.1", "podIPs": [{"ip": "10.0.0.1"}]}}
            containers | {"status": {"containerStatuses": [{"name": "main", "image": "x", "imageID": "x", "ready": true, "restartCount": 0}]}}
            """)
    void slotwisesAccountChangesNothingElseOfThePodStatus(String what, String patch) {
        Pod pod = gated("no-status-" + what);

        assertForbidden(() -> patch(slotwise, pod, "/status", patch), "Slotwise's account");
    }

    @Test
    void slotwisesAccountMayDoItsWork() {
        Pod pod = gated("works");

        patch(slotwise, pod, "", """
                {"spec": {"schedulingGates": [{"$patch": "delete", "name": "slotwise.io/window"}],
                "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}]}]}}}}}""");
        patch(slotwise, pod, "", "{\"spec\": {\"activeDeadlineSeconds\": 60}}");
        patch(slotwise, pod, "/status", """
                {"status": {"nominatedNodeName": "n1",
                "conditions": [{"type": "PodScheduled", "status": "False", "reason": "WaitingForWindow"}]}}""");

        Pod now = admin.resource(pod).get();
        assertThat(now.getSpec().getSchedulingGates()).isEmpty();
        assertThat(now.getSpec().getActiveDeadlineSeconds()).isEqualTo(60);
        assertThat(now.getStatus().getNominatedNodeName()).isEqualTo("n1");
    }

    @Test
    void theHookTakesGatesOff() {
        Pod pod = gated("let-go");

        patch(hook, pod, "", """
                {"spec": {"schedulingGates": [{"$patch": "delete", "name": "slotwise.io/window"}]}}""");

        assertThat(admin.resource(pod).get().getSpec().getSchedulingGates()).isEmpty();
    }

    // ---- bindings

    /** The API server accepts a Binding at two paths. kube-scheduler's role lets Slotwise write to both. */
    @ParameterizedTest
    @CsvSource({"labels, pods/%s/binding", "annotations, pods/%s/binding", "labels, bindings", "annotations, bindings"})
    void aBindingOfItsAccountChangesNoLabelsOrAnnotations(String place, String path) {
        Pod pod = waiting("bound-" + place + "-" + path.length());
        String posted = path.formatted(pod.getMetadata().getName());

        assertForbidden(
                () -> bind(slotwise, posted, pod, "\"%s\": {\"app\": \"other\"}".formatted(place)), "by a Binding");
        assertThat(admin.resource(pod).get().getSpec().getNodeName()).isNull();
        bind(slotwise, posted, pod, "");
        assertThat(admin.resource(pod).get().getSpec().getNodeName()).isEqualTo("somewhere");
    }

    @Test
    void aBindingOfItsAccountSaysOfAPodHowItsGangHasStartedAndNobodyElseSaysSo() {
        Pod pod = waiting("started");
        Pod other = waiting("started-by-another");
        String start = """
                "annotations": {"slotwise.io/run": "7/2030-01-01T00:00:00Z/g", "slotwise.io/record": "H4sI"}""";

        bind(slotwise, "pods/started/binding", pod, start);
        assertThat(admin.resource(pod).get().getMetadata().getAnnotations())
                .containsEntry("slotwise.io/run", "7/2030-01-01T00:00:00Z/g")
                .containsEntry("slotwise.io/record", "H4sI");

        assertForbidden(
                () -> bind(admin, "pods/started-by-another/binding", other, start), "Slotwise alone says by a Binding");
    }

    // ---- what nodes say

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            labels      | slotwise.io/price           | 0
            labels      | slotwise.io/performance     | 1000000
            labels      | slotwise.io/owner           | me
            annotations | slotwise.io/price-calendar  | 0@2030-01-01T00:00:00Z/P1D
            annotations | slotwise.io/unavailable     | 2030-01-01T00:00:00Z/P1D
            """)
    void aKubeletDoesNotSayWhatItsNodeCosts(String place, String key, String value) {
        String name = "kubelet-" + key.substring(key.indexOf('/') + 1);
        try (KubernetesClient kubelet = as("system:node:" + name, "system:nodes")) {
            Node node = node(name, Map.of());
            kubelet.resource(node).create();
            String patch = "{\"metadata\": {\"%s\": {\"%s\": \"%s\"}}}".formatted(place, key, value);
            Node dear = node(name + "-2", Map.of("slotwise.io/price", "7"));

            assertForbidden(() -> patchNode(kubelet, name, "", patch), "must not change what node");
            assertForbidden(() -> patchNode(kubelet, name, "status", patch), "must not change what node");
            assertForbidden(() -> kubelet.resource(dear).create(), "must not change what node");
            patchNode(kubelet, name, "", "{\"metadata\": {\"labels\": {\"example.com/rack\": \"r1\"}}}");
            patchNode(admin, name, "", patch);
            patchNode(kubelet, name, "status", "{\"status\": {\"allocatable\": {\"cpu\": \"3\"}}}");
        }

        assertThat(admin.nodes().withName(name).get().getMetadata().toString()).contains(key);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            labels      | karpenter.sh/capacity-type       | on-demand  | spot
            labels      | karpenter.sh/capacity-type       |            | spot
            labels      | cloud.google.com/gke-spot        |            | true
            labels      | example.com/tier                 | gold       | lead
            labels      | example.com/tier                 |            | lead
            labels      | slotwise.io/purchase             |            | slotwise-0123456789abcdef
            labels      | slotwise.io/bought               |            | true
            annotations | slotwise.io/bought-for           | tenant/a   | tenant/b
            annotations | slotwise.io/node-group           | a=b        | a=c
            """)
    void aKubeletKeepsWhatItsNodeIsPricedBy(String place, String key, @Nullable String registered, String other) {
        String name = "priced-" + key.substring(key.indexOf('/') + 1).toLowerCase(Locale.ROOT)
                + (registered == null ? "-new" : "");
        admin.resource(node(name, Map.of())).create();
        String patch = "{\"metadata\": {\"%s\": {\"%s\": %s}}}";
        if (registered != null) {
            patchNode(admin, name, "", patch.formatted(place, key, "\"" + registered + "\""));
        }

        try (KubernetesClient kubelet = as("system:node:" + name, "system:nodes")) {
            String change = patch.formatted(place, key, "\"" + other + "\"");

            assertForbidden(() -> patchNode(kubelet, name, "", change), "must not change what node");
            assertForbidden(() -> patchNode(kubelet, name, "status", change), "must not change what node");
            if (registered != null) {
                assertForbidden(
                        () -> patchNode(kubelet, name, "", patch.formatted(place, key, "null")), "is priced by");
            }
            patchNode(kubelet, name, "status", "{\"status\": {\"allocatable\": {\"cpu\": \"3\"}}}");
            patchNode(admin, name, "", change);
        }
    }

    @Test
    void aKubeletWritesItsInstanceTypeAtEachStart() {
        admin.resource(node("learns", Map.of())).create();
        try (KubernetesClient kubelet = as("system:node:learns", "system:nodes")) {
            for (String type : List.of("small", "large")) {
                patchNode(
                        kubelet,
                        "learns",
                        "",
                        "{\"metadata\": {\"labels\": {\"%s\": \"%s\"}}}".formatted(AnnotationKeys.INSTANCE_TYPE, type));
            }
        }

        assertThat(admin.nodes().withName("learns").get().getMetadata().getLabels())
                .containsEntry(AnnotationKeys.INSTANCE_TYPE, "large");
    }

    @Test
    void nodeOwnersMaySetPricesAndKubeletsNever() {
        admin.resource(node("owned", Map.of())).create();
        mayPatch("labellers", "", "nodes");
        String price = "{\"metadata\": {\"labels\": {\"slotwise.io/price\": \"%d\"}}}";

        try (KubernetesClient owner = as("ann", "labellers", "slotwise:node-owners");
                KubernetesClient labeller = as("ben", "labellers");
                KubernetesClient kubelet = as("system:node:owned", "system:nodes", "slotwise:node-owners")) {
            plane.await("the API server to know the role", () -> {
                try {
                    patchNode(owner, "owned", "", price.formatted(1));
                    return true;
                } catch (KubernetesClientException e) {
                    return false;
                }
            });
            assertForbidden(() -> patchNode(labeller, "owned", "", price.formatted(2)), "must not change what node");
            assertForbidden(() -> patchNode(kubelet, "owned", "", price.formatted(3)), "must not change what node");
        }

        assertThat(admin.nodes().withName("owned").get().getMetadata().getLabels())
                .containsEntry("slotwise.io/price", "1");
    }

    @Test
    void onlyNodesThatWereRegisteredAsBoughtSayWhatTheirControllersWrite() {
        admin.resource(node("own", Map.of())).create();
        admin.resource(node("bought", Map.of("slotwise.io/purchase", "slotwise-0123456789abcdef")))
                .create();
        mayPatch("controllers", "", "nodes");
        String price = "{\"metadata\": {\"labels\": {\"slotwise.io/price\": \"2\"}}}";
        String purchase = "{\"metadata\": {\"labels\": {\"slotwise.io/purchase\": \"p\"%s}}}";

        try (KubernetesClient controller = as("karpenter", "controllers");
                KubernetesClient kubelet = as("system:node:bought", "system:nodes")) {
            plane.await("the API server to know the role", () -> {
                try {
                    patchNode(controller, "bought", "", price);
                    return true;
                } catch (KubernetesClientException e) {
                    return false;
                }
            });
            String both = purchase.formatted(", \"slotwise.io/price\": \"0\"");
            assertForbidden(() -> patchNode(controller, "own", "", both), "must not change what node");
            assertForbidden(
                    () -> patchNode(controller, "own", "", purchase.formatted("")), "must not change what node");
            assertForbidden(
                    () -> patchNode(kubelet, "bought", "", price.replace('2', '0')), "must not change what node");
        }

        assertThat(admin.nodes().withName("own").get().getMetadata().getLabels())
                .isNullOrEmpty();
    }

    private void mayPatch(String group, String apiGroup, String resource) {
        admin.resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName(group)
                        .endMetadata()
                        .addNewRule()
                        .withApiGroups(apiGroup)
                        .withResources(resource)
                        .withVerbs("patch", "get")
                        .endRule()
                        .build())
                .create();
        admin.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(group)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", group)
                        .addNewSubject("rbac.authorization.k8s.io", "Group", group, null)
                        .build())
                .create();
    }

    private KubernetesClient as(String user, String... groups) {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(admin.getConfiguration())
                        .withImpersonateUsername(user)
                        .withImpersonateGroups(groups)
                        .build())
                .build();
    }

    private static Node node(String name, Map<String, String> labels) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withUnschedulable(true)
                .endSpec()
                .build();
    }

    private static void patchNode(KubernetesClient client, String name, String subresource, String patch) {
        var node = client.nodes().withName(name);
        PatchContext merge = PatchContext.of(PatchType.STRATEGIC_MERGE);
        var _ = subresource.isEmpty()
                ? node.patch(merge, patch)
                : node.subresource(subresource).patch(merge, patch);
    }

    private Pod waiting(String name) {
        return admin.resource(Workload.pod(NAMESPACE, name, Installation.RELEASE, 100, 64))
                .create();
    }

    private static void bind(KubernetesClient client, String path, Pod pod, String metadata) {
        post(client, "/api/v1/namespaces/" + NAMESPACE + "/" + path, """
                {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "%s"%s},
                "target": {"apiVersion": "v1", "kind": "Node", "name": "somewhere"}}""".formatted(
                        pod.getMetadata().getName(), metadata.isEmpty() ? "" : ", " + metadata));
    }

    // ---- records

    /** The smallest record of each kind. The definitions of these fields would accept all of them. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nothing held       | {"gang": "%s"}
            a window           | {"hold": %s, "window": {"start": "2030-01-01T00:00:00Z", "end": "2030-01-01T01:00:00Z", "cost": "0.000000", "exactCost": 0, "placement": [{"pod": "p", "node": "n", "start": "2030-01-01T00:00:00Z", "end": "2030-01-01T01:00:00Z", "cost": "0.000000", "exactCost": 0}]}}
            a reservation      | {"hold": %s, "reservation": "other"}
            a promise          | {"hold": %s, "promisedBy": "2030-01-01T00:00:00Z"}
            its end            | {"hold": %s, "promisedEnd": "2030-01-01T00:00:00Z"}
            a cost             | {"hold": %s, "exactPromisedCost": 0}
            bought nodes       | {"hold": %s, "purchases": []}
            an epoch           | {"hold": %s, "epoch": 9}
            """)
    void aTenantWritesOnlyTheHoldOfARecord(String what, String spec) {
        String name = "mine-" + what.replace(' ', '-');

        assertForbidden(
                () -> createRecord(name, "{}", spec.formatted(spec.contains("gang") ? name : HOLD)), "Slotwise alone");
        assertThat(reservation(name)).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            owner     | {"ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "c", "uid": "u"}]}
            finalizer | {"finalizers": ["example.com/stays"]}
            """)
    void aTenantsReservationHasNoOwnerAndNoFinalizer(String what, String metadata) {
        assertForbidden(
                () -> createRecord("held-" + what, metadata, "{\"hold\": %s}".formatted(HOLD)), "owners or finalizers");
    }

    @Test
    void aTenantKeepsRoomAndGivesItBack() {
        createRecord("room", "{}", "{\"hold\": %s}".formatted(HOLD));
        assertThat(reservation("room")).isNotNull();

        tenant.resources(Reservation.class)
                .inNamespace(NAMESPACE)
                .withName("room")
                .delete();
        assertThat(reservation("room")).isNull();
    }

    /** The role edit has no update, but a role of the namespace may. */
    @Test
    void updatersOfRecordsChangeOnlyLabels() {
        Reservation record = record("edited", Phase.PROMISED);
        try (KubernetesClient updater = as("updater", "record-updaters")) {
            mayPatch("record-updaters", "slotwise.io", "reservations");
            plane.await("the API server to know the role", () -> {
                try {
                    patchRecord(updater, record, "{\"metadata\": {\"labels\": {\"team\": \"a\"}}}");
                    return true;
                } catch (KubernetesClientException e) {
                    return false;
                }
            });

            for (String change : List.of("\"promisedBy\": \"2030-01-01T00:00:00Z\"", "\"window\": " + WINDOW)) {
                assertForbidden(
                        () -> patchRecord(updater, record, "{\"spec\": {%s}}".formatted(change)),
                        "Slotwise alone changes");
            }
            assertForbidden(
                    () -> patchRecord(updater, record, "{\"metadata\": {\"finalizers\": [\"example.com/stays\"]}}"),
                    "Slotwise alone changes");
        }
    }

    private static final String WINDOW = """
            {"start": "2030-01-01T00:00:00Z", "end": "2030-01-01T01:00:00Z", "cost": "0.000000", "exactCost": 0,
            "placement": [{"pod": "p", "node": "n", "start": "2030-01-01T00:00:00Z", "end": "2030-01-01T01:00:00Z",
            "cost": "0.000000", "exactCost": 0}]}""";
    private static final String HOLD = "{\"size\": 1, \"resources\": {\"cpu\": \"1\"}, \"runtime\": \"1h\"}";

    private void createRecord(String name, String metadata, String spec) {
        String meta = metadata.equals("{}") ? "" : ", " + metadata.substring(1, metadata.length() - 1);
        post(tenant, "/apis/slotwise.io/v1alpha1/namespaces/" + NAMESPACE + "/reservations", """
                {"apiVersion": "slotwise.io/v1alpha1", "kind": "Reservation",
                "metadata": {"namespace": "%s", "name": "%s"%s}, "spec": %s}""".formatted(
                        NAMESPACE, name, meta, spec));
    }

    private static void post(KubernetesClient client, String path, String json) {
        client.raw(path, "POST", Serialization.unmarshal(json, JsonNode.class));
    }

    private @Nullable Reservation reservation(String name) {
        return admin.resources(Reservation.class)
                .inNamespace(NAMESPACE)
                .withName(name)
                .get();
    }

    private static void patchRecord(KubernetesClient client, Reservation record, String patch) {
        var _ = client.resources(Reservation.class)
                .inNamespace(NAMESPACE)
                .withName(record.getMetadata().getName())
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    @ParameterizedTest
    @EnumSource(
            value = Phase.class,
            names = {"STARTING", "RUNNING"})
    void tenantsMayNotDeleteTheRecordOfARunningGang(Phase phase) {
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

        // Deletes as the namespace controller does, which has its own account.
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

        assertRefused(() -> slotwise.resource(named("other", "mine")).create());
        assertRefused(() -> slotwise.resource(named("x-0123456789", "mine")).create());
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

    private static void patch(KubernetesClient account, Pod pod, String subresource, String patch) {
        var resource =
                account.pods().inNamespace(NAMESPACE).withName(pod.getMetadata().getName());
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
                null, null, null));
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
