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
 * Checks the rules about other pods over all windows of a cycle, including windows assigned after a gang's own. The
 * outcome of a spread or an affinity depends on the windows of others, so a window that was right when found may have
 * become wrong.
 *
 * <p>Where a rule does not hold, the latest new window that the rule involves is withdrawn. Its gang searches again
 * next to all others, at most {@value #MOST_TRIES} times, each time without the nodes of earlier tries. A gang that
 * finds nothing waits, with the rule as its reason. Earlier promises stay. Nothing is done where no gang has such a
 * rule.
 *
 * @param queue the gangs with a window, in queue order
 */
public record RuleRepair(Bookings bookings, List<PlanningGang> queue) {
    private static final int MOST_TRIES = 4;

    /** A rule that does not hold, with its gang. */
    private record Broken(PlanningGang gang, PodRule rule) {}

    /**
     * Makes every rule hold.
     *
     * @return the gangs whose window was withdrawn, including those that got another one
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

    /** Returns the gang of the latest new window that a broken rule involves, or null if no window is new. */
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
     * Withdraws a new window. A promise that it was to improve holds again. If others have taken that promise's room,
     * or break its rules there, all new windows are withdrawn: promises hold together.
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
        // All first, as checks one by one might miss each other.
        withdrawn.forEach(each -> {
            Window promised = each.published();
            if (promised != null && bookings.pay(promised)) {
                each.take(bookings, promised, WindowOrigin.CYCLIC);
            }
        });
        return withdrawn;
    }

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
