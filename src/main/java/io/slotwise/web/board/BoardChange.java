package io.slotwise.web.board;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The difference between two boards: new and changed members, and the ids of removed ones. Small parts are complete. A
 * null part has not changed.
 *
 * @param from the version to which it applies
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record BoardChange(
        String from,
        String version,
        boolean ready,
        boolean planning,
        long now,
        long horizonEnd,
        Board.@Nullable Batch batch,
        Board.Totals totals,
        List<Board.Income> income,
        List<String> notes,
        @Nullable String currency,
        Board.@Nullable Buying buying,
        boolean queues,
        @Nullable List<Board.Price> prices,
        @Nullable Part<Board.Node> nodes,
        @Nullable Part<Board.Bar> bars,
        @Nullable Part<Board.GangRow> gangs) {
    record Part<T>(List<T> set, List<String> gone) {
        /** Returns the difference of two lists whose members have ids, or null. O(members). */
        static <T> @Nullable Part<T> between(List<T> before, List<T> after, Function<T, String> id) {
            Map<String, T> old = new HashMap<>();
            before.forEach(member -> old.put(id.apply(member), member));
            List<T> set = new ArrayList<>();
            for (T member : after) {
                if (!member.equals(old.remove(id.apply(member)))) {
                    set.add(member);
                }
            }
            List<String> gone = old.keySet().stream().sorted().toList();
            return set.isEmpty() && gone.isEmpty() ? null : new Part<>(set, gone);
        }

        int size() {
            return set.size() + gone.size();
        }
    }

    /** Returns the difference of two boards. O(nodes + bars + gangs). */
    static BoardChange between(String from, Board before, String version, Board after) {
        return new BoardChange(
                from,
                version,
                after.ready(),
                after.planning(),
                after.now(),
                after.horizonEnd(),
                after.batch(),
                after.totals(),
                after.income(),
                after.notes(),
                after.currency(),
                after.buying(),
                after.queues(),
                after.prices().equals(before.prices()) ? null : after.prices(),
                Part.between(before.nodes(), after.nodes(), Board.Node::name),
                Part.between(before.bars(), after.bars(), Board.Bar::id),
                Part.between(before.gangs(), after.gangs(), Board.GangRow::id));
    }

    int size() {
        return size(nodes) + size(bars) + size(gangs);
    }

    private static int size(@Nullable Part<?> part) {
        return part == null ? 0 : part.size();
    }
}
