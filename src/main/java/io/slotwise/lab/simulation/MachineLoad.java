package io.slotwise.lab.simulation;

/**
 * A machine in one second. Capacity is counted in processors or, of nodes, in milli-cores.
 *
 * @param capacity what it has, nodes that are away not counted
 * @param price the mean price of the capacity, millionths of the currency unit per hour of a processor
 */
public record MachineLoad(long capacity, long busy, long price) {
    /** What no job uses; nothing while more is taken than there is. */
    public long idle() {
        return Math.max(0, capacity - busy);
    }
}
