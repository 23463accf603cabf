package io.slotwise.live.start;

import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.RunId;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The starts that this replica has announced and counted. A start that is older than a minute when the replica first
 * sees it was announced by the previous one. Not thread-safe.
 */
public final class ReportedStarts {
    private static final long RECENT = 60;

    private final Set<RunId> told = new HashSet<>();

    /** Returns whether the start of a gang must be announced now; false from the next call on. */
    public boolean isNew(GangRecord record, long now) {
        return told.add(RunId.of(record)) && record.history().startedAt().orElse(now) >= now - RECENT;
    }

    public void retain(Collection<GangRecord> records) {
        told.retainAll(records.stream().map(RunId::of).collect(Collectors.toSet()));
    }
}
