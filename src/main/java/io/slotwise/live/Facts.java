package io.slotwise.live;

import io.slotwise.core.gang.GangId;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a cycle begins with: one moment of the cluster.
 *
 * @param standings of all gangs that are known
 * @param members the pods that exist: of a gang with a window those that its window names, of another one all of its pods
 */
public record Facts(SortedMap<GangId, Standing> standings, SortedMap<GangId, List<Member>> members) {
    public Facts {
        standings = Collections.unmodifiableSortedMap(new TreeMap<>(standings));
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
    }

    /** The pods of a gang, by name. */
    public List<Member> membersOf(GangId gang) {
        return members.getOrDefault(gang, List.of());
    }
}
