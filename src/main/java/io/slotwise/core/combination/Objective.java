package io.slotwise.core.combination;

import io.slotwise.core.text.Keyed;

/** The objective of choosing one alternative per gang, over the whole batch. */
public enum Objective implements Keyed {
    /** Every gang by its own criterion: the least total loss of utility. */
    USER,
    /** The highest income of the owners. */
    MAX_INCOME,
    /** The least cost of the batch. */
    MIN_COST,
    /** The least processor time. */
    MIN_PROCESSOR_TIME,
    /** The most processor time, so that nodes are idle least. */
    MAX_PROCESSOR_TIME,
    /** The least sum of the batch's cost and the values of its delays. */
    MAX_VALUE
}
