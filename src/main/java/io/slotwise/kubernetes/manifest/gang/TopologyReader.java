package io.slotwise.kubernetes.manifest.gang;

import io.slotwise.core.gang.Patience;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.Topology.Slice;
import io.slotwise.core.gang.Topology.Span;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.gang.TopologyLevels;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.AnnotationReader;
import io.slotwise.kubernetes.manifest.field.DistanceCost;
import io.slotwise.kubernetes.manifest.field.GangKey;
import io.slotwise.kubernetes.manifest.field.ManifestFlaw;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads how near each other the pods of a gang run: a required level, a preferred one, or what distances cost. A value
 * that cannot be read becomes a problem of the annotations.
 */
record TopologyReader(AnnotationReader annotations, TopologyLevels levels) {
    private static final Comparator<Span> NARROW_FIRST =
            Comparator.comparingInt(TopologyReader::depth).reversed().thenComparing(Span::name);

    /**
     * Returns the topology; any nodes if none can be read.
     *
     * @param runtime of the gang, seconds, to which its patience may relate
     * @param size of the gang
     */
    Topology read(long runtime, int size) {
        return spans(runtime)
                .in(annotations.read(AnnotationKeys.TOPOLOGY_SLICE, List.of(), text -> slices(text, size)));
    }

    private Topology spans(long runtime) {
        String required = annotations.readOrNull(GangKey.TOPOLOGY);
        Patience patience = annotations.read(GangKey.TOPOLOGY_PATIENCE, levels.patience());
        checkAlone();
        if (annotations.text(AnnotationKeys.DISTANCE_COST) != null) {
            return annotations.read(AnnotationKeys.DISTANCE_COST, Topology.ANYWHERE, this::distance);
        }
        TopologyLevel widestLevel = required == null ? null : levels.of(required);
        Topology topology = annotations.readOrNull(
                AnnotationKeys.TOPOLOGY_PREFERRED,
                key -> new Topology(upTo(widestLevel, levels.of(GangKey.TOPOLOGY.parse(key))), patience.of(runtime)));
        return topology == null ? Topology.within(widestLevel) : topology;
    }

    /** Checks that costs of distances have no other word next to them, and that patience has a preferred level. */
    private void checkAlone() {
        for (String other :
                List.of(AnnotationKeys.TOPOLOGY, AnnotationKeys.TOPOLOGY_PREFERRED, AnnotationKeys.TOPOLOGY_PATIENCE)) {
            if (annotations.text(AnnotationKeys.DISTANCE_COST) != null && annotations.text(other) != null) {
                annotations.flaw(stated(AnnotationKeys.DISTANCE_COST, " cannot be combined with ")
                        .andField(other)
                        .and(" (%s): expected one of them, as the widest level with a factor is the required one"
                                .formatted(SafeText.value(annotations.text(other)))));
                return;
            }
        }
        if (annotations.text(AnnotationKeys.TOPOLOGY_PATIENCE) != null
                && annotations.text(AnnotationKeys.TOPOLOGY_PREFERRED) == null) {
            annotations.flaw(stated(AnnotationKeys.TOPOLOGY_PATIENCE, " needs ")
                    .andField(AnnotationKeys.TOPOLOGY_PREFERRED)
                    .and(": expected the level that the gang prefers"));
        }
    }

    private ManifestFlaw stated(String key, String words) {
        return ManifestFlaw.field(key).and(" (%s)".formatted(SafeText.value(annotations.text(key))) + words);
    }

    /** Returns the spans from a preferred level to the widest one, or to all nodes if that is null. */
    private List<Span> upTo(@Nullable TopologyLevel widestLevel, TopologyLevel preferredLevel) {
        if (widestLevel != null && !preferredLevel.isWithin(widestLevel)) {
            throw new IllegalArgumentException("expected a level within the required one (%s): %s"
                    .formatted(
                            widestLevel.key(),
                            words(levels.all().stream()
                                    .filter(level -> level.isWithin(widestLevel))
                                    .toList())));
        }
        List<Span> spans = new ArrayList<>(preferredLevel.upward().stream()
                .filter(level -> widestLevel == null || level.isWithin(widestLevel))
                .map(level -> new Span(level, Span.ONE))
                .toList());
        if (widestLevel == null) {
            spans.add(new Span(null, Span.ONE));
        }
        return spans;
    }

