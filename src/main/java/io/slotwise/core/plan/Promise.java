package io.slotwise.core.plan;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.PodRank;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A published window. It moves only to a better window, for a cause, or within its slack.
 *
 * @param released whether the gang's pods are on their way to their nodes; the window then moves only if it no longer
 *     holds
 * @param promiseBound the latest start and end and the highest cost that are promised, if the promise has slack; null
 *     if the window itself is promised
 * @param orders the nodes that are bought for the gang
 * @param borrowed see {@link Planned#borrowed}
 */
@RecordBuilder
public record Promise(
        Window window,
        WindowOrigin origin,
        boolean released,
        @Nullable PromiseBound promiseBound,
        List<PurchaseOrder> orders,
        @Nullable Interval borrowed)
        implements PromiseBuilder.With {
    public Promise {
        orders = List.copyOf(orders);
    }

    public Promise(Window window, WindowOrigin origin, boolean released) {
        this(window, origin, released, null, List.of(), null);
    }

    public boolean buys(String node) {
        return orders.stream().anyMatch(order -> order.node().equals(node));
    }

    /** Returns whether the window needs a node that is bought, for any gang, and not there yet. */
    public boolean awaitsNodes() {
        return window.placements().stream().map(Placement::node).anyMatch(PurchaseOrder::names);
    }

    /**
     * Returns the promise for the present pods. New pods take the places of pods that are gone, in the order of their
     * ranks. Only the names change. A pod that has a place keeps it, and a surplus pod gets none. O(p log p) for p
     * pods.
     */
    public Promise reassigned(Collection<String> pods) {
        TreeSet<String> newcomers = new TreeSet<>(PodRank.ORDER);
        newcomers.addAll(pods);
        window.placements().forEach(placement -> newcomers.remove(placement.pod()));
        if (newcomers.isEmpty()) {
            return this;
        }
        Set<String> present = new HashSet<>(pods);
        List<Placement> placements = new ArrayList<>();
        window.placements().stream()
                .sorted(Comparator.comparing(Placement::pod, PodRank.ORDER))
                .forEach(placement -> placements.add(
                        present.contains(placement.pod()) || newcomers.isEmpty()
                                ? placement
                                : new Placement(
                                        Objects.requireNonNull(newcomers.pollFirst()),
                                        placement.node(),
                                        placement.start(),
                                        placement.end(),
                                        placement.cost())));
        placements.sort(Comparator.comparing(Placement::pod));
        return withWindow(new Window(window.gang(), window.start(), placements, window.cost(), window.energy()));
    }

    /**
     * Returns one sentence about why the promised window contradicts the gang's present request, or null if it does
     * not. Nodes are not considered. No other code compares a window with a request. O(p log p) for p pods.
     */
    public @Nullable String contradiction(Gang gang) {
        List<Placement> placements = window.placements();
        if (placements.size() != gang.size()) {
            return "the gang has %d pods, the window %d".formatted(gang.size(), placements.size());
        }
        if (window.cost().compareTo(gang.budget().limit()) > 0) {
            return "the window costs %s, the budget is now %s"
                    .formatted(
                            window.cost().roundedUp().brief(),
                            String.valueOf(gang.budget().total()));
        }
        if (window.start() < gang.earliestStart()) {
            return "the window starts at %s, the earliest start is now %s"
                    .formatted(Instant.ofEpochSecond(window.start()), Instant.ofEpochSecond(gang.earliestStart()));
        }
        if (window.end() > gang.deadline()) {
            return "the window ends at %s, the deadline is now %s"
                    .formatted(Instant.ofEpochSecond(window.end()), Instant.ofEpochSecond(gang.deadline()));
        }
        if (placements.size() > gang.maxPerNode()) {
            Map<String, Integer> onNodes = new HashMap<>();
            placements.forEach(placement -> onNodes.merge(placement.node(), 1, Integer::sum));
            int mostOnOne = Collections.max(onNodes.values());
            if (mostOnOne > gang.maxPerNode()) {
                return "the window has %d pods on one node, the most per node is now %d"
                        .formatted(mostOnOne, gang.maxPerNode());
            }
        }
        List<String> asking = gang.pods();
        if (isInOrderOf(asking)) {
            return null;
        }
        List<String> pods = placements.stream().map(Placement::pod).sorted().toList();
        return pods.equals(asking) ? null : "the gang's pods are %s, the window is for %s".formatted(asking, pods);
    }

    /** Returns whether the window has exactly these pods in this order, as is usual. */
    private boolean isInOrderOf(List<String> pods) {
        List<Placement> placements = window.placements();
        for (int i = 0; i < placements.size(); i++) {
            if (!placements.get(i).pod().equals(pods.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the latest start and end that are promised, and the most that the window costs. */
    public PromiseBound bound() {
        return promiseBound == null ? PromiseBound.of(window) : promiseBound;
    }
}
