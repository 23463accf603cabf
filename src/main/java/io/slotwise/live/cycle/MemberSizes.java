package io.slotwise.live.cycle;

import io.slotwise.core.ledger.PodSizes;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.resource.Share;
import io.slotwise.core.window.Placement;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.Phase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the members of running gangs take of their nodes: a pod that is resized in its place is written down with the
 * second in which it was seen, since it pays by what it takes. A pure function of one moment.
 *
 * @param view that knows pods and nodes
 * @param now seconds since the epoch
 */
record MemberSizes(ClusterView view, long now) {
    /** Writes down the sizes of one gang that are new. O(members). */
    void note(RecordUpdate draft, List<Member> members) {
        GangRecord record = draft.after();
        Promise promise = record.promise();
        if (record.phase() != Phase.RUNNING || promise == null || record.tariff().shares().isEmpty()) {
            return;
        }
        Map<String, Member> present = new HashMap<>();
        members.forEach(member -> present.put(member.pod(), member));
        PodSizes sizes = record.history().sizes();
        for (Placement place : promise.window().placements()) {
            Share promised = record.tariff().share(place);
            Member member = present.get(place.pod());
            if (promised != null
                    && member != null
                    && member.state() == Member.State.BOUND
                    && member.node().equals(place.node())) {
                Share share = view.share(record.gang().namespace(), member);
                if (share != null) {
                    sizes = sizes.with(place.pod(), times(share, promised), now);
                }
            }
        }
        draft.become(record.withHistory(record.history().withSizes(sizes)));
    }

    /** The same amount is the same size, whatever the node has now. */
    private static Share times(Share share, Share promised) {
        return share.part() == promised.part() ? Share.ALL : share.over(promised);
    }
}
