package io.slotwise.core.plan;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.window.Window;
import org.jspecify.annotations.Nullable;

/**
 * A gang with its window.
 *
 * @param gang which
 * @param window when, where and for how much
 * @param via which part of the cycle gave it
 * @param kept true if this is the promise that the gang already had, unchanged
 * @param by what is promised where the window is only expected; null: the window itself
 */
public record Planned(
        Gang gang,
        Window window,
        WindowOrigin via,
        boolean kept,
        @Nullable PromiseBound by) {
    /** One that is promised its window. */
    public Planned(Gang gang, Window window, WindowOrigin via, boolean kept) {
        this(gang, window, via, kept, null);
    }

    /** As it is promised; {@code released}: its pods are on their way. */
    public Promise promise(boolean released) {
        return new Promise(window, via, released, by);
    }
}
