package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionalPartsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            admission: {gate: {enabled: false}}       | MutatingAdmissionPolicy
            admission: {validation: {enabled: false}, epoch: {enabled: false}, account: {enabled: false}, records: {enabled: false}} | ValidatingAdmissionPolicy
            flowControl: {enabled: false}             | FlowSchema
            flowControl: {enabled: false}             | PriorityLevelConfiguration
            kubeScheduler: {enabled: false}           | MutatingAdmissionPolicy
            podDisruptionBudget: {enabled: false}     | PodDisruptionBudget
            networkPolicy: {enabled: false}           | NetworkPolicy
            uninstall: {gates: keep}                  | Job
            """)
    void aPartThatIsSwitchedOffIsNotThere(String values, String kind) {
        assertThat(Chart.rendered().all(kind)).isNotEmpty();
        assertThat(Chart.rendered(values).all(kind)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            monitoring: {serviceMonitor: {enabled: true}} | ServiceMonitor
            monitoring: {prometheusRule: {enabled: true}} | PrometheusRule
            priorityClass: {create: true}                 | PriorityClass
            """)
    void aPartThatIsSwitchedOnIsThere(String values, String kind) {
        assertThat(Chart.rendered().all(kind)).isEmpty();
        assertThat(Chart.rendered(values).all(kind)).hasSize(1);
    }

    @Test
    void theExtenderIsForThePodAloneUnlessCertificatesTellWhoCalls() {
        String values = "slotwise: {extender: {tlsSecret: slotwise-extender, clientNames: [kube-scheduler, another]}}";
        Chart.Rendered alone = Chart.rendered();
        Chart.Rendered exposed = Chart.rendered(values);

        assertThat(alone.text()).doesNotContain("extender-tls", "8443");
        assertThat(exposed.one("Service", "slotwise").at("/spec/ports/1/port").asInt())
                .isEqualTo(8443);
        assertThat(exposed.one("NetworkPolicy", "slotwise")
                        .at("/spec/ingress/1/ports/0/port")
                        .asText())
                .isEqualTo("extender");
        JsonNode pod = exposed.one("Deployment", "slotwise").at("/spec/template/spec");
        assertThat(pod.at("/containers/1/env"))
                .anySatisfy(variable -> {
                    assertThat(variable.path("name").asText()).isEqualTo("SLOTWISE_EXTENDER_CLIENT_NAMES");
                    assertThat(variable.path("value").asText()).isEqualTo("kube-scheduler,another");
                })
                .anySatisfy(variable -> {
                    assertThat(variable.path("name").asText()).isEqualTo("QUARKUS_PROFILE");
                    assertThat(variable.path("value").asText()).isEqualTo("prod,extender-tls");
                });
        assertThat(pod.path("volumes"))
                .anySatisfy(volume ->
                        assertThat(volume.at("/secret/secretName").asText()).isEqualTo("slotwise-extender"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"slotwise: {extender: {tlsSecret: s}}", "slotwise: {extender: {clientNames: [kube-scheduler]}}"})
    void certificatesAndTheNamesInThemBelongTogether(String values) {
        assertThatThrownBy(() -> Chart.rendered(values))
                .hasMessageContaining("belong together: expected both, or none");
    }

    @Test
    void withoutRolesThereAreOnlyTheHooksOwn() {
        Chart.Rendered chart = Chart.rendered("rbac: {create: false}");

        assertThat(chart.all("ClusterRole"))
                .extracting(role -> role.at("/metadata/name").asText())
                .containsExactly("slotwise-ungate");
        assertThat(chart.all("Role")).isEmpty();
    }

    @Test
    void theJobThatTakesGatesOffRunsBeforeTheChartGoes() {
        JsonNode job = Chart.rendered("schedulerName: planner").one("Job", "slotwise-ungate");

        assertThat(job.at("/metadata/annotations").path("hook").asText()).isEqualTo("pre-delete");
        assertThat(job.at("/spec/template/spec/containers/0/args"))
                .extracting(JsonNode::asText)
                .containsExactly(
                        "ungate",
                        "--scheduler-name=slotwise-extender",
                        "--scheduler-name=planner",
                        "--policy-binding=slotwise-gate");
    }

    @Test
    void withoutKubeSchedulerNothingOfItIsLeft() {
        Chart.Rendered chart = Chart.rendered("kubeScheduler: {enabled: false}");

        assertThat(chart.pod().at("/spec/containers"))
                .extracting(container -> container.path("name").asText())
                .containsExactly("slotwise");
        assertThat(chart.text()).doesNotContain("slotwise-kube-scheduler", "system:kube-scheduler");
        assertThat(chart.container("slotwise").path("env")).anySatisfy(variable -> {
            assertThat(variable.path("name").asText()).isEqualTo("SLOTWISE_KUBE_SCHEDULER");
            assertThat(variable.path("value").asText()).isEqualTo("false");
        });
    }

    @Test
    void aKubeSchedulerElsewhereServesTheSecondNameToo() {
        Chart.Rendered chart = Chart.rendered(
                "kubeScheduler: {enabled: false}\nslotwise: {extender: {tlsSecret: s, clientNames: [kube-scheduler]}}");

        assertThat(chart.all("MutatingAdmissionPolicy")).hasSize(1);
        assertThat(chart.text()).doesNotContain("SLOTWISE_KUBE_SCHEDULER");
    }

    @Test
    void everyPodCannotGoThroughAKubeSchedulerThatIsNotThere() {
        assertThatThrownBy(() -> Chart.rendered("start: extender\nkubeScheduler: {enabled: false}"))
                .hasMessageContaining("start (extender) sends every pod through kube-scheduler");
    }

    @Test
    void theTwoSchedulerNamesDiffer() {
        assertThatThrownBy(() -> Chart.rendered("extenderSchedulerName: slotwise"))
                .hasMessageContaining("expected two names");
    }

    @Test
    void alertsUseTheMetricsThatThereAre() {
        JsonNode rules = Chart.rendered("monitoring: {prometheusRule: {enabled: true}}")
                .all("PrometheusRule")
                .getFirst()
                .at("/spec/groups/0/rules");

        assertThat(rules.findValuesAsText("alert"))
                .containsExactly(
                        "SlotwiseDown",
                        "SlotwiseHasNoLeader",
                        "SlotwiseDoesNotPlan",
                        "SlotwiseWatchIsSilent",
                        "SlotwiseGangStartedPartly",
                        "SlotwiseBreaksPromises",
                        "SlotwisePolicyIsInvalid",
                        "SlotwisePricesAreMissing",
                        "SlotwiseCyclesAreSlow");
    }

    @Test
    void onlyThePortOfMetricsAndBoardIsReachable() {
        JsonNode ingress = Chart.rendered().one("NetworkPolicy", "slotwise").at("/spec/ingress");

        assertThat(ingress).hasSize(1);
        assertThat(ingress.at("/0/ports/0/port").asText()).isEqualTo("http");
        assertThat(ingress.at("/0/from/0/podSelector").isObject()).isTrue();
    }

    @Test
    void anInstallationUnderAnotherNameKeepsItsObjectsApart() {
        Chart.Rendered chart = Chart.rendered("fullnameOverride: other");

        assertThat(chart.objects())
                .filteredOn(object -> !object.path("kind").asText().equals("CustomResourceDefinition"))
                .allSatisfy(object ->
                        assertThat(object.at("/metadata/name").asText()).startsWith("other"));
    }
}
