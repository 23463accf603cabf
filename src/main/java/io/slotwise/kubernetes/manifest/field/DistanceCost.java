package io.slotwise.kubernetes.manifest.field;

import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.Topology.Span;
import io.slotwise.core.money.PlainDigits;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The runtime of a gang that spans a domain of a level, in {@code rack=1, block=1.15, cluster=1.6}.
 *
 * @param level the name or the label key of a level of the policy, or {@link #CLUSTER}
 * @param factor of the runtime, millionths
 */
public record DistanceCost(String level, int factor) {
    /** All nodes, whatever their domains. */
    public static final String CLUSTER = "cluster";

    private static final int DECIMALS = 6;
    private static final int LONGEST = 16;
    private static final String EXPECTED = "expected levels with factors of the runtime from 1 to 100 with at most six "
            + "decimals, such as rack=1, block=1.15, cluster=1.6";

    static List<DistanceCost> parse(String text) {
        List<DistanceCost> costs =
                Arrays.stream(text.split(",", -1)).map(DistanceCost::item).toList();
        if (costs.stream().map(DistanceCost::level).distinct().count() < costs.size()) {
            throw new IllegalArgumentException("expected each level once");
        }
        return costs;
    }

    private static DistanceCost item(String text) {
        int at = text.indexOf('=');
        String factor = text.substring(at + 1).strip();
        if (at < 0 || text.substring(0, at).isBlank() || factor.length() > LONGEST) {
            throw new IllegalArgumentException(EXPECTED);
        }
        try {
            BigDecimal exact = new BigDecimal(PlainDigits.of(factor));
            if (exact.compareTo(BigDecimal.ONE) >= 0
                    && exact.compareTo(BigDecimal.valueOf(Span.MOST, DECIMALS)) <= 0
                    && exact.stripTrailingZeros().scale() <= DECIMALS) {
                return new DistanceCost(
                        text.substring(0, at).strip(),
                        exact.movePointRight(DECIMALS).intValueExact());
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(EXPECTED, e);
        }
        throw new IllegalArgumentException(EXPECTED);
    }

    /** Returns the text for a topology whose distances cost runtime, or null for another one. */
    static @Nullable String spelled(Topology topology) {
        return isOf(topology)
                ? topology.spans().stream()
                        .map(span -> span.name() + "=" + span.factorText())
                        .collect(Collectors.joining(", "))
                : null;
    }

    /** Returns whether distances cost runtime: the criterion decides between several spans, or one takes longer. */
    static boolean isOf(Topology topology) {
        return topology.patience() == null
                && (topology.spans().size() > 1 || topology.spans().getFirst().factor() > Span.ONE);
    }
}
