package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.config.PolicyFile;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.live.settings.LoopSettings;
import java.io.StringReader;
import org.junit.jupiter.api.Test;

class PolicyTest {

    @Test
    void theChartsPolicyIsReadByTheProgramWithWhatOnlyAClusterNeeds() {
        String policy = Chart.rendered()
                .one("ConfigMap", "slotwise")
                .at("/data/policy.yaml")
                .asText();

        LoopSettings settings = PolicyFile.read(new StringReader(policy), "policy.yaml");

        assertThat(settings.policy().turnover()).isEqualTo(5);
        assertThat(settings.policy().replanGain()).isEqualTo(200_000);
        assertThat(settings.policy().slack()).isEqualTo(PromiseSlack.DEFAULT);
        assertThat(policy.replace("turnover: 5s", "turnover: 0s")
                        .replace("replan-gain: 0.2", "replan-gain: 0")
                        .replaceFirst("promise-slack:\\n(?: .*\\n)+", "promise-slack: 0\n"))
                .satisfies(text -> assertThat(PolicyFile.read(new StringReader(text), "policy.yaml"))
                        .isEqualTo(LoopSettings.DEFAULT));
    }
}
