package io.slotwise.core.plan;

import io.slotwise.core.gang.Gang;
import org.jspecify.annotations.Nullable;

/**
 * A gang that has not started.
 *
 * @param gang what it asks for
 * @param promise what it was promised; null: nothing yet
 */
public record Request(Gang gang, @Nullable Promise promise) {}
