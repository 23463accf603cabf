package io.slotwise.core.plan;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.combination.Account;
import java.util.List;

/**
 * All that a cycle is planned from.
 *
 * @param now the first second in which a window may start, since the epoch
 * @param cluster nodes and what runs on them
 * @param requests the gangs that have not started, in any order
 * @param held gangs that cannot be planned, and why; the plan lists them too
 * @param accounts what namespaces have left in their periods, before the promises of {@code requests} are charged; a window
 *     is charged with its whole cost to the account whose period has its start, and to none where there is no such period
 */
public record Snapshot(long now, Cluster cluster, List<Request> requests, List<Pending> held, List<Account> accounts) {
    public Snapshot {
        requests = List.copyOf(requests);
        held = List.copyOf(held);
        accounts = List.copyOf(accounts);
    }

    /** A snapshot in which no namespace has a budget. */
    public Snapshot(long now, Cluster cluster, List<Request> requests, List<Pending> held) {
        this(now, cluster, requests, held, List.of());
    }

    /** The same with other requests. */
    public Snapshot with(List<Request> others) {
        return new Snapshot(now, cluster, others, held, accounts);
    }
}
