package io.slotwise.live.settings;

/**
 * Port: the admin's settings, which may change while the replica runs.
 *
 * <p>Code that acts over time asks at each action. A cycle asks once at its beginning, and uses that answer until its
 * plan is published.
 */
public interface CurrentSettings {
    /** Returns the settings in force, which stay the same until the next {@link #renewed}. */
    LoopSettings get();

    /**
     * Reads the admin's settings and returns those in force. Invalid settings are reported to the admin and change
     * nothing: this never fails. Called at the beginning of a cycle.
     */
    LoopSettings renewed();

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
