package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.cycle.PlanningLoop.Latest;
import io.slotwise.live.port.ClusterView;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Port: the state of a replica for answers, pages and health checks. There is one from a replica's start to its end.
 * All methods but {@link #start} and {@link #close} are thread-safe and answer from memory.
 */
public interface Replica extends AutoCloseable {
    ClusterView view();

    /** Returns the last plan of this replica. Null before the first, and while another replica plans. */
    @Nullable
    Latest latest();

    boolean leads();

    /** Returns whether all threads of the replica are alive, or not started yet. */
    boolean alive();

    /** Returns whether some replica can plan, and the cycles of this one finish in time if it plans. */
    boolean proceeds();

    InstantSource clock();

    /** The speed of a clock that leaps ahead as fast as the planner can follow. */
    int UNBOUNDED = -1;

    /** Returns the seconds of {@link #clock} per second of real time; 0 if paused, or {@link #UNBOUNDED}. */
    int speed();

    /** Returns whether a kube-scheduler calls this replica as its extender. */
    boolean extendsScheduler();

    /** Returns this replica's announcements of a gang, oldest first. Empty if the replica does not keep them. */
    default List<GangDiary.Entry> told(GangId gang) {
        return List.of();
    }

    /**
     * Calls {@code listener} after every visible change of the cluster. The listener returns quickly and never throws.
     */
    void onChange(Runnable listener);

    /** Starts the replica and returns at once. */
    void start();

    @Override
    void close();
}
