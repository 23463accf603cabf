package io.slotwise.core.window.baseline;

import java.util.Optional;

/**
 * minRuntime: a window of short runtime, by substituting long slots with shorter ones.
 *
 * <p>At every slot the n cheapest of the extended window are taken. Then the others are tried, the cheapest first: each
 * takes the place of the longest slot if it is shorter and "not too expensive".
 *
 * <p>Invariant: the slots taken cost at most S together, and no substitution makes the longest of them longer. A
 * heuristic: the window need not be the shortest that S allows.
 *
 * <p>O(m N (log N + n)) time for m slots of N nodes and n pods, of which log N is the sorting and n the longest slot's
 * search; O(m + N) space.
 *
 * <p>Source: the paper on AEP, section 2.2, the minimum runtime.
 *
 * <p>Readings.
 * <ul>
 * <li>A substitution needs {@code resultWindow.cost + shortSlot.cost < S}, as printed: strictly less, without
 * subtracting the cost of the slot that leaves. Near S nothing is substituted, though the window after the substitution
 * would be within S. {@link Substitution#NET} subtracts that cost. Only with it do the starts and costs come near those
 * that section 3.2 reports (a start of 53 on average, the most expensive windows of all), so the authors' program may
 * have done so.
 * <li>{@code getSubList(0,n)} and {@code getSubList(n+1,m)} together are the whole list: the first counts from zero, as
 * the n cheapest are meant, the second from one. Counted from zero, the slot after the n cheapest would be lost for no
 * purpose.
 * <li>A window must cost at most S, so the initial n cheapest must; the pseudo-code does not say it, the problem of
 * section 2.1 does.
 * <li>If several slots are longest, the first leaves. A new slot is put last.
 * </ul>
 */
public final class MinRuntime extends Aep {
    private final Substitution substitution;

    public MinRuntime() {
        this(Substitution.PRINTED);
    }

    public MinRuntime(Substitution substitution) {
        this.substitution = substitution;
    }

    @Override
    Optional<SlotWindow> bestWindow(ExtendedWindow extended, int n, long budget) {
        return substitution.shortest(extended, n, budget);
    }

    @Override
    long criterion(SlotWindow window) {
        return window.runtime();
    }
}
