package io.slotwise.core.work;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Serves many askers in turn, where each result takes something away from later ones, and computes the next few results
 * in parallel.
 *
 * <p>The next askers of the queue propose in parallel, given the present state. Then their proposals are accepted in
 * queue order as long as they still hold. A proposal that no longer holds is made again together with the next ones, so
 * that at least {@value #FEWEST} are made in parallel. If taking things never improves what is left, a best proposal
 * that still holds is still the best: the results are those of serving one after the other. Heuristics do not guarantee
 * this: a proposal is accepted as long as it holds, although a later one might differ.
 *
 * <p>The number of parallel proposals follows from the proposals alone: it doubles while all of them hold, from {@value
 * #FEWEST} to {@value #MOST}. So nothing depends on the number of workers, not even the amount of work.
 *
 * @param <A> an asker
 * @param <P> a proposal
 */
public record SpeculativeQueue<A, P>(Workers workers, Desk<A, P> desk) {
    private static final int FEWEST = 2;
    private static final int MOST = 64;

    /** Makes and accepts proposals. */
    public interface Desk<A, P> {
        /** Returns what the asker would take. Must not change anything that other askers read. */
        P propose(A asker);

        /** Returns whether the proposal is unaffected by others accepted since. */
        boolean holds(A asker, P proposal);

        void accept(A asker, P proposal);

        /** Returns whether to continue. Called while no proposals are being made. */
        default boolean goesOn() {
            return true;
        }
    }

    private static final class Turn<A, P> {
        private final A asker;
        private @Nullable P proposal;

        Turn(A asker) {
            this.asker = asker;
        }
    }

    /** Gives every asker in the queue a turn, as long as the desk continues. */
    public void serve(List<A> queue) {
        List<Turn<A, P>> turns = new ArrayList<>();
        queue.forEach(asker -> turns.add(new Turn<>(asker)));
        int lookahead = FEWEST;
        int from = 0;
        while (from < turns.size() && desk.goesOn()) {
            List<Turn<A, P>> next = turns.subList(from, end(turns, from, lookahead));
            propose(next);
            int accepted = accept(next);
            lookahead = Math.clamp(accepted == next.size() ? 2L * lookahead : accepted, FEWEST, MOST);
            from += accepted;
        }
    }

    /** Returns the end of a block of {@code lookahead} turns, or more if too few of them need a proposal. */
    private static <A, P> int end(List<Turn<A, P>> turns, int from, int lookahead) {
        int open = 0;
        int end = from;
        while (end < turns.size() && (end < from + lookahead || (open < FEWEST && end < from + MOST))) {
            open += turns.get(end++).proposal == null ? 1 : 0;
        }
        return end;
    }

    private void propose(List<Turn<A, P>> next) {
        List<Turn<A, P>> open =
                next.stream().filter(turn -> turn.proposal == null).toList();
        List<P> proposals = workers.each(open, turn -> desk.propose(turn.asker));
        for (int i = 0; i < open.size(); i++) {
            open.get(i).proposal = proposals.get(i);
        }
    }

    /** Returns the number of accepted proposals, and drops others that no longer hold. */
    private int accept(List<Turn<A, P>> next) {
        int accepted = 0;
        boolean inOrder = true;
        for (Turn<A, P> turn : next) {
            P proposal = turn.proposal;
            if (proposal == null || !desk.holds(turn.asker, proposal)) {
                turn.proposal = null;
                inOrder = false;
            } else if (inOrder) {
                desk.accept(turn.asker, proposal);
                accepted++;
            }
        }
        return accepted;
    }
}
