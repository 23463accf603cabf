package io.slotwise.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.core.text.SafeText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The free room in the domains of a level, from the board of a running Slotwise at second {@code now} since the epoch.
 *
 * @param level the label key of the level
 * @param domains by name; nodes that are in none come first
 */
public record DomainsReport(long now, String level, List<Row> domains) {
    private static final String NONE = "-";

    public DomainsReport {
        domains = List.copyOf(domains);
    }

    /**
     * A domain.
     *
     * @param domain empty for the nodes that are in none
     * @param open the number of nodes that exist, and are neither cordoned nor unready
     * @param capacity of these, in milli-cores of cpu, bytes of memory, units of everything else
     * @param free the same without what is taken now
     */
    public record Row(
            String domain, int nodes, int open, SortedMap<String, Long> capacity, SortedMap<String, Long> free) {}

    private static final class Sums {
        private int nodes;
        private int open;
        private final SortedMap<String, Long> capacity = new TreeMap<>();
        private final SortedMap<String, Long> free = new TreeMap<>();

        void add(JsonNode node) {
            nodes++;
            String purchase = node.path("purchase").path("state").asText("bought");
            if (node.path("schedulable").asBoolean() && purchase.equals("bought")) {
                open++;
                for (Map.Entry<String, JsonNode> entry : node.path("capacity").properties()) {
                    long amount = entry.getValue().asLong();
                    long taken = node.path("taken").path(entry.getKey()).asLong();
                    capacity.merge(entry.getKey(), amount, Long::sum);
                    free.merge(entry.getKey(), Math.max(0, amount - taken), Long::sum);
                }
            }
        }
    }

    /**
     * Reads the board's document.
     *
     * @param word the label key of a level, or its last part
     * @throws IllegalArgumentException if that is no level; the message is a sentence
     */
    public static DomainsReport read(String board, String word) throws IOException {
        JsonNode document = NodesReport.document(board);
        String level = level(document.path("nodes"), word);
        SortedMap<String, Sums> domains = new TreeMap<>();
        for (JsonNode node : document.path("nodes")) {
            domains.computeIfAbsent(node.path("levels").path(level).asText(""), _ -> new Sums())
                    .add(node);
        }
        List<Row> rows = new ArrayList<>();
        domains.forEach((domain, sums) -> rows.add(new Row(domain, sums.nodes, sums.open, sums.capacity, sums.free)));
        return new DomainsReport(document.path("now").asLong(), level, rows);
    }

    private static String level(JsonNode nodes, String word) {
        Set<String> levels = new LinkedHashSet<>();
        nodes.forEach(node -> node.path("levels").properties().forEach(entry -> levels.add(entry.getKey())));
        List<String> named = levels.contains(word)
                ? List.of(word)
                : levels.stream().filter(key -> key.endsWith("/" + word)).toList();
        if (named.size() != 1) {
            throw new IllegalArgumentException("`--by` (%s) is not valid: expected a level of the nodes: %s"
                    .formatted(
                            SafeText.value(word),
                            levels.isEmpty() ? "there is none" : String.join(", ", named.isEmpty() ? levels : named)));
        }
        return named.getFirst();
    }

    public String table(Terminal terminal) {
        TextTable<Row> table = new TextTable<Row>()
                .name("DOMAIN", row -> Objects.requireNonNullElse(name(row), NONE))
                .right("NODES", row -> String.valueOf(row.nodes()))
                .right("OPEN", row -> String.valueOf(row.open()))
                .left("FREE", row -> NodesReport.capacity(row.free()))
                .left("CAPACITY", row -> NodesReport.capacity(row.capacity()));
        return table.draw(domains, terminal)
                + "\n%d %s of %s\n".formatted(domains.size(), domains.size() == 1 ? "domain" : "domains", level);
    }

    private static @Nullable String name(Row row) {
        return row.domain().isEmpty() ? null : row.domain();
    }

    /** Returns indented JSON with a final line feed. The domain of nodes that are in none is null. */
    public String json() {
        return new JsonObject()
                .put("now", TimeText.instant(now))
                .put("level", level)
                .putEach(
                        "domains",
                        domains,
                        row -> new JsonObject()
                                .put("domain", name(row))
                                .put("nodes", row.nodes())
                                .put("open", row.open())
                                .put("capacity", row.capacity())
                                .put("free", row.free()))
                .document();
    }

    /** Returns CSV with a heading and a row for each domain and resource. */
    public String csv() {
        CsvText csv = new CsvText("\n", "domain,nodes,open,resource,capacity,free");
        domains.forEach(row -> row.capacity()
                .forEach((resource, amount) -> csv.row(
                        name(row),
                        row.nodes(),
                        row.open(),
                        resource,
                        amount,
                        row.free().get(resource))));
        return csv.toString();
    }
}
