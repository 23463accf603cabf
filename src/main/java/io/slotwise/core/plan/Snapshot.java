package io.slotwise.core.plan;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.TopologyLevels;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.migration.Move;
import io.slotwise.core.migration.Running;
import io.slotwise.core.money.Cost;
import io.slotwise.core.provision.NodeHoldings;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueUse;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Window;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The complete input of a cycle.
 *
 * @param now the first second in which a window may start, since the epoch
 * @param requests the gangs that have not started, in any order
 * @param held the gangs that cannot be planned; the plan lists them too
 * @param accounts what namespaces and queues have left in their periods, before the promises of {@code requests} are
 *     charged. The whole cost of a window is charged to each account of its namespace, its queue and the queues above
 *     whose period has its start.
 * @param running the running gangs that may be stopped; their room is among the occupations of the cluster, their
 *     promised cost is charged
 * @param used by holder of accounts, the cost of ended and running gangs, weighted by age, without namespaces and
 *     queues that used nothing; of a queue without those below it
 * @param ends what gangs may know of predecessors that are not in {@code requests}
 * @param holdings earlier purchases; a node that is on its way is among the nodes of the cluster
 * @param uses the part of their runtimes that gangs of a namespace have used lately, millionths, positive; a missing
 *     namespace has the policy's {@code batch.max-value.expected-use}
 * @param queues the queues with what their running gangs use, or null if there are none
 * @param queueBudgets the budgets of queues of the tree that have one, by name
 * @param levels the levels of the cluster
 */
