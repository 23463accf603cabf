package io.slotwise.core.gang;

import io.slotwise.core.cluster.Node;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that the pods of a gang may use together.
 *
 * <p>A gang may run in one domain of any of its spans. A wider span may take longer. Without patience the gang's
 * criterion decides between the spans. With patience the narrowest span counts in which the gang starts no later than
 * that after the earliest start in any span.
 *
 * @param spans the spans from narrow to wide, at least one; the runtime never falls with the width
 * @param patience the longest delay for a narrower span, seconds, or null if the criterion decides
 * @param slices the slices from narrow to wide; none if the pods need not run in parts
 */
public record Topology(List<Span> spans, @Nullable Long patience, List<Slice> slices) {
    /** Any nodes. */
    public static final Topology ANYWHERE = new Topology(List.of(Span.ANYWHERE), null);

    /**
     * Nodes that a gang may use together.
     *
     * @param level the level in one of whose domains all pods are, or null for all nodes
     * @param factor the factor of the runtime of a gang that is in no narrower span, millionths
     */
    public record Span(@Nullable TopologyLevel level, int factor) {
        private static final int DECIMALS = 6;
        private static final long LONGEST = Long.MAX_VALUE / 4;

        /** The unit of factors. */
        public static final int ONE = 1_000_000;

        /** The largest factor: a hundred times the runtime. */
        public static final int MOST = 100 * ONE;

        static final Span ANYWHERE = new Span(null, ONE);

        public Span {
            if (factor < ONE || factor > MOST) {
                throw new IllegalArgumentException("The factor of a runtime (%d) must be between %d and %d millionths."
                        .formatted(factor, ONE, MOST));
            }
        }

        /** Returns the seconds in this span of a pod that takes {@code seconds} in a span of factor one, rounded up. */
        public long lasting(long seconds) {
            if (factor == ONE) {
                return seconds;
            }
            // No window is that long, and a start plus this many seconds does not overflow.
            return seconds > LONGEST / factor ? LONGEST : Math.ceilDiv(seconds * factor, (long) ONE);
        }

        /** Returns the name of the level, or {@code cluster} for all nodes. */
        public String name() {
            return level == null ? "cluster" : level.name();
        }

        /** Returns the part of {@code seconds} in this span that would be needed in a span of factor one. */
        public long worked(long seconds) {
            return factor == ONE ? seconds : Math.floorDiv(Math.multiplyExact(seconds, (long) ONE), (long) factor);
        }

        /** Returns the factor as a decimal number, as in {@code 1.15}. */
        public String factorText() {
            return BigDecimal.valueOf(factor, DECIMALS).stripTrailingZeros().toPlainString();
        }

        private boolean isWithin(Span other) {
            return other.level == null || (level != null && level.isWithin(other.level));
        }
    }

    /**
     * Parts of a gang that run near each other: of the pods in order of rank, each {@code size} are in one domain. A
     * wider slice holds whole narrower ones.
     *
     * @param size in pods, at least one
     */
    public record Slice(TopologyLevel level, int size) {
        public Slice {
            if (size <= 0) {
                throw new IllegalArgumentException("The pods of a slice (%d) must be positive.".formatted(size));
            }
        }

        /** Returns the name of the level and the size, as in {@code rack/16}. */
        public String words() {
            return level.name() + "/" + size;
        }

        /** Returns the key of the level's label and the size. */
        public String spelled() {
            return level.key() + "/" + size;
        }

        /** Returns whether this slice can be a part of a wider one. */
        public boolean isWithin(Slice other) {
            return level.isWithin(other.level) && !level.equals(other.level) && other.size % size == 0;
        }
    }

    /** A topology without slices. */
    public Topology(List<Span> spans, @Nullable Long patience) {
        this(spans, patience, List.of());
    }

