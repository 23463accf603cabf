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
 * The gangs for which others may make room: all gangs that wait for the batch and could start sooner. Excluded are
 * gangs whose pods are on their way, gangs whose promise the policy leaves alone, and gangs left out for the policy's
 * limit on the batch. A promise is replaced only by a better window, and a figure that limits the batch includes the
 * new window.
 */
public final class MoveBeneficiaries {
    private final Policy policy;
    private final List<PlanningGang> queue;
    private final BatchLimit limit;
    private final Map<GangId, PlanningGang> byId = new HashMap<>();

    public MoveBeneficiaries(Policy policy, List<PlanningGang> queue, BatchLimit limit) {
        this.policy = policy;
        this.queue = queue;
        this.limit = limit;
        queue.forEach(gang -> byId.put(gang.gang.id(), gang));
    }

    /** Returns these gangs, in queue order, without those that have displaced others to start sooner. */
    public List<MoveBeneficiary> waiting() {
        return queue.stream()
                .filter(gang -> gang.via() != WindowOrigin.PREEMPTION)
                .flatMap(gang -> waiting(gang).stream())
                .toList();
    }

    /** Returns a gang of the queue as a beneficiary, or empty if no gang makes room for it. */
    Optional<MoveBeneficiary> waiting(PlanningGang gang) {
        return mayMove(gang) ? of(gang) : Optional.empty();
    }

    /** Returns a gang that is not stopped yet as if it waited, or empty if no gang would make room for it. */
    Optional<MoveBeneficiary> of(PlanningGang gang) {
        MoveBeneficiary beneficiary = new MoveBeneficiary(
                gang.gang,
                gang::eligibility,
                gang::search,
                gang.terms(),
                gang.window(),
                window -> allows(gang, window));
        return beneficiary.waits() ? Optional.of(beneficiary) : Optional.empty();
    }

    private boolean mayMove(PlanningGang gang) {
        return !gang.released()
                && !(gang.promised() && policy.replan() == Replan.NEVER)
                && !OnlinePlacement.isOnline(gang, policy.online())
                && !(gang.leftOut() instanceof Refusal.BatchLimit);
    }

    public boolean allows(PlanningGang gang, Window window) {
        if (!gang.takes(window)) {
            return false;
        }
        if (!limit.holdsForAll()) {
            return true;
        }
        BigInteger others = queue.stream()
                .filter(other -> other != gang && other.window() != null)
                .map(other -> limit.weight(Objects.requireNonNull(other.window())))
                .reduce(BigInteger.ZERO, BigInteger::add);
        return limit.admits(others, window);
    }

    /** Notes the new window of a beneficiary. */
    public void started(MoveBeneficiary beneficiary, Window window) {
        PlanningGang gang = Objects.requireNonNull(byId.get(beneficiary.gang().id()));
        gang.accept(window, WindowOrigin.MIGRATION);
    }
}
