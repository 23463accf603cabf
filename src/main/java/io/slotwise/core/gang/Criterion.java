package io.slotwise.core.gang;

/** What a gang wants to be least. */
public enum Criterion {
    START("start", true),
    FINISH("finish", false),
    RUNTIME("runtime", false),
    COST("cost", true),
    PROCESSOR_TIME("processor-time", false),
    ENERGY("energy", false);

    private final String key;
    private final boolean supported;

    Criterion(String key, boolean supported) {
        this.key = key;
        this.supported = supported;
    }

    /** The name that users write. */
    public String key() {
        return key;
    }

    /** Whether this version has a search for it. */
    public boolean supported() {
        return supported;
    }
}
