package io.slotwise.core.online;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.online.ResourceDomains.Domain;
import io.slotwise.core.online.Topsis.Alternative;
import io.slotwise.core.online.Topsis.Ranked;
import io.slotwise.core.online.Topsis.Reading;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.NearestSpan;
import io.slotwise.core.window.search.NearestSpan.Place;
import io.slotwise.core.window.search.WindowSearch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * EMCT and EMET (economic minimum completion and execution time): places one gang in the resource domain that is the
 * best compromise between time, cost and fragmentation.
 *
 * <p>In every domain the exact search finds one window within the gang's budget, deadline and other limits, and within
 * the account that its namespace may have. {@link Topsis} ranks the windows by three criteria. The first is time in
 * seconds: for EMCT the window's end minus the gang's arrival, for EMET its runtime, both with the transfer time. The
 * second is the cost in 1/3600 millionths. The third is the number of pods of the gang's kind that still fit next to
 * the window on the domain's nodes for its duration.
 *
 * <p>Invariant: the window is on nodes of one domain, and starts no earlier than the input can be there, {@code now}
 * plus the transfer time of ceil(8 x bytes / bandwidth) seconds. The timeline is only read.
 *
 * <p>Time: O(m) for all searches together with m changes of all nodes' slots (see {@link WindowSearch}), O(b) for b
 * breakpoints of free capacity, and O(D log D) for D domains.
 *
 * <p>Source: Bansal and Hota, section 4, equations 1 to 4, Algorithms 1 and 3.
 *
 * <p>Readings and deviations:
 * <ul>
 * <li>The window of a domain. The paper takes the first time slot with enough PEs. Its resources have PEs of one speed,
 * so the first slot is the one that ends first, and all take equally long. Here domains have nodes of several speeds.
 * The window is the one with the least time of the mode: the earliest end for EMCT (the meaning of MCT) and the
 * shortest runtime for EMET (the meaning of MET, regardless of the start). Ties go to the earlier and then the cheaper.
 * On a domain of equal nodes both are the paper's. The paper has no budget; here a window stays within it.
 * <li>Equation 4 moves the application's length (in instructions) with its input, which adds two units. Only the input
 * is moved here. Equation 2 ignores the transfer, and Algorithm 1 adds it. Since the window also waits for the input
 * here, a transfer that delays the start counts twice for EMCT.
 * <li>Line 17, tp - ap, is the free PEs of the slot beyond the required ones. Free room is counted here in pods like
 * the gang's, at any price and ignoring the gang's own most per node, next to the window and for its whole runtime.
 * <li>A domain of unknown bandwidth cannot be compared in time if there is input to move. It is left out if a domain of
 * known bandwidth has a window. If none has, no transfer time counts at all.
 * </ul>
 */
public final class DomainChoice {
    private final ResourceDomains domains;
    private final Reading reading;
    private final SearchObserver observer;

    public DomainChoice(ResourceDomains domains) {
        this(domains, SearchObserver.NONE);
    }

    public DomainChoice(ResourceDomains domains, SearchObserver observer) {
        this(domains, Reading.EQUATIONS, observer);
    }

    /** A choice between these domains by another reading of the paper. */
    public DomainChoice(ResourceDomains domains, Reading reading) {
        this(domains, reading, SearchObserver.NONE);
    }

    private DomainChoice(ResourceDomains domains, Reading reading, SearchObserver observer) {
        this.domains = domains;
        this.reading = reading;
        this.observer = observer;
    }

    /**
     * A domain in the comparison.
     *
     * @param transfer seconds that the input takes to get there
     * @param time the first criterion, seconds
     * @param free the third criterion: how many more pods like the gang's fit next to the window
     * @param closeness TOPSIS' C; the least is best
     * @param distance from the least value of every criterion over all domains, weighted
     */
    public record Compared(
            String domain, Window window, long transfer, long time, long free, double closeness, double distance) {
        private Compared ranked(Ranked ranked) {
            return new Compared(domain, window, transfer, time, free, ranked.closeness(), ranked.distance());
        }
    }

