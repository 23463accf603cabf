package io.slotwise.core.plan;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.provision.Acquisition;
import io.slotwise.core.window.Window;
import org.jspecify.annotations.Nullable;

/**
 * The window that a gang would have on bought nodes, and its window without them.
 *
 * @param waitingWindow the gang's window in the plan on existing nodes, or null
 */
public record PurchaseAdvice(
        Gang gang, Acquisition acquisition, @Nullable Window waitingWindow) {}
