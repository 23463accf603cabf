package io.slotwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MockClock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.config.PolicyFile;
import io.slotwise.demo.DemoListener;
import io.slotwise.demo.LivingDemo;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.observability.Meters;
import io.slotwise.testing.Golden;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The program's output, byte for byte, see {@link Golden}: plans as JSON and tables, simulations as CSV and JSON under
 * policies with different paths through a cycle, and some hours of a living cluster.
 */
class GoldenOutputTest {
    private static final String SCENARIOS = "src/test/resources/scenarios/";
    private static final Instant BEGIN = Instant.parse("2030-01-15T06:00:00Z");
    private static final Duration LIVED = Duration.ofHours(3);

    @ParameterizedTest
    @CsvSource({
        "a-gang-moves-so-that-a-larger-one-starts, json",
        "a-namespace-never-passes-its-budget, csv",
        "pods-that-exclude-each-other-in-a-zone-stay-apart, json",
        "the-night-price-is-waited-for-by-criterion-cost, table",
        "the-gang-that-names-a-reservation-starts-in-it, json",
    })
    void aPlanIsPrinted(String scenario, String format) throws IOException {
        String folder = SCENARIOS + scenario;

        CommandLineRun run = CommandLineRun.of(
                "plan",
                "-f",
                folder + "/cluster.yaml",
                "-f",
                folder + "/workload.yaml",
                "--policy",
                folder + "/policy.yaml",
                "--now",
                "2030-01-01T00:00:00Z",
                "-o",
                format);

        assertThat(run.status()).isZero();
        assertThat(run.out()).isEqualTo(Golden.kept("plan-%s.%s".formatted(scenario, format), run.out()));
    }

    @Test
    void aSimulationIsPrintedAsCsv() throws IOException {
        CommandLineRun run = simulation(
                "easy",
                "slotwise",
                "docs/examples/anticipation.yaml",
                "docs/examples/combined.yaml",
                "docs/examples/cyclic.yaml",
                "docs/examples/fair.yaml",
                "docs/examples/preempting.yaml",
                "-o",
                "csv");

        assertThat(run.status()).isZero();
        assertThat(run.out()).isEqualTo(Golden.kept("simulation.csv", run.out()));
    }

    @Test
    void aSimulationIsPrintedAsJson() throws IOException {
        CommandLineRun run = simulation("docs/examples/cyclic.yaml", "-o", "json");

        assertThat(run.status()).isZero();
        assertThat(run.out()).isEqualTo(Golden.kept("simulation.json", run.out()));
    }

    private static CommandLineRun simulation(String... policies) {
        List<String> asked = new ArrayList<>(List.of(
                "study",
                "simulate",
                "--workload",
                "lublin:machine=16,jobs=60,seed=3",
                "--draw-users",
                "--draw-priorities",
                "50=9",
                "--price-spread",
                "20",
                "--processors-per-node",
                "4",
                "--seed",
                "4",
                "--policy"));
        asked.addAll(List.of(policies));
        return CommandLineRun.of(asked.toArray(String[]::new));
    }

    /** The number of searches depends on the number of processors that look ahead. */
    @Test
    void aLivingClusterIsCounted() throws IOException {
        PrometheusMeterRegistry registry =
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), new MockClock());
        StringBuilder starts = new StringBuilder();
        LivingDemo demo = new LivingDemo(
                new LivingDemo.Setting(10, BEGIN),
                CurrentSettings.fixed(PolicyFile.empty()
                        .overlay(Map.of(
                                "slotwise.policy.preset", "paper",
                                "slotwise.policy.planner.horizon", "24h",
                                "slotwise.policy.planner.cycle", "1m",
                                "slotwise.policy.running.migration.reach", "local",
                                "slotwise.policy.running.overrun.grace", "10m"))
                        .settings()),
                new Meters(registry),
                new Starts(starts),
                RandomGeneratorFactory.of("L64X128MixRandom").create(1));

        while (demo.clock().instant().isBefore(BEGIN.plus(LIVED))) {
            demo.step();
        }

        String metrics = registry.scrape()
                .lines()
                .filter(line ->
                        !line.startsWith("#") && !line.startsWith("slotwise_search") && !line.contains("_bucket{"))
                .sorted()
                .collect(Collectors.joining("\n", "", "\n"));
        assertThat(metrics).isEqualTo(Golden.kept("living-cluster.metrics", metrics));
        assertThat(starts.toString()).isEqualTo(Golden.kept("living-cluster.csv", starts.toString()));
    }

    /** A row for each start and other event, without its words. */
    private record Starts(StringBuilder rows) implements DemoListener {
        @Override
        public void opened(GangRecord record, long second) {
            rows.append("%d,started,%s\n".formatted(second, record.gang()));
        }

        @Override
        public void told(Instant when, String what, String subject, String words) {
            rows.append("%d,%s,%s\n".formatted(when.getEpochSecond(), what, subject));
        }
    }
}
