package io.slotwise.core.window.baseline;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The papers' pseudo-code letter by letter, on slots found second by second. It shares nothing with the baselines but
 * the names of the nodes, the durations and the rates.
 */
final class PaperPseudocode {
    /** A slot of node {@code v}. */
    private record Slot(int v, long start, long end) {}

    /** The result of a search, with nodes sorted by name. */
    record Found(long start, List<String> nodes, long cost) {
        static @Nullable Found of(@Nullable Window window) {
            return window == null
                    ? null
                    : new Found(
                            window.start(),
                            window.placements().stream().map(p -> p.node()).toList(),
                            window.cost().microSecondsPerHour());
        }
    }

    private record Chosen(long start, List<Slot> slots) {}

    private interface GetBestWindow {
        @Nullable
        Chosen of(List<Slot> windowSlots, long windowStart);
    }

    private final Cluster cluster;
    private final Gang gang;
    private final List<Offer> offers;
    private final SlotTerms terms;
    private final long turnover;
    private final long budget;
    private final boolean[][] usable;

    PaperPseudocode(Cluster cluster, Gang gang, List<Offer> offers, SlotTerms terms, long turnover, long budget) {
        this.cluster = cluster;
        this.gang = gang;
        this.offers = offers;
        this.terms = terms;
        this.turnover = turnover;
        this.budget = budget;
        this.usable = new boolean[offers.size()][(int) Math.max(0, terms.deadline() - terms.earliest())];
        for (int v = 0; v < offers.size(); v++) {
            for (int s = 0; s < usable[v].length; s++) {
                usable[v][s] = usable(offers.get(v), terms.earliest() + s);
            }
        }
    }

    private boolean usable(Offer offer, long second) {
        Node node = offer.timeline().node();
        for (Interval kept : node.unavailable()) {
            if (kept.start() <= second && second < kept.end()) {
                return false;
            }
        }
        if (terms.slotPrice() != null
                && offer.rate().at(second) > terms.slotPrice().micros()) {
            return false;
        }
        for (Map.Entry<String, Long> asked : gang.request().resources().asMap().entrySet()) {
            for (long s = second; s <= second + turnover; s++) {
                if (taken(node, asked.getKey(), s) + asked.getValue()
                        > node.allocatable().get(asked.getKey())) {
                    return false;
                }
            }
        }
        return true;
    }

    private long taken(Node node, String resource, long second) {
        long sum = 0;
        for (Occupation o : cluster.occupations()) {
            if (o.node().equals(node.name())
                    && o.interval().start() <= second
                    && second < o.interval().end() + turnover) {
                sum += o.resources().get(resource);
            }
        }
        return sum;
    }

    private List<Slot> orderSystemSlotsByStartTime() {
        List<Slot> slotList = new ArrayList<>();
        for (long t = terms.earliest(); t <= terms.latest(); t++) {
            for (int v = 0; v < usable.length; v++) {
                if (isUsable(v, t) && !isUsable(v, t - 1)) {
                    long end = t;
                    while (isUsable(v, end)) {
                        end++;
                    }
                    slotList.add(new Slot(v, t, end));
                }
            }
        }
        return slotList;
    }

    private boolean isUsable(int v, long second) {
        long s = second - terms.earliest();
        return s >= 0 && s < usable[v].length && usable[v][(int) s];
    }

    private @Nullable Chosen aep(
            GetBestWindow getBestWindow, ToLongFunction<Chosen> getCriterion, boolean firstIsBest) {
        List<Slot> slotList = orderSystemSlotsByStartTime();
        List<Slot> windowSlots = new ArrayList<>();
        Chosen bestWindow = null;
        for (int i = 0; i < slotList.size(); i++) {
            Slot nextSlot = slotList.get(i);
            windowSlots.add(nextSlot);
            long windowStart = nextSlot.start();
            List<Slot> stay = new ArrayList<>();
            for (Slot wSlot : windowSlots) {
                long minLength = offers.get(wSlot.v()).duration();
                if (!(wSlot.end() - windowStart < minLength)) {
                    stay.add(wSlot);
                }
            }
            windowSlots = stay;
            if (windowSlots.size() >= gang.size()) {
                Chosen curWindow = getBestWindow.of(windowSlots, windowStart);
                if (curWindow == null) {
                    continue;
                }
                if (firstIsBest) {
                    return curWindow;
                }
                // Criteria are minimized here, so the paper's maxCriterion compares negative values.
                if (bestWindow == null
                        || -getCriterion.applyAsLong(curWindow) > -getCriterion.applyAsLong(bestWindow)) {
                    bestWindow = curWindow;
                }
            }
        }
        return bestWindow;
    }

    @Nullable
    Found amp() {
        return found(ampWindow());
    }

    private @Nullable Chosen ampWindow() {
        return aep(this::cheapestWindow, Chosen::start, true);
    }

    @Nullable
    Found minCost() {
        return found(aep(this::cheapestWindow, this::cost, false));
    }

