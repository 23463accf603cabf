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

/** Counts the events of bought nodes, by comparing two cycles. Events before this replica planned are not counted. */
final class PurchaseCounts {
    private final PurchaseRecorder recorder;
    /** The orders of existing nodes, by name. */
    private final Map<String, PurchaseOrder> orders = new HashMap<>();

    private final Set<String> givenUp = new HashSet<>();
    private @Nullable SortedMap<String, Supplied> before;
    private long last;

    PurchaseCounts(PurchaseRecorder recorder) {
        this.recorder = recorder;
    }

    /** Counts the events since the previous call. */
    void observe(SortedMap<String, Supplied> nodes, Collection<GangRecord> records, long now) {
        Set<String> planned = new HashSet<>();
        Set<String> busy = new HashSet<>();
        orders.keySet().retainAll(nodes.keySet());
        for (GangRecord record : records) {
            Promise promise = record.promise();
            if (promise == null) {
                continue;
            }
            promise.orders().forEach(order -> orders.put(order.node(), order));
            if (record.phase() == Phase.PROMISED) {
                promise.orders().stream()
                        .map(PurchaseOrder::node)
                        .filter(name -> promise.window().isOn(name) && !nodes.containsKey(name))
                        .forEach(planned::add);
            } else if (record.phase() == Phase.STARTING || record.phase() == Phase.RUNNING) {
                promise.window().placements().forEach(placement -> busy.add(placement.node()));
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
        nodes.forEach((name, supplied) -> {
            Supplied earlier = known.get(name);
            PurchaseOrder order = orders.get(name);
            if (order != null
                    && !supplied.node().isEmpty()
                    && (earlier == null || earlier.node().isEmpty())) {
                recorder.paid(order.offer(), order.bill());
            }
            boolean stood = earlier != null && earlier.state() == State.READY && supplied.state() == State.READY;
            if (order != null && stood && !busy.contains(supplied.node()) && now > last) {
                recorder.idle(order.offer(), now - last);
            }
        });
        known.forEach((name, supplied) -> {
            Supplied later = nodes.get(name);
            PurchaseOrder order = orders.get(name);
            boolean left = later == null || later.isLost();
            if (order != null && !supplied.node().isEmpty() && left && !givenUp.contains(name)) {
                recorder.failed(order.offer(), Failure.LOST);
            }
        });
    }

    private void show(Collection<Supplied> nodes, int planned, Set<String> busy) {
        int starting = 0;
        int idle = 0;
        int taken = 0;
        for (Supplied supplied : nodes) {
            if (supplied.state() == State.COMING) {
                starting++;
            } else if (supplied.state() == State.READY && busy.contains(supplied.node())) {
                taken++;
            } else if (supplied.state() == State.READY) {
                idle++;
            }
        }
        recorder.holding(new Nodes(planned, starting, idle, taken));
    }

    /** Returns the order of a node. Null if the node does not exist, or was bought before this replica planned. */
    @Nullable
    PurchaseOrder order(String name) {
        return orders.get(name);
    }

    void givenUp(String name) {
        givenUp.add(name);
    }

    void forget() {
        orders.clear();
        givenUp.clear();
        before = null;
    }
}
