package io.slotwise.live;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which starts this replica has told and counted. A start that is older than a minute when the replica sees it first was told by the one before it.
 * Used by one thread.
 */
final class Starts {
    private static final long RECENT = 60;

    private final Set<RunId> told = new HashSet<>();

    /** Whether the start of a gang is to be told now; the next answer is no. */
    boolean isNew(Standing standing, long now) {
        return told.add(RunId.of(standing)) && standing.history().startedAt().orElse(now) >= now - RECENT;
    }

    /** Forgets the runs of gangs that are gone. */
    void retain(Collection<Standing> standings) {
        told.retainAll(standings.stream().map(RunId::of).collect(Collectors.toSet()));
    }
}
