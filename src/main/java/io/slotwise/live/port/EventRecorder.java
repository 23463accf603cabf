package io.slotwise.live.port;

import io.slotwise.core.plan.RefusalKind;
import io.slotwise.core.text.ReasonStatement;
import io.slotwise.core.text.SafeText;
import io.slotwise.live.record.GangRecord;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Port: tells people what happened. It never fails: what cannot be told is logged. */
public interface EventRecorder {
    /** Tells it on the gang's record, and on those of its pods that do not say so otherwise. */
    void announce(GangRecord record, Announcement announcement);

    /** Tells it on one object. */
    void notice(ClusterView.Notice notice);

    /**
     * What happened to a gang.
     *
     * @param reason which kind
     * @param reasonStatement what happened; it may name gangs of other namespaces, so a recorder that writes it down
     *     leaves out what its readers may not see
     */
    record Announcement(Reason reason, ReasonStatement reasonStatement) {
        /** What happened in words that name nothing of another namespace. */
        public Announcement(Reason reason, String words) {
            this(reason, ReasonStatement.of(words));
        }

        /** The same for readers who see these namespaces. */
        public Announcement asSeen(Predicate<String> namespaces) {
            return new Announcement(reason, reasonStatement.asSeen(namespaces));
        }

        /** What it is about, of which a gang is told once; null: it is told each time. */
        public @Nullable String topic() {
            return reasonStatement.topic();
        }

        /** One sentence. */
        public String message() {
            return SafeText.line(reasonStatement.message());
        }
    }

    /** Kinds of things that happen to gangs. */
    enum Reason {
        WINDOW_PROMISED("WindowPromised", false),
        WINDOW_IMPROVED("WindowImproved", false),
        /** Other nodes at the same time for the same money: another gang starts sooner by that. */
        WINDOW_MOVED("WindowMoved", false),
        WINDOW_BROKEN("WindowBroken", true),
        GANG_STARTED("GangStarted", false),
        /** The room that was kept for pods that come late, which have not come. */
        LATE_SEATS_GIVEN_UP("LateSeatsGivenUp", true),
        OVERRUN_EVICTED("OverrunEvicted", true),
        /** The namespace cannot pay for the time past a promised end. */
        OVERRUN_UNPAID("OverrunUnpaid", true),
        EVICTION_REFUSED("EvictionRefused", true),
        HOLD_ENDED("HoldEnded", false),
        OVER_BUDGET("OverBudget", true),
        NO_WINDOW("NoWindow", true),
        INVALID_REQUEST("InvalidRequest", true),
        /** The API server refuses what Slotwise has to write about the gang. */
        WRITE_REFUSED("WriteRefused", true),
        INTERNAL_ERROR("InternalError", true);

        private final String key;
        private final boolean warning;

        Reason(String key, boolean warning) {
            this.key = key;
            this.warning = warning;
        }

        /** The one that tells a reason to wait; null: no reader is told. */
        public static @Nullable Reason of(RefusalKind kind) {
            return Arrays.stream(values())
                    .filter(reason -> reason.key.equals(kind.event()))
                    .findFirst()
                    .orElse(null);
        }

        /** Whether it says why a gang waits: its record has the sentence, too. */
        public boolean isWait() {
            return Arrays.stream(RefusalKind.values()).anyMatch(kind -> key.equals(kind.event()));
        }

        /** The name in events. */
        public String key() {
            return key;
        }

        /** Whether someone may have to act. */
        public boolean warning() {
            return warning;
        }
    }
}
