package io.slotwise.core.planner.batch;

import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.BatchChoice;
import io.slotwise.core.combination.Item;
import io.slotwise.core.combination.Knapsack;
import io.slotwise.core.gang.GangId;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The lightest choice of a batch that all accounts can pay, and the gangs that must be left out for it to exist.
 *
 * <p>Without a limit the namespaces are independent. Each has its own lightest choice, a {@link Knapsack} whose values
 * are the weights. A gang without accounts takes its lightest alternative. Needs O(gangs) knapsacks of one namespace
 * each in the worst case.
 */
final class LightestChoice {
    private final boolean limited;
    private final SortedMap<String, List<BatchCandidate>> parts = new TreeMap<>();
    private final Map<String, BigInteger> least = new HashMap<>();
    private final Map<GangId, Integer> lightest = new HashMap<>();

    /** The gangs that the accounts cannot pay besides those before them, in the order in which they were left out. */
    private final List<BatchCandidate> unpaid = new ArrayList<>();

    /** Minimizes the weights if {@code limited}, else the charges. */
    LightestChoice(List<BatchCandidate> batch, boolean limited) {
        this.limited = limited;
        for (BatchCandidate candidate : batch) {
            parts.computeIfAbsent(part(candidate), _ -> new ArrayList<>()).add(candidate);
        }
        for (String part : List.copyOf(parts.keySet())) {
            settle(part);
        }
    }

    /** Returns the holder of the accounts that pay for a gang, else a part for the gang alone. */
    private static String part(BatchCandidate candidate) {
        return candidate.items().stream()
                .flatMap(item -> Stream.ofNullable(item.account()))
                .map(Account::holder)
                .findFirst()
                .orElse(candidate.id().toString());
    }

    private void settle(String part) {
        List<BatchCandidate> members = parts.getOrDefault(part, List.of());
        Optional<BatchChoice> choice = lightest(members);
        for (int i = members.size() - 1; i >= 0 && choice.isEmpty(); i--) {
            if (!members.get(i).promised()) {
                unpaid.add(members.remove(i));
                choice = lightest(members);
            }
        }
        // A promise is the first of its gang's alternatives, and its money is put aside.
        keep(part, choice.orElseGet(() -> new BatchChoice(Collections.nCopies(members.size(), 0), 0)));
    }

    private Optional<BatchChoice> lightest(List<BatchCandidate> members) {
        List<List<Item>> groups = members.stream()
                .map(candidate -> candidate.items().stream()
                        .map(item ->
                                new Item(limited ? item.weight() : item.charge(), 0, item.account(), item.charge()))
                        .toList())
                .toList();
        return Knapsack.of(groups, Knapsack.UNLIMITED).choose();
    }

    private void keep(String part, BatchChoice choice) {
        List<BatchCandidate> members = parts.getOrDefault(part, List.of());
        BigInteger sum = BigInteger.ZERO;
        for (int i = 0; i < members.size(); i++) {
            lightest.put(members.get(i).id(), choice.items().get(i));
            sum = sum.add(weight(members.get(i)));
        }
        least.put(part, sum);
    }

    private BigInteger weight(BatchCandidate candidate) {
        return BigInteger.valueOf(candidate.items().get(item(candidate)).weight());
    }

    List<BatchCandidate> unpaid() {
        return unpaid;
    }

    BigInteger least() {
        return least.values().stream().reduce(BigInteger.ZERO, BigInteger::add);
    }

    int item(BatchCandidate candidate) {
        return lightest.getOrDefault(candidate.id(), 0);
    }

    /** Leaves a gang out if the choice becomes lighter by more than {@code tolerance}, and returns whether. */
    boolean leaveOut(BatchCandidate candidate, BigInteger tolerance) {
        String part = part(candidate);
        List<BatchCandidate> members = parts.getOrDefault(part, List.of());
        List<BatchCandidate> others = new ArrayList<>(members);
        others.remove(candidate);
        BigInteger before = least.getOrDefault(part, BigInteger.ZERO);
        Optional<BatchChoice> choice = lightest(others);
        if (choice.isEmpty()) {
            return false;
        }
        parts.put(part, others);
        keep(part, choice.get());
        if (before.subtract(least.getOrDefault(part, BigInteger.ZERO)).compareTo(tolerance) > 0) {
            return true;
        }
        parts.put(part, members);
        lightest(members).ifPresent(backChoice -> keep(part, backChoice));
        return false;
    }
}