    public Topology {
        spans = List.copyOf(spans);
        slices = List.copyOf(slices);
        if (spans.isEmpty()) {
            throw new IllegalArgumentException("A topology must have a span.");
        }
        for (int i = 1; i < spans.size(); i++) {
            Span narrowSpan = spans.get(i - 1);
            Span wideSpan = spans.get(i);
            if (narrowSpan.equals(wideSpan) || !narrowSpan.isWithin(wideSpan) || narrowSpan.factor > wideSpan.factor) {
                throw new IllegalArgumentException(
                        ("The span (%s, %d millionths) must lie within the next one (%s, %d millionths) and take no "
                                        + "longer.")
                                .formatted(narrowSpan.name(), narrowSpan.factor, wideSpan.name(), wideSpan.factor));
            }
        }
        for (int i = 1; i < slices.size(); i++) {
            if (!slices.get(i - 1).isWithin(slices.get(i))) {
                throw new IllegalArgumentException("The slice (%s) must be a part of the next one (%s)."
                        .formatted(slices.get(i - 1).words(), slices.get(i).words()));
            }
        }
        if (patience != null && patience < 0) {
            throw new IllegalArgumentException("The patience (%d s) must not be negative.".formatted(patience));
        }
    }

    /** All pods in one domain of a level, or on any nodes if it is null. */
    public static Topology within(@Nullable TopologyLevel level) {
        return level == null ? ANYWHERE : new Topology(List.of(new Span(level, Span.ONE)), null);
    }

    /** Returns the same topology with other slices. */
    public Topology in(List<Slice> others) {
        return new Topology(spans, patience, others);
    }

    /** Returns the slices in words, as in {@code host/4, rack/16}. */
    public String slicesText() {
        return slices.stream().map(Slice::words).collect(Collectors.joining(", "));
    }

    /** Returns the most pods in whole slices, given the most on each node. O(nodes x slices). */
    public long inSlices(Map<Node, Long> most) {
        Map<Node, Long> left = most;
        for (Slice slice : slices) {
            Map<String, Node> firstNodes = new HashMap<>();
            Map<Node, Long> whole = new HashMap<>();
            left.forEach((node, pods) -> {
                String domain = slice.level.domain(node);
                if (domain != null) {
                    whole.merge(firstNodes.computeIfAbsent(domain, _ -> node), pods, Long::sum);
                }
            });
            whole.replaceAll((_, pods) -> pods - pods % slice.size);
            left = whole;
        }
        return left.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Returns whether slices hold on nodes, given the node of each pod in order of rank. O(pods x slices).
     */
    public boolean isSliced(List<Node> nodes) {
        for (Slice slice : slices) {
            for (int i = 0; i < nodes.size(); i++) {
                String domain = slice.level.domain(nodes.get(i));
                if (domain == null || !domain.equals(slice.level.domain(nodes.get(i - i % slice.size)))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the level in one of whose domains all pods are in any case, or null for any nodes. */
    public @Nullable TopologyLevel widest() {
        return spans.getLast().level();
    }

    /** Returns the label key of {@link #widest()}, or null for any nodes. */
    public @Nullable String key() {
        TopologyLevel level = widest();
        return level == null ? null : level.key();
    }

    /** Returns whether it only requires that all pods are in one domain of a level. */
    public boolean isRequirement() {
        return widest() != null && equals(within(widest()));
    }

    /** Returns the narrowest span in which nodes lie, or the widest one if they lie in none. */
    public Span spanOf(Collection<Node> nodes) {
        for (Span span : spans) {
            TopologyLevel level = span.level;
            if (level == null || level.domain(nodes) != null) {
                return span;
            }
        }
        return spans.getLast();
    }

    /** Returns the topology in one of the spans only. */
    public Topology inSpan(int span) {
        return new Topology(List.of(spans.get(span)), null, slices);
    }

    /**
     * Returns the topology of a pod that joins others on these nodes: each level has only the domain in which they lie,
     * and none if they lie in several. The topology stays the same if they lie in no span.
     */
    public Topology joining(Collection<Node> nodes) {
        TopologyLevel widestLevel = widest();
        boolean isIn = widestLevel == null || widestLevel.domain(nodes) != null;
        return nodes.isEmpty() || !isIn
                ? this
                : new Topology(
                        spans.stream()
                                .map(span ->
                                        span.level == null ? span : new Span(span.level.beside(nodes), span.factor))
                                .toList(),
                        patience,
                        slices);
    }

    public boolean isAnywhere() {
        return spans.size() == 1 && spans.getFirst().equals(Span.ANYWHERE);
    }
}
