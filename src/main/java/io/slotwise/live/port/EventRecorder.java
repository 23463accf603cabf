package io.slotwise.live.port;

import io.slotwise.core.plan.RefusalKind;
import io.slotwise.core.text.ReasonStatement;
import io.slotwise.core.text.SafeText;
import io.slotwise.live.record.GangRecord;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Port: tells users what happened. It never fails; messages that cannot be delivered are logged. */
public interface EventRecorder {
    /** Announces an event on the gang's record, and on those of its pods that do not show it otherwise. */
    void announce(GangRecord record, Announcement announcement);

    /** Announces a notice on its object. */
    void notice(ClusterView.Notice notice);

    /** Shows all notices of a cycle on objects that have conditions for them. */
    default void show(Collection<ClusterView.Notice> notices) {}

    /**
     * An event of a gang.
     *
     * @param reasonStatement what happened; it may name gangs of other namespaces, so a recorder leaves out what its
     *     readers may not see
     */
    record Announcement(Reason reason, ReasonStatement reasonStatement) {
        /** Creates an announcement whose words name nothing of another namespace. */
        public Announcement(Reason reason, String words) {
            this(reason, ReasonStatement.of(words));
        }

        /** Returns the same for readers who see these namespaces. */
        public Announcement asSeen(Predicate<String> namespaces) {
            return new Announcement(reason, reasonStatement.asSeen(namespaces));
        }

        /** Returns the topic, which is announced once to a gang. Null if every occurrence is announced. */
        public @Nullable String topic() {
            return reasonStatement.topic();
        }

        /** Returns one sentence. */
        public String message() {
            return SafeText.line(reasonStatement.message());
        }
    }

    /** The kinds of events. */
    enum Reason {
        WINDOW_PROMISED("WindowPromised", false),
        WINDOW_IMPROVED("WindowImproved", false),
        /** The window has other nodes at the same time and price, so that another gang can start sooner. */
        WINDOW_MOVED("WindowMoved", false),
        WINDOW_BROKEN("WindowBroken", true),
        GANG_STARTED("GangStarted", false),
        /** Late pods have not come, and the room kept for them is given up. */
        LATE_PODS_GIVEN_UP("LateSeatsGivenUp", true),
        OVERRUN_EVICTED("OverrunEvicted", true),
        /** The namespace cannot pay for the time past a promised end. */
        OVERRUN_UNPAID("OverrunUnpaid", true),
        EVICTION_REFUSED("EvictionRefused", true),
        HOLD_ENDED("HoldEnded", false),
        OVER_BUDGET("OverBudget", true),
        NO_WINDOW("NoWindow", true),
        INVALID_REQUEST("InvalidRequest", true),
        /** The API server refuses a write about the gang. */
        WRITE_REFUSED("WriteRefused", true),
        INTERNAL_ERROR("InternalError", true);

        private final String key;
        private final boolean warning;

        Reason(String key, boolean warning) {
            this.key = key;
            this.warning = warning;
        }

        /** Returns the event for a reason to wait. Null if there is none. */
        public static @Nullable Reason of(RefusalKind kind) {
            return Arrays.stream(values())
                    .filter(reason -> reason.key.equals(kind.event()))
                    .findFirst()
                    .orElse(null);
        }

        /** Returns whether this is a reason to wait, which is also in the record. */
        public boolean isWait() {
            return Arrays.stream(RefusalKind.values()).anyMatch(kind -> key.equals(kind.event()));
        }

        public String key() {
            return key;
        }

        /** Returns whether a user may have to act. */
        public boolean warning() {
            return warning;
        }
    }
}
