package io.slotwise.web.board;

import io.slotwise.live.record.Phase;
import io.slotwise.report.Explanation.PredecessorText;
import io.slotwise.web.access.NamespaceScope;
import io.slotwise.web.board.Board.Bar;
import io.slotwise.web.board.Board.GangRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Hides the parts of a board that a reader may not see. Gangs of hidden namespaces are left out, and their bars become
 * anonymous: taken room is no secret, because a quote reveals it too. Hidden bars with the same node and times are
 * merged, so that even their number is hidden. Cluster-wide data is left out: the objective, incomes, outcomes of
 * promises, spending on nodes, the use of queues, and notes on the plan. O(nodes + gangs + bars log bars).
 */
final class BoardRedactor {
    private BoardRedactor() {}

    static Board over(Board board, NamespaceScope scope) {
        if (scope.everything()) {
            return board;
        }
        List<GangRow> gangs = board.gangs().stream()
                .filter(gang -> scope.test(namespace(gang.id())))
                .map(gang -> veiled(gang, scope))
                .toList();
        return new Board(
                board.ready(),
                board.planning(),
                board.now(),
                board.horizonEnd(),
                null,
                board.nodes().stream().map(node -> veiled(node, scope)).toList(),
                board.prices(),
                bars(board.bars(), scope),
                gangs,
                List.of(),
                totals(gangs, board.totals()),
                scope.notes(),
                board.currency(),
                null,
                false);
    }

    /** Only readers who see the gang see the buyer and the cost. */
    private static Board.Node veiled(Board.Node node, NamespaceScope scope) {
        Board.Purchase purchase = node.purchase();
        if (purchase == null || (purchase.gang() != null && scope.test(namespace(purchase.gang())))) {
            return node;
        }
        return node.withPurchase(new Board.Purchase(
                purchase.name(),
                purchase.state(),
                purchase.offer(),
                null,
                purchase.bought(),
                purchase.ready(),
                purchase.end(),
                null));
    }

    private static GangRow veiled(GangRow gang, NamespaceScope scope) {
        return gang.with(copy -> copy.statement(gang.statement().asSeen(scope))
                .after(PredecessorText.names(gang.predecessors(), scope)));
    }

    private static List<Bar> bars(List<Bar> bars, NamespaceScope scope) {
        List<Bar> shown = new ArrayList<>();
        Map<String, Bar> hidden = new LinkedHashMap<>();
        for (Bar bar : bars) {
            String name = bar.gang() == null ? bar.pod() : bar.gang();
            if (name != null && scope.test(namespace(name))) {
                shown.add(bar);
            } else {
                Bar takenBar = taken(bar);
                hidden.merge(takenBar.id(), takenBar, BoardRedactor::together);
            }
        }
        shown.addAll(hidden.values());
        shown.sort(Comparator.comparing(Bar::node).thenComparingLong(Bar::start).thenComparing(Bar::id));
        return shown;
    }

    private static Bar taken(Bar bar) {
        boolean endless = bar.end() == null;
        return new Bar(
                "T|%s|%s|%s".formatted(bar.node(), endless ? "" : bar.start(), endless ? "" : bar.end()),
                bar.node(),
                null,
                null,
                1,
                bar.start(),
                bar.end(),
                Bar.State.TAKEN,
                null,
                bar.share(),
                null);
    }

    private static Bar together(Bar bar, Bar other) {
        Integer share =
                bar.share() == null || other.share() == null ? null : Integer.valueOf(bar.share() + other.share());
        return new Bar(
                bar.id(),
                bar.node(),
                null,
                null,
                1,
                Math.min(bar.start(), other.start()),
                bar.end(),
                Bar.State.TAKEN,
                null,
                share,
                null);
    }

    private static Board.Totals totals(List<GangRow> gangs, Board.Totals totals) {
        return new Board.Totals(
                count(gangs, Phase.PENDING) + count(gangs, Phase.BROKEN),
                count(gangs, Phase.PROMISED),
                count(gangs, Phase.STARTING),
                count(gangs, Phase.RUNNING),
                count(gangs, Phase.COMPLETED),
                null,
                totals.busy(),
                totals.taken());
    }

    private static int count(List<GangRow> gangs, Phase phase) {
        return Math.toIntExact(
                gangs.stream().filter(gang -> gang.phase().equals(phase.key())).count());
    }

    private static String namespace(String name) {
        return name.substring(0, Math.max(0, name.indexOf('/')));
    }
}
