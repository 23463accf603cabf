package io.slotwise.live;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.ledger.Tariff;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.resource.Share;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
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
        Map<String, PodRequest> requests = planned.gang().requests();
        return Tariff.of(planned.window(), place -> rate(place, requests));
    }

    private StepFunction rate(Placement place, Map<String, PodRequest> requests) {
        Node node = Objects.requireNonNull(nodes.get(place.node()), place.node());
        Resources request =
                Objects.requireNonNull(requests.get(place.pod()), place.pod()).resources();
        Share share = wholeNode ? Share.ALL : request.dominantShareOf(node.allocatable());
        return share.of(node.price());
    }
}
