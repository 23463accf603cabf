package io.slotwise.live.start;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.RecordedTerms;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the predecessors of a gang are over. A window begins at their expected end; their pods show whether
 * they have ended.
 */
public final class AwaitedGangs {
    private final Collection<GangRecord> records;
    private final Function<GangRecord, List<Member>> members;
    private @Nullable Map<GangId, GangRecord> byGang;

    /** Creates a check with the records of all gangs, which are only read for gangs with predecessors. */
    public AwaitedGangs(Collection<GangRecord> records, Function<GangRecord, List<Member>> members) {
        this.records = records;
        this.members = members;
    }

    /** Returns the first predecessor that is not over. Empty if all are. */
    public Optional<GangId> before(GangRecord record) {
        return record.terms().after().stream()
                .map(RecordedTerms.Before::gang)
                .filter(gang -> !isOver(byGang().get(gang)))
                .findFirst();
    }

    /** A predecessor without a record is over: the planner checked that it once had one. */
    private boolean isOver(@Nullable GangRecord record) {
        return record == null
                || record.phase() == Phase.COMPLETED
                || (record.phase() == Phase.RUNNING
                        && members.apply(record).stream()
                                .allMatch(member -> member.state().isOver()));
    }

    private Map<GangId, GangRecord> byGang() {
        Map<GangId, GangRecord> known = byGang;
        if (known == null) {
            known = records.stream().collect(Collectors.toMap(GangRecord::gang, record -> record, (a, _) -> a));
            byGang = known;
        }
        return known;
    }
}
