package io.slotwise.core.plan;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.resource.Share;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The prices at which a plan's windows are promised: those of the nodes as the snapshot has them. */
public final class PromisedPrices {
    private final Map<String, Node> nodes = new HashMap<>();
    private final boolean wholeNode;

    /** The prices of a snapshot's nodes. */
    public PromisedPrices(Snapshot snapshot, Policy policy) {
        this(snapshot.cluster().nodes(), policy);
    }

    /** The prices of these nodes. */
    public PromisedPrices(Collection<Node> cluster, Policy policy) {
        cluster.forEach(node -> nodes.put(node.name(), node));
        wholeNode = policy.charge() == Policy.Charge.WHOLE_NODE;
    }

    /** The prices of a window that is new in the plan. */
    public PromiseTariff of(Planned planned) {
        Map<String, PodRequest> requests = planned.gang().requests();
        return PromiseTariff.of(planned.window(), place -> rate(place, requests));
    }

    /** The prices of the window that a request has been promised. */
    public PromiseTariff of(Request request) {
        Promise promise = Objects.requireNonNull(request.promise());
        return of(new Planned(request.gang(), promise.window(), promise.via(), true, promise.by()));
    }

    private StepFunction rate(Placement place, Map<String, PodRequest> requests) {
        return rate(
                place.node(),
                Objects.requireNonNull(requests.get(place.pod()), place.pod()).resources());
    }

    /** What a pod of this request pays on this node, millionths per hour, over time. */
    public StepFunction rate(String name, Resources request) {
        Node node = Objects.requireNonNull(nodes.get(name), name);
        Share share = wholeNode ? Share.ALL : request.dominantShareOf(node.allocatable());
        // A node that has shrunk since the promise has less than the pod asks for.
        return share.min(Share.ALL).of(node.price());
    }
}
