package io.slotwise.core.gang;

/** What a gang wants to be least. */
public enum Criterion {
    START("start"),
    FINISH("finish"),
    RUNTIME("runtime"),
    COST("cost"),
    PROCESSOR_TIME("processor-time"),
    ENERGY("energy"),
    /** The cost and what the time from the arrival to the end is worth to the gang. */
    VALUE("value");

    private final String key;

    Criterion(String key) {
        this.key = key;
    }

    /** The name that users write. */
    public String key() {
        return key;
    }
}
