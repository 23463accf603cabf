package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeploymentTest {

    @Test
    void onePodHasKubeSchedulerAndSlotwise() {
        JsonNode containers = Chart.rendered().pod().at("/spec/containers");

        assertThat(containers.findValuesAsText("image"))
                .containsExactly("registry.k8s.io/kube-scheduler:v1.37.0", "slotwise:0.1.0");
    }

    @Test
    void kubeSchedulerHasTheApiServersVersionWithoutACloudsSuffix() {
        String text = Chart.text("{}", "v1.36.3-gke.1200");

        assertThat(text).contains("image: registry.k8s.io/kube-scheduler:v1.36.3\n");
    }

    @Test
    void aDigestTakesTheTagsPlace() {
        String digest = "sha256:" + "0".repeat(64);

        JsonNode slotwise = Chart.rendered(
                        "image: {repository: example.com/slotwise, tag: x, digest: '" + digest + "'}")
                .container("slotwise");

        assertThat(slotwise.path("image").asText()).isEqualTo("example.com/slotwise@" + digest);
    }

    @Test
    void everyPodOfTheChartKeepsRestrictedPodSecurity() {
        Chart.Rendered chart = Chart.rendered();
        List<JsonNode> pods =
                List.of(chart.pod(), chart.one("Job", "slotwise-ungate").at("/spec/template"));

        for (JsonNode pod : pods) {
            assertThat(pod.at("/spec/securityContext/runAsNonRoot").asBoolean()).isTrue();
            assertThat(pod.at("/spec/securityContext/seccompProfile/type").asText())
                    .isEqualTo("RuntimeDefault");
            assertThat(pod.at("/spec/hostNetwork").isMissingNode()).isTrue();
            assertThat(pod.findValues("hostPath")).isEmpty();
            for (JsonNode container : containers(pod)) {
                JsonNode security = container.path("securityContext");
                assertThat(security.path("allowPrivilegeEscalation").asBoolean(true))
                        .isFalse();
                assertThat(security.path("readOnlyRootFilesystem").asBoolean()).isTrue();
                assertThat(security.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
                assertThat(security.at("/capabilities/add").isMissingNode()).isTrue();
                assertThat(container.at("/resources/requests/memory").asText()).isNotEmpty();
                assertThat(container.at("/resources/limits/memory").asText()).isNotEmpty();
            }
        }
    }

    @Test
    void aTokenIsMountedOnlyWhereAProgramCallsTheApiServer() {
        Chart.Rendered chart = Chart.rendered();

        assertThat(chart.all("ServiceAccount"))
                .isNotEmpty()
                .allSatisfy(account -> assertThat(
                                account.path("automountServiceAccountToken").asBoolean(true))
                        .isFalse());
        assertThat(chart.pod().at("/spec/automountServiceAccountToken").asBoolean())
                .isTrue();
    }

    @Test
    void onlyATemporaryFolderOfAKnownSizeCanBeWritten() {
        Chart.Rendered chart =
                Chart.rendered("slotwise: {extender: {tlsSecret: certificates, clientNames: [kube-scheduler]}}");

        for (JsonNode pod :
                List.of(chart.pod(), chart.one("Job", "slotwise-ungate").at("/spec/template"))) {
            for (JsonNode container : pod.at("/spec/containers")) {
                assertThat(container.path("volumeMounts"))
                        .filteredOn(mount -> !mount.path("readOnly").asBoolean())
                        .allSatisfy(mount -> assertThat(mount.path("name").asText())
                                .isIn("tmp", "slotwise-keys", "kube-scheduler-keys"));
            }
            assertThat(pod.at("/spec/volumes"))
                    .filteredOn(volume -> volume.has("emptyDir"))
                    .allSatisfy(volume -> assertThat(
                                    volume.at("/emptyDir/sizeLimit").asText())
                            .isNotEmpty());
            for (String shared : List.of("hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace")) {
                assertThat(pod.path("spec").has(shared)).as(shared).isFalse();
            }
            assertThat(pod.at("/spec/securityContext/runAsUser").asInt()).isPositive();
        }
    }

    /** kube-scheduler reads its keys only at its start. An init container has made them by then. */
    @Test
    void keysAreMadeBeforeKubeSchedulerStartsAndInMemory() {
        JsonNode pod = Chart.rendered().pod().path("spec");
        JsonNode keys = pod.at("/initContainers/0");

        assertThat(pod.path("initContainers")).hasSize(1);
        assertThat(keys.path("image").asText()).isEqualTo("slotwise:0.1.0");
        assertThat(keys.path("restartPolicy").isMissingNode()).isTrue();
        assertThat(keys.path("args"))
                .extracting(JsonNode::asText)
                .containsExactly("extender-keys", "--slotwise=/run/slotwise", "--kube-scheduler=/run/kube-scheduler");
        assertThat(keys.path("volumeMounts"))
                .extracting(mount -> mount.path("name").asText() + " "
                        + mount.path("mountPath").asText())
                .containsExactly("slotwise-keys /run/slotwise", "kube-scheduler-keys /run/kube-scheduler", "tmp /tmp");
        assertThat(pod.path("volumes"))
                .filteredOn(volume -> volume.path("name").asText().endsWith("-keys"))
                .hasSize(2)
                .allSatisfy(volume ->
                        assertThat(volume.at("/emptyDir/medium").asText()).isEqualTo("Memory"));
        assertThat(Chart.rendered("kubeScheduler: {enabled: false}")
                        .pod()
                        .at("/spec/initContainers")
                        .isMissingNode())
                .isTrue();
    }

    @Test
    void portsOfOnePodDiffer() {
        assertThatThrownBy(() -> Chart.rendered("slotwise: {port: 8444}"))
                .hasMessageContaining("slotwise.extender.podPort and slotwise.port are both 8444");
        assertThatThrownBy(() -> Chart.rendered(
                        "slotwise: {extender: {port: 10259, tlsSecret: s, clientNames: [kube-scheduler]}}"))
                .hasMessageContaining("kubeScheduler.port and slotwise.extender.port are both 10259");
        assertThat(Chart.rendered("slotwise: {port: 8443}").all("Deployment")).hasSize(1);
    }

    @Test
    void slotwiseServesWithTheMountedPolicyAndPrices() {
        JsonNode slotwise =
                Chart.rendered("schedulerName: planner\nrelease: pin").container("slotwise");

        assertThat(slotwise.path("args"))
                .extracting(JsonNode::asText)
                .containsExactly(
                        "serve",
                        "--host=0.0.0.0",
                        "--port=8080",
                        "--policy=/etc/slotwise/policy.yaml",
                        "--prices=/etc/slotwise/prices.csv");
        assertThat(environment(slotwise))
                .contains(
                        "SLOTWISE_SCHEDULER_NAME=planner",
                        "SLOTWISE_EXTENDER_SCHEDULER_NAME=slotwise-extender",
                        "SLOTWISE_RELEASE=pin",
                        "SLOTWISE_LEASE_NAME=slotwise",
                        "SLOTWISE_LEASE_DURATION=15s",
                        "SLOTWISE_IDENTITY=$(POD_NAME)");
    }

    @Test
    void callersAreAuthenticatedUnlessTheAdminDisablesIt() {
        Chart.Rendered chart = Chart.rendered();
        Chart.Rendered open = Chart.rendered("auth: {mode: none, metrics: none}");

        assertThat(environment(chart.container("slotwise")))
                .contains(
                        "SLOTWISE_AUTH=kubernetes",
                        "SLOTWISE_AUTH_METRICS=kubernetes",
                        "SLOTWISE_AUTH_SESSION_KEY_FILE=/etc/slotwise-session/key");
        assertThat(environment(open.container("slotwise")))
                .contains("SLOTWISE_AUTH=none", "SLOTWISE_AUTH_METRICS=none")
                .noneMatch(variable -> variable.contains("SESSION"));
        assertThat(open.all("Secret")).isEmpty();
    }

    @Test
    void theKeyOfSessionsIsTheChartsOwnOrTheAdmins() {
        String key = Chart.rendered()
                .one("Secret", "slotwise-session")
                .at("/data/key")
                .asText();
        Chart.Rendered given = Chart.rendered("auth: {sessionSecret: ours}");

        assertThat(Base64.getDecoder().decode(new String(Base64.getDecoder().decode(key), StandardCharsets.UTF_8)))
                .hasSize(32);
        assertThat(given.all("Secret")).isEmpty();
        assertThat(given.pod().at("/spec/volumes").findValuesAsText("secretName"))
                .containsExactly("ours");
    }

    @Test
    void changedPricesStartNewPodsAndAChangedPolicyDoesNot() {
        String before = checksum("{}");

        assertThat(checksum("{}")).isEqualTo(before);
        assertThat(checksum("policy: {planner: {horizon: 24h}}")).isEqualTo(before);
        assertThat(checksum("prices: 'instance_type,region,capacity_type,price,performance,watts'"))
                .isNotEqualTo(before);
    }

    @Test
    void replicasPreferDifferentNodesUnlessAnAffinityIsGiven() {
        JsonNode own = Chart.rendered().pod().at("/spec/affinity");
        JsonNode given = Chart.rendered("affinity: {nodeAffinity: {}}").pod().at("/spec/affinity");

        assertThat(own.at("/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution"))
                .hasSize(1);
        assertThat(own.at("/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution")
                        .isMissingNode())
                .isTrue();
        assertThat(given.has("podAntiAffinity")).isFalse();
    }

    @Test
    void probesAskForHealth() {
        JsonNode slotwise = Chart.rendered().container("slotwise");

        assertThat(slotwise.at("/livenessProbe/httpGet/path").asText()).isEqualTo("/q/health/live");
        assertThat(slotwise.at("/readinessProbe/httpGet/path").asText()).isEqualTo("/q/health/ready");
        assertThat(slotwise.at("/ports/0/name").asText()).isEqualTo("http");
    }

    @Test
    void theGateNeedsKubernetes136AndSaysSo() {
        assertThatThrownBy(() -> Chart.text("admission: {gate: {enabled: true}}", "1.35.4"))
                .hasMessageContaining("admission.gate.enabled (true) needs Kubernetes 1.36")
                .hasMessageContaining("v1.35.4");
        assertThat(Chart.text("admission: {gate: {enabled: false}}", "1.35.4")).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1.34.0, 0", "1.35.4, 0", "1.36.0, 1", "1.37.2-gke.1, 1"})
    void theDefaultsInstallOnEverySupportedVersionAndGateWhereSupported(String kubernetes, int policies) {
        Chart.Rendered chart = Chart.renderedOn(kubernetes);

        assertThat(chart.all("MutatingAdmissionPolicy")).hasSize(policies);
        assertThat(chart.all("MutatingAdmissionPolicyBinding")).hasSize(policies);
        assertThat(chart.all("Deployment")).hasSize(1);
        String notes = chart.one("Notes", "slotwise").path("text").asText();
        assertThat(notes.contains("admission.gate.enabled (auto; Kubernetes v" + kubernetes))
                .isEqualTo(policies == 0);
        assertThat(notes.contains("name schedulerName slotwise-extender themselves"))
                .isEqualTo(policies == 0);
    }

    private static List<JsonNode> containers(JsonNode pod) {
        List<JsonNode> all = new ArrayList<>();
        pod.at("/spec/initContainers").forEach(all::add);
        pod.at("/spec/containers").forEach(all::add);
        return all;
    }

    private static String checksum(String values) {
        return Chart.rendered(values)
                .pod()
                .path("metadata")
                .path("annotations")
                .path("checksum/configuration")
                .asText();
    }

    private static List<String> environment(JsonNode container) {
        List<String> variables = new ArrayList<>();
        container
                .path("env")
                .forEach(variable -> variables.add(variable.path("name").asText() + "="
                        + variable.path("value").asText()));
        return variables;
    }
}
