package io.slotwise.core.planner;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.batch.CyclicBatch;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.window.SearchExtent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The notes of a plan about how it was made. */
record PlanNotes(Snapshot snapshot, Policy policy, CyclicBatch cyclic, SearchExtent extent, List<PlanningGang> queue) {
    List<String> after(List<String> steps) {
        List<String> notes = new ArrayList<>(steps);
        if (policy.queue().goesByUse() && snapshot.cluster().isFree()) {
            notes.add("%s counts processor time, a pod of any size alike, because no node has a price"
                    .formatted(
                            policy.queue().fairBy() == Policy.FairBy.MONEY
                                    ? "queue.fair-by: money"
                                    : "queue.order: fair"));
        }
        notes.addAll(cyclic.combiner().notes());
        if (cyclic.cut()) {
            notes.add("the search for more alternatives ended after %d slots (study.search-limit)"
                    .formatted(policy.batch().searchLimit()));
        }
        if (extent.stopped()) {
            notes.add("the search for more alternatives was stopped in round %d, after %d turns"
                    .formatted(extent.rounds(), extent.turns()));
        }
        cyclic.unserved()
                .forEach((why, gangs) -> notes.add("study.window-search: %s leaves %s to the exact search: %s"
                        .formatted(
                                policy.batch().searching().key(),
                                gangs.stream().map(GangId::toString).collect(Collectors.joining(", ")),
                                why)));
        queue.stream()
                .filter(PlanningGang::bounded)
                .sorted(Comparator.comparing(gang -> gang.gang.id()))
                .forEach(gang -> notes.add("the search for a window of %s was bounded: there may be %s"
                        .formatted(gang.gang.id(), gang.window() == null ? "one" : "a better one")));
        return notes;
    }
}
