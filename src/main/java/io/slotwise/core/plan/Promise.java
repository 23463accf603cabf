package io.slotwise.core.plan;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.window.Window;
import org.jspecify.annotations.Nullable;

/**
 * A window that was published: it moves only for the better, or for a cause; with slack also within that.
 *
 * @param window as published, with its frozen prices
 * @param via which part of the cycle gave it
 * @param released the gang's pods are on their way to their nodes: the window is kept as it is while it holds
 * @param by what binds where the window is only expected; null: the window itself
 */
public record Promise(
        Window window, Via via, boolean released, @Nullable Bound by) {
    /** A promise without slack. */
    public Promise(Window window, Via via, boolean released) {
        this(window, via, released, null);
    }

    /** The same with another window. */
    public Promise with(Window other) {
        return new Promise(other, via, released, by);
    }

    /** The same with pods that are on their way, or not. */
    public Promise released(boolean onTheirWay) {
        return new Promise(window, via, onTheirWay, by);
    }

    /** The latest start and end that are promised, and the most that it costs. */
    public Bound bound() {
        return by == null ? Bound.of(window) : by;
    }

    /** Whether another window of the gang keeps what is promised. */
    public boolean keeps(Window other, Gang gang) {
        return by == null ? other.keeps(window, gang) : by.holds(other);
    }
}
