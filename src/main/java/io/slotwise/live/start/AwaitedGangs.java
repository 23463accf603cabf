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
 * Whether the gangs are over after whose end another one starts. A window begins when they are expected to end; whether
 * they have is seen from their pods.
 */
public final class AwaitedGangs {
    private final Collection<GangRecord> records;
    private final Function<GangRecord, List<Member>> members;
    private @Nullable Map<GangId, GangRecord> byGang;

    /**
     * Among these gangs.
     *
     * @param records of all gangs that are known; looked at only where a gang is after others
     * @param members the pods that exist of a gang
     */
    public AwaitedGangs(Collection<GangRecord> records, Function<GangRecord, List<Member>> members) {
        this.records = records;
        this.members = members;
    }

    /** The first of those that a gang is after which is not over; empty: all are. */
    public Optional<GangId> before(GangRecord record) {
        return record.terms().after().stream()
                .map(RecordedTerms.Before::gang)
                .filter(gang -> !isOver(byGang().get(gang)))
                .findFirst();
    }

    /** Of one without a record nothing is left to wait for: the planner has seen to it that there was one. */
    private boolean isOver(@Nullable GangRecord record) {
        return record == null
                || record.phase() == Phase.COMPLETED
                || (record.phase() == Phase.RUNNING
                        && members.apply(record).stream().allMatch(member -> member.state() == Member.State.ENDED));
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
