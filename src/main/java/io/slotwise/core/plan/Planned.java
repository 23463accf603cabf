package io.slotwise.core.plan;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Predecessors;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Window;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A gang with its window.
 *
 * @param kept true if this is the unchanged promise of the gang
 * @param bound what is promised if the window is only expected, or null for the window itself
 * @param orders the nodes that this plan buys for the gang
 * @param borrowed from the first to the last second in which the gang uses what other queues are guaranteed, or null
 */
@RecordBuilder
public record Planned(
        Gang gang,
        Window window,
        WindowOrigin origin,
        boolean kept,
        @Nullable PromiseBound bound,
        List<PurchaseOrder> orders,
        @Nullable Interval borrowed)
        implements PlannedBuilder.With {
    public Planned {
        orders = List.copyOf(orders);
    }

    public Planned(Gang gang, Window window, WindowOrigin origin, boolean kept) {
        this(gang, window, origin, kept, null, List.of(), null);
    }

    /** Returns the gang without predecessors in namespaces that a reader may not see. */
    public Planned asSeen(Predicate<String> namespaces) {
        Predecessors after = gang.after();
        List<GangId> seen = after.gangs().stream()
                .filter(before -> namespaces.test(before.namespace()))
                .toList();
        return seen.size() == after.gangs().size()
                ? this
                : withGang(gang.after(new Predecessors(seen, after.transferBytes(), after.over())));
    }

    /** Returns the promise. {@code released} means that the gang's pods are on their way. */
    public Promise promise(boolean released) {
        return new Promise(window, origin, released, bound, orders, borrowed);
    }
}
