package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.kubernetes.gangs.GroupKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RolesTest {
    private final Chart.Rendered chart = Chart.rendered();

    @Test
    void noRoleHasWildcardsSecretsOrEscalation() {
        for (JsonNode rule : rules()) {
            assertThat(texts(rule, "verbs"))
                    .isNotEmpty()
                    .doesNotContain("*", "escalate", "impersonate", "deletecollection");
            assertThat(texts(rule, "resources"))
                    .isNotEmpty()
                    .doesNotContain("*", "secrets", "pods/exec", "serviceaccounts/token");
            assertThat(texts(rule, "apiGroups")).isNotEmpty().doesNotContain("*", "rbac.authorization.k8s.io");
        }
    }

    @Test
    void slotwiseMayDoExactlyThis() {
        assertThat(lines(chart.one("ClusterRole", "slotwise")))
                .containsExactlyInAnyOrder(
                        "nodes: list watch",
                        "namespaces: list watch",
                        "pods: get list watch patch delete",
                        "pods/status: patch",
                        "pods/binding, pods/eviction: create",
                        "events: create",
                        "reservations: get list watch create update patch delete",
                        "reservations/status: update",
                        "ledgers, runhistories: list watch create update",
                        "queues: list watch",
                        "queues/status: update",
                        "poddisruptionbudgets: list watch",
                        "resourcequotas: list watch",
                        "persistentvolumeclaims, persistentvolumes: list watch",
                        "storageclasses, csinodes: list watch",
                        "resourceslices, deviceclasses, resourceclaims, resourceclaimtemplates: list watch",
                        "tokenreviews: create",
                        "subjectaccessreviews: create",
                        "podgroups: list watch",
                        "podgroups/status: patch",
                        "jobs: list watch",
                        "jobsets: list watch",
                        "pytorchjobs, tfjobs, mpijobs, xgboostjobs, paddlejobs, jaxjobs: list watch",
                        "rayclusters, rayjobs: list watch",
                        "leaderworkersets: list watch",
                        "topologies: list watch",
                        "hypernodes: list watch",
                        "statefulsets: list watch",
                        "trainjobs: list watch");
    }

    @Test
    void slotwiseMayReadEveryKindThatSaysHowLargeAGangIs() {
        Set<String> readable = new HashSet<>();
        for (JsonNode rule : chart.one("ClusterRole", "slotwise").path("rules")) {
            if (texts(rule, "verbs").containsAll(List.of("list", "watch"))) {
                texts(rule, "apiGroups")
                        .forEach(group ->
                                texts(rule, "resources").forEach(resource -> readable.add(resource + "." + group)));
            }
        }

        assertThat(readable)
                .containsAll(Arrays.stream(GroupKind.values())
                        .map(kind -> kind.plural() + "." + kind.apiGroup())
                        .toList());
    }

    @Test
    void editorsOfANamespaceMayReserveRoomAndChangeNothingElse() {
        JsonNode edit = chart.one("ClusterRole", "slotwise-edit");
        JsonNode view = chart.one("ClusterRole", "slotwise-view");

        assertThat(lines(edit)).containsExactly("reservations: create delete");
        assertThat(lines(view)).containsExactly("reservations, ledgers, queues, runhistories: get list watch");
        assertThat(edit.at("/metadata/labels/rbac.authorization.k8s.io~1aggregate-to-edit")
                        .asText())
                .isEqualTo("true");
        assertThat(view.at("/metadata/labels/rbac.authorization.k8s.io~1aggregate-to-view")
                        .asText())
                .isEqualTo("true");
    }

    @Test
    void advanceReservationsCanBeLeftOutOfTheRoleEdit() {
        JsonNode edit = Chart.rendered("rbac: {advanceReservations: false}").one("ClusterRole", "slotwise-edit");

        assertThat(lines(edit)).containsExactly("reservations: create delete");
        assertThat(edit.at("/metadata/labels").toString()).doesNotContain("aggregate-to");
    }

    /** The policy of nodes requires this group, which a kubelet never has. */
    @Test
    void nodeOwnersAreAGroupThatIsNoneOfKubelets() {
        JsonNode binding = chart.one("ClusterRoleBinding", "slotwise-node-owners");

        assertThat(lines(chart.one("ClusterRole", "slotwise-node-owners"))).containsExactly("nodeterms: update");
        assertThat(binding.at("/subjects").toString())
                .isEqualTo(
                        "[{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"Group\",\"name\":\"slotwise:node-owners\"}]");
    }

    @Test
    void metricsReadersMayDoNothingElse() {
        JsonNode rules = chart.one("ClusterRole", "slotwise-metrics").path("rules");

        assertThat(rules).hasSize(1);
        assertThat(texts(rules.path(0), "nonResourceURLs")).containsExactly("/metrics");
        assertThat(texts(rules.path(0), "verbs")).containsExactly("get");
        assertThat(rules.path(0).has("resources")).isFalse();
    }

    @Test
    void withoutAuthenticationSlotwiseReviewsNoTokens() {
        assertThat(lines(Chart.rendered("auth: {mode: none}").one("ClusterRole", "slotwise")))
                .isNotEmpty()
                .noneMatch(line -> line.contains("reviews"));
    }

    @Test
    void leasesAreNamedAndInTheReleasesNamespace() {
        JsonNode role = chart.one("Role", "slotwise");

        assertThat(role.at("/metadata/namespace").asText()).isEqualTo("slotwise");
        assertThat(lines(role)).containsExactlyInAnyOrder("leases: create", "leases: get patch", "leases: get update");
        assertThat(texts(role.at("/rules/1"), "resourceNames")).containsExactly("slotwise");
        assertThat(texts(role.at("/rules/2"), "resourceNames")).containsExactly("slotwise-kube-scheduler");
    }

    @Test
    void kubeSchedulerGetsTheRolesThatEveryClusterHasForIt() {
        assertThat(chart.all("ClusterRoleBinding"))
                .extracting(binding -> binding.at("/roleRef/name").asText())
                .containsExactlyInAnyOrder(
                        "slotwise",
                        "system:kube-scheduler",
                        "system:volume-scheduler",
                        "slotwise-ungate",
                        "slotwise-node-owners");
        assertThat(chart.one("RoleBinding", "slotwise-authentication-reader")
                        .at("/metadata/namespace")
                        .asText())
                .isEqualTo("kube-system");
    }

    @Test
    void everyBindingNamesAServiceAccountOfTheChart() {
        List<JsonNode> bindings = new ArrayList<>(chart.all("ClusterRoleBinding"));
        bindings.addAll(chart.all("RoleBinding"));
        bindings.removeIf(binding -> binding.at("/metadata/name").asText().equals("slotwise-node-owners"));
        List<String> accounts = chart.all("ServiceAccount").stream()
                .map(account -> account.at("/metadata/name").asText())
                .toList();

        for (JsonNode binding : bindings) {
            assertThat(binding.path("subjects")).hasSize(1);
            assertThat(binding.at("/subjects/0/namespace").asText()).isEqualTo("slotwise");
            assertThat(accounts).contains(binding.at("/subjects/0/name").asText());
        }
    }

    @Test
    void theHookMayDeleteOnlyTheChartsBindingAndStopOnlySlotwise() {
        JsonNode role = chart.one("ClusterRole", "slotwise-ungate");

        assertThat(lines(role))
                .containsExactlyInAnyOrder(
                        "pods: get list patch",
                        "reservations: get list patch",
                        "deployments: get patch",
                        "mutatingadmissionpolicybindings: delete");
        assertThat(texts(role.at("/rules/2"), "resourceNames")).containsExactly("slotwise");
        assertThat(texts(role.at("/rules/3"), "resourceNames")).containsExactly("slotwise-gate");
    }

    private List<JsonNode> rules() {
        List<JsonNode> rules = new ArrayList<>();
        chart.all("ClusterRole").stream()
                .filter(role -> !role.at("/metadata/name").asText().equals("slotwise-metrics"))
                .forEach(role -> role.path("rules").forEach(rules::add));
        chart.all("Role").forEach(role -> role.path("rules").forEach(rules::add));
        return rules;
    }

    private static List<String> lines(JsonNode role) {
        List<String> lines = new ArrayList<>();
        role.path("rules")
                .forEach(rule -> lines.add(
                        String.join(", ", texts(rule, "resources")) + ": " + String.join(" ", texts(rule, "verbs"))));
        return lines;
    }

    private static List<String> texts(JsonNode rule, String field) {
        List<String> texts = new ArrayList<>();
        rule.path(field).forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
