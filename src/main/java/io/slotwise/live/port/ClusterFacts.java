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
 * What a cycle begins with: one moment of the cluster.
 *
 * @param records of all gangs that are known
 * @param members the pods that exist: of a gang with a window those that its window names, of another one all of its
 *     pods
 * @param unreported the gangs whose pods cannot be told, each with the error over it
 * @param grants the budgets of namespaces that have one
 * @param ledgers of namespaces that have one
 * @param histories past runs of namespaces that have any
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

    /**
     * The facts of these gangs.
     *
     * @param pods of one gang; an error over one stays with it
     */
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

    /** The same with these past runs, by namespace. */
    public ClusterFacts remembering(SortedMap<String, RunHistory> runs) {
        return new ClusterFacts(records, members, unreported, grants, ledgers, runs);
    }

    /** What gangs of namespaces have used of their runtimes lately, millionths, if the policy goes by that. */
    public Map<String, Integer> uses(Policy policy) {
        Map<String, Integer> uses = new HashMap<>();
        if (policy.leastSaving() > 0) {
            histories.forEach((namespace, history) -> uses.put(namespace, history.used(policy.expectedUse())));
        }
        return uses;
    }

    /** The same with these gangs, in place of what is known of them. O(gangs). */
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
     * The pods of a gang, by name.
     *
     * @throws IllegalStateException if there was an error over them: a gang without pods is another thing
     */
    public List<Member> membersOf(GangId gang) {
        Throwable error = unreported.get(gang);
        if (error != null) {
            throw new IllegalStateException("The pods of gang %s cannot be told.".formatted(gang), error);
        }
        return members.getOrDefault(gang, List.of());
    }

    /**
     * The namespaces whose gangs are accounted for: those with a budget, those that had one, and all that have gangs
     * where the queue goes by what they have used.
     */
    public Set<String> accounted(Policy policy) {
        Set<String> namespaces = new TreeSet<>(grants.keySet());
        namespaces.addAll(ledgers.keySet());
        if (policy.queue().goesByUse()) {
            records.keySet().forEach(gang -> namespaces.add(gang.namespace()));
        }
        return namespaces;
    }
}
