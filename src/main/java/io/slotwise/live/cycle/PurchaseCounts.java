package io.slotwise.live.cycle;

import io.slotwise.core.plan.Promise;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.live.port.NodeSupplier.State;
import io.slotwise.live.port.NodeSupplier.Supplied;
import io.slotwise.live.port.PurchaseRecorder;
import io.slotwise.live.port.PurchaseRecorder.Failure;
import io.slotwise.live.port.PurchaseRecorder.Nodes;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts what becomes of bought nodes, by what differs from one cycle to the next: of what happened before this replica
 * planned nothing is counted.
 */
final class PurchaseCounts {
    private final PurchaseRecorder recorder;
    /** What is bought, by name, as long as it is there. */
    private final Map<String, PurchaseOrder> orders = new HashMap<>();

    private final Set<String> givenUp = new HashSet<>();
    private @Nullable SortedMap<String, Supplied> before;
    private long last;

    PurchaseCounts(PurchaseRecorder recorder) {
        this.recorder = recorder;
    }

    /** What is there in this second. */
    void observe(SortedMap<String, Supplied> nodes, Collection<GangRecord> standings, long now) {
        Set<String> planned = new HashSet<>();
        Set<String> busy = new HashSet<>();
        orders.keySet().retainAll(nodes.keySet());
        for (GangRecord standing : standings) {
            Promise promise = standing.promise();
            if (promise == null) {
                continue;
            }
            promise.orders().forEach(order -> orders.put(order.node(), order));
            if (standing.phase() == Phase.PROMISED) {
                promise.orders().stream()
                        .map(PurchaseOrder::node)
                        .filter(name -> promise.window().isOn(name) && !nodes.containsKey(name))
                        .forEach(planned::add);
            } else if (standing.phase() == Phase.STARTING || standing.phase() == Phase.RUNNING) {
                promise.window().placements().forEach(seat -> busy.add(seat.node()));
            }
        }
        if (before != null) {
            compare(before, nodes, busy, now);
        }
        givenUp.retainAll(nodes.keySet());
        before = new TreeMap<>(nodes);
        last = now;
        show(nodes.values(), planned.size(), busy);
    }

    private void compare(
            SortedMap<String, Supplied> known, SortedMap<String, Supplied> nodes, Set<String> busy, long now) {
        nodes.forEach((name, node) -> {
            Supplied earlier = known.get(name);
            PurchaseOrder order = orders.get(name);
            if (order != null
                    && !node.node().isEmpty()
                    && (earlier == null || earlier.node().isEmpty())) {
                recorder.paid(order.offer(), order.bill());
            }
            boolean stood = earlier != null && earlier.state() == State.READY && node.state() == State.READY;
            if (order != null && stood && !busy.contains(node.node()) && now > last) {
                recorder.idle(order.offer(), now - last);
            }
        });
        known.forEach((name, node) -> {
            Supplied later = nodes.get(name);
            PurchaseOrder order = orders.get(name);
            boolean left = later == null || later.isLost();
            if (order != null && !node.node().isEmpty() && left && !givenUp.contains(name)) {
                recorder.failed(order.offer(), Failure.LOST);
            }
        });
    }

    private void show(Collection<Supplied> nodes, int planned, Set<String> busy) {
        int starting = 0;
        int idle = 0;
        int taken = 0;
        for (Supplied node : nodes) {
            if (node.state() == State.COMING) {
                starting++;
            } else if (node.state() == State.READY && busy.contains(node.node())) {
                taken++;
            } else if (node.state() == State.READY) {
                idle++;
            }
        }
        recorder.holding(new Nodes(planned, starting, idle, taken));
    }

    /** What is bought under a name; null: it is not there, or was bought before this replica planned. */
    @Nullable
    PurchaseOrder order(String name) {
        return orders.get(name);
    }

    /** A node is given up on purpose. */
    void givenUp(String name) {
        givenUp.add(name);
    }

    /** Another replica counts from now on. */
    void forget() {
        orders.clear();
        givenUp.clear();
        before = null;
    }
}
