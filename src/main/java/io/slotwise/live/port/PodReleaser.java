package io.slotwise.live.port;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.Member;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;

/** Port: releases pods, and recalls them. */
public interface PodReleaser {
    /**
     * Sends every pod of a window to its node. Can be repeated.
     *
     * @return the pods that could not be sent, with the reason
     */
    List<String> release(Window window, List<Member> members);

    /** Recalls released pods: kube-scheduler no longer keeps room for them. Bound and deleted pods stay as they are. */
    void recall(GangId gang, Collection<String> pods);

    /** Evicts the bound members of a gang whose other members cannot be bound. */
    void evict(GangId gang, List<Member> bound);

    /**
     * Evicts bound members, as far as their disruption budgets allow that, and deletes none.
     *
     * @return the pods that stay for now, each with the reason
     */
    SortedMap<String, String> evictIfAllowed(GangId gang, List<Member> bound);

    /**
     * Evicts all members of a running gang or none: all stay as long as a disruption budget keeps one. A budget that
     * changes after some are gone is overruled, because the rest of the gang is useless.
     *
     * @return the pods that are kept, each with the reason; empty if all are terminating
     */
    SortedMap<String, String> evictTogether(GangId gang, List<Member> bound);
}
