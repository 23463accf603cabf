package io.slotwise.core.recall;

import io.slotwise.core.cluster.FreeRoom;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.window.Window;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was free at the beginning of a cycle beside all that ran and all promises that held, and which these were, for
 * the next cycle to go on from: {@link StandingPromises}. Immutable.
 *
 * @param room what was free where promises are looked at, without turnover; null: it is not known
 * @param searched what was free where windows are searched, with turnover; the same where there is none
 * @param promises that had their room there, by the gangs' names
 */
public record PromisedRoom(
        @Nullable FreeRoom room, @Nullable FreeRoom searched, List<Standing> promises) {
    /** Nothing is known. */
    public static final PromisedRoom NONE = new PromisedRoom(null, null, List.of());

    public PromisedRoom {
        promises = List.copyOf(promises);
    }

    /** A promise that held. */
    public static final class Standing {
        private final Gang gang;
        private final Window window;
        private final boolean rules;

        /** The positions of its nodes, each of which is there; one may be there twice. */
        private final int[] nodes;

        Standing(Gang gang, Window window, boolean rules, int[] nodes) {
            this.gang = gang;
            this.window = window;
            this.rules = rules;
            this.nodes = nodes;
        }

        /** The gang as it was. */
        Gang gang() {
            return gang;
        }

        /** What it was promised. */
        Window window() {
            return window;
        }

        /** Whether its pods ask anything of other pods. */
        public boolean hasRules() {
            return rules;
        }

        /** How many positions of nodes it has. */
        int count() {
            return nodes.length;
        }

        /** The i-th position in the inventory of its cycle. */
        int node(int i) {
            return nodes[i];
        }
    }
}
