package io.slotwise.core.plan;

import io.slotwise.core.gang.GangId;

/**
 * A gang without a window.
 *
 * @param gang which
 * @param refusal why
 */
public record Pending(GangId gang, Refusal refusal) {}
