package io.slotwise.live;

import io.slotwise.core.gang.GangId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Port: has the pods of gangs that wait for long say why and until when. It returns at once and never fails: what cannot be said is logged. */
@FunctionalInterface
public interface Explainer {
    /** Says nothing. */
    Explainer SILENT = waiting -> {};

    /** Takes in everybody who waits at the end of a cycle; who is not among them waits no more. */
    void explain(Collection<Waiting> waiting);

    /**
     * A gang that waits.
     *
     * @param gang which
     * @param reason one word in camel case; never the one for which autoscalers buy nodes
     * @param message one sentence
     */
    record Waiting(GangId gang, String reason, String message) {
        /** It has a window that has not come. */
        public static final String FOR_WINDOW = "WaitingForWindow";

        /** Autoscalers take it for a pod that would run if there were one more node. */
        private static final String BUYS_NODES = "Unschedulable";

        /** A gang whose window comes in the next moment is left alone: a pod that is written to while it is bound costs a second try. */
        private static final long SOON = 5;

        public Waiting {
            if (reason.isEmpty() || reason.equals(BUYS_NODES)) {
                throw new IllegalArgumentException(
                        "why %s waits (%s): expected a reason other than %s".formatted(gang, reason, BUYS_NODES));
            }
        }

        /** Those of these gangs that wait at second {@code now}. */
        static List<Waiting> among(Collection<Standing> standings, long now) {
            List<Waiting> waiting = new ArrayList<>();
            for (Standing standing : standings) {
                Waiting one = standing.tenure().isHeld() ? null : of(standing, now);
                if (one != null) {
                    waiting.add(one);
                }
            }
            return waiting;
        }

        private static @Nullable Waiting of(Standing standing, long now) {
            return switch (standing.phase()) {
                case PENDING ->
                    new Waiting(
                            standing.gang(),
                            standing.planned().reason(),
                            standing.planned().message());
                case PROMISED -> {
                    long start = standing.windowStart().orElse(now);
                    yield start <= now + SOON
                            ? null
                            : new Waiting(
                                    standing.gang(),
                                    FOR_WINDOW,
                                    "waits for its window at " + Instant.ofEpochSecond(start));
                }
                case STARTING, RUNNING, COMPLETED, BROKEN -> null;
            };
        }

        /** Whether what was said before says the same but for instants that have hardly moved. */
        public boolean isSaid(String before, String how) {
            return reason.equals(before) && Verdicts.isSameButFor(how, message);
        }
    }
}
