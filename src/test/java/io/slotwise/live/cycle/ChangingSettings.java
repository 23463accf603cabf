package io.slotwise.live.cycle;

import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;

/** Settings that a test changes. As with a file, a change takes effect with the next cycle. */
public final class ChangingSettings implements CurrentSettings {
    private LoopSettings inForce;
    private LoopSettings written;

    public ChangingSettings(LoopSettings first) {
        inForce = first;
        written = first;
    }

    void write(LoopSettings settings) {
        written = settings;
    }

    @Override
    public LoopSettings get() {
        return inForce;
    }

    @Override
    public LoopSettings renewed() {
        inForce = written;
        return inForce;
    }
}
