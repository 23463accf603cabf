package io.slotwise.live.cycle;

import io.slotwise.core.ledger.PodSizes;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.window.Placement;
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
 * second on in which that is seen. A pure function of one moment.
 *
 * @param view that knows what nodes have allocated
 * @param now seconds since the epoch
 * @param failures who is told of members of which that cannot be read
 */
record MemberSizes(ClusterView view, long now, PlanningErrors failures) {
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
        GangRecord.History history = record.history();
        Window window = promise.window();
        SortedMap<String, Long> parts = new TreeMap<>(history.sizes().parts());
        SortedMap<String, Member> present = new TreeMap<>();
        GangLifecycle.inTheirPlaces(window, members).forEach(member -> present.put(member.pod(), member));
        for (Placement place : window.placements()) {
            Member member = present.get(place.pod());
            if (member != null) {
                parts.put(place.pod(), part(record, member));
            }
        }
        parts.values().removeIf(part -> part == PodSizes.PROMISED);
        if (!parts.equals(history.sizes().parts())) {
            PodSizes sizes = PodSizes.after(window, record.tariff(), record.course(window, history.ends(), now), parts);
            update.become(record.withHistory(history.withSizes(sizes)));
        }
    }

    /** What a member takes, millionths of what it was promised; as before, if that cannot be told. */
    private long part(GangRecord record, Member member) {
        Resources promised = record.tariff().request(member.pod());
        long before = record.history().sizes().part(member.pod());
        try {
            ClusterView.Allocation given = view.allocation(record.gang().namespace(), member);
            return given == null
                    ? before
                    : PodSizes.part(
                            promised,
                            promised.with(Resources.CPU, given.cores()).with(Resources.MEMORY, given.memory()),
                            given.node());
        } catch (IllegalArgumentException e) {
            failures.tell(new ClusterView.Notice(
                    "Pod",
                    record.gang().namespace(),
                    member.pod(),
                    "InvalidValue",
                    "what its node has allocated to pod %s/%s cannot be read: %s; it is charged as before"
                            .formatted(record.gang().namespace(), member.pod(), e.getMessage())));
            return before;
        }
    }
}
