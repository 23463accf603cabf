package io.slotwise.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The chart's monitoring: every query of its dashboards and every alert. */
final class Monitoring {
    private static final Map<String, String> ON =
            Map.of("monitoring.dashboards.enabled", "true", "monitoring.prometheusRule.enabled", "true");

    private final List<JsonNode> dashboards = new ArrayList<>();
    private final List<Asked> panels = new ArrayList<>();
    private final List<Asked> variables = new ArrayList<>();
    private final List<Asked> alerts = new ArrayList<>();

    /**
     * A query.
     *
     * @param where the titles of the dashboard and the panel, or the alert's name
     * @param expr with the release's job and namespace filled in
     */
    record Asked(String where, String expr) {}

    private Monitoring() {}

    static Monitoring rendered(ControlPlane plane) {
        Monitoring monitoring = new Monitoring();
        try (MappingIterator<JsonNode> objects = new ObjectMapper(new YAMLFactory())
                .readerFor(JsonNode.class)
                .readValues(Installation.render(plane, ON))) {
            while (objects.hasNext()) {
                monitoring.read(objects.next());
            }
            return monitoring;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(JsonNode object) throws IOException {
        if (object.at("/metadata/labels").has("grafana_dashboard")) {
            for (JsonNode file : object.path("data")) {
                readDashboard(new ObjectMapper().readTree(file.asText()));
            }
        }
        for (JsonNode rule : object.at("/spec/groups/0/rules")) {
            alerts.add(new Asked(rule.path("alert").asText(), rule.path("expr").asText()));
        }
    }

    private void readDashboard(JsonNode dashboard) {
        dashboards.add(dashboard);
        String title = dashboard.path("title").asText();
        for (JsonNode panel : dashboard.path("panels")) {
            for (JsonNode target : panel.path("targets")) {
                panels.add(asked(title + ", " + panel.path("title").asText(), target.path("expr")));
            }
        }
        for (JsonNode variable : dashboard.at("/templating/list")) {
            String query = variable.at("/query/query").asText();
            if (query.startsWith("label_values(")) {
                String series = query.substring(query.indexOf('(') + 1, query.lastIndexOf(','));
                variables.add(new Asked(title + ", $" + variable.path("name").asText(), filled(series)));
            }
        }
    }

    private static Asked asked(String where, JsonNode expr) {
        return new Asked(where, filled(expr.asText()));
    }

    /** Fills in the dashboard's variables, as Grafana does. */
    static String filled(String expr) {
        return expr.replace("$job", Installation.RELEASE)
                .replace("$namespace", Installation.RELEASE)
                .replace("$resource", "cpu");
    }

    List<JsonNode> dashboards() {
        return List.copyOf(dashboards);
    }

    List<Asked> panels() {
        return List.copyOf(panels);
    }

    /** The series from which the dashboards' variables take their values. */
    List<Asked> variables() {
        return List.copyOf(variables);
    }

    List<Asked> alerts() {
        return List.copyOf(alerts);
    }
}
