package io.slotwise.live.cycle;

import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Placement;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.Phase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Records when the members of running gangs ended, while their pods still exist to say so. A pure function of one
 * moment.
 *
 * @param now seconds since the epoch
 * @param first whether this replica has only begun to observe, so that a missing pod may be long gone
 */
record MemberEnds(long now, boolean first) {
    /** Records the new ends of a gang's members. O(members). */
    void note(RecordUpdate update, List<Member> members) {
        GangRecord before = update.before();
        Promise promise = before.promise();
        if (before.phase() != Phase.RUNNING
                || promise == null
                || !update.after().phase().started()) {
            return;
        }
        Map<String, Member> present = new HashMap<>();
        members.forEach(member -> present.put(member.pod(), member));
        long startedAt = before.history().startedAt().orElse(promise.window().start());
        TreeMap<String, Long> ends = new TreeMap<>(update.after().history().ends());
        for (Placement placement : promise.window().placements()) {
            Long end = end(present.get(placement.pod()), startedAt + placement.end() - placement.start());
            if (end != null) {
                ends.putIfAbsent(placement.pod(), Math.max(startedAt, end));
            }
        }
        update.become(update.after().withHistory(update.after().history().withEnds(ends)));
    }

    /**
     * Returns the end of a member, never later than now, or null. A member whose end was not seen counts until now, or
     * until its planned end if it may have gone while no replica observed.
     */
    private @Nullable Long end(@Nullable Member member, long planned) {
        if (member != null) {
            OptionalLong end = member.end(now);
            return end.isPresent() ? end.getAsLong() : null;
        }
        return first ? Math.min(now, planned) : now;
    }
}
