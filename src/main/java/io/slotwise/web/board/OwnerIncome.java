package io.slotwise.web.board;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.report.PlanReport.WindowRow;
import io.slotwise.web.board.Board.Income;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sums the income of owners from windows, at the promised costs. Used for one rendering. O(nodes + pods log pods). */
final class OwnerIncome {
    private static final String UNKNOWN = "unknown";

    private final Map<String, String> owners = new HashMap<>();
    private final TreeMap<String, Sum> sums = new TreeMap<>();

    /** The sums of an owner, millionths; the number of windows is not limited. */
    private static final class Sum {
        private BigInteger promised = BigInteger.ZERO;
        private BigInteger running = BigInteger.ZERO;
        private BigInteger ended = BigInteger.ZERO;

        private void add(Phase phase, BigInteger more) {
            switch (phase) {
                case PROMISED, STARTING -> promised = promised.add(more);
                case RUNNING -> running = running.add(more);
                case COMPLETED -> ended = ended.add(more);
                case PENDING, BROKEN -> {}
            }
        }
    }

    OwnerIncome(List<Node> nodes) {
        nodes.forEach(node -> owners.put(node.name(), node.owner()));
    }

    /**
     * Adds the payment of a gang. Until a gang with a part of an advance reservation starts, the reservation pays, and
     * it pays for its own room as long as that is kept.
     */
    void add(GangRecord record) {
        @Nullable Promise promise = record.promise();
        if (promise == null || (record.host() != null && !record.phase().started())) {
            return;
        }
        if (record.ownership().isHeld() && record.phase() == Phase.COMPLETED) {
            addKept(record, promise.window());
            return;
        }
        for (WindowRow.PodRow pod : WindowRow.pods(promise.window())) {
            sums.computeIfAbsent(owners.getOrDefault(pod.node(), UNKNOWN), _ -> new Sum())
                    .add(record.phase(), BigInteger.valueOf(pod.cost().micros()));
        }
    }

    private void addKept(GangRecord record, Window window) {
        long endedAt = record.history().endedAt().orElse(window.end());
        record.tariff()
                .kept(window, endedAt)
                .forEach((placement, cost) -> sums.computeIfAbsent(
                                owners.getOrDefault(placement.node(), UNKNOWN), _ -> new Sum())
                        .add(Phase.COMPLETED, cost.microsDown()));
    }

    List<Income> rows() {
        return sums.entrySet().stream()
                .map(entry -> new Income(
                        entry.getKey(),
                        units(entry.getValue().promised),
                        units(entry.getValue().running),
                        units(entry.getValue().ended)))
                .toList();
    }

    private static String units(BigInteger micros) {
        return new BigDecimal(micros, Money.SCALE).toPlainString();
    }
}
