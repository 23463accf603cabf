package io.slotwise.live;

import io.slotwise.core.text.Shown;

/** Port: tells people what happened. It never fails: what cannot be told is logged. */
public interface Announcer {
    /** Tells it on the gang's record, and on those of its pods that do not say so otherwise. */
    void announce(Standing standing, Announcement announcement);

    /** Tells it on one object. */
    void notice(ClusterView.Notice notice);

    /**
     * What happened to a gang.
     *
     * @param reason which kind
     * @param message one sentence
     */
    record Announcement(Reason reason, String message) {
        public Announcement {
            message = Shown.line(message);
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
        HOLD_ENDED("HoldEnded", false),
        OVER_BUDGET("OverBudget", true),
        NO_WINDOW("NoWindow", true),
        INVALID_REQUEST("InvalidRequest", true),
        INTERNAL_ERROR("InternalError", true);

        private final String key;
        private final boolean warning;

        Reason(String key, boolean warning) {
            this.key = key;
            this.warning = warning;
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
