package io.slotwise.core.gang;

import java.util.Locale;

/** Whether nodes are bought for a gang, where the policy buys any. */
public enum Provision {
    /** None is; it may use what others leave idle. */
    NEVER,
    /** If that is better for it. */
    ALLOWED,
    /** It runs on bought nodes alone. */
    ONLY;

    /** The word in the annotation. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
