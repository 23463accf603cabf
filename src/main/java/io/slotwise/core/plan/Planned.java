package io.slotwise.core.plan;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Predecessors;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.window.Window;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A gang with its window.
 *
 * @param origin which part of the cycle gave it
 * @param kept true if this is the promise that the gang already had, unchanged
 * @param bound what is promised where the window is only expected; null: the window itself
 * @param orders the nodes that are bought for it in this plan
 */
@RecordBuilder
public record Planned(
        Gang gang,
        Window window,
        WindowOrigin origin,
        boolean kept,
        @Nullable PromiseBound bound,
        List<PurchaseOrder> orders)
        implements PlannedBuilder.With {
    public Planned {
        orders = List.copyOf(orders);
    }

    public Planned(Gang gang, Window window, WindowOrigin origin, boolean kept) {
        this(gang, window, origin, kept, null, List.of());
    }

    /** The same for a reader who sees these namespaces: of others it does not say what it starts after. */
    public Planned asSeen(Predicate<String> namespaces) {
        Predecessors after = gang.after();
        List<GangId> seen = after.gangs().stream()
                .filter(before -> namespaces.test(before.namespace()))
                .toList();
        return seen.size() == after.gangs().size()
                ? this
                : withGang(gang.after(new Predecessors(seen, after.transferBytes(), after.over())));
    }

    /** As it is promised; {@code released}: its pods are on their way. */
    public Promise promise(boolean released) {
        return new Promise(window, origin, released, bound, orders);
    }
}
