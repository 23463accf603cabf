package io.slotwise.core.combination;

/** What the choice of one alternative per gang serves, over the whole batch. */
public enum Objective {
    /** Every gang by its own criterion: the least total loss of utility. */
    USER("user"),
    /** The most that the owners earn. */
    MAX_INCOME("max-income"),
    /** The least that the batch costs. */
    MIN_COST("min-cost"),
    /** The least processor time. */
    MIN_PROCESSOR_TIME("min-processor-time"),
    /** The most processor time, so that nodes are idle least. */
    MAX_PROCESSOR_TIME("max-processor-time"),
    /** The least sum of what the batch costs and what its delays are worth to the gangs. */
    MAX_VALUE("max-value");

    private final String key;

    Objective(String key) {
        this.key = key;
    }

    /** The name that admins write. */
    public String key() {
        return key;
    }
}
