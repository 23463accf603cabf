package io.slotwise.chart;

import static io.slotwise.testing.PlanBuilder.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.resource.Resources;
import io.slotwise.live.port.PurchaseRecorder;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.RecordedTerms;
import io.slotwise.observability.Meters;
import io.slotwise.testing.PlanBuilder;
import io.slotwise.testing.PlanBuilder.PlacedPod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Proves that dashboards and alerts use only metrics and labels of a Slotwise in which everything has happened. */
class MonitoringTest {
    private static final Path DASHBOARDS = Chart.FOLDER.resolve("dashboards");
    private static final String ALERTS = "{offers: '#', monitoring: {prometheusRule: {enabled: true}}}";

    /** A metric with its selector in a query. */
    private static final Pattern SELECTED = Pattern.compile("([a-z_]+)\\{([^}]*)}");

    private static final Pattern GROUPED = Pattern.compile("by \\(([^)]*)\\) \\(+[a-z_ (]*?([a-z_]+)\\{");
    private static final Pattern EXPOSED = Pattern.compile("([a-z_0-9]+)(?:\\{([^}]*)})? .*");

    /** Labels that Prometheus adds. A label {@code namespace} of Slotwise thus becomes {@code exported_namespace}. */
    private static final Set<String> OF_PROMETHEUS = Set.of("job", "namespace", "pod");

    @Test
    void everyQueryAsksForMetricsAndLabelsThatThereAre() throws IOException {
        Map<String, Set<String>> exposed = exposed();
        List<String> queries = queries();

        assertThat(queries).hasSizeGreaterThan(30);
        for (String query : queries) {
            Matcher selected = SELECTED.matcher(query);
            assertThat(selected.find()).as(query).isTrue();
            do {
                String metric = selected.group(1);
                assertThat(metric.equals("up") || exposed.containsKey(metric))
                        .as("%s in %s; exposed are %s", metric, query, exposed.keySet())
                        .isTrue();
                assertThat(exposed.getOrDefault(metric, Set.of())).as(query).containsAll(labels(selected.group(2)));
            } while (selected.find());
            Matcher grouped = GROUPED.matcher(query);
            while (grouped.find()) {
                assertThat(exposed.get(grouped.group(2)))
                        .as("%s of %s in %s", grouped.group(1), grouped.group(2), query)
                        .containsAll(own(Stream.of(grouped.group(1).split(", ", -1))));
            }
        }
    }

    @Test
    void everyDashboardIsAnObjectOfTheChartThatCanBeSwitchedOn() throws IOException {
        List<JsonNode> maps =
                Chart.rendered("{offers: '#', monitoring: {dashboards: {enabled: true}}}").all("ConfigMap").stream()
                        .filter(map -> map.at("/metadata/labels").has("grafana_dashboard"))
                        .toList();

        assertThat(maps).hasSize(dashboards().size());
        for (JsonNode map : maps) {
            JsonNode dashboard = new ObjectMapper()
                    .readTree(map.path("data").elements().next().asText());
            assertThat(dashboard.path("title").asText()).startsWith("Slotwise: ");
            assertThat(dashboard.path("panels").findValuesAsText("title")).doesNotHaveDuplicates();
        }
        assertThat(Chart.rendered().all("ConfigMap"))
                .noneMatch(map -> map.at("/metadata/labels").has("grafana_dashboard"));
    }

    @Test
    void everyDashboardIsOneForGrafana() throws IOException {
        JsonSchema schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(Chart.yaml(Chart.read(Path.of("src/test/resources/dashboard.schema.yaml"))));
        for (Path file : dashboards()) {
            JsonNode dashboard = new ObjectMapper().readTree(file.toFile());

            assertThat(schema.validate(dashboard))
                    .as("what is wrong with %s", file)
                    .isEmpty();
            assertThat(dashboard.path("panels").valueStream().map(panel -> panel.path("id")))
                    .doesNotHaveDuplicates();
            for (JsonNode panel : dashboard.path("panels")) {
                assertThat(panel.path("targets").valueStream().map(target -> target.path("refId")))
                        .as("the queries of %s", panel.path("title"))
                        .doesNotHaveDuplicates();
            }
            ((ObjectNode) dashboard.at("/panels/0/options/reduceOptions")).put("calc", "last");
            assertThat(schema.validate(dashboard))
                    .as("what Grafana does not know")
                    .isNotEmpty();
        }
    }

    @Test
    void everyPanelSaysItsUnitAndHowManyDecimals() throws IOException {
        int panels = 0;
        for (Path file : dashboards()) {
            for (JsonNode panel : new ObjectMapper().readTree(file.toFile()).path("panels")) {
                JsonNode figures = panel.at("/fieldConfig/defaults");
                assertThat(figures.path("unit").asText())
                        .as("the unit of %s", panel.path("title"))
                        .isNotEmpty();
                assertThat(figures.path("decimals").isInt())
                        .as("the decimals of %s", panel.path("title"))
                        .isTrue();
                panels++;
            }
        }
        assertThat(panels).isGreaterThan(30);
    }

