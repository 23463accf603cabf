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
 * What the members of running gangs take that are resized in their places, so that they are charged for it from the
 * second on in which that is seen. One of which it cannot be told takes what it took before. A pure function of one
 * moment.
 *
 * @param view that knows what nodes have allocated
 * @param now seconds since the epoch
 */
record MemberSizes(ClusterView view, long now) {
    /** Writes down the sizes of one gang if one has changed. O(members). */
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