    @Nullable
    Found minRuntime(boolean net) {
        return found(aep((slots, t) -> substituted(slots, t, net), this::runtime, false));
    }

    @Nullable
    Found minFinish(boolean net) {
        return found(aep((slots, t) -> substituted(slots, t, net), w -> w.start() + runtime(w), false));
    }

    @Nullable
    Found minProcessorTime(RandomGenerator random) {
        return found(aep(
                (slots, t) -> {
                    List<Slot> hat = new ArrayList<>(slots);
                    List<Slot> drawn = new ArrayList<>();
                    for (int k = 0; k < gang.size(); k++) {
                        drawn.add(hat.remove(random.nextInt(hat.size())));
                    }
                    return withinBudget(new Chosen(t, drawn));
                },
                this::processorTime,
                false));
    }

    /** All alternatives. The search consumes their seconds. */
    List<Found> csa() {
        List<Found> alternatives = new ArrayList<>();
        for (Chosen window = ampWindow(); window != null; window = ampWindow()) {
            for (Slot slot : window.slots()) {
                long d = offers.get(slot.v()).duration();
                for (long s = window.start() - turnover; s < window.start() + d + turnover; s++) {
                    int at = (int) (s - terms.earliest());
                    if (at >= 0 && at < usable[slot.v()].length) {
                        usable[slot.v()][at] = false;
                    }
                }
            }
            Found found = found(window);
            if (found != null) {
                alternatives.add(found);
            }
        }
        return alternatives;
    }

    static @Nullable Window select(List<Window> alternatives, Criterion criterion) {
        return alternatives.stream()
                .reduce((best, next) -> next.value(criterion) < best.value(criterion) ? next : best)
                .orElse(null);
    }

    private @Nullable Chosen cheapestWindow(List<Slot> windowSlots, long windowStart) {
        return withinBudget(new Chosen(
                windowStart, orderSlotsByCost(windowSlots, windowStart).subList(0, gang.size())));
    }

    private @Nullable Chosen substituted(List<Slot> windowSlotList, long windowStart, boolean net) {
        int n = gang.size();
        List<Slot> ordered = orderSlotsByCost(windowSlotList, windowStart);
        List<Slot> resultWindow = new ArrayList<>(ordered.subList(0, n));
        List<Slot> extendWindow = new ArrayList<>(ordered.subList(n, ordered.size()));
        if (withinBudget(new Chosen(windowStart, resultWindow)) == null) {
            return null;
        }
        while (extendWindow.size() > 0) {
            Slot longSlot = getLongestSlot(resultWindow);
            Slot shortSlot = orderSlotsByCost(extendWindow, windowStart).getFirst();
            extendWindow.remove(shortSlot);
            long resultCost = cost(new Chosen(windowStart, resultWindow));
            if (net) {
                resultCost -= cost(longSlot, windowStart);
            }
            if (size(shortSlot) < size(longSlot) && resultCost + cost(shortSlot, windowStart) < budget) {
                resultWindow.remove(longSlot);
                resultWindow.add(shortSlot);
            }
        }
        return new Chosen(windowStart, resultWindow);
    }

    private Slot getLongestSlot(List<Slot> slots) {
        Slot longest = slots.getFirst();
        for (Slot slot : slots) {
            if (size(slot) > size(longest)) {
                longest = slot;
            }
        }
        return longest;
    }

    private List<Slot> orderSlotsByCost(List<Slot> slots, long start) {
        List<Slot> left = new ArrayList<>(slots);
        List<Slot> ordered = new ArrayList<>();
        while (!left.isEmpty()) {
            Slot cheapest = left.getFirst();
            for (Slot slot : left) {
                long difference = cost(slot, start) - cost(cheapest, start);
                if (difference < 0 || (difference == 0 && name(slot).compareTo(name(cheapest)) < 0)) {
                    cheapest = slot;
                }
            }
            left.remove(cheapest);
            ordered.add(cheapest);
        }
        return ordered;
    }

    private @Nullable Chosen withinBudget(Chosen window) {
        return cost(window) <= budget ? window : null;
    }

    private String name(Slot slot) {
        return offers.get(slot.v()).node();
    }

    private long size(Slot slot) {
        return offers.get(slot.v()).duration();
    }

    private long cost(Slot slot, long start) {
        long sum = 0;
        for (long s = start; s < start + size(slot); s++) {
            sum += offers.get(slot.v()).rate().at(s);
        }
        return sum;
    }

    private long cost(Chosen window) {
        long sum = 0;
        for (Slot slot : window.slots()) {
            sum += cost(slot, window.start());
        }
        return sum;
    }

    private long runtime(Chosen window) {
        return size(getLongestSlot(window.slots()));
    }

    private long processorTime(Chosen window) {
        return window.slots().stream().mapToLong(this::size).sum();
    }

    private @Nullable Found found(@Nullable Chosen window) {
        return window == null
                ? null
                : new Found(
                        window.start(),
                        window.slots().stream().map(this::name).sorted().toList(),
                        cost(window));
    }
}
