package io.slotwise.live.cycle;

import io.slotwise.core.ledger.PodSizes;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Window;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.Phase;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Records in-place resizes of members of running gangs, which are charged from the second in which they are seen. A
 * member of unknown size keeps its last one. A pure function of one moment.
 *
 * @param now seconds since the epoch
 */
record MemberSizes(ClusterView view, long now) {
    /** Records the sizes of a gang's members if one has changed. O(members). */
    void note(RecordUpdate update, List<Member> members) {
        GangRecord record = update.after();
        Promise promise = record.promise();
        if (update.before().phase() != Phase.RUNNING
                || record.phase() != Phase.RUNNING
                || promise == null
                || record.tariff().requests().isEmpty()) {
            return;
        }
        Window window = promise.window();
        GangRecord.History history = record.history();
        SortedMap<String, Long> parts = new TreeMap<>(history.sizes().parts());
        for (Member member : GangLifecycle.inTheirPlaces(window, members)) {
            view.part(record.gang().namespace(), member, record.tariff().request(member.pod()))
                    .ifPresent(part -> parts.put(member.pod(), part));
        }
        parts.values().removeIf(part -> part == PodSizes.PROMISED);
        if (!parts.equals(history.sizes().parts())) {
            PodSizes sizes = PodSizes.after(window, record.tariff(), record.course(window, history.ends(), now), parts);
            update.become(record.withHistory(history.withSizes(sizes)));
        }
    }
}
