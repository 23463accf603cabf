package io.slotwise.core.plan;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.provision.Acquisition;
import io.slotwise.core.window.Window;
import org.jspecify.annotations.Nullable;

/**
 * What a gang would have with nodes that are bought, and what it has without.
 *
 * @param waitingWindow the window that it has in the plan on nodes that are there; null: it has none
 */
public record PurchaseAdvice(
        Gang gang, Acquisition acquisition, @Nullable Window waitingWindow) {}
