package io.slotwise.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.report.GangListReport.GangRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The state of a running Slotwise, from its board and its list of gangs. */
public final class DiagReport {
    private static final List<String> PHASES = List.of("waiting", "promised", "starting", "running", "completed");

    private static final int INDENT = 10;

    private final JsonNode board;
    private final SortedMap<String, Long> gangs = new TreeMap<>();
    private final SortedMap<String, Long> purchases = new TreeMap<>();
    private final SortedMap<String, Long> reasons;
    private final @Nullable GangRow oldestRow;
    private final long closed;

    public DiagReport(JsonNode board, List<GangRow> listed) {
        this.board = board;
        JsonNode totals = board.path("totals");
        for (String phase : PHASES) {
            gangs.put(phase, totals.path(phase).asLong());
        }
        long shut = 0;
        for (JsonNode node : board.path("nodes")) {
            shut += node.path("schedulable").asBoolean() ? 0 : 1;
            if (node.has("purchase")) {
                purchases.merge(node.path("purchase").path("state").asText(), 1L, Long::sum);
            }
        }
        this.closed = shut;
        List<GangRow> waiting =
                listed.stream().filter(gang -> gang.key() != null).toList();
        this.reasons = waiting.stream()
                .collect(
                        Collectors.groupingBy(gang -> String.valueOf(gang.key()), TreeMap::new, Collectors.counting()));
        this.oldestRow = waiting.stream()
                .min(Comparator.comparing(GangRow::submitted).thenComparing(GangRow::gang))
                .orElse(null);
    }

    public String table(Terminal terminal) {
        JsonNode totals = board.path("totals");
        List<String> lines = new ArrayList<>();
        lines.add("Time      " + now());
        lines.add("Planner   " + planner());
        lines.add("Nodes     %d, %d of them closed; %.1f %% of the CPU in use"
                .formatted(
                        board.path("nodes").size(), closed, totals.path("busy").asInt() / 10.0));
        lines.add("Gangs     "
                + PHASES.stream().map(phase -> gangs.get(phase) + " " + phase).collect(Collectors.joining(", ")));
        if (totals.has("promises")) {
            lines.add("Promises  " + promises(totals.path("promises")));
        }
        if (board.has("buying") || !purchases.isEmpty()) {
            lines.add("Buying    " + buying(board.path("buying")));
        }
        if (!reasons.isEmpty()) {
            lines.add("Reasons   " + counted(reasons));
        }
        if (oldestRow != null) {
            lines.add("Oldest    %s waits since %s: %s"
                    .formatted(oldestRow.gang(), oldestRow.submitted(), oldestRow.key()));
        }
        for (JsonNode note : board.path("notes")) {
            lines.add("Note      " + note.asText());
        }
        return lines.stream()
                .flatMap(line -> folded(line, terminal).stream())
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** Breaks a line at the terminal's width, indented to the column of values. */
    private static List<String> folded(String line, Terminal terminal) {
        List<String> parts = TextTable.wrap(line.substring(INDENT), terminal.columns() - INDENT);
        List<String> folded = new ArrayList<>();
        for (String part : parts) {
            folded.add((folded.isEmpty() ? line.substring(0, INDENT) : " ".repeat(INDENT)) + part);
        }
        return folded;
    }

    /** Returns indented JSON with a final line feed. */
    public String json() {
        List<String> notes = new ArrayList<>();
        board.path("notes").forEach(note -> notes.add(note.asText()));
        return new JsonObject()
                .put("now", now())
                .put("ready", board.path("ready").asBoolean())
                .put("planning", board.path("planning").asBoolean())
                .putCurrency(JsonReport.currency(board))
                .put(
                        "nodes",
                        new JsonObject()
                                .put("all", board.path("nodes").size())
                                .put("closed", closed)
                                .put(
                                        "busyShare",
                                        board.path("totals").path("busy").asInt() / 1000.0))
                .put("gangs", gangs)
                .put("promises", raw(board.path("totals").path("promises")))
                .put("purchases", purchases)
                .put("buying", raw(board.path("buying")))
                .put("reasons", reasons)
                .put("oldest", oldestRow == null ? null : oldestRow.gang())
                .put("oldestSince", oldestRow == null ? null : oldestRow.submitted())
                .put("notes", notes)
                .document();
    }

    /** Returns a value of the board. Null if the caller may not know it. */
    private static @Nullable RawValue raw(JsonNode value) {
        return value.isMissingNode() ? null : new RawValue(value.toString());
    }

    private String now() {
        return Instant.ofEpochSecond(board.path("now").asLong()).toString();
    }

    private String planner() {
        if (!board.path("ready").asBoolean()) {
            return "has not read the cluster yet";
        }
        return board.path("planning").asBoolean() ? "plans" : "another replica plans";
    }

    /** Returns how many gangs started as promised since the planner started, and why promises moved. */
    private static String promises(JsonNode promises) {
        SortedMap<String, Long> moves = new TreeMap<>();
        promises.path("moves")
                .properties()
                .forEach(entry -> moves.put(entry.getKey(), entry.getValue().asLong()));
        return new FirstPromise.Outcomes(
                        promises.path("started").asLong(),
                        promises.path("asPromised").asLong(),
                        moves)
                .line();
    }

    private String buying(JsonNode buying) {
        StringBuilder text = new StringBuilder("%d planned, %d starting, %d bought"
                .formatted(
                        purchases.getOrDefault("planned", 0L),
                        purchases.getOrDefault("starting", 0L),
                        purchases.getOrDefault("bought", 0L)));
        if (buying.isObject()) {
            text.append(" of at most %d".formatted(buying.path("maxNodes").asInt()));
            if (buying.has("spent")) {
                text.append("; %s%s spent this %s"
                        .formatted(
                                buying.path("spent").asText(),
                                buying.has("maxSpend")
                                        ? " of " + buying.path("maxSpend").asText()
                                        : "",
                                buying.path("period").asText()));
            }
            text.append("; %d of %d offers cannot be bought now; mode %s"
                    .formatted(
                            buying.path("resting").asInt(),
                            buying.path("offers").asInt(),
                            buying.path("mode").asText()));
        }
        return text.toString();
    }

    private static String counted(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }
}
