package io.slotwise.live.port;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.work.Isolated;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The state of the cluster at one moment, the input of a cycle.
 *
 * @param members the existing pods: for a gang with a window those that the window names, otherwise all of its pods
 * @param unreported the gangs whose pods are unknown, with the error
 * @param grants the budgets of namespaces that have one
 */
public record ClusterFacts(
        SortedMap<GangId, GangRecord> records,
        SortedMap<GangId, List<Member>> members,
        SortedMap<GangId, Throwable> unreported,
        SortedMap<String, Grant> grants,
        SortedMap<String, Ledger> ledgers,
        SortedMap<String, RunHistory> histories) {
    public ClusterFacts {
        records = Collections.unmodifiableSortedMap(new TreeMap<>(records));
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
        unreported = Collections.unmodifiableSortedMap(new TreeMap<>(unreported));
        grants = Collections.unmodifiableSortedMap(new TreeMap<>(grants));
        ledgers = Collections.unmodifiableSortedMap(new TreeMap<>(ledgers));
        histories = Collections.unmodifiableSortedMap(new TreeMap<>(histories));
    }

    /** Collects the facts of these gangs. An error while the pods of one gang are read affects only that gang. */
    public static ClusterFacts of(
            Collection<GangRecord> records,
            Function<GangRecord, List<Member>> pods,
            SortedMap<String, Grant> grants,
            SortedMap<String, Ledger> ledgers) {
        return new ClusterFacts(
                        new TreeMap<>(),
                        new TreeMap<>(),
                        new TreeMap<>(),
                        grants,
                        ledgers,
                        Collections.emptySortedMap())
                .with(records, pods);
    }

    /** Returns the same facts with these run histories, by namespace. */
    public ClusterFacts remembering(SortedMap<String, RunHistory> runs) {
        return new ClusterFacts(records, members, unreported, grants, ledgers, runs);
    }

    /** Returns by namespace how much of their runtimes gangs used lately, millionths, if the policy depends on it. */
    public Map<String, Integer> uses(Policy policy) {
        Map<String, Integer> uses = new HashMap<>();
        if (policy.leastSaving() > 0) {
            histories.forEach((namespace, history) -> uses.put(namespace, history.used(policy.expectedUse())));
        }
        return uses;
    }

    /** Returns the same facts with other records of these gangs. O(gangs). */
    public ClusterFacts with(Collection<GangRecord> others, Function<GangRecord, List<Member>> pods) {
        SortedMap<GangId, GangRecord> all = new TreeMap<>(records);
        SortedMap<GangId, List<Member>> found = new TreeMap<>(members);
        SortedMap<GangId, Throwable> errors = new TreeMap<>(unreported);
        for (GangRecord record : others) {
            GangId gang = record.gang();
            all.put(gang, record);
            errors.remove(gang);
            Isolated.run(() -> found.put(gang, pods.apply(record)), error -> errors.put(gang, error));
        }
        return new ClusterFacts(all, found, errors, grants, ledgers, histories);
    }

    /**
     * Returns the pods of a gang, by name.
     *
     * @throws IllegalStateException if an error occurred while they were read; an empty list means that the gang has no
     *     pods
     */
    public List<Member> membersOf(GangId gang) {
        Throwable error = unreported.get(gang);
        if (error != null) {
            throw new IllegalStateException("The pods of gang %s cannot be told.".formatted(gang), error);
        }
        return members.getOrDefault(gang, List.of());
    }

    /**
     * Returns the namespaces with accounting: those that have or had a budget, those with gangs in queues, and all with
     * gangs if the order depends on past use.
     */
    public Set<String> accounted(Policy policy) {
        Set<String> namespaces = new TreeSet<>(grants.keySet());
        namespaces.addAll(ledgers.keySet());
        records.forEach((gang, record) -> {
            if (policy.queue().goesByUse() || record.terms().queue() != null) {
                namespaces.add(gang.namespace());
            }
        });
        return namespaces;
    }
}
