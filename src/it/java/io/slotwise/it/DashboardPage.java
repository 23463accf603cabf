package io.slotwise.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slotwise.it.Prometheus.Query;
import io.slotwise.it.Prometheus.Scrape;
import io.slotwise.it.browser.Contents;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * A dashboard of the chart as a page: its panels, with queries answered by Prometheus' engine and lines drawn by
 * Chart.js. It resembles Grafana as far as the dashboard itself determines that.
 */
final class DashboardPage {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TEMPLATE = resource("/io/slotwise/it/dashboard.html");
    private static final String CHART = resource("/META-INF/resources/webjars/chartjs/3.9.1/dist/chart.min.js");

    /** The number of points of a line. */
    private static final int POINTS = 240;

    private final JsonNode dashboard;

    DashboardPage(JsonNode dashboard) {
        this.dashboard = dashboard;
    }

    /** The dashboard's own part of the title, such as {@code overview}. */
    String name() {
        String title = dashboard.path("title").asText();
        return title.substring(title.indexOf(' ') + 1);
    }

    /** A digest of what a picture of the page shows, regardless of the measured values. */
    String shows() {
        return new Contents().and(dashboard.toString()).and(TEMPLATE).and(CHART).digest();
    }

    String html(Prometheus prometheus, List<Scrape> scrapes) {
        ObjectNode filled = dashboard.deepCopy();
        long from = scrapes.getFirst().time();
        long to = scrapes.getLast().time();
        long step = Math.max(1000, (to - from) / POINTS);
        filled.put("from", from).put("to", to);
        List<JsonNode> targets = filled.findValues("targets").stream()
                .flatMap(list -> list.valueStream())
                .toList();
        List<Query> queries = targets.stream()
                .map(target -> new Query(Monitoring.filled(target.path("expr").asText()), from, to, step))
                .toList();
        List<Prometheus.Answer> answers = prometheus.answer(scrapes, queries);
        for (int i = 0; i < answers.size(); i++) {
            ((ObjectNode) targets.get(i))
                    .set("series", JSON.valueToTree(answers.get(i).series()));
        }
        return TEMPLATE.replace("/*CHART*/", CHART).replace("/*DASHBOARD*/", filled.toString());
    }

    private static String resource(String path) {
        try (InputStream in = Objects.requireNonNull(DashboardPage.class.getResourceAsStream(path), path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
