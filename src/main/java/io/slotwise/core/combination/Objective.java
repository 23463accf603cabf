package io.slotwise.core.combination;

import io.slotwise.core.text.Keyed;

/** What the choice of one alternative per gang serves, over the whole batch. */
public enum Objective implements Keyed {
    /** Every gang by its own criterion: the least total loss of utility. */
    USER,
    /** The most that the owners earn. */
    MAX_INCOME,
    /** The least that the batch costs. */
    MIN_COST,
    /** The least processor time. */
    MIN_PROCESSOR_TIME,
    /** The most processor time, so that nodes are idle least. */
    MAX_PROCESSOR_TIME,
    /** The least sum of what the batch costs and what its delays are worth to the gangs. */
    MAX_VALUE
}
