package io.slotwise.report;

import io.slotwise.report.PlanReport.InputNote;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The gangs that objects become in a cluster.
 *
 * @param refusals the notes about refused objects
 * @param notes the notes about all else that is missing, ignored or assumed
 */
public record CheckReport(List<CheckedGang> gangs, List<InputNote> refusals, List<InputNote> notes) {
    /**
     * A gang.
     *
     * @param rule the statement that makes it, or null for a single pod without one
     * @param size the number of pods that start together, or null if it is not known
     * @param policy what an admission policy answers, or null if the pods are admitted
     * @param problem the reason why it cannot be planned, or null
     */
    public record CheckedGang(
            String gang,
            @Nullable String rule,
            int pods,
            @Nullable Integer size,
            @Nullable String policy,
            @Nullable String problem) {
        boolean isRefused() {
            return policy != null || problem != null;
        }

        private String result() {
            return policy != null
                    ? "refused by the admission policy: " + policy
                    : problem != null ? "cannot start: " + problem : "accepted";
        }
    }

    public CheckReport {
        gangs = List.copyOf(gangs);
        refusals = List.copyOf(refusals);
        notes = List.copyOf(notes);
    }

    /** Returns whether a gang or an object is refused. */
    public boolean isRefused() {
        return !refusals.isEmpty() || gangs.stream().anyMatch(CheckedGang::isRefused);
    }

    /** Returns the gangs as a table, and then all notes. */
    public String table(Terminal terminal) {
        StringBuilder text = new StringBuilder();
        if (!gangs.isEmpty()) {
            text.append(new TextTable<CheckedGang>()
                            .name("GANG", CheckedGang::gang)
                            .right("PODS", row -> Integer.toString(row.pods()))
                            .right("TOGETHER", row -> row.size() == null ? "-" : Integer.toString(row.size()))
                            .left("RULE", row -> Objects.requireNonNullElse(row.rule(), "-"))
                            .left("RESULT", CheckedGang::result)
                            .draw(gangs, terminal))
                    .append('\n');
        }
        refusals.forEach(note -> add(text, "Refused: ", note, terminal));
        notes.forEach(note -> add(text, "Note: ", note, terminal));
        return text.append(notes.isEmpty() && refusals.isEmpty() ? "" : "\n")
                .append(total())
                .append('\n')
                .toString();
    }

    private static void add(StringBuilder text, String prefix, InputNote note, Terminal terminal) {
        terminal.lines(prefix + note.message())
                .forEach(line -> text.append(line).append('\n'));
    }

    private String total() {
        long refused = gangs.stream().filter(CheckedGang::isRefused).count();
        return "%d %s: %d accepted, %d refused%s"
                .formatted(
                        gangs.size(),
                        gangs.size() == 1 ? "gang" : "gangs",
                        gangs.size() - refused,
                        refused,
                        refusals.isEmpty()
                                ? ""
                                : refusals.size() == 1
                                        ? "; 1 other refusal"
                                        : "; %d other refusals".formatted(refusals.size()));
    }

    /** Returns indented JSON with a final line feed. */
    public String json() {
        return new JsonObject()
                .put("refused", isRefused())
                .putEach(
                        "gangs",
                        gangs,
                        gang -> new JsonObject()
                                .put("gang", gang.gang())
                                .put("rule", gang.rule())
                                .put("pods", gang.pods())
                                .put("size", gang.size())
                                .put("policy", gang.policy())
                                .put("problem", gang.problem()))
                .put("refusals", refusals)
                .put("inputNotes", notes)
                .document();
    }
}