    public record Chosen(
            Window window,
            String domain,
            List<Compared> compared,
            List<String> unknownBandwidth,
            List<String> without) {
        public Chosen {
            compared = List.copyOf(compared);
            unknownBandwidth = List.copyOf(unknownBandwidth);
            without = List.copyOf(without);
        }
    }

    /** A range of starts, and the most that a window starting there may cost. */
    public record Stretch(SlotTerms terms, Cost maxCost) {}

    /** The request to every domain. Input can be moved from second {@code now} on, since the epoch. */
    private record Asked(Gang gang, long inputBytes, List<Eligibility> eligibility, List<Stretch> stretches, long now) {
        private SlotTerms terms(Stretch stretch, Domain domain) {
            return stretch.terms().from(now + Math.max(domain.transferTime(inputBytes), 0));
        }
    }

    /** Returns the best domain's window, within the gang's budget only. */
    public Optional<Chosen> best(
            Gang gang, OnlineRequest online, List<Eligibility> eligibility, SlotTerms terms, long now) {
        return best(
                gang,
                online,
                eligibility,
                List.of(new Stretch(terms, gang.budget().limit())),
                now);
    }

    /**
     * Returns the best domain's window.
     *
     * @param online the time that counts, the input and the weights
     * @param stretches the ranges of the window, one for each limit on its cost
     * @return empty if no domain has a window for the gang
     */
    public Optional<Chosen> best(
            Gang gang, OnlineRequest online, List<Eligibility> eligibility, List<Stretch> stretches, long now) {
        Asked asked = new Asked(gang, online.inputBytes(), eligibility, stretches, now);
        Map<Domain, Optional<Window>> windows = windows(asked, online.mode().criterion());
        List<Compared> known = new ArrayList<>();
        List<Compared> unknownBandwidth = new ArrayList<>();
        List<String> without = new ArrayList<>();
        for (Domain domain : domains.all()) {
            boolean told = domain.transferTime(online.inputBytes()) != Node.UNKNOWN;
            Objects.requireNonNull(windows.get(domain))
                    .map(window -> compared(gang, online, eligibility, domain, window))
                    .ifPresentOrElse((told ? known : unknownBandwidth)::add, () -> without.add(domain.name()));
        }
        List<Compared> rivals = known.isEmpty() ? unknownBandwidth : known;
        if (rivals.isEmpty()) {
            return Optional.empty();
        }
        List<Compared> ranked = ranked(rivals, online.weights());
        Compared first = ranked.getFirst();
        return Optional.of(new Chosen(
                first.window(),
                first.domain(),
                ranked,
                known.isEmpty()
                        ? List.of()
                        : unknownBandwidth.stream().map(Compared::domain).toList(),
                without));
    }

    /** Returns the cheapest window within one domain, at any cost. */
    public Optional<Window> cheapest(
            Gang gang, long inputBytes, List<Eligibility> eligibility, SlotTerms terms, long now) {
        Asked asked = new Asked(gang, inputBytes, eligibility, List.of(new Stretch(terms, Cost.UNLIMITED)), now);
        return windows(asked, Criterion.COST).values().stream()
                .flatMap(Optional::stream)
                .min(WindowSearch.order(Criterion.COST, gang));
    }

    /** Returns the best window in each domain. If the gang has patience, the same span counts in all of them. */
    private Map<Domain, Optional<Window>> windows(Asked asked, Criterion criterion) {
        Map<Domain, List<Place>> places = new LinkedHashMap<>();
        for (Domain domain : domains.all()) {
            WindowSearch search = WindowSearch.among(asked.gang(), asked.eligibility(), node -> isIn(domain, node))
                    .observedBy(observer);
            places.put(
                    domain,
                    asked.stretches().stream()
                            .map(stretch -> new Place(search, asked.terms(stretch, domain), stretch.maxCost()))
                            .toList());
        }
        NearestSpan nearest = NearestSpan.of(
                asked.gang(), places.values().stream().flatMap(List::stream).toList(), RestoredCapacity.NONE);
        Map<Domain, Optional<Window>> windows = new LinkedHashMap<>();
        places.forEach((domain, some) -> windows.put(
                domain,
                some.stream()
                        .flatMap(place -> (nearest == null
                                        ? place.search()
                                        : nearest.selection(asked.gang(), List.of(place)))
                                .best(criterion, place.terms(), place.budget()).stream())
                        .min(WindowSearch.order(criterion, asked.gang()))));
        return windows;
    }

