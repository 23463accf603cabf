package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.slotwise.kubernetes.gangs.GroupKind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Slotwise with the token of the chart's ServiceAccount in a story that needs all its rights. Proves by the API
 * server's audit log that no request was forbidden, and that the roles have no unused right.
 */
@RealControlPlane(featureGates = RealControlPlane.POD_GROUPS, auditsRights = true)
class RightsIT {
    private static final String ACCOUNT =
            "system:serviceaccount:%s:%s".formatted(Installation.RELEASE, Installation.RELEASE);
    /** The user agent of kube-scheduler, which has the same token. It uses these rights only for its Lease. */
    private static final String KUBE_SCHEDULER = "kube-scheduler";

    /** The rights that this story does not use, each with the test that does. */
    private static final Map<String, String> RARE = Map.of(
            // A pod whose eviction a disruption budget refuses during a rollback.
            "delete pods", "PodUngaterTest",
            // A binding without an answer, or one that conflicts with another write to the pod.
            "get pods", "Fabric8BindApiTest",
            // A pod that waits for more than half a minute, or is not bound when its gang is rolled back.
            "patch pods/status", "WaitingPodsTest",
            // A Reservation that is changed while the barrier opens.
            "get reservations.slotwise.io", "Fabric8BindApiTest",
            // A gang of a PodGroup, which needs a feature gate of the cluster.
            "patch podgroups/status.scheduling.k8s.io", "PodGroupStatusTest");
    /** The beginning of a ServiceAccount's token. */
    private static final Pattern TOKEN = Pattern.compile("eyJ[A-Za-z0-9_-]{10,}\\.");

    private final ControlPlane plane;
    private final Cluster cluster;

    RightsIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
    }

    @Test
    void everyRightIsUsedNoOtherIsMissedAndNoTokenIsLogged() throws IOException, InterruptedException {
        define();
        Installation chart = Installation.install(
                plane,
                Map.of(
                        "policy.running.turnover", "3s",
                        "policy.planner.cycle", "2s",
                        "policy.running.min-run", "5s",
                        "policy.records.holds.grace", "4s",
                        "policy.records.reservation-ttl", "2m"));
        Map<String, String> asking = Map.of("SLOTWISE_AUTH", "kubernetes", "SLOTWISE_AUTH_METRICS", "none");
        try (SlotwiseProcess slotwise = chart.startSlotwise(plane.url(), asking);
                KubeScheduler scheduler = chart.startElectedScheduler("kube-scheduler", slotwise.extender())) {
            assertThat(scheduler).isNotNull();
            chart.awaitGate();
            tellTheStory();
            assertThat(look(slotwise)).isEqualTo(200);
            assertThat(slotwise.metric("slotwise_partial_gangs_total")).isZero();
        }

        List<AuditLog.Entry> ours = plane.audit().entries(RightsIT::isOurs);
        Set<String> used = new TreeSet<>();
        ours.forEach(entry -> used.addAll(rights(entry)));
        Set<String> granted = granted();
        Set<String> idle = new TreeSet<>(granted);
        idle.removeAll(used);
        idle.removeAll(RARE.keySet());
        assertThat(ours)
                .filteredOn(entry -> entry.code() == 403)
                .as("forbidden requests")
                .isEmpty();
        assertThat(idle).as("rights that no request used").isEmpty();
        assertThat(granted).as("the rare rights are granted").containsAll(RARE.keySet());
        assertNoTokenIsLogged();
    }

    private static boolean isOurs(AuditLog.Entry entry) {
        return entry.user().equals(ACCOUNT)
                && !entry.resource().isEmpty()
                && (!entry.agent().startsWith(KUBE_SCHEDULER)
                        || entry.resource().equals("leases"));
    }

    /**
     * A gang of a namespace with a budget is displaced by two gangs that go through kube-scheduler and end one after
     * another. All are in the queue {@code default}, next to a queue without gangs. The first run creates the
     * namespace's history, the second one continues it. In parallel an advance reservation stays unused.
     */
    private void tellTheStory() {
        cluster.priorityClass("urgent", 1000);
        cluster.createQueue("team", "{}");
        Scenario ranks = new Scenario(cluster, "ranks").withNodes(2);
        Scenario kept = new Scenario(cluster, "kept").withNodes(1);
        NamespaceLedger ledger = new NamespaceLedger(cluster, "ranks");
        ledger.setBudget("5/month");
        kept.hold("unused", 1, Scenario.in(16), Scenario.in(900));
        GangSpec low = ranks.gang("low", 2, 4000, 40).runningFor(30).stoppingIn(1);
        cluster.submitAsIndexedJob(low);
        ranks.awaitWhole(low, 60);
        GangSpec high = ranks.gang("high", 1, 4000, 8)
                .runningFor(4)
                .stoppingIn(1)
                .ofClass("urgent")
                .throughKubeScheduler();
        GangSpec longer = ranks.gang("longer", 1, 4000, 14)
                .runningFor(10)
                .stoppingIn(1)
                .ofClass("urgent")
                .throughKubeScheduler();
        cluster.submitAsJob(high);
        cluster.submitAsJob(longer);

        ranks.awaitWhole(high, 60);
        ranks.awaitWhole(longer, 60);
        Scenario.within("the ledger to be written", 30)
                .untilAsserted(() -> assertThat(ledger.entries()).isNotEmpty());
        Scenario.within("the history of runs to be written a second time", 60)
                .untilAsserted(() -> assertThat(cluster.histories("ranks"))
                        .singleElement()
                        .satisfies(history -> assertThat(history.getMetadata().getGeneration())
                                .isGreaterThan(1)));
        Scenario.within("the reservation that nobody took to go", 180)
                .untilAsserted(() -> assertThat(cluster.reservations("kept")).isEmpty());
    }

    /** Reads the gangs with a token, and returns the HTTP status. */
    private int look(SlotwiseProcess slotwise) throws IOException, InterruptedException {
        String token = plane.serviceAccountToken(Installation.RELEASE, Installation.RELEASE);
        HttpRequest request = HttpRequest.newBuilder(URI.create(slotwise.url() + "/api/v1/gangs"))
                .header("Authorization", "Bearer " + token)
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
    }

    private void assertNoTokenIsLogged() throws IOException {
        try (Stream<Path> logs = Files.list(plane.logs())) {
            List<Path> ours = logs.filter(log -> log.getFileName().toString().startsWith("slotwise"))
                    .toList();
            assertThat(ours).isNotEmpty();
            for (Path log : ours) {
                assertThat(Files.readString(log)).doesNotContainPattern(TOKEN);
            }
        }
    }

    /** Defines every kind of another project that states the size of a gang. */
    private void define() {
        var definitions = Arrays.stream(GroupKind.values())
                .filter(kind -> kind.apiGroup().contains(".") && kind != GroupKind.POD_GROUP)
                .map(kind -> ConventionsIT.definition(kind.apiGroup() + "/v1", kind.kind()))
                .toList();
        definitions.forEach(definition -> cluster.client().resource(definition).create());
        plane.await(
                "definitions of other projects",
                () -> definitions.stream()
                        .allMatch(definition -> ConventionsIT.isServed(Objects.requireNonNull(
                                cluster.client().resource(definition).get()))));
    }

    /** The rights of the chart's role and cluster role, as {@code verb resource.group [name]}. */
    private Set<String> granted() {
        Set<String> rights = new TreeSet<>();
        ClusterRole everywhere = Objects.requireNonNull(cluster.client()
                .rbac()
                .clusterRoles()
                .withName(Installation.RELEASE)
                .get());
        Role here = Objects.requireNonNull(cluster.client()
                .rbac()
                .roles()
                .inNamespace(Installation.RELEASE)
                .withName(Installation.RELEASE)
                .get());
        List<PolicyRule> rules = new ArrayList<>(everywhere.getRules());
        rules.addAll(here.getRules());
        for (PolicyRule rule : rules) {
            List<String> names = rule.getResourceNames().isEmpty() ? List.of("") : rule.getResourceNames();
            for (String group : rule.getApiGroups()) {
                for (String resource : rule.getResources()) {
                    for (String verb : rule.getVerbs()) {
                        names.forEach(name -> rights.add(right(verb, resource, group, name)));
                    }
                }
            }
        }
        return rights;
    }

    /** The rights that may have allowed a request: for the object's name, or for all objects. */
    private static List<String> rights(AuditLog.Entry entry) {
        return List.of(
                right(entry.verb(), entry.resource(), entry.group(), ""),
                right(entry.verb(), entry.resource(), entry.group(), entry.name()));
    }

    private static String right(String verb, String resource, String group, String name) {
        return "%s %s%s %s"
                .formatted(verb, resource, group.isEmpty() ? "" : "." + group, name)
                .strip();
    }
}
