package io.slotwise.core.gang;

import io.slotwise.core.text.Keyed;

/** The purchase of nodes for a gang, if the policy buys any. */
public enum Provision implements Keyed {
    /** None are bought. The gang may use what others leave idle. */
    NEVER,
    /** Nodes are bought if that is better for the gang. */
    ALLOWED,
    ONLY
}
