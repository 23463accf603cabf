package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.cycle.PlanningLoop.Latest;
import io.slotwise.live.port.ClusterView;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Port: what a replica plans and by what it lives, as far as answers, pages and health checks need it. A replica has
 * one, from its start to its end. All but {@link #start} and {@link #close} may be called from several threads, and
 * answer from memory.
 */
public interface Replica extends AutoCloseable {
    /** What is seen of the cluster. */
    ClusterView view();

    /** What was planned last by this replica; null: nothing yet, or another one plans now. */
    @Nullable
    Latest latest();

    /** Whether this replica plans. */
    boolean leads();

    /** Whether all that it lives by runs, or has not been started yet. */
    boolean alive();

    /** Whether some replica can plan, and this one does if it is to: its cycles come to their ends. */
    boolean proceeds();

    /** The time there. */
    InstantSource clock();

    /** The speed of a clock that goes on as fast as the planner can, by leaps. */
    int UNBOUNDED = -1;

    /** How many seconds of {@link #clock} pass in one of the reader's; 0: it is paused; {@link #UNBOUNDED}. */
    int speed();

    /** Whether a kube-scheduler asks this replica where pods may go. */
    boolean extendsScheduler();

    /** What was told of a gang by this replica, oldest first; where no replica keeps that, nothing. */
    default List<GangDiary.Entry> told(GangId gang) {
        return List.of();
    }

    /**
     * Calls {@code listener} after every change that a picture of the cluster shows. It returns quickly and never
     * throws.
     */
    void onChange(Runnable listener);

    /** Begins to live; returns at once. */
    void start();

    /** Ends it. */
    @Override
    void close();
}
