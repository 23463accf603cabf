package io.slotwise.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.publish.LeaseLeadership;
import io.slotwise.kubernetes.refusal.RefusalLog;
import io.slotwise.kubernetes.refusal.RefusedCalls;
import io.slotwise.kubernetes.watch.ClusterWatch;
import io.slotwise.live.cycle.GangDiary;
import io.slotwise.live.cycle.LoopRunner;
import io.slotwise.live.cycle.PlanningLoop;
import io.slotwise.live.cycle.PlanningLoop.Latest;
import io.slotwise.live.cycle.Replica;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.start.GangStarter;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The replica of a real cluster, of which one plans at a time. */
@Singleton
@Typed(ClusterHost.class)
public record ClusterHost(
        ClusterWatch watch,
        LeaseLeadership leadership,
        LoopRunner loopRunner,
        PlanningLoop loop,
        GangStarter starter,
        InstantSource clock,
        GangDiary diary,
        RefusedCalls refused,
        KubernetesClient client)
        implements Replica {
    public ClusterHost {
        new RefusalLog(client, Thread::startVirtualThread).follow(refused);
    }

    @Override
    public ClusterView view() {
        return watch;
    }

    @Override
    public @Nullable Latest latest() {
        return loop.latest();
    }

    @Override
    public boolean leads() {
        return leadership.getAsBoolean();
    }

    @Override
    public boolean alive() {
        return loopRunner.beats();
    }

    @Override
    public boolean proceeds() {
        return leadership.isReachable() && (!leads() || (loopRunner.proceeds() && !refused.isStopped()));
    }

    @Override
    public List<GangDiary.Entry> told(GangId gang) {
        return diary.of(gang);
    }

    @Override
    public int speed() {
        return 1;
    }

    @Override
    public boolean extendsScheduler() {
        return true;
    }

    @Override
    public void onChange(Runnable listener) {
        watch.reservations().onChange(_ -> listener.run());
    }

    @Override
    public void start() {
        watch.start();
        leadership.start();
        loopRunner.start(loop, starter);
    }

    @Override
    public void close() {
        loopRunner.close();
        leadership.close();
        watch.close();
    }
}
