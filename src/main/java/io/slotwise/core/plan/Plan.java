package io.slotwise.core.plan;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.Move;
import io.slotwise.core.window.SearchExtent;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The decisions of a cycle. Every gang of the snapshot that has not started is either in {@code windows} or in {@code
 * pending}, and so is a running gang that is stopped.
 *
 * @param now the snapshot's, seconds since the epoch
 * @param horizonEnd no window ends later, seconds since the epoch
 * @param windows the windows by start, then gang
 * @param pending the pending by gang
 * @param broken promises of the snapshot that could not be kept, by gang
 * @param notes notes for readers, such as the error of a bounded search
 * @param choices how windows were chosen in the cyclic part, by gang
 * @param moves running gangs to be stopped and placed again, by gang
 * @param domains how the resource domains of online gangs were chosen, by gang
 * @param buying what gangs would have with bought nodes, in queue order, empty if nothing can be bought
 * @param positions the place of each planned gang of a queue among the gangs of its queue that have not started, from
 *     1, in the order in which the cycle takes them
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
        List<PurchaseAdvice> buying,
        Map<GangId, Integer> positions)
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
        positions = Map.copyOf(positions);
    }

    /** Returns this plan with an earlier plan's domain choices of gangs that have kept their windows since. */
    public Plan after(Plan earlierPlan) {
        Stream<DomainComparison> kept = DomainComparison.inForce(earlierPlan.domains, windows).stream()
                .filter(domain ->
                        domains.stream().noneMatch(other -> other.gang().equals(domain.gang())));
        return withDomains(Stream.concat(domains.stream(), kept)
                .sorted(Comparator.comparing(DomainComparison::gang))
                .toList());
    }

    /** Returns this plan with other decisions and purchases. */
    public Plan deciding(List<Planned> decided, List<Pending> waiting, List<BrokenPromise> lost, List<String> told) {
        return with(builder ->
                builder.windows(decided).pending(waiting).broken(lost).notes(told));
    }

    /** Returns this plan with proposed purchases and further notes. */
    public Plan buying(List<PurchaseAdvice> purchases, List<String> more) {
        return with(builder -> builder.notes(
                        Stream.concat(notes.stream(), more.stream()).toList())
                .buying(purchases));
    }
}
