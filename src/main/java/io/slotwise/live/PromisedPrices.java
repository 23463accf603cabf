package io.slotwise.live;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.ledger.Tariff;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.resource.Share;
import io.slotwise.core.time.StepFunction;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The prices at which a plan's windows are promised: those of the nodes as the snapshot has them. */
final class PromisedPrices {
    private final Map<String, Node> nodes = new HashMap<>();
    private final boolean wholeNode;

    PromisedPrices(Snapshot snapshot, Policy policy) {
        snapshot.cluster().nodes().forEach(node -> nodes.put(node.name(), node));
        wholeNode = policy.charge() == Policy.Charge.WHOLE_NODE;
    }

    /** The prices of a window that is new in the plan. */
    Tariff of(Planned planned) {
        Resources request = planned.gang().request().resources();
        return Tariff.of(planned.window(), name -> rate(name, request));
    }

    private StepFunction rate(String name, Resources request) {
        Node node =
                Objects.requireNonNull(nodes.get(name), () -> "The node (%s) must be planned with.".formatted(name));
        Share share = wholeNode ? Share.ALL : request.dominantShareOf(node.allocatable());
        return share.of(node.price());
    }
}
