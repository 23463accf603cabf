package io.slotwise.lab.simulation;

/**
 * The load of a machine in one second. Capacity is in processors or, for nodes, in milli-cores.
 *
 * @param capacity without absent nodes
 * @param price the mean price of the capacity, millionths of the currency unit per hour of a processor
 */
public record MachineLoad(long capacity, long busy, long price) {
    /** Returns the unused capacity; 0 if more is taken than exists. */
    public long idle() {
        return Math.max(0, capacity - busy);
    }
}
