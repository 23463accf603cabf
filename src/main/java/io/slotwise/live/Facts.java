package io.slotwise.live;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.plan.Policy;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a cycle begins with: one moment of the cluster.
 *
 * @param standings of all gangs that are known
 * @param members the pods that exist: of a gang with a window those that its window names, of another one all of its pods
 * @param grants the budgets of namespaces that have one
 * @param ledgers of namespaces that have one
 */
public record Facts(
        SortedMap<GangId, Standing> standings,
        SortedMap<GangId, List<Member>> members,
        SortedMap<String, Grant> grants,
        SortedMap<String, Ledger> ledgers) {
    public Facts {
        standings = Collections.unmodifiableSortedMap(new TreeMap<>(standings));
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
        grants = Collections.unmodifiableSortedMap(new TreeMap<>(grants));
        ledgers = Collections.unmodifiableSortedMap(new TreeMap<>(ledgers));
    }

    /** The pods of a gang, by name. */
    public List<Member> membersOf(GangId gang) {
        return members.getOrDefault(gang, List.of());
    }

    /** The namespaces whose gangs are accounted for: those with a budget, those that had one, and all that have gangs where the queue goes by what they have used. */
    public Set<String> accounted(Policy policy) {
        Set<String> namespaces = new TreeSet<>(grants.keySet());
        namespaces.addAll(ledgers.keySet());
        if (policy.queue().goesByUse()) {
            standings.keySet().forEach(gang -> namespaces.add(gang.namespace()));
        }
        return namespaces;
    }
}
