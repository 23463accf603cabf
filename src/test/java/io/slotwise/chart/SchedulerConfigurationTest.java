package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.live.Retries;
import org.junit.jupiter.api.Test;

class SchedulerConfigurationTest {

    @Test
    void kubeSchedulerShowsEveryNodeToTheExtender() {
        JsonNode configuration = Chart.rendered().schedulerConfiguration();

        assertThat(configuration.path("percentageOfNodesToScore").asInt()).isEqualTo(100);
    }

    @Test
    void theExtenderIsReachedOnLocalhostAndCannotBeIgnored() {
        JsonNode extender = Chart.rendered("slotwise: {port: 9090}")
                .schedulerConfiguration()
                .at("/extenders/0");

        assertThat(extender.path("urlPrefix").asText()).isEqualTo("http://127.0.0.1:9090/scheduler/v1");
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
    void aPodThatWasSentAwayComesBackAfterAsLongAsTheExtenderCountsOn() {
        JsonNode configuration = Chart.rendered().schedulerConfiguration();

        assertThat(configuration.path("podInitialBackoffSeconds").asInt()).isEqualTo(1);
        assertThat(configuration.path("podMaxBackoffSeconds").asLong()).isEqualTo(Retries.LONGEST_PAUSE.toSeconds());
    }

    @Test
    void itsLeaseIsNotTheClustersOwnSchedulers() {
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
