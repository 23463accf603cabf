package io.slotwise.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The nodes of a running Slotwise by name, from its board at second {@code now} since the epoch. */
public record NodesReport(long now, List<Row> nodes, Currency currency) {
    private static final String NONE = "-";
    private static final int WHOLE = 1000;
    private static final long MILLI = 1000;
    private static final int BINARY = 1024;

    public NodesReport {
        nodes = List.copyOf(nodes);
    }

    public enum State {
        PLANNED,
        STARTING,
        /** Cordoned or not ready. */
        CLOSED,
        /** Reserved by its owner. */
        KEPT,
        IDLE,
        /** Partly taken. */
        MIXED,
        /** Fully taken in its most used resource. */
        BUSY;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A node.
     *
     * @param type its instance type; null if not known
     * @param domain null if none
     * @param price currency units for the whole node and hour, now; null if not known
     * @param capacity milli-cores of cpu, bytes of memory, units of everything else
     * @param taken the sum of each pod's most used resource, thousandths, at most 1000
     * @param next the second of the next promised start; null if none
     */
    public record Row(
            String node,
            State state,
            @Nullable String type,
            @Nullable String domain,
            String owner,
            @Nullable String price,
            SortedMap<String, Long> capacity,
            int taken,
            List<String> gangs,
            @Nullable Long next) {}

    private static final class Load {
        private int pods;
        private int taken;
        private final TreeSet<String> gangs = new TreeSet<>();
        private @Nullable Long next;
    }

    /** Reads the board's document. */
    public static NodesReport read(String board) throws IOException {
        JsonNode document = document(board);
        long now = document.path("now").asLong();
        Map<String, Load> loads = loads(document.path("bars"), now);
        List<Row> rows = new ArrayList<>();
        for (JsonNode node : document.path("nodes")) {
            Load load = loads.getOrDefault(node.path("name").asText(), new Load());
            TreeMap<String, Long> capacity = new TreeMap<>();
            node.path("capacity")
                    .properties()
                    .forEach(entry ->
                            capacity.put(entry.getKey(), entry.getValue().asLong()));
            rows.add(new Row(
                    node.path("name").asText(),
                    state(node, load, now),
                    text(node.path("type")),
                    text(node.path("domain")),
                    node.path("owner").asText(),
                    price(document.path("prices").path(node.path("price").asInt(-1)), now),
                    capacity,
                    Math.min(WHOLE, load.taken),
                    List.copyOf(load.gangs),
                    load.next));
        }
        return new NodesReport(now, rows, JsonReport.currency(document));
    }

    static JsonNode document(String board) throws IOException {
        JsonNode document = JsonObject.MAPPER.readTree(board);
        if (!document.path("nodes").isArray() || !document.path("now").isIntegralNumber()) {
            throw new IOException("expected the document of the board");
        }
        return document;
    }

    private static Map<String, Load> loads(JsonNode bars, long now) {
        Map<String, Load> loads = new HashMap<>();
        for (JsonNode bar : bars) {
            Load load = loads.computeIfAbsent(bar.path("node").asText(), _ -> new Load());
            long start = bar.path("start").asLong();
            boolean over = bar.path("end").isIntegralNumber() && bar.path("end").asLong() <= now;
            if (start > now) {
                load.next = load.next == null ? start : Long.valueOf(Math.min(load.next, start));
            } else if (!over && !bar.path("state").asText().equals("completed")) {
                load.pods += bar.path("count").asInt();
                load.taken += bar.path("share").asInt();
                if (bar.path("gang").isTextual()) {
                    load.gangs.add(bar.path("gang").asText());
                }
            }
        }
        return loads;
    }

    private static State state(JsonNode node, Load load, long now) {
        switch (node.path("purchase").path("state").asText()) {
            case "planned" -> {
                return State.PLANNED;
            }
            case "starting" -> {
                return State.STARTING;
            }
            default -> {
                // The node exists, bought or not.
            }
        }
        if (!node.path("schedulable").asBoolean()) {
            return State.CLOSED;
        }
        for (JsonNode kept : node.path("unavailable")) {
            if (kept.path("start").asLong() <= now
                    && (!kept.path("end").isIntegralNumber() || kept.path("end").asLong() > now)) {
                return State.KEPT;
            }
        }
        return load.pods == 0 ? State.IDLE : load.taken < WHOLE ? State.MIXED : State.BUSY;
    }

