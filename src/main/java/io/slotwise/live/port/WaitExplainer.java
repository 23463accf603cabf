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
 * Port: shows on the pods of long waiting gangs why and until when they wait. Returns at once and never fails; errors
 * are logged.
 */
@FunctionalInterface
public interface WaitExplainer {
    public WaitExplainer SILENT = waiting -> {};

    /** Replaces the set of waiting gangs at the end of a cycle. */
    void explain(Collection<Waiting> waiting);

    /**
     * A waiting gang.
     *
     * @param reason one word in camel case, never the one for which autoscalers buy nodes
     * @param reasonStatement a statement that does not mention anything of another namespace
     */
    record Waiting(GangId gang, String reason, ReasonStatement reasonStatement) {
        /** The gang has a window that has not begun. */
        public static final String FOR_WINDOW = "WaitingForWindow";

        /** Autoscalers assume that a pod with this reason would run with one more node. */
        private static final String BUYS_NODES = "Unschedulable";

        /**
         * The number of seconds before the start of its window in which a gang's pods are not written to. A write to a
         * pod during its binding would make a second try necessary.
         */
        private static final long SOON = 5;

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

        /** Returns a gang that waits for its promised window, which starts at a second since the epoch. */
        public static Waiting forWindow(GangId gang, long start) {
            return new Waiting(gang, FOR_WINDOW, new Until(start));
        }

        /** Returns one sentence. */
        public String message() {
            return reasonStatement.message();
        }

        /** Returns the gangs that wait at second {@code now}. */
        public static List<Waiting> among(Collection<GangRecord> records, long now) {
            List<Waiting> waiting = new ArrayList<>();
            for (GangRecord record : records) {
                Waiting waitingGang = record.ownership().isHeld() ? null : of(record, now);
                if (waitingGang != null) {
                    waiting.add(waitingGang);
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
         * Returns whether another explanation is the same apart from figures. If both wait for a window, the starts
         * must be nearly the same.
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
