package io.slotwise.testing;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.PodRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Checks whether the pods of a window can come one after another in some order, each past a filter that looks at the
 * existing pods, as kube-scheduler's filters do. Every order is tried. The class shares nothing with the planner but
 * the rules themselves.
 */
final class PodOrders {
    private final Cluster cluster;
    private final long turnover;
    private final Gang gang;

    PodOrders(Cluster cluster, long turnover, Gang gang) {
        this.cluster = cluster;
        this.turnover = turnover;
        this.gang = gang;
    }

    record PlacedPod(Node node, int shape, long start, long end) {}

    boolean someOrderKeeps(List<PlacedPod> pods) {
        return keeps(new ArrayList<>(), new ArrayList<>(pods));
    }

    private boolean keeps(List<PlacedPod> placed, List<PlacedPod> left) {
        if (left.isEmpty()) {
            return true;
        }
        for (PlacedPod pod : List.copyOf(left)) {
            if (passes(pod, placed)) {
                placed.add(pod);
                left.remove(pod);
                boolean keeps = keeps(placed, left);
                placed.remove(pod);
                left.add(pod);
                if (keeps) {
                    return true;
                }
            }
        }
        return false;
    }

    private PodRequest request(PlacedPod pod) {
        return gang.shapes().get(pod.shape()).request();
    }

    private boolean passes(PlacedPod pod, List<PlacedPod> placed) {
        for (PodRule rule : request(pod).rules()) {
            boolean holds = switch (rule) {
                case PodRule.Apart(String label, String mark) -> isApart(pod, placed, label, mark);
                case PodRule.Together together -> isTogether(pod, placed, together);
                case PodRule.Spread spread -> isSpread(pod, placed, spread);
            };
            if (!holds) {
                return false;
            }
        }
        // The anti-affinity of pods that came before counts, too.
        return placed.stream()
                .allMatch(other -> request(other).rules().stream()
                        .allMatch(rule -> !(rule instanceof PodRule.Apart(String label, String mark))
                                || !request(pod).bears(mark)
                                || !sameDomain(label, other.node(), pod.node())));
    }

    private static boolean sameDomain(String label, Node one, Node other) {
        String value = one.labels().get(label);
        return value != null && value.equals(other.labels().get(label));
    }

    private boolean isApart(PlacedPod pod, List<PlacedPod> placed, String label, String mark) {
        for (Occupation o : cluster.occupations()) {
            if (o.resources().get(mark) > 0
                    && sameDomain(label, node(o), pod.node())
                    && o.interval().start() < pod.end() + turnover
                    && pod.start() < o.interval().end() + turnover) {
                return false;
            }
        }
        return placed.stream()
                .noneMatch(other -> request(other).bears(mark) && sameDomain(label, other.node(), pod.node()));
    }

    private Node node(Occupation occupation) {
        return cluster.inventory().stream()
                .filter(node -> node.name().equals(occupation.node()))
                .findFirst()
                .orElseThrow();
    }

    private boolean isThere(Occupation occupation, long second) {
        return occupation.interval().start() <= second
                && second < occupation.interval().end();
    }

    private boolean isTogether(PlacedPod pod, List<PlacedPod> placed, PodRule.Together rule) {
        if (!pod.node().labels().keySet().containsAll(rule.labels())) {
            return false;
        }
        boolean anywhere = false;
        boolean everywhere = true;
        for (String label : rule.labels()) {
            long here = 0;
            for (Occupation o : cluster.occupations()) {
                if (o.resources().get(rule.mark()) > 0 && isThere(o, pod.start())) {
                    anywhere |= node(o).labels().containsKey(label);
                    here += sameDomain(label, node(o), pod.node()) ? 1 : 0;
                }
            }
            everywhere &= here > 0;
        }
        // Regardless of the order, either all pods of the gang have the mark and the rule, or none.
        boolean themselves = gang.shapes().stream()
                .allMatch(shape -> shape.request().bears(rule.mark())
                        == shape.request().rules().contains(rule));
        return everywhere
                || (!anywhere
                        && themselves
                        && placed.stream()
                                .filter(other -> request(other).bears(rule.mark()))
                                .allMatch(other -> rule.labels().stream()
                                        .allMatch(label -> sameDomain(label, other.node(), pod.node()))));
    }

    private boolean isSpread(PlacedPod pod, List<PlacedPod> placed, PodRule.Spread rule) {
        Map<String, Long> counts = new HashMap<>();
        for (Node node : cluster.inventory()) {
            if (isCounted(pod, node, rule)) {
                counts.merge(String.valueOf(node.labels().get(rule.label())), 0L, Long::sum);
            }
        }
        for (Occupation o : cluster.occupations()) {
            if (o.resources().get(rule.mark()) > 0 && isThere(o, pod.start()) && isCounted(pod, node(o), rule)) {
                counts.merge(
                        String.valueOf(node(o).labels().get(rule.label())),
                        o.resources().get(rule.mark()),
                        Long::sum);
            }
        }
        for (PlacedPod other : placed) {
            if (request(other).bears(rule.mark()) && isCounted(pod, other.node(), rule)) {
                counts.merge(String.valueOf(other.node().labels().get(rule.label())), 1L, Long::sum);
            }
        }
        String domain = pod.node().labels().get(rule.label());
        if (domain == null || !isCounted(pod, pod.node(), rule)) {
            return false;
        }
        long fewest = counts.size() < rule.minDomains()
                ? 0
                : counts.values().stream().mapToLong(Long::longValue).min().orElse(0);
        long self = request(pod).bears(rule.mark()) ? 1 : 0;
        return Objects.requireNonNull(counts.get(domain)) + self - fewest <= rule.maxSkew();
    }

    private boolean isCounted(PlacedPod pod, Node node, PodRule.Spread rule) {
        return node.labels().keySet().containsAll(rule.counted().labels())
                && (!rule.counted().ofAffinity()
                        || node.labels()
                                .entrySet()
                                .containsAll(
                                        request(pod).constraint().selector().entrySet()));
    }
}
