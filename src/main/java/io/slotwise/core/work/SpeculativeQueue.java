package io.slotwise.core.work;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks many askers in turn where each answer takes something away from those after it, and does the work of the next
 * few at once.
 *
 * <p>The next askers of the queue propose, beside each other, what they would take as things are; then their proposals
 * are accepted in the order of the queue as long as they still hold. One that does not hold any more is made again
 * together with the next ones, so many of them that at least {@value #FEWEST} are made beside each other. If things
 * that are taken never improve what is left, a best proposal that still holds is still the best one: the answers are
 * those of asking one after the other. Heuristics promise no such thing: what they propose is accepted as long as it
 * holds, though asked in its turn the asker might have proposed something else.
 *
 * <p>How many propose at once follows from the proposals alone: twice as many as before while all of them hold, from
 * {@value #FEWEST} to {@value #MOST}. So nothing depends on the number of workers, not even the work.
 *
 * @param <A> who asks
 * @param <P> what they propose
 */
public record SpeculativeQueue<A, P>(Workers workers, Desk<A, P> desk) {
    private static final int FEWEST = 2;
    private static final int MOST = 64;

    /** Where proposals are made and accepted. */
    public interface Desk<A, P> {
        /** What the asker would take; it must not change anything that other askers look at. */
        P propose(A asker);

        /** Whether the proposal, made before others were accepted, is still what it was. */
        boolean holds(A asker, P proposal);

        void accept(A asker, P proposal);

        /** Whether to go on; asked while no one proposes. */
        default boolean goesOn() {
            return true;
        }
    }

    /** Someone's turn. */
    private static final class Turn<A, P> {
        private final A asker;
        private @Nullable P proposal;

        Turn(A asker) {
            this.asker = asker;
        }
    }

    /** Lets everyone in the queue have a turn, or as many as the desk goes on for. */
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

    /** So many ahead; more where fewer than {@value #FEWEST} of them have anything to propose. */
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

    /** How many were accepted; the proposals of the others that do not hold any more are dropped. */
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
