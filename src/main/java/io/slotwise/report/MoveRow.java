package io.slotwise.report;

import io.slotwise.core.migration.Move;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A move of a running gang as shown.
 *
 * @param gang {@code namespace/name}
 * @param from the nodes that it leaves, by name
 * @param to the nodes where it starts again, by name; empty: it waits
 * @param start when it starts again, since the epoch; null: it waits
 * @param workSeconds that it has left on the reference node
 * @param kind {@code local}, {@code external}, or {@code none} if it waits
 * @param reason {@code start}, {@code interruption} or {@code saving}
 * @param why in words that follow "moved"
 */
public record MoveRow(
        String gang,
        List<String> from,
        List<String> to,
        @Nullable Long start,
        long workSeconds,
        String kind,
        String reason,
        String why) {
    public MoveRow {
        from = List.copyOf(from);
        to = List.copyOf(to);
    }

    static MoveRow of(Move move) {
        Window to = move.to();
        return new MoveRow(
                move.gang().id().toString(),
                nodes(move.from()),
                to == null ? List.of() : nodes(to),
                to == null ? null : to.start(),
                move.work(),
                move.reach().key(),
                move.purpose().key(),
                move.purpose().words());
    }

    private static List<String> nodes(Window window) {
        return window.placements().stream()
                .map(Placement::node)
                .distinct()
                .sorted()
                .toList();
    }
}
