package io.slotwise.core.combination;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The multiple-choice knapsack: one item of every group with the least sum of values, under a limit on the sum of
 * weights and the balances of the accounts that items are charged to.
 *
 * <p>Dynamic programming over Pareto lists ({@link Recursion}): after each group the list holds, by ascending weight,
 * every total that no other one beats. A total is also dropped if the linear relaxation of the remaining groups shows
 * that it cannot become better than the best known choice. That alone keeps the lists of most batches at some dozen
 * entries. The result is exact as long as no list exceeds {@code most} entries. Beyond that, each run of neighbours
 * keeps one total, and the least bound of the dropped ones is recorded. No choice can be better than that bound, so
 * {@link BatchChoice#error} is a true bound.
 *
 * <p>Accounts are coordinates of the lists only if they can bind, that is, if all groups together could overdraw them.
 * An account belongs to one namespace. The groups of a namespace are neighbours in the recursion, and its coordinates
 * are dropped after the last of them. Without a limit the namespaces are independent batches, and one account of each
 * takes the limit's place.
 *
 * <p>O(g L i log i) time for g groups of i items and lists of L entries, L at most {@code most}; O(g L) space. Without
 * a limit and accounts O(g i).
 *
 * <p>Source: the paper on the cyclic scheme, section 1.1, equations (1)-(3), (6)-(9). The paper tabulates every level
 * of the limit. The lists hold only the useful levels (G. Nemhauser, Z. Ullmann, "Discrete Dynamic Programming and
 * Capital Allocation", Management Science 15(9), 1969). The first of items with equal figures is chosen; other ties
 * only depend on the order of groups and items.
 *
 * @param groups each with at least one item; the items of a group are charged to accounts of one namespace
 * @param limit on the sum of weights, or {@link #UNLIMITED}
 * @param most the entries of a list beyond which it is thinned
 * @param direction the direction of the recursion, or null for the one with less work
 * @param choice a feasible choice to start from, or null
 */
@RecordBuilder
public record Knapsack(
        List<List<Item>> groups,
        long limit,
        int most,
        @Nullable Direction direction,
        @Nullable BatchChoice choice) implements KnapsackBuilder.With {
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** The number of entries of all lists that memory and time allow. */
    private static final int ALL_STATES = 1_000_000;

    private static final int FEWEST_STATES = 1_000;
    private static final int MOST_STATES = 20_000;

    /** The largest sum of values that is added up without losing bits. */
    private static final BigInteger LARGEST = BigInteger.ONE.shiftLeft(58);

    public Knapsack {
        groups = groups.stream().map(List::copyOf).toList();
        if (limit < 0 || most <= 0) {
            throw new IllegalArgumentException(
                    "The limit (%d) must not be negative, the most entries of a list (%d) must be positive."
                            .formatted(limit, most));
        }
    }

    public static Knapsack of(List<List<Item>> groups, long limit) {
        int most = ALL_STATES / Math.max(1, groups.size());
        return new Knapsack(groups, limit, Math.clamp(most, FEWEST_STATES, MOST_STATES), null, null);
    }

    /** Returns the best choice. Empty if none is within limit and accounts, or if a thinned list lost them all. */
    public Optional<BatchChoice> choose() {
        if (groups.isEmpty()) {
            return Optional.of(new BatchChoice(List.of(), 0));
        }
        int shift = shift();
        List<Block> blocks = blocks(new ChoiceBounds(limit, null, List.of(), shift));
        Outcome outcome = new Outcome(new int[groups.size()]);
        boolean found = limit == UNLIMITED
                ? blocks.stream().allMatch(block -> solve(List.of(block), outcome))
                : solve(blocks, outcome);
        return found ? Optional.of(outcome.choice(groups, shift)) : Optional.empty();
    }

    /** Groups whose accounts are open together. */
    record Block(List<Integer> positions, ChoiceBounds bounds) {}

    /** The items found so far and a lower bound of all choices, in scaled values. */
    private static final class Outcome {
        private final int[] items;
        private long leastPossible;

        Outcome(int[] items) {
            this.items = items;
        }

        BatchChoice choice(List<List<Item>> groups, int shift) {
            BigInteger value = BigInteger.ZERO;
            List<Integer> chosen = new ArrayList<>();
            for (int g = 0; g < items.length; g++) {
                chosen.add(items[g]);
                value = value.add(BigInteger.valueOf(groups.get(g).get(items[g]).value()));
            }
            BigInteger least = BigInteger.valueOf(leastPossible).shiftLeft(shift);
            BigInteger error = value.subtract(least).min(BigInteger.valueOf(Long.MAX_VALUE));
            return new BatchChoice(chosen, error.longValueExact());
        }
    }

    /** Returns the number of bits that values must lose for their sum to fit. */
    int shift() {
        BigInteger sum = groups.stream()
                .map(group -> group.stream()
                        .map(item -> BigInteger.valueOf(item.value()).abs())
                        .reduce(BigInteger.ZERO, BigInteger::max))
                .reduce(BigInteger.ZERO, BigInteger::add);
        return Math.max(0, sum.bitLength() - LARGEST.bitLength() + 1);
    }

    /** Returns the groups of each holder that an account binds, by holder, then all others. */
    List<Block> blocks(ChoiceBounds bounds) {
        SortedMap<Account, BigInteger> demand = new TreeMap<>();
        for (List<Item> group : groups) {
            SortedMap<Account, Long> dearest = new TreeMap<>();
            for (Item item : group) {
                if (item.account() != null && bounds.admit(item)) {
                    dearest.merge(item.account(), item.charge(), Math::max);
                }
            }
            dearest.forEach((account, charge) -> demand.merge(account, BigInteger.valueOf(charge), BigInteger::add));
        }
        SortedMap<String, List<Account>> binding = new TreeMap<>();
        demand.forEach((account, sum) -> {
            if (sum.compareTo(BigInteger.valueOf(account.left().microSecondsPerHour())) > 0) {
                binding.computeIfAbsent(account.holder(), _ -> new ArrayList<>())
                        .add(account);
            }
        });
        SortedMap<String, List<Integer>> members = new TreeMap<>();
        List<Integer> free = new ArrayList<>();
        for (int g = 0; g < groups.size(); g++) {
            String holder = holder(groups.get(g));
            if (holder != null && binding.containsKey(holder)) {
                members.computeIfAbsent(holder, _ -> new ArrayList<>()).add(g);
            } else {
                free.add(g);
            }
        }
        List<Block> blocks = new ArrayList<>();
        members.forEach((holder, positions) ->
                blocks.add(new Block(positions, bounds(bounds, binding.getOrDefault(holder, List.of())))));
        if (!free.isEmpty()) {
            blocks.add(new Block(free, bounds));
        }
        return blocks;
    }

    private static @Nullable String holder(List<Item> group) {
        TreeSet<String> holders = new TreeSet<>();
        for (Item item : group) {
            if (item.account() != null) {
                holders.add(item.account().holder());
            }
        }
        if (holders.size() > 1) {
            throw new IllegalArgumentException(
                    "The items of a group are charged to several holders %s; expected one.".formatted(holders));
        }
        return holders.isEmpty() ? null : holders.first();
    }

    /** Puts the first account in the place of a missing limit. */
    private static ChoiceBounds bounds(ChoiceBounds bounds, List<Account> binding) {
        return bounds.limited()
                ? bounds.with(null, binding)
                : bounds.with(binding.getFirst(), binding.subList(1, binding.size()));
    }

    private boolean solve(List<Block> blocks, Outcome outcome) {
        List<Group> ordered = new ArrayList<>();
        for (Block block : blocks) {
            List<Group> members = block.positions().stream()
                    .map(g -> Group.of(g, groups.get(g), block.bounds()))
                    .toList();
            if (members.stream().anyMatch(group -> group.size() == 0)) {
                return false;
            }
            int[] sizes = members.stream().mapToInt(Group::size).toArray();
            ordered.addAll((direction == null ? Direction.cheaper(sizes, most) : direction).order(members));
        }
        Recursion recursion = run(ordered, blocks.getFirst().bounds().limit());
        int[] entries = recursion.run();
        if (entries == null) {
            return false;
        }
        for (int i = 0; i < entries.length; i++) {
            outcome.items[ordered.get(i).position] = ordered.get(i).item[entries[i]];
        }
        outcome.leastPossible += recursion.leastPossible();
        return true;
    }

    private Recursion run(List<Group> ordered, long weight) {
        boolean accounts = !ordered.getFirst().bounds.accounts().isEmpty();
        Multipliers pricesMultipliers = accounts
                ? Multipliers.best(
                        ordered,
                        selectedMultipliers -> new Recursion(ordered, weight, most, selectedMultipliers).bound())
                : Multipliers.FREE;
        Recursion recursion = new Recursion(ordered, weight, most, pricesMultipliers);
        if (choice != null) {
            int[] entries = new int[ordered.size()];
            boolean there = true;
            for (int i = 0; i < entries.length && there; i++) {
                Group group = ordered.get(i);
                entries[i] = group.representativeOf(
                        groups.get(group.position).get(choice.items().get(group.position)));
                there = entries[i] >= 0;
            }
            if (there) {
                recursion.startFrom(entries);
            }
        }
        return recursion;
    }
}
