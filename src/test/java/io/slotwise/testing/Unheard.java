package io.slotwise.testing;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.migration.Move;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.port.MetricsRecorder;
import io.slotwise.live.record.GangRecord;
import java.time.Duration;
import java.util.Collection;

/** A metrics recorder that counts nothing. Tests override the methods that they count. */
public class Unheard implements MetricsRecorder {
    @Override
    public void leads(boolean leads) {}

    @Override
    public void cycle(Duration took, Snapshot snapshot, Plan plan, Collection<GangRecord> records) {}

    @Override
    public void cycleFailed() {}

    @Override
    public void pace(Duration longest) {}

    @Override
    public void noticed(Collection<ClusterView.Notice> notices) {}

    @Override
    public void broken(BrokenPromise.Cause cause) {}

    @Override
    public void moved(Move move) {}

    @Override
    public FirstPromise.Outcomes promises() {
        return FirstPromise.Outcomes.NONE;
    }

    @Override
    public void promised(GangRecord record) {}

    @Override
    public void started(GangRecord record, Cluster cluster) {}

    @Override
    public void held(GangRecord record, Cluster cluster) {}

    @Override
    public void policyReplaced() {}

    @Override
    public void policyUsable(boolean usable) {}
}
