package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.config.PolicyFile;
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
    void theDemoUsesTheChartsPolicyExceptHorizonCycleAndMoney() {
        SortedMap<String, String> demo = new TreeMap<>(CommandLineRun.of("demo").served());
        demo.keySet().removeIf(key -> !key.startsWith("slotwise.policy."));

        PolicyFile chart = PolicyFile.load(new StringReader(policy()), "policy.yaml");

        assertThat(PolicyFile.empty().overlay(demo).settings())
                .isEqualTo(
                        chart.overlay(Map.of("planner.horizon", "24h", "planner.cycle", "1m", "money.currency", "USD"))
                                .settings());
    }

    @Test
    void aFreshInstallationActsLikeAnEmptyPolicy() {
        LoopSettings settings = PolicyFile.read(new StringReader(policy()), "policy.yaml");

        assertThat(settings).isEqualTo(PolicyFile.read(new StringReader("{}"), "own.yaml"));
        assertThat(settings).isEqualTo(LoopSettings.DEFAULT);
    }
}
