package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.config.PolicyFile;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.live.settings.LoopSettings;
import java.io.StringReader;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PolicyTest {
    private static String policy() {
        return Chart.rendered()
                .one("ConfigMap", "slotwise")
                .at("/data/policy.yaml")
                .asText();
    }

    @Test
    void theDemoRunsUnderTheChartsPolicyButForItsHorizonItsCycleAndItsMoney() {
        SortedMap<String, String> demo = new TreeMap<>(CommandLineRun.of("demo").served());
        demo.keySet().removeIf(key -> !key.startsWith("slotwise.policy."));

        PolicyFile chart = PolicyFile.load(new StringReader(policy()), "policy.yaml");

        assertThat(PolicyFile.empty().overlay(demo).settings())
                .isEqualTo(chart.overlay(Map.of("horizon", "24h", "cycle", "1m", "currency", "USD"))
                        .settings());
    }

    @Test
    void theChartsPolicyIsReadByTheProgramWithWhatOnlyAClusterNeeds() {
        String policy = policy();

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