    /** Returns the spans of a text such as {@code rack=1, block=1.15, cluster=1.6}. */
    private Topology distance(String text) {
        List<Span> spans = GangKey.DISTANCE_COST.parse(text).stream()
                .map(cost -> new Span(level(cost.level()), cost.factor()))
                .sorted(NARROW_FIRST)
                .toList();
        for (int i = 1; i < spans.size(); i++) {
            Span narrowSpan = spans.get(i - 1);
            Span wideSpan = spans.get(i);
            TopologyLevel level = wideSpan.level();
            if (level != null
                    && narrowSpan.level() != null
                    && (level.equals(narrowSpan.level()) || !narrowSpan.level().isWithin(level))) {
                throw new IllegalArgumentException("expected levels of one tree, and %s is not within %s: %s"
                        .formatted(narrowSpan.name(), wideSpan.name(), words(levels.all())));
            }
            if (narrowSpan.factor() > wideSpan.factor()) {
                throw new IllegalArgumentException("expected a factor for %s that is at least that for %s"
                        .formatted(wideSpan.name(), narrowSpan.name()));
            }
        }
        return new Topology(spans, null);
    }

    /** Returns the slices of a text such as {@code rack/16, kubernetes.io/hostname/4}, the narrowest first. */
    private List<Slice> slices(String text, int size) {
        List<Slice> slices = GangKey.TOPOLOGY_SLICE.parse(text).stream()
                .map(slice -> new Slice(sliceLevel(slice.level()), slice.pods()))
                .sorted(Comparator.comparingInt(Slice::size)
                        .thenComparing(slice -> slice.level().keys().size(), Comparator.reverseOrder()))
                .toList();
        for (int i = 1; i < slices.size(); i++) {
            if (!slices.get(i - 1).isWithin(slices.get(i))) {
                throw new IllegalArgumentException(
                        "expected slices of one tree that hold whole narrower ones, and %s is not a part of %s: %s"
                                .formatted(
                                        slices.get(i - 1).words(), slices.get(i).words(), words(levels.all())));
            }
        }
        int widest = slices.getLast().size();
        if (size % widest != 0) {
            throw new IllegalArgumentException(
                    "expected slices that the gang consists of, and its %d pods are no multiple of %d"
                            .formatted(size, widest));
        }
        return slices;
    }

    private TopologyLevel sliceLevel(String word) {
        return levels.named(word).isEmpty()
                ? levels.of(GangKey.TOPOLOGY.parse(word))
                : Objects.requireNonNull(level(word));
    }

    private @Nullable TopologyLevel level(String word) {
        List<TopologyLevel> named = levels.named(word);
        if (named.isEmpty() && word.equals(DistanceCost.CLUSTER)) {
            return null;
        }
        if (named.size() != 1) {
            throw new IllegalArgumentException(
                    named.isEmpty()
                            ? "expected %s, or levels of the policy's `gangs.topology.levels`, not %s: %s"
                                    .formatted(DistanceCost.CLUSTER, SafeText.value(word), words(levels.all()))
                            : "expected the label key of one level that is called %s: %s"
                                    .formatted(SafeText.value(word), words(named)));
        }
        return named.getFirst();
    }

    private static int depth(Span span) {
        return span.level() == null ? 0 : span.level().keys().size();
    }

    private static String words(List<TopologyLevel> levels) {
        return levels.isEmpty()
                ? "it has none"
                : levels.stream().map(TopologyLevel::key).collect(Collectors.joining(", "));
    }
}
