package io.slotwise.live.settings;

/**
 * Port: what an admin has set, which may change while the replica runs.
 *
 * <p>Code that acts over time asks each time that it acts. A cycle asks once, as it begins, and goes by that answer
 * until its plan is published.
 */
public interface CurrentSettings {
    /** The settings in force; the same until the next {@link #renewed}. */
    LoopSettings get();

    /**
     * The settings in force after a look at what the admin has written. What cannot be used is told to the admin and
     * changes nothing: this never fails. Called as a cycle begins.
     */
    LoopSettings renewed();

    /** Settings that never change. */
    static CurrentSettings fixed(LoopSettings settings) {
        return new CurrentSettings() {
            @Override
            public LoopSettings get() {
                return settings;
            }

            @Override
            public LoopSettings renewed() {
                return settings;
            }
        };
    }
}