    private static @Nullable String price(JsonNode price, long now) {
        String perHour = null;
        for (JsonNode piece : price.path("pieces")) {
            if (perHour == null || piece.path("start").asLong() <= now) {
                perHour = piece.path("perHour").asText();
            }
        }
        return perHour;
    }

    private static @Nullable String text(JsonNode node) {
        return node.isTextual() ? node.asText() : null;
    }

    public String table(Terminal terminal) {
        if (nodes.isEmpty()) {
            return "No nodes.\n";
        }
        TextTable<Row> table = new TextTable<Row>()
                .name("NODE", Row::node)
                .left("STATE", row -> row.state().word())
                .left("TYPE", row -> Objects.requireNonNullElse(row.type(), NONE))
                .spare(0)
                .right(
                        currency.heading("PRICE"),
                        row -> row.price() == null
                                ? NONE
                                : Money.parse(row.price()).brief())
                .right("TAKEN", row -> "%d %%".formatted((row.taken() + 5) / 10))
                .left("NEXT START", row -> row.next() == null ? NONE : TimeText.instant(row.next()))
                .left("CAPACITY", row -> capacity(row.capacity()))
                .spare(1)
                .left("GANGS", row -> row.gangs().isEmpty() ? NONE : String.join(" ", row.gangs()));
        String states = nodes.stream()
                .collect(Collectors.groupingBy(Row::state, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(entry -> entry.getValue() + " " + entry.getKey().word())
                .collect(Collectors.joining(", "));
        return table.draw(nodes, terminal)
                + "\n%d %s: %s\n".formatted(nodes.size(), nodes.size() == 1 ? "node" : "nodes", states);
    }

    /** Returns text such as {@code 4 cpu, 16 Gi, 1 nvidia.com/gpu}, without pods and storage. */
    static String capacity(SortedMap<String, Long> capacity) {
        List<String> parts = new ArrayList<>();
        Long cpu = capacity.get("cpu");
        if (cpu != null) {
            parts.add((cpu % MILLI == 0 ? Long.toString(cpu / MILLI) : cpu + "m") + " cpu");
        }
        Long memory = capacity.get("memory");
        if (memory != null) {
            parts.add(memory / BINARY / BINARY / BINARY + " Gi");
        }
        capacity.forEach((name, amount) -> {
            if (amount > 0 && name.indexOf('/') > 0) {
                parts.add(amount + " " + name);
            }
        });
        return parts.isEmpty() ? NONE : String.join(", ", parts);
    }

    /** Returns indented JSON with a final line feed. Unknown values are null. */
    public String json() {
        return new JsonObject()
                .put("now", TimeText.instant(now))
                .putCurrency(currency)
                .putEach(
                        "nodes",
                        nodes,
                        row -> new JsonObject()
                                .put("node", row.node())
                                .put("state", row.state().word())
                                .put("type", row.type())
                                .put("domain", row.domain())
                                .put("owner", row.owner())
                                .put("price", row.price())
                                .put("capacity", row.capacity())
                                .put("takenThousandths", row.taken())
                                .put("gangs", row.gangs())
                                .put("next", JsonReport.instant(row.next())))
                .document();
    }

    /** Returns CSV with a heading. Unknown values are empty. */
    public String csv() {
        CsvText csv = new CsvText("\n", "node,state,type,domain,owner,price,taken_thousandths,gangs,next");
        nodes.forEach(row -> csv.row(
                row.node(),
                row.state().word(),
                row.type(),
                row.domain(),
                row.owner(),
                row.price(),
                row.taken(),
                String.join(" ", row.gangs()),
                JsonReport.instant(row.next())));
        return csv.toString();
    }
}