    @Test
    void noPanelLiesOverAnother() throws IOException {
        for (Path file : dashboards()) {
            Set<String> taken = new TreeSet<>();
            for (JsonNode panel : new ObjectMapper().readTree(file.toFile()).path("panels")) {
                JsonNode place = panel.path("gridPos");
                assertThat(place.path("x").asInt() + place.path("w").asInt()).isLessThanOrEqualTo(24);
                for (int x = 0; x < place.path("w").asInt(); x++) {
                    for (int y = 0; y < place.path("h").asInt(); y++) {
                        String cell = (place.path("x").asInt() + x) + ","
                                + (place.path("y").asInt() + y);
                        assertThat(taken.add(cell))
                                .as("%s of %s", cell, panel.path("title"))
                                .isTrue();
                    }
                }
            }
        }
    }

    @Test
    void runbookAndAlertAgreeAboutAMissingLeader() throws IOException {
        JsonNode alert = Chart.rendered(ALERTS).all("PrometheusRule").stream()
                .flatMap(rule -> rule.at("/spec/groups").valueStream())
                .flatMap(group -> group.path("rules").valueStream())
                .filter(rule -> rule.path("alert").asText().equals("SlotwiseHasNoLeader"))
                .findFirst()
                .orElseThrow();

        assertThat(Files.readString(Path.of("docs/how-to/troubleshoot.md")))
                .contains("\n### SlotwiseHasNoLeader\n**What it means.** "
                        + alert.at("/annotations/description").asText() + "\n");
    }

    private static List<Path> dashboards() throws IOException {
        try (Stream<Path> files = Files.list(DASHBOARDS)) {
            return files.sorted().toList();
        }
    }

    private static List<String> queries() throws IOException {
        List<String> queries = new ArrayList<>();
        for (Path file : dashboards()) {
            queries.addAll(new ObjectMapper().readTree(file.toFile()).findValuesAsText("expr"));
        }
        queries.addAll(Chart.rendered(ALERTS).all("PrometheusRule").getFirst().findValuesAsText("expr"));
        return queries;
    }

    private static Set<String> labels(String selector) {
        return own(Stream.of(selector.split(",", -1)).map(one -> one.split("[=!~]", -1)[0].strip()));
    }

    private static Set<String> own(Stream<String> labels) {
        Set<String> own = new TreeSet<>();
        labels.filter(label -> !label.isEmpty() && !OF_PROMETHEUS.contains(label))
                .map(label -> label.equals("exported_namespace") ? "namespace" : label)
                .forEach(own::add);
        return own;
    }

    /** The labels of every metric, of a Slotwise in which everything has happened once. */
    private static Map<String, Set<String>> exposed() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new JvmMemoryMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        Meters meters = new Meters(registry);
        Plan plan = new PlanBuilder()
                .window("g", 0, "1", new PlacedPod("n", 60, 1_000_000))
                .plan();
        Planned planned = plan.windows().getFirst();
        Gang gang = planned.gang();
        Snapshot seen = new PlanBuilder().node("n", 4000, "ann").snapshot();
        Account account = new Account(gang.id().namespace(), NOW, NOW + 100, new Cost(1L << 40));
        Queue queue = new Queue("team", null, 1, Map.of(), Map.of(Resources.CPU, Amount.of(1000)), Map.of(), false);
        Snapshot snapshot = new Snapshot(NOW, seen.cluster(), List.of(), List.of())
                .withAccounts(List.of(account))
                .withQueues(new QueueState(QueueTree.of(List.of(queue), Resources.NONE), List.of()))
                .withQueueBudgets(Map.of("team", Allotment.parse("5/day")));
        GangRecord record = GangRecord.first(gang.id(), NOW)
                .withTerms(RecordedTerms.of(gang))
                .promised(new Promise(planned.window(), planned.origin(), false), PromiseTariff.CONSTANT);
        meters.watching("pods", () -> Duration.ZERO);
        meters.answered("bind", Duration.ofMillis(1));
        meters.opened(gang.id(), Instant.EPOCH, Instant.EPOCH.plusSeconds(1));
        meters.cycle(Duration.ofMillis(1), snapshot, plan, List.of(record));
        meters.started(record, snapshot.cluster());
        meters.offered(List.of("pool.node"));
        meters.holding(new PurchaseRecorder.Nodes(1, 1, 1, 1));
        meters.spent(1);
        Map<String, Set<String>> exposed = new HashMap<>();
        registry.scrape().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            Matcher sample = EXPOSED.matcher(line);
            assertThat(sample.matches()).as(line).isTrue();
            String labels = sample.group(2);
            exposed.computeIfAbsent(sample.group(1), _ -> new TreeSet<>())
                    .addAll(
                            labels == null
                                    ? List.of()
                                    : own(Stream.of(labels.split(",", -1)).map(one -> one.split("=", -1)[0])));
            if (labels != null && labels.contains("namespace=")) {
                exposed.get(sample.group(1)).add("namespace");
            }
        });
        return exposed;
    }
}
