package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.live.port.SchedulerBackoff;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchedulerConfigurationTest {

    @Test
    void kubeSchedulerShowsEveryNodeToTheExtender() {
        JsonNode configuration = Chart.rendered().schedulerConfiguration();

        assertThat(configuration.path("percentageOfNodesToScore").asInt()).isEqualTo(100);
    }

    @Test
    void theExtenderIsReachedOnLocalhostAndCannotBeIgnored() {
        JsonNode extender = Chart.rendered("slotwise: {extender: {podPort: 9090}}")
                .schedulerConfiguration()
                .at("/extenders/0");

        assertThat(extender.path("urlPrefix").asText()).isEqualTo("https://127.0.0.1:9090/scheduler/v1");
        assertThat(extender.path("ignorable").isBoolean()).isTrue();
        assertThat(extender.path("ignorable").asBoolean()).isFalse();
        assertThat(extender.path("nodeCacheCapable").asBoolean()).isTrue();
        assertThat(extender.path("bindVerb").asText()).isEqualTo("bind");
        assertThat(extender.path("filterVerb").asText()).isEqualTo("filter");
        assertThat(extender.path("prioritizeVerb").asText()).isEqualTo("prioritize");
        assertThat(extender.path("preemptVerb").asText()).isEqualTo("preempt");
        assertThat(extender.path("httpTimeout").asText()).isEqualTo("30s");
    }

    @Test
    void bothContainersUseCertificatesAndTheConfigurationHasNoKey() {
        Chart.Rendered chart = Chart.rendered();
        JsonNode extender = chart.schedulerConfiguration().at("/extenders/0");
        JsonNode tls = extender.path("tlsConfig");

        assertThat(extender.path("enableHTTPS").asBoolean()).isTrue();
        assertThat(tls.path("insecure").asBoolean()).isFalse();
        assertThat(tls.fieldNames()).toIterable().containsExactlyInAnyOrder("caFile", "certFile", "keyFile");
        for (String file : List.of("caFile", "certFile", "keyFile")) {
            assertThat(tls.path(file).asText()).startsWith("/run/extender/");
        }
        assertThat(mountAt(chart.container("kube-scheduler"), "/run/extender")).isEqualTo("kube-scheduler-keys");
        assertThat(mountAt(chart.container("slotwise"), "/run/extender")).isEqualTo("slotwise-keys");
        assertThat(chart.container("slotwise").path("env")).anySatisfy(variable -> {
            assertThat(variable.path("name").asText()).isEqualTo("SLOTWISE_EXTENDER_POD_TLS");
            assertThat(variable.path("value").asText()).isEqualTo("/run/extender");
        });
    }

    @Test
    void slotwiseRenewsTheKeyOfThePodsKubeScheduler() {
        Chart.Rendered chart = Chart.rendered("slotwise: {extender: {keyLifetime: 1h30m}}");

        assertThat(chart.container("slotwise").path("env").toString())
                .contains("{\"name\":\"SLOTWISE_EXTENDER_POD_SCHEDULER_KEYS\",\"value\":\"/run/kube-scheduler\"}")
                .contains("{\"name\":\"SLOTWISE_EXTENDER_POD_KEY_LIFETIME\",\"value\":\"1h30m\"}");
        assertThat(chart.container("slotwise").path("volumeMounts").toString())
                .contains("{\"name\":\"kube-scheduler-keys\",\"mountPath\":\"/run/kube-scheduler\"}");
    }

    private static String mountAt(JsonNode container, String path) {
        for (JsonNode mount : container.path("volumeMounts")) {
            if (mount.path("mountPath").asText().equals(path)) {
                // Slotwise renews the certificates that it trusts.
                assertThat(mount.path("readOnly").asBoolean())
                        .isEqualTo(container.path("name").asText().equals("kube-scheduler"));
                return mount.path("name").asText();
            }
        }
        throw new AssertionError("Nothing is mounted at " + path + ".");
    }

    @Test
    void aPodThatWasSentAwayComesBackAfterAsLongAsTheExtenderCountsOn() {
        JsonNode configuration = Chart.rendered().schedulerConfiguration();

        assertThat(configuration.path("podInitialBackoffSeconds").asInt()).isEqualTo(1);
        assertThat(configuration.path("podMaxBackoffSeconds").asLong())
                .isEqualTo(SchedulerBackoff.LONGEST_PAUSE.toSeconds());
    }

    @Test
    void kubeSchedulersLeaseIsNotThatOfTheClustersOwn() {
        JsonNode election = Chart.rendered().schedulerConfiguration().path("leaderElection");

        assertThat(election.path("leaderElect").asBoolean()).isTrue();
        assertThat(election.path("resourceName").asText()).isEqualTo("slotwise-kube-scheduler");
        assertThat(election.path("resourceNamespace").asText()).isEqualTo("slotwise");
    }

    @Test
    void theOnlyProfileIsThatOfPodsThatNeedIt() {
        JsonNode profiles = Chart.rendered("extenderSchedulerName: planner")
                .schedulerConfiguration()
                .path("profiles");

        assertThat(profiles).hasSize(1);
        assertThat(profiles.at("/0/schedulerName").asText()).isEqualTo("planner");
    }
}
