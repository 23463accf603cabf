package io.slotwise.core.plan;

/**
 * The start that a gang was promised first, in seconds since the epoch. What is told of promises everywhere is one
 * figure: of the gangs that started, those that {@link #isKept started by what was promised}.
 *
 * @param start that was expected
 * @param by the latest start that was promised
 */
public record FirstPromise(long start, long by) {
    public FirstPromise {
        by = Math.max(start, by);
    }

    /** A promise without slack. */
    public FirstPromise(long start) {
        this(start, start);
    }

    /** The first promise of a gang that has this one. */
    public static FirstPromise of(Promise promise) {
        return new FirstPromise(promise.window().start(), promise.bound().start());
    }

    /** Whether a gang that started in this second started by what was promised. */
    public boolean isKept(long started) {
        return started <= by;
    }
}
