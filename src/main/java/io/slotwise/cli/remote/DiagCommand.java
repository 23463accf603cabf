package io.slotwise.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommonOptions;
import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.report.GangRow;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/** How a running Slotwise does, on one screen. */
public final class DiagCommand implements Runnable {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final CommandConsole session;
    private final CommandSpec spec;
    private final RemoteOptions remote;

    public DiagCommand(CommandConsole session, Remote.Finder finder) {
        this.session = session;
        this.spec = CommonOptions.command("diag", this, "Show the state of a running Slotwise.");
        this.remote = new RemoteOptions(spec, finder);
        remote.addToken();
        spec.usageMessage()
                .description(
                        "",
                        "Shows whether it plans, how many gangs wait, are promised and run, why they wait, which "
                                + "one has waited longest, how many promises were broken, which nodes are bought and "
                                + "what was spent on them, and the notes of the last plan.",
                        RemoteOptions.WHERE,
                        "")
                .footer("", "Examples:", "  slotwise diag", "  slotwise diag --server http://127.0.0.1:8080");
    }

    /** How picocli sees this command. */
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public void run() {
        try (Remote slotwise = remote.open()) {
            JsonNode board = MAPPER.readTree(NodesCommand.board(slotwise));
            List<GangRow> gangs = ListedGangs.listed(slotwise, null).gangs();
            session.out().print(String.join("\n", lines(board, gangs)) + "\n");
        } catch (IOException e) {
            throw new Unreachable("the server that answered is not Slotwise: " + e.getMessage());
        }
    }

    private static List<String> lines(JsonNode board, List<GangRow> gangs) {
        List<String> lines = new ArrayList<>();
        lines.add("Time      " + Instant.ofEpochSecond(board.path("now").asLong()));
        lines.add("Planner   "
                + (!board.path("ready").asBoolean()
                        ? "has not read the cluster yet"
                        : board.path("planning").asBoolean() ? "plans" : "another replica plans"));
        JsonNode totals = board.path("totals");
        Map<String, Integer> purchases = new TreeMap<>();
        int closed = 0;
        for (JsonNode node : board.path("nodes")) {
            closed += node.path("schedulable").asBoolean() ? 0 : 1;
            if (node.has("purchase")) {
                purchases.merge(node.path("purchase").path("state").asText(), 1, Integer::sum);
            }
        }
        lines.add("Nodes     %d, %d of them closed; %.1f %% of the CPU in use"
                .formatted(
                        board.path("nodes").size(), closed, totals.path("busy").asInt() / 10.0));
        lines.add("Gangs     %d waiting, %d promised, %d starting, %d running, %d ended"
                .formatted(
                        totals.path("waiting").asInt(),
                        totals.path("promised").asInt(),
                        totals.path("starting").asInt(),
                        totals.path("running").asInt(),
                        totals.path("ended").asInt()));
        if (totals.has("promisesBroken")) {
            lines.add("Promises  %d broken since the planner started"
                    .formatted(totals.path("promisesBroken").asInt()));
        }
        if (board.has("buying") || !purchases.isEmpty()) {
            lines.add("Buying    " + buying(board.path("buying"), purchases));
        }
        List<GangRow> waiting =
                gangs.stream().filter(gang -> gang.key() != null).toList();
        if (!waiting.isEmpty()) {
            lines.add("Reasons   " + reasons(waiting));
            GangRow oldest = waiting.stream()
                    .min(Comparator.comparing(GangRow::submitted).thenComparing(GangRow::gang))
                    .orElseThrow();
            lines.add("Oldest    %s waits since %s: %s".formatted(oldest.gang(), oldest.submitted(), oldest.key()));
        }
        for (JsonNode note : board.path("notes")) {
            lines.add("Note      " + note.asText());
        }
        return lines;
    }

    /** What is bought, and what of the limits that is. */
    private static String buying(JsonNode buying, Map<String, Integer> purchases) {
        StringBuilder text = new StringBuilder("%d planned, %d starting, %d bought"
                .formatted(
                        purchases.getOrDefault("planned", 0),
                        purchases.getOrDefault("starting", 0),
                        purchases.getOrDefault("bought", 0)));
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

    /** The most frequent first. */
    private static String reasons(List<GangRow> waiting) {
        return waiting.stream()
                .collect(Collectors.groupingBy(gang -> String.valueOf(gang.key()), TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(reason -> reason.getValue() + " " + reason.getKey())
                .collect(Collectors.joining(", "));
    }
}
