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

/** Port: counts events, including the planner's searches. */
public interface MetricsRecorder extends SearchObserver, PurchaseRecorder {
    void leads(boolean leads);

    void cycle(Duration took, Snapshot snapshot, Plan plan, Collection<GangRecord> records);

    /** Records that a cycle failed because of a defect or an unforeseen state. */
    void cycleFailed();

    /** Sets the time without a finished cycle after which a leader counts as stalled. */
    void pace(Duration longest);

    /** Records all notices of a cycle. */
    void noticed(Collection<ClusterView.Notice> notices);

    void broken(BrokenPromise.Cause cause);

    /** Records that a running gang was stopped to be placed again. */
    void moved(Move move);

    /** Records that a gang without a window got one. */
    void promised(GangRecord record);

    /** Records the start of a gang, whose promised cost counts from here. The cluster names owners. */
    void started(GangRecord record, Cluster cluster);

    /** Records the end of an advance reservation, whose cost counts from here. The cluster names owners. */
    void held(GangRecord record, Cluster cluster);

    /** Returns the outcomes of promises since this replica started. */
    FirstPromise.Outcomes promises();

    void policyReplaced();

    /** Records whether the policy that the admin wrote is valid. If not, the previous one stays in force. */
    void policyUsable(boolean usable);
}
