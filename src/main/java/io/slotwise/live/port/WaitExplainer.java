package io.slotwise.live.port;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.text.ReasonStatement;
import io.slotwise.live.record.GangRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Port: has the pods of gangs that wait for long say why and until when. It returns at once and never fails: what
 * cannot be said is logged.
 */
@FunctionalInterface
public interface WaitExplainer {
    /** Says nothing. */
    public WaitExplainer SILENT = waiting -> {};

    /** Takes in everybody who waits at the end of a cycle; who is not among them waits no more. */
    void explain(Collection<Waiting> waiting);

    /**
     * A gang that waits.
     *
     * @param gang which
     * @param reason one word in camel case; never the one for which autoscalers buy nodes
     * @param reasonStatement why it waits; names nothing of another namespace
     */
    record Waiting(GangId gang, String reason, ReasonStatement reasonStatement) {
        /** It has a window that has not come. */
        public static final String FOR_WINDOW = "WaitingForWindow";

        /** Autoscalers take it for a pod that would run if there were one more node. */
        private static final String BUYS_NODES = "Unschedulable";

        /**
         * A gang whose window comes in the next moment is left alone: a pod that is written to while it is bound costs
         * a second try.
         */
        private static final long SOON = 5;

        /** It waits until a window comes. */
        private record Until(long second) implements ReasonStatement {
            @Override
            public String message() {
                return "waits for its window at " + Instant.ofEpochSecond(second);
            }
        }

        public Waiting {
            if (reason.isEmpty() || reason.equals(BUYS_NODES)) {
                throw new IllegalArgumentException(
                        "why %s waits (%s): expected a reason other than %s".formatted(gang, reason, BUYS_NODES));
            }
        }

        /** A gang that waits for the window that it was promised, which starts at a second since the epoch. */
        public static Waiting forWindow(GangId gang, long start) {
            return new Waiting(gang, FOR_WINDOW, new Until(start));
        }

        /** One sentence. */
        public String message() {
            return reasonStatement.message();
        }

        /** Those of these gangs that wait at second {@code now}. */
        public static List<Waiting> among(Collection<GangRecord> records, long now) {
            List<Waiting> waiting = new ArrayList<>();
            for (GangRecord record : records) {
                Waiting one = record.ownership().isHeld() ? null : of(record, now);
                if (one != null) {
                    waiting.add(one);
                }
            }
            return waiting;
        }

        private static @Nullable Waiting of(GangRecord record, long now) {
            return switch (record.phase()) {
                case PENDING ->
                    new Waiting(
                            record.gang(),
                            record.plannedAspect().reason(),
                            record.plannedAspect().statement());
                case PROMISED -> {
                    long start = record.windowStart().orElse(now);
                    yield start <= now + SOON ? null : forWindow(record.gang(), start);
                }
                case STARTING, RUNNING, COMPLETED, BROKEN -> null;
            };
        }

        /**
         * Whether another one says the same, whatever the figures in a reason, but for a window that has hardly moved.
         */
        public boolean isNear(Waiting other) {
            return reason.equals(other.reason)
                    && (reasonStatement.equals(other.reasonStatement)
                            || switch (reasonStatement) {
                                case Refusal refusal ->
                                    other.reasonStatement instanceof Refusal before && refusal.isLike(before);
                                case Until(long second) ->
                                    other.reasonStatement instanceof Until(long before)
                                            && Math.abs(second - before) < GangRecord.NEARLY;
                                default -> false;
                            });
        }
    }
}
