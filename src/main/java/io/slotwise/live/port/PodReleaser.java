package io.slotwise.live.port;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.Member;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;

/** Port: lets pods go, and takes them back. */
public interface PodReleaser {
    /**
     * Sends every pod of a window to its node. Done again it changes nothing.
     *
     * @return the pods that could not be sent, each with the reason; empty: all are on their way
     */
    List<String> release(Window window, List<Member> members);

    /**
     * Calls pods back that are on their way: kube-scheduler no longer keeps room for them. Those that are bound or gone
     * stay as they are.
     */
    void recall(GangId gang, Collection<String> pods);

    /** Evicts the members that are bound, because others of their gang cannot be. */
    void evict(GangId gang, List<Member> bound);

    /**
     * Evicts members that are bound, as far as the disruption budgets over them allow that; none is deleted instead.
     *
     * @return the pods that stay for now, each with the reason
     */
    SortedMap<String, String> evictIfAllowed(GangId gang, List<Member> bound);

    /**
     * Evicts members of a gang that runs, all of them or none: as long as a disruption budget keeps one of them, all
     * stay. A budget that changes its mind once some are gone is passed, since what is left of the gang is of use to no
     * user.
     *
     * @return the pods that are kept, each with the reason; empty: all are on their way out
     */
    SortedMap<String, String> evictTogether(GangId gang, List<Member> bound);
}
