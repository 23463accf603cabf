package io.slotwise.live;

/** Settings that a test changes; as with a file, a change is in force from the next cycle on. */
final class ChangingSettings implements CurrentSettings {
    private Settings inForce;
    private Settings written;

    ChangingSettings(Settings first) {
        inForce = first;
        written = first;
    }

    void write(Settings settings) {
        written = settings;
    }

    @Override
    public Settings get() {
        return inForce;
    }

    @Override
    public Settings renewed() {
        inForce = written;
        return inForce;
    }
}
