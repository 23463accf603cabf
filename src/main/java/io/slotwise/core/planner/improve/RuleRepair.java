package io.slotwise.core.planner.improve;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The last look at a cycle's windows: every gang's pods may be with all others, those whose windows came after its own
 * included. What a spread or an affinity finds at its start depends on the windows of others, so one that was right
 * when it was found may have become wrong.
 *
 * <p>Where a rule does not hold, the new window that came last of those that it is about is withdrawn, and its gang
 * searches again next to all others, at most {@value #MOST_TRIES} times, each time without the nodes of the tries
 * before. A gang that finds nothing that way waits, with the rule as its reason. Promises that stood before stay.
 * Nothing is done where no gang has such a rule.
 *
 * @param queue with a window, in queue order
 */
public record RuleRepair(Bookings bookings, List<PlanningGang> queue) {
    private static final int MOST_TRIES = 4;

    /** A rule that does not hold, and whose it is. */
    private record Broken(PlanningGang gang, PodRule rule) {}

    /**
     * Makes every rule hold.
     *
     * @return the gangs whose window was withdrawn, whether or not they have another one now
     */
    public Set<GangId> settle() {
        if (queue.stream().noneMatch(gang -> gang.gang.hasRules())) {
            return Set.of();
        }
        List<PlanningGang> again = new ArrayList<>();
        for (Broken broken = first(); broken != null; broken = first()) {
            PlanningGang last = last(broken);
            if (last == null) {
                break;
            }
            List<PlanningGang> withdrawn = takeBack(last);
            Refusal refusal = refusal(broken);
            withdrawn.stream().filter(gang -> gang.window() == null).forEach(gang -> gang.leaveOut(refusal));
            again.addAll(withdrawn);
        }
        again.stream().distinct().forEach(this::searchAgain);
        return again.stream().map(gang -> gang.gang.id()).collect(Collectors.toUnmodifiableSet());
    }

    private static Refusal refusal(Broken broken) {
        return new Refusal.BehindRule(broken.rule().words(), broken.gang().gang.id());
    }

    private @Nullable Broken first() {
        for (PlanningGang gang : queue) {
            Window window = gang.window();
            if (window != null && gang.gang.hasRules()) {
                PodRule rule = bookings.<@Nullable PodRule>trying(() -> {
                    bookings.giveUpRoom(gang.gang, window);
                    return window.broken(bookings.timeline(), gang.gang);
                });
                if (rule != null) {
                    return new Broken(gang, rule);
                }
            }
        }
        return null;
    }

    /** The new window that came last of those that a broken rule is about; null: they are all old. */
    private @Nullable PlanningGang last(Broken broken) {
        if (isNew(broken.gang())) {
            return broken.gang();
        }
        for (PlanningGang gang : queue.reversed()) {
            if (isNew(gang)
                    && gang.gang.shapes().stream()
                            .anyMatch(
                                    shape -> shape.request().bears(broken.rule().mark()))) {
                return gang;
            }
        }
        return null;
    }

    private static boolean isNew(PlanningGang gang) {
        return gang.window() != null && !gang.window().equals(gang.published());
    }

    /**
     * Takes a new window back; a promise that it was to improve holds again. If others have the room of that promise
     * since, or break its rules there, all that is new goes with it: promises hold beside each other.
     *
     * @return the gangs whose windows were withdrawn
     */
    private List<PlanningGang> takeBack(PlanningGang gang) {
        gang.giveUp(bookings);
        if (restore(gang)) {
            return List.of(gang);
        }
        List<PlanningGang> withdrawn = new ArrayList<>(List.of(gang));
        queue.stream().filter(RuleRepair::isNew).forEach(withdrawn::add);
        withdrawn.stream().skip(1).forEach(each -> each.giveUp(bookings));
        // Looked at one by one they might miss each other.
        withdrawn.forEach(each -> {
            Window promised = each.published();
            if (promised != null && bookings.pay(promised)) {
                each.take(bookings, promised, WindowOrigin.CYCLIC);
            }
        });
        return withdrawn;
    }

    /** Whether a gang without a window has its promise again, or had none. */
    private boolean restore(PlanningGang gang) {
        Window promised = gang.published();
        if (promised == null) {
            return true;
        }
        boolean holds = bookings.holds(gang.gang, promised);
        if (holds) {
            gang.take(bookings, promised, WindowOrigin.CYCLIC);
        }
        return holds;
    }

    private void searchAgain(PlanningGang gang) {
        Set<String> left = new HashSet<>();
        Refusal refusal = gang.leftOut();
        for (int tries = 0; tries < MOST_TRIES && gang.window() == null; tries++) {
            Optional<Window> foundWindow = WindowSearch.among(
                            gang.gang, gang.eligibility(), (Node node) -> !left.contains(node.name()))
                    .best(
                            gang.gang.criterion(),
                            gang.terms(),
                            gang.gang.budget().limit())
                    .filter(bookings::pay);
            if (foundWindow.isEmpty()) {
                return;
            }
            int mark = bookings.mark();
            gang.take(bookings, foundWindow.get(), WindowOrigin.CYCLIC);
            if (first() == null) {
                return;
            }
            gang.withdraw();
            bookings.rollbackTo(mark);
            if (refusal != null) {
                gang.leaveOut(refusal);
            }
            foundWindow.get().placements().stream().map(Placement::node).forEach(left::add);
        }
    }
}
