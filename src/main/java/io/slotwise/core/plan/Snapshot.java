package io.slotwise.core.plan;

import io.slotwise.core.cluster.Cluster;
import java.util.List;

/**
 * All that a cycle is planned from.
 *
 * @param now the first second in which a window may start, since the epoch
 * @param cluster nodes and what runs on them
 * @param requests the gangs that have not started, in any order
 * @param held gangs that cannot be planned, and why; the plan lists them too
 */
public record Snapshot(long now, Cluster cluster, List<Request> requests, List<Pending> held) {
    public Snapshot {
        requests = List.copyOf(requests);
        held = List.copyOf(held);
    }
}
