package io.slotwise.it.oracle;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The results of the cases, for each kind and in total. */
final class OracleTally {
    private final Map<Kind, Row> rows = new EnumMap<>(Kind.class);
    private final Row all = new Row();
    private final List<String> differences = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();
    private int askedAgain;

    static final class Row {
        private int cases;
        private int nowhere;
        private int everywhere;
        private int throughExtender;
        private int refused;
        private int different;

        private void add(Outcome outcome) {
            cases++;
            nowhere += outcome.let().isEmpty() ? 1 : 0;
            everywhere += outcome.let().size() == outcome.nodes() ? 1 : 0;
            throughExtender += outcome.throughExtender() ? 1 : 0;
            refused += outcome.planned().refused() != null ? 1 : 0;
            different += outcome.isDifferent() ? 1 : 0;
        }

        private String line(String name) {
            return "| %s | %d | %d | %d | %d | %.1f %% | %.2f %% | %d |%n"
                    .formatted(
                            name,
                            cases,
                            nowhere,
                            cases - nowhere - everywhere,
                            everywhere,
                            100.0 * throughExtender / Math.max(1, cases),
                            100.0 * refused / Math.max(1, cases),
                            different);
        }
    }

    /**
     * The result of a case.
     *
     * @param nodes the number of nodes
     * @param let the nodes that pass kube-scheduler's filters
     */
    record Outcome(World.Case of, int nodes, Set<String> let, PlannersNodes.Answer planned, boolean throughExtender) {
        boolean isDifferent() {
            return planned.refused() == null && !let.equals(planned.nodes());
        }
    }

    void add(Outcome outcome, String story) {
        all.add(outcome);
        outcome.of()
                .kinds()
                .forEach(kind -> rows.computeIfAbsent(kind, _ -> new Row()).add(outcome));
        if (outcome.isDifferent()) {
            differences.add(story);
        }
        if (outcome.planned().refused() != null) {
            refusals.add(outcome.planned().refused());
        }
    }

    /** Counts a case that was asked again because its first answer came before everything was seen. */
    void askedAgain() {
        askedAgain++;
    }

    int cases() {
        return all.cases;
    }

    int cases(Kind kind) {
        Row row = rows.get(kind);
        return row == null ? 0 : row.cases;
    }

    int refused() {
        return all.refused;
    }

    List<String> differences() {
        return differences;
    }

    String table() {
        StringBuilder table = new StringBuilder("""
                | The pod has | Cases | To no node | To some | To all | Through kube-scheduler | Refused by name | Differences |
                |---|---|---|---|---|---|---|---|
                """);
        for (Kind kind : Kind.values()) {
            table.append(rows.getOrDefault(kind, new Row()).line(kind.words()));
        }
        return table.append(all.line("**any of these**")).toString();
    }

    String report() {
        return "%s%n%d cases asked again%n%n%s%n%s%n"
                .formatted(table(), askedAgain, String.join("\n", refusals), String.join("\n\n", differences));
    }
}
