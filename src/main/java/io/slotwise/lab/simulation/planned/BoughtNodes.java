package io.slotwise.lab.simulation.planned;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.provision.Expense;
import io.slotwise.core.provision.NodeHoldings;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.provision.Provisioning.Mode;
import io.slotwise.core.provision.Purchase;
import io.slotwise.lab.simulation.NodeSpending;
import io.slotwise.lab.simulation.Scheduler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * The nodes that a simulated cluster buys. An ordered node is part of the cluster at once, but absent until it is
 * ready. It is bought in the second that the plan states, unless it has no window left by then. A node that nothing
 * needs is given up. However, it stays while that costs nothing, or as long as the policy keeps idle nodes. A node is
 * paid from its purchase until it is gone, for at least the minimum time of its offer, rounded up to the offer's steps.
 * Every purchase succeeds in time, and no node is taken away.
 */
final class BoughtNodes {
    /** The longest period of a spending limit, seconds. Earlier expenses count against no current purchase. */
    private static final long LONGEST_PERIOD = 31L * 24 * 3600;

    private final List<NodeOffer> offers;
    private final Provisioning provisioning;
    private final SimulatedCluster cluster;
    private final SortedMap<String, Purchase> ordered = new TreeMap<>();
    private final SortedMap<String, Purchase> existing = new TreeMap<>();
    /** The second since which each bought node is idle, for the nodes that nothing needs. */
    private final Map<String, Long> idle = new HashMap<>();

    private final List<Expense> expenses = new ArrayList<>();
    private long nodes;
    private Cost cost = Cost.ZERO;

    BoughtNodes(List<NodeOffer> offers, Provisioning provisioning, SimulatedCluster cluster) {
        this.offers = provisioning.mode() == Mode.BUY ? List.copyOf(offers) : List.of();
        this.provisioning = provisioning;
        this.cluster = cluster;
    }

    /**
     * Returns how many such pods fit on the nodes that can be bought. The policy's limit on nodes and the quotas go to
     * the nodes that hold the most pods.
     */
    long atMost(PodRequest request, long horizon) {
        long left = provisioning.maxNodes();
        long pods = 0;
        Map<String, Long> quotas = new HashMap<>();
        for (NodeOffer offer : offers.stream()
                .filter(offer -> request.constraint().exclusion(offer.node()) == null
                        && offer.billing().delay()
                                        + request.durationOn(offer.node().performance())
                                <= horizon)
                .sorted(Comparator.comparingLong((NodeOffer offer) -> times(offer, request))
                        .reversed())
                .toList()) {
            long quota = quotas.getOrDefault(
                    offer.quota().name(), (long) offer.quota().nodes());
            long most = Math.min(left, Math.min(offer.most(), quota));
            pods += most * times(offer, request);
            left -= most;
            quotas.put(offer.quota().name(), quota - most);
        }
        return pods;
    }

    private static long times(NodeOffer offer, PodRequest request) {
        return offer.node().allocatable().times(request.resources());
    }

    Snapshot on(Snapshot snapshot, long now) {
        if (offers.isEmpty()) {
            return snapshot;
        }
        expenses.removeIf(expense -> expense.bought() < now - LONGEST_PERIOD);
        return snapshot.offering(offers).withHoldings(holdings());
    }

    private NodeHoldings holdings() {
        List<Purchase> held = new ArrayList<>(ordered.values());
        held.addAll(existing.values());
        List<Expense> all = new ArrayList<>(expenses);
        ordered.values().forEach(purchase -> all.add(purchase.expense()));
        return new NodeHoldings(held.stream().map(Purchase::order).toList(), 0, all);
    }

    /** Orders the purchases of a plan. Returns the ordered nodes. */
    List<Node> order(Plan plan) {
        List<Node> more = new ArrayList<>();
        if (!offers.isEmpty()) {
            plan.buying().stream()
                    .flatMap(advice -> advice.acquisition().purchases().stream())
                    .forEach(purchase -> {
                        Node node = purchase.seen(plan.now());
                        ordered.put(purchase.node(), purchase);
                        cluster.expect(node);
                        more.add(node);
                    });
        }
        return more;
    }

    List<Purchase> buy(long now) {
        List<Purchase> due = ordered.values().stream()
                .filter(purchase -> purchase.bought() <= now)
                .toList();
        for (Purchase purchase : due) {
            ordered.remove(purchase.node());
            existing.put(purchase.node(), purchase);
            expenses.add(purchase.expense());
            nodes++;
            cluster.arrive(purchase.node());
        }
        return due;
    }

    /** Gives up unneeded nodes, and cancels unneeded orders. Returns whether a bought node was given up. */
    boolean giveUp(Predicate<String> needed, long now) {
        List.copyOf(ordered.keySet()).stream().filter(needed.negate()).forEach(node -> {
            ordered.remove(node);
            cluster.drop(node);
        });
        List<Purchase> over = existing.values().stream()
                .filter(purchase -> isOver(purchase, needed, now))
                .toList();
        for (Purchase purchase : over) {
            existing.remove(purchase.node());
            idle.remove(purchase.node());
            cost = cost.plus(bill(purchase, now));
            cluster.drop(purchase.node());
        }
        return !over.isEmpty();
    }

    private boolean isOver(Purchase purchase, Predicate<String> needed, long now) {
        String node = purchase.node();
        if (needed.test(node)) {
            idle.remove(node);
            return false;
        }
        return now >= keptUntil(purchase, idle.computeIfAbsent(node, _ -> now));
    }

    private long keptUntil(Purchase purchase, long since) {
        return provisioning.keptUntil(purchase.order(), purchase.offer().billing(), since);
    }

    static Cost bill(Purchase purchase, long now) {
        return new Purchase(
                        purchase.node(),
                        purchase.offer(),
                        purchase.gang(),
                        purchase.bought(),
                        purchase.price(),
                        Math.max(0, now - purchase.ready()))
                .bill();
    }

    /** Returns the next second after this one in which a node is bought or given up. */
    long nextChange(long now) {
        LongStream changes = idle.entrySet().stream()
                .mapToLong(entry -> keptUntil(Objects.requireNonNull(existing.get(entry.getKey())), entry.getValue()));
        return LongStream.concat(
                        ordered.values().stream().mapToLong(Purchase::bought), changes.filter(second -> second > now))
                .min()
                .orElse(Scheduler.NEVER);
    }

    Optional<NodeSpending> spending(long now) {
        return offers.isEmpty()
                ? Optional.empty()
                : Optional.of(new NodeSpending(
                        nodes,
                        existing.values().stream()
                                .map(purchase -> bill(purchase, now))
                                .reduce(cost, Cost::plus)));
    }
}
