package io.slotwise.core.planner.preemption;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.MoveBeneficiary;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.planner.batch.BatchLimit;
import io.slotwise.core.planner.online.OnlinePlacement;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.window.Window;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The gangs that others may make room for: all that wait for the batch and could start sooner, but for those whose pods
 * are on their way, those whose promise the policy leaves alone, and those left out for the policy's limit on the
 * batch. A promise is replaced only by a better window, and a figure that limits the batch holds for the new window
 * too.
 */
public final class MoveBeneficiaries {
    private final Policy policy;
    private final List<PlanningGang> queue;
    private final BatchLimit allowance;
    private final Map<GangId, PlanningGang> byId = new HashMap<>();

    /**
     * The gangs of this queue.
     *
     * @param queue in queue order, with the windows that they have
     */
    public MoveBeneficiaries(Policy policy, List<PlanningGang> queue, BatchLimit allowance) {
        this.policy = policy;
        this.queue = queue;
        this.allowance = allowance;
        queue.forEach(contender -> byId.put(contender.gang.id(), contender));
    }

    /** These gangs, in queue order; one that has displaced others to start sooner has had its turn. */
    public List<MoveBeneficiary> waiting() {
        return queue.stream()
                .filter(contender -> contender.via() != WindowOrigin.PREEMPTION)
                .flatMap(contender -> waiting(contender).stream())
                .toList();
    }

    /** One of the queue; empty: no gang makes room for it. */
    Optional<MoveBeneficiary> waiting(PlanningGang contender) {
        return mayMove(contender) ? of(contender) : Optional.empty();
    }

    /** A gang that has not been stopped yet, as if it waited; empty: it would not. */
    Optional<MoveBeneficiary> of(PlanningGang contender) {
        MoveBeneficiary waiting = new MoveBeneficiary(
                contender.gang,
                contender::eligibility,
                contender::search,
                contender.terms(),
                contender.window(),
                window -> allows(contender, window));
        return waiting.waits() ? Optional.of(waiting) : Optional.empty();
    }

    private boolean mayMove(PlanningGang contender) {
        return !contender.released()
                && !(contender.promised() && policy.replan() == Replan.NEVER)
                && !OnlinePlacement.isOnline(contender, policy.online())
                && !(contender.leftOut() instanceof Refusal.BatchLimit);
    }

    /** Whether promise and limit allow it this window. */
    public boolean allows(PlanningGang contender, Window window) {
        if (!contender.takes(window)) {
            return false;
        }
        if (!allowance.holdsForAll()) {
            return true;
        }
        BigInteger others = queue.stream()
                .filter(other -> other != contender && other.window() != null)
                .map(other -> allowance.weight(Objects.requireNonNull(other.window())))
                .reduce(BigInteger.ZERO, BigInteger::add);
        return allowance.admits(others, window);
    }

    /** One of them has this window now. */
    public void started(MoveBeneficiary waiting, Window window) {
        PlanningGang contender = Objects.requireNonNull(byId.get(waiting.gang().id()));
        contender.accept(window, WindowOrigin.MIGRATION);
    }
}
