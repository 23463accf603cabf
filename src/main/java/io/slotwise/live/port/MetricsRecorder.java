package io.slotwise.live.port;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.migration.Move;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.window.SearchObserver;
import io.slotwise.live.record.GangRecord;
import java.time.Duration;
import java.util.Collection;

/** Port: counts what happens, the planner's searches among it. */
public interface MetricsRecorder extends SearchObserver, PurchaseRecorder {
    /** Whether this replica plans. */
    void leads(boolean leads);

    /** A cycle ended. */
    void cycle(Duration took, Snapshot snapshot, Plan plan, Collection<GangRecord> records);

    /** A cycle failed: there is a defect, or something that the code does not foresee. */
    void cycleFailed();

    /** A replica that plans counts as one that does not if it has not finished a cycle for so long. */
    void pace(Duration longest);

    /** What an admin should know of objects, all of it, as a cycle saw it. */
    void noticed(Collection<ClusterView.Notice> notices);

    /** A promise was broken. */
    void broken(BrokenPromise.Cause cause);

    /** A gang that ran was stopped to be placed again. */
    void moved(Move move);

    /** A gang was given a window that it did not have before. */
    void promised(GangRecord record);

    /** A gang has started; its promised cost counts from here. The cluster says who owns its nodes. */
    void started(GangRecord record, Cluster cluster);

    /** An advance reservation is over; what its room cost counts from here. The cluster says who owns its nodes. */
    void held(GangRecord record, Cluster cluster);

    /** What became of promises since this replica began. */
    FirstPromise.Outcomes promises();

    /** A policy took the place of the one before. */
    void policyReplaced();

    /** Whether what the admin has written can be used; if not, the policy before it stays in force. */
    void policyUsable(boolean usable);
}