    private boolean isIn(Domain domain, Node node) {
        return domains.nameOf(node).equals(domain.name());
    }

    /** Returns the row of a domain, not yet ranked: lines 9 to 17. */
    private Compared compared(
            Gang gang, OnlineRequest online, List<Eligibility> eligibility, Domain domain, Window window) {
        long transfer = Math.max(domain.transferTime(online.inputBytes()), 0);
        long time = switch (online.mode()) {
            case EMCT -> window.end() - gang.arrival();
            case EMET -> window.runtime();
        };
        List<Offer> offers = eligibility.getFirst().offers().stream()
                .filter(offer -> isIn(domain, offer.timeline().node()))
                .toList();
        return new Compared(
                domain.name(), window, transfer, transfer + time, free(gang, offers, window), Double.NaN, Double.NaN);
    }

    private List<Compared> ranked(List<Compared> rivals, CriterionWeights weights) {
        Map<String, Compared> byName = new HashMap<>();
        rivals.forEach(compared -> byName.put(compared.domain(), compared));
        List<Alternative> matrix = rivals.stream()
                .map(compared -> new Alternative(
                        compared.domain(),
                        List.of(
                                (double) compared.time(),
                                (double) compared.window().cost().microSecondsPerHour(),
                                (double) compared.free())))
                .toList();
        List<Compared> ranked = new ArrayList<>();
        for (Ranked rowRanked : Topsis.rank(matrix, weights.columns(), reading)) {
            Compared compared = byName.get(rowRanked.name());
            if (compared != null) {
                ranked.add(compared.ranked(rowRanked));
            }
        }
        return ranked;
    }

    /**
     * Returns how many more pods of the gang's first shape fit next to the window for its duration. Where the window
     * has u pods that take d seconds, and k(d) pods fit for d seconds, that is min(k(d) - u, k(runtime)), since nothing
     * is held there after their end.
     */
    private static long free(Gang gang, List<Offer> offers, Window window) {
        Map<String, List<Placement>> placements = new HashMap<>();
        Set<String> pods = Set.copyOf(gang.shapes().getFirst().pods());
        window.placements().stream()
                .filter(placement -> pods.contains(placement.pod()))
                .forEach(placement -> placements
                        .computeIfAbsent(placement.node(), _ -> new ArrayList<>())
                        .add(placement));
        List<Offer> whole = new ArrayList<>();
        List<Offer> held = new ArrayList<>();
        for (Offer offer : offers) {
            List<Placement> onNode = placements.getOrDefault(offer.node(), List.of());
            long duration = onNode.isEmpty()
                    ? window.runtime()
                    : onNode.getFirst().end() - onNode.getFirst().start();
            whole.add(lasting(offer, window.runtime()));
            held.add(lasting(offer, duration));
        }
        SlotTerms nextTerms = new SlotTerms(window.start(), window.start(), window.end(), null);
        SlotList wholeList = new SlotList(whole, nextTerms);
        SlotList otherList = new SlotList(held, nextTerms);
        long free = 0;
        for (int i = 0; i < whole.size(); i++) {
            int used = placements.getOrDefault(whole.get(i).node(), List.of()).size();
            free += Math.min(wholeList.countAt(i, window.start()), otherList.countAt(i, window.start()) - used);
        }
        return free;
    }

    private static Offer lasting(Offer offer, long seconds) {
        return offer.lasting(seconds).atMost(Integer.MAX_VALUE);
    }
}
