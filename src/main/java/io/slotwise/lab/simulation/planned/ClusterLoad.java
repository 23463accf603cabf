package io.slotwise.lab.simulation.planned;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.resource.Resources;
import io.slotwise.lab.simulation.MachineLoad;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The milli-cores of the present nodes, who has them, and what they cost, kept up to date with every change. O(1) a
 * change and a question, and O(log N) for each node whose price moves by itself. Not safe for threads.
 */
final class ClusterLoad {
    private final SortedMap<String, Node> calendars = new TreeMap<>();
    private long cores;
    private long flatPrice;
    private long busy;
    private long owners;

    /** A node comes. */
    void add(Node node) {
        cores += node.allocatable().get(Resources.CPU);
        if (node.price().isConstant()) {
            flatPrice = Math.addExact(flatPrice, node.price().min());
        } else {
            calendars.put(node.name(), node);
        }
    }

    /** A node goes that came. */
    void remove(Node node) {
        cores -= node.allocatable().get(Resources.CPU);
        if (calendars.remove(node.name()) == null) {
            flatPrice -= node.price().min();
        }
    }

    /** Something takes room on a present node; {@code byOwner}: a job of its owner. */
    void take(Resources amount, boolean byOwner) {
        change(amount.get(Resources.CPU), byOwner);
    }

    /** It gives the room back. */
    void give(Resources amount, boolean byOwner) {
        change(-amount.get(Resources.CPU), byOwner);
    }

    private void change(long milliCores, boolean byOwner) {
        if (byOwner) {
            owners += milliCores;
        } else {
            busy += milliCores;
        }
    }

    /** Milli-cores that jobs can have and those that they hold; the price of a core. */
    MachineLoad at(long now) {
        long price = flatPrice;
        for (Node node : calendars.values()) {
            price = Math.addExact(price, node.price().at(now));
        }
        return new MachineLoad(cores - owners, busy, cores == 0 ? 0 : Math.multiplyExact(price, 1000) / cores);
    }
}
