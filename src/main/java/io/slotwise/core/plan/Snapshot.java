package io.slotwise.core.plan;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.Move;
import io.slotwise.core.migration.Running;
import io.slotwise.core.time.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that a cycle is planned from.
 *
 * @param now the first second in which a window may start, since the epoch
 * @param cluster nodes and what runs on them
 * @param requests the gangs that have not started, in any order
 * @param held gangs that cannot be planned, and why; the plan lists them too
 * @param accounts what namespaces have left in their periods, before the promises of {@code requests} are charged; a window
 *     is charged with its whole cost to the account whose period has its start, and to none where there is no such period
 * @param running gangs that run and may be moved; their room is among the occupations of the cluster, their promised cost is
 *     charged
 */
public record Snapshot(
        long now,
        Cluster cluster,
        List<Request> requests,
        List<Pending> held,
        List<Account> accounts,
        List<Running> running) {
    public Snapshot {
        requests = List.copyOf(requests);
        held = List.copyOf(held);
        accounts = List.copyOf(accounts);
        running = List.copyOf(running);
    }

    /** A snapshot in which no gang that runs may be moved. */
    public Snapshot(long now, Cluster cluster, List<Request> requests, List<Pending> held, List<Account> accounts) {
        this(now, cluster, requests, held, accounts, List.of());
    }

    /** A snapshot in which no namespace has a budget. */
    public Snapshot(long now, Cluster cluster, List<Request> requests, List<Pending> held) {
        this(now, cluster, requests, held, List.of());
    }

    /** The cluster in which gangs that are moved give up their room. */
    public Cluster after(List<Move> moves) {
        Set<GangId> moved = moves.stream().map(move -> move.gang().id()).collect(Collectors.toSet());
        List<Running> leaving = running.stream()
                .filter(gang -> moved.contains(gang.gang().id()))
                .toList();
        Set<Occupation> left =
                leaving.stream().flatMap(gang -> gang.room().stream()).collect(Collectors.toSet());
        return new Cluster(
                cluster.nodes(),
                Stream.concat(
                                cluster.occupations().stream().filter(held -> !left.contains(held)),
                                leaving.stream().flatMap(gang -> gang.roomUntilGone(now).stream()))
                        .toList());
    }

    /**
     * The snapshot once the plan that was made of it is published: every gang that it gives a window has that as its promise,
     * those that it moves hold their new room.
     */
    public Snapshot published(Plan plan) {
        Map<GangId, Planned> windows = plan.windows().stream()
                .collect(Collectors.toMap(planned -> planned.gang().id(), planned -> planned));
        List<Request> promised = requests.stream()
                .map(request -> new Request(request.gang(), promise(request, windows)))
                .toList();
        Cluster left = after(plan.moves());
        List<Occupation> room = new ArrayList<>(left.occupations());
        plan.moves()
                .forEach(move -> move.to()
                        .placements()
                        .forEach(seat -> room.add(new Occupation(
                                move.gang().id().namespace() + "/" + seat.pod(),
                                seat.node(),
                                move.gang().requestOf(seat.pod()).resources(),
                                new Interval(seat.start(), seat.end())))));
        return new Snapshot(now, new Cluster(left.nodes(), room), promised, held, accounts, List.of());
    }

    private static @Nullable Promise promise(Request request, Map<GangId, Planned> windows) {
        Planned planned = windows.get(request.gang().id());
        Promise before = request.promise();
        return planned == null
                ? null
                : new Promise(planned.window(), planned.via(), before != null && before.released());
    }

    /** The same with other requests. */
    public Snapshot with(List<Request> others) {
        return new Snapshot(now, cluster, others, held, accounts, running);
    }

    /** The same with other accounts. */
    public Snapshot charging(List<Account> others) {
        return new Snapshot(now, cluster, requests, held, others, running);
    }

    /** The same with other gangs that may be moved. */
    public Snapshot moving(List<Running> others) {
        return new Snapshot(now, cluster, requests, held, accounts, others);
    }
}
