package io.slotwise.live.start;

import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.RunId;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which starts this replica has told and counted. A start that is older than a minute when the replica sees it first
 * was told by the one before it. Used by one thread.
 */
public final class ToldStarts {
    private static final long RECENT = 60;

    private final Set<RunId> told = new HashSet<>();

    /** Whether the start of a gang is to be told now; the next answer is no. */
    public boolean isNew(GangRecord record, long now) {
        return told.add(RunId.of(record)) && record.history().startedAt().orElse(now) >= now - RECENT;
    }

    /** Forgets the runs of gangs that are gone. */
    public void retain(Collection<GangRecord> records) {
        told.retainAll(records.stream().map(RunId::of).collect(Collectors.toSet()));
    }
}
