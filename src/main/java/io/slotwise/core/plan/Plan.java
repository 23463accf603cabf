package io.slotwise.core.plan;

import io.slotwise.core.migration.Move;
import io.slotwise.core.window.SearchExtent;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a cycle decided. Every gang of the snapshot that has not started is either in {@code windows} or in {@code pending}, and so
 * is one that runs and is stopped.
 *
 * @param now the snapshot's, seconds since the epoch
 * @param horizonEnd no window ends later, seconds since the epoch
 * @param windows by start, then gang
 * @param pending by gang
 * @param broken promises of the snapshot that could not be kept, by gang
 * @param notes what a reader should know of this plan, such as the error that a bounded search leaves
 * @param choices how the windows of the cyclically planned gangs were chosen, by gang
 * @param moves gangs that run and are to be stopped and placed again, by gang
 * @param domains how the resource domains of the gangs in online modes were chosen, by gang
 * @param search how far the search for alternatives went
 * @param buying what gangs would have with nodes that are bought, in the order of the queue; none where nothing can be bought
 */
public record Plan(
        long now,
        long horizonEnd,
        List<Planned> windows,
        List<Pending> pending,
        List<BrokenPromise> broken,
        List<String> notes,
        List<Deliberation> choices,
        List<Move> moves,
        List<DomainComparison> domains,
        SearchExtent search,
        List<Buying> buying) {
    public Plan {
        windows = List.copyOf(windows);
        pending = List.copyOf(pending);
        broken = List.copyOf(broken);
        notes = List.copyOf(notes);
        choices = List.copyOf(choices);
        moves = List.copyOf(moves);
        domains = List.copyOf(domains);
        buying = List.copyOf(buying);
    }

    /** A plan without purchases. */
    public Plan(
            long now,
            long horizonEnd,
            List<Planned> windows,
            List<Pending> pending,
            List<BrokenPromise> broken,
            List<String> notes,
            List<Deliberation> choices,
            List<Move> moves,
            List<DomainComparison> domains,
            SearchExtent search) {
        this(now, horizonEnd, windows, pending, broken, notes, choices, moves, domains, search, List.of());
    }

    /** A plan without moves that does not tell how its windows were chosen. */
    public Plan(
            long now,
            long horizonEnd,
            List<Planned> windows,
            List<Pending> pending,
            List<BrokenPromise> broken,
            List<String> notes) {
        this(now, horizonEnd, windows, pending, broken, notes, List.of(), List.of(), List.of());
    }

    /** A plan that does not tell how far its search went. */
    public Plan(
            long now,
            long horizonEnd,
            List<Planned> windows,
            List<Pending> pending,
            List<BrokenPromise> broken,
            List<String> notes,
            List<Deliberation> choices,
            List<Move> moves,
            List<DomainComparison> domains) {
        this(now, horizonEnd, windows, pending, broken, notes, choices, moves, domains, SearchExtent.NONE);
    }

    /** This plan, which also knows how an earlier one chose the domains of gangs that have kept their windows since. */
    public Plan after(Plan earlier) {
        Stream<DomainComparison> kept = DomainComparison.inForce(earlier.domains, windows).stream()
                .filter(domain ->
                        domains.stream().noneMatch(other -> other.gang().equals(domain.gang())));
        return new Plan(
                now,
                horizonEnd,
                windows,
                pending,
                broken,
                notes,
                choices,
                moves,
                Stream.concat(domains.stream(), kept)
                        .sorted(Comparator.comparing(DomainComparison::gang))
                        .toList(),
                search,
                buying);
    }

    /** This plan with what one would buy, and more for its reader to know. */
    Plan buying(List<Buying> purchases, List<String> more) {
        return new Plan(
                now,
                horizonEnd,
                windows,
                pending,
                broken,
                Stream.concat(notes.stream(), more.stream()).toList(),
                choices,
                moves,
                domains,
                search,
                purchases);
    }
}
