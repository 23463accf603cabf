package io.slotwise.core.gang;

import io.slotwise.core.text.Keyed;

/** Whether nodes are bought for a gang, where the policy buys any. */
public enum Provision implements Keyed {
    /** None is; it may use what others leave idle. */
    NEVER,
    /** If that is better for it. */
    ALLOWED,
    /** It runs on bought nodes alone. */
    ONLY
}
