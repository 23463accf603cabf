package io.slotwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.RefusalKind;
import io.slotwise.report.RefusalFigures;
import io.slotwise.testing.EveryRefusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of reasons in docs/reference/metrics.md has every key with its word and its figures. */
class ReasonsDocumentTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z-]+)` \\| `([A-Za-z]+)` \\| .* \\|(.*)\\|$");
    private static final Pattern NAME = Pattern.compile("`([A-Za-z]+)`");

    @Test
    void everyReasonIsToldWithItsWordAndFigures() throws IOException {
        Map<String, List<String>> told = new TreeMap<>();
        ROW.matcher(Files.readString(Path.of("docs/reference/metrics.md")))
                .results()
                .filter(row -> !row.group(1).equals("key"))
                .forEach(row -> told.put(row.group(1), cells(row)));

        Map<String, TreeSet<String>> figures = new TreeMap<>();
        for (Refusal refusal : EveryRefusal.behind(new GangId("user", "other"))) {
            figures.computeIfAbsent(refusal.key(), _ -> new TreeSet<>())
                    .addAll(RefusalFigures.of(refusal).keySet());
        }
        Map<String, List<String>> known = new TreeMap<>();
        Arrays.stream(RefusalKind.values()).forEach(kind -> {
            List<String> cells = new ArrayList<>(List.of(kind.word()));
            cells.addAll(figures.getOrDefault(kind.key(), new TreeSet<>()));
            known.put(kind.key(), cells);
        });
        assertThat(told).isEqualTo(known);
    }

    private static List<String> cells(MatchResult row) {
        List<String> cells = new ArrayList<>(List.of(row.group(2)));
        NAME.matcher(row.group(3)).results().map(name -> name.group(1)).sorted().forEach(cells::add);
        return cells;
    }
}
