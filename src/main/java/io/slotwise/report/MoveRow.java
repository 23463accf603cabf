package io.slotwise.report;

import io.slotwise.core.migration.Move;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.List;

/**
 * A move of a running gang as shown.
 *
 * @param gang {@code namespace/name}
 * @param from the nodes that it leaves, by name
 * @param to the nodes where it starts again, by name
 * @param start when it starts again, since the epoch
 * @param workSeconds that it has left on the reference node
 * @param kind {@code local} or {@code external}
 * @param reason {@code start}, {@code interruption} or {@code saving}
 * @param why in words that follow "moved"
 */
public record MoveRow(
        String gang,
        List<String> from,
        List<String> to,
        long start,
        long workSeconds,
        String kind,
        String reason,
        String why) {
    public MoveRow {
        from = List.copyOf(from);
        to = List.copyOf(to);
    }

    static MoveRow of(Move move) {
        return new MoveRow(
                move.gang().id().toString(),
                nodes(move.from()),
                nodes(move.to()),
                move.to().start(),
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
