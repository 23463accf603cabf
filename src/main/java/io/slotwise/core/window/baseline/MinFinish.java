package io.slotwise.core.window.baseline;

import java.util.Optional;

/**
 * minFinish: a window of early finish, the common start plus a short runtime.
 *
 * <p>At every slot {@link MinRuntime}'s substitution chooses the slots. The window whose start plus runtime is least is
 * the result.
 *
 * <p>Invariant: as {@link MinRuntime}'s. The window need not be the earliest to finish that S allows, since the runtime
 * need not be the shortest of its step.
 *
 * <p>O(m N (log N + n)) time for m slots of N nodes and n pods; O(m + N) space.
 *
 * <p>Source: the paper on AEP, section 2.2, the earliest finish time: tStart + minRuntime.
 *
 * <p>Reading: the scan goes on to the end of the list, as the paper's does, though no window that begins at or after
 * the best finish could be better.
 */
public final class MinFinish extends Aep {
    private final Substitution substitution;

    public MinFinish() {
        this(Substitution.PRINTED);
    }

    public MinFinish(Substitution substitution) {
        this.substitution = substitution;
    }

    @Override
    Optional<SlotWindow> bestWindow(ExtendedWindow extended, int n, long budget) {
        return substitution.shortest(extended, n, budget);
    }

    @Override
    long criterion(SlotWindow window) {
        return window.start() + window.runtime();
    }
}
