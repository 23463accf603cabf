package io.slotwise.core.plan;

import io.slotwise.core.migration.Move;
import io.slotwise.core.window.SearchExtent;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a cycle decided. Every gang of the snapshot that has not started is either in {@code windows} or in {@code
 * pending}, and so is one that runs and is stopped.
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
 * @param buying what gangs would have with nodes that are bought, in the order of the queue; none where nothing can be
 *     bought
 */
@RecordBuilder
public record Plan(
        long now,
        long horizonEnd,
        List<Planned> windows,
        List<Pending> pending,
        List<BrokenPromise> broken,
        List<String> notes,
        List<ChoiceExplanation> choices,
        List<Move> moves,
        List<DomainComparison> domains,
        SearchExtent search,
        List<PurchaseAdvice> buying)
        implements PlanBuilder.With {
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

    /** This plan, which also knows how an earlier one chose the domains of gangs that have kept their windows since. */
    public Plan after(Plan earlierPlan) {
        Stream<DomainComparison> kept = DomainComparison.inForce(earlierPlan.domains, windows).stream()
                .filter(domain ->
                        domains.stream().noneMatch(other -> other.gang().equals(domain.gang())));
        return withDomains(Stream.concat(domains.stream(), kept)
                .sorted(Comparator.comparing(DomainComparison::gang))
                .toList());
    }

    /** This plan with other decisions, and with what it buys. */
    public Plan deciding(List<Planned> decided, List<Pending> waiting, List<BrokenPromise> lost, List<String> told) {
        return with(builder ->
                builder.windows(decided).pending(waiting).broken(lost).notes(told));
    }

    /** This plan with what one would buy, and more for its reader to know. */
    public Plan buying(List<PurchaseAdvice> purchases, List<String> more) {
        return with(builder -> builder.notes(
                        Stream.concat(notes.stream(), more.stream()).toList())
                .buying(purchases));
    }
}