@RecordBuilder
public record Snapshot(
        long now,
        Cluster cluster,
        List<Request> requests,
        List<Pending> held,
        List<Account> accounts,
        List<Running> running,
        Map<String, Cost> used,
        List<NodeOffer> offers,
        GangEnds ends,
        NodeHoldings holdings,
        Map<String, Integer> uses,
        @Nullable QueueState queues,
        Map<String, Allotment> queueBudgets,
        TopologyLevels levels)
        implements SnapshotBuilder.With {
    public Snapshot {
        requests = List.copyOf(requests);
        held = List.copyOf(held);
        accounts = List.copyOf(accounts);
        running = List.copyOf(running);
        used = Map.copyOf(used);
        offers = List.copyOf(offers);
        uses = Map.copyOf(uses);
        queueBudgets = Map.copyOf(queueBudgets);
    }

    /**
     * A snapshot without budgets, past use, running gangs that may be moved, purchases, and known ends of other gangs.
     */
    public Snapshot(long now, Cluster cluster, List<Request> requests, List<Pending> held) {
        this(
                now,
                cluster,
                requests,
                held,
                List.of(),
                List.of(),
                Map.of(),
                List.of(),
                GangEnds.NONE,
                NodeHoldings.NONE,
                Map.of(),
                null,
                Map.of(),
                TopologyLevels.NONE);
    }

    /** Returns the accounts with what pays for each gang. O(accounts log accounts + requests). */
    public AccountBalances balances() {
        return new AccountBalances(accounts, holders());
    }

    /** Returns the same, after the windows of a plan are charged. */
    public AccountBalances balances(Plan plan) {
        AccountBalances balances = balances();
        plan.windows().forEach(planned -> balances.charge(planned.window()));
        return balances;
    }

    /** Returns the holders whose accounts pay for a gang. */
    private Function<GangId, List<String>> holders() {
        Map<GangId, List<String>> queued = new HashMap<>();
        if (!queueBudgets.isEmpty()) {
            Stream.concat(requests.stream().map(Request::gang), running.stream().map(Running::gang))
                    .forEach(gang -> queued.put(gang.id(), holders(gang.id(), gang.queue())));
        }
        return gang -> queued.getOrDefault(gang, List.of(gang.namespace()));
    }

    /** Returns the holders whose accounts pay for a gang of a queue, which is null or unknown for none. */
    public List<String> holders(GangId gang, @Nullable String queue) {
        List<String> holders = new ArrayList<>(List.of(gang.namespace()));
        if (queues != null && queue != null) {
            queues.tree().payers(queue).forEach(above -> holders.add(Account.ofQueue(above)));
        }
        return holders;
    }

    /** Returns the cluster in which moved gangs have given up their room. */
    public Cluster after(List<Move> moves) {
        Set<GangId> moved = moves.stream().map(move -> move.gang().id()).collect(Collectors.toSet());
        List<Running> leaving = running.stream()
                .filter(running -> moved.contains(running.gang().id()))
                .toList();
        Set<Occupation> left =
                leaving.stream().flatMap(running -> running.room().stream()).collect(Collectors.toSet());
        return new Cluster(
                cluster.inventory(),
                Stream.concat(
                                cluster.occupations().stream().filter(occupation -> !left.contains(occupation)),
                                leaving.stream().flatMap(running -> running.roomUntilGone(now).stream()))
                        .toList());
    }

    /**
     * Returns the snapshot after its plan is published: every gang with a window has a promise of that window, and
     * moved gangs hold their new room.
     */
    public Snapshot published(Plan plan) {
        Map<GangId, Planned> windows = plan.windows().stream()
                .collect(Collectors.toMap(planned -> planned.gang().id(), planned -> planned));
        List<Request> promised = requests.stream()
                .map(request -> request.with(promise(request, windows)))
                .toList();
        return with(copy -> copy.cluster(moved(plan.moves()))
                .requests(promised)
                .running(List.of())
                .queues(queues == null ? null : moved(queues, plan.moves())));
    }

    /** Returns the queues with the use by the windows and the moves of a plan, or null if there are no queues. */
    public @Nullable QueueState queues(Plan plan) {
        return queues == null
                ? null
                : moved(queues, plan.moves())
                        .with(plan.windows().stream()
                                .flatMap(planned ->
                                        planned.gang().use(planned.window().interval()))
                                .toList());
    }

    /** Returns the queues in which moved gangs use their queues until they are gone, and in their new windows. */
    private QueueState moved(QueueState before, List<Move> moves) {
        QueueState after = before;
        for (Move move : moves) {
            Gang gang = move.gang();
            after = after.endingBy(gang.id().toString(), gone(gang.id()));
            if (move.targetWindow() != null) {
                after = after.with(gang.use(move.targetWindow().interval()).toList());
            }
        }
        return after;
    }

    private long gone(GangId gang) {
        return running.stream()
                .filter(runningGang -> runningGang.gang().id().equals(gang))
                .mapToLong(runningGang -> now + runningGang.timing().gone())
                .max()
                .orElse(now);
    }

    /** Returns the cluster in which moved gangs hold their new room; the same object if there are none. */
    private Cluster moved(List<Move> moves) {
        return moves.isEmpty()
                ? cluster
                : holding(
                        after(moves),
                        moves.stream()
                                .flatMap(move -> Stream.ofNullable(move.targetWindow())
                                        .flatMap(targetWindow -> room(move.gang(), targetWindow))));
    }

    /** Returns the snapshot with every promise as held room and spent money, and no waiting gang. */
    public Snapshot settled() {
        return without(_ -> true);
    }

    /** Returns the snapshot without these gangs' requests. Their promises become held room and spent money. */
    public Snapshot without(Predicate<GangId> gone) {
        List<Occupation> room = new ArrayList<>();
        AccountBalances balances = balances();
        List<Request> others = new ArrayList<>();
        Map<GangId, Long> known = new HashMap<>();
        List<QueueUse> uses = new ArrayList<>();
        for (Request request : requests) {
            Promise promise = request.promise();
            if (!gone.test(request.gang().id())) {
                others.add(request);
                continue;
            }
            known.put(
                    request.gang().id(),
                    promise == null ? Interval.FOREVER : promise.window().end());
            if (promise != null) {
                Window window = promise.window();
                room(request.gang(), window).forEach(room::add);
                request.gang().use(window.interval()).forEach(uses::add);
                balances.charge(window);
            }
        }
        return with(copy -> copy.cluster(holding(cluster, room.stream()))
                .requests(others)
                .accounts(accounts.stream().map(balances::left).toList())
                .queues(queues == null ? null : queues.with(uses))
                .ends(ends.with(known)));
    }

    private static Cluster holding(Cluster before, Stream<Occupation> more) {
        return new Cluster(
                before.inventory(),
                Stream.concat(before.occupations().stream(), more).toList());
    }

    private static Stream<Occupation> room(Gang gang, Window window) {
        return window.placements().stream()
                .map(placement -> new Occupation(
                        gang.id().namespace() + "/" + placement.pod(),
                        placement.node(),
                        gang.requestOf(placement.pod()).resources(),
                        new Interval(placement.start(), placement.end())));
    }

    private static @Nullable Promise promise(Request request, Map<GangId, Planned> windows) {
        Planned planned = windows.get(request.gang().id());
        Promise before = request.promise();
        return planned == null ? null : planned.promise(before != null && before.released());
    }

    /**
     * Returns the snapshot for windows that start at {@code second} or later, if that is after {@link #now}: an answer
     * computed some seconds after its snapshot must not offer past starts. A promise whose start has come since stays.
     */
    public Snapshot from(long second) {
        if (second <= now) {
            return this;
        }
        List<Request> keptRequests = requests.stream()
                .map(request -> {
                    Promise promise = request.promise();
                    return promise == null || promise.window().start() >= second
                            ? request
                            : request.with(promise.withReleased(true));
                })
                .toList();
        return with(copy -> copy.now(second).requests(keptRequests));
    }

    public Snapshot offering(List<NodeOffer> others) {
        return withOffers(others);
    }

    public Snapshot ending(GangEnds otherEnds) {
        return withEnds(otherEnds);
    }

    public Snapshot seeing(Collection<Node> more) {
        List<Node> nodes = new ArrayList<>(cluster.inventory());
        nodes.addAll(more);
        return more.isEmpty() ? this : withCluster(new Cluster(new Inventory(nodes), cluster.occupations()));
    }

    /** Returns the part of their runtimes that gangs of a namespace are expected to use, millionths. */
    public int expectedUse(String namespace, Policy policy) {
        return uses.getOrDefault(namespace, policy.expectedUse());
    }
}
