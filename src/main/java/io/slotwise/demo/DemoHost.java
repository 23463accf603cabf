package io.slotwise.demo;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.cycle.GangDiary;
import io.slotwise.live.cycle.PlanningLoop.Latest;
import io.slotwise.live.cycle.Replica;
import io.slotwise.live.port.ClusterView;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A demo that runs on a thread of its own, at a given speed. */
public final class DemoHost implements Replica {
    private static final Logger LOG = Logger.getLogger(DemoHost.class);

    private final LivingDemo demo;
    private final DemoSpeed speed;
    private final Stop stop;
    private final Thread thread = new Thread(this::live, "slotwise-demo");
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean paused;

    /** The end of a demo, before {@code at}; {@code stays} tells whether it pauses there and stays visible. */
    record Stop(Instant at, boolean stays, Runnable reached, Runnable closed) {}

    DemoHost(LivingDemo demo, DemoSpeed speed, Stop stop) {
        this.demo = demo;
        this.speed = speed;
        this.stop = stop;
        thread.setDaemon(true);
    }

    private void live() {
        try {
            Instant next = demo.next();
            while (!closed.get() && next.isBefore(stop.at)) {
                long wait = speed.nanosUntil(next);
                if (wait > 0) {
                    LockSupport.parkNanos(wait);
                } else {
                    speed.reaches(next);
                    if (demo.step()) {
                        listeners.forEach(Runnable::run);
                    }
                    next = demo.next();
                }
            }
            if (!closed.get()) {
                paused = stop.stays;
                listeners.forEach(Runnable::run);
                stop.reached.run();
            }
        } catch (RuntimeException e) {
            LOG.error("the demo is paused", e);
        }
    }

    @Override
    public ClusterView view() {
        return demo.view();
    }

    @Override
    public @Nullable Latest latest() {
        return demo.loop().latest();
    }

    @Override
    public List<GangDiary.Entry> told(GangId gang) {
        return demo.diary().of(gang);
    }

    @Override
    public boolean leads() {
        return true;
    }

    @Override
    public boolean alive() {
        return paused || thread.isAlive() || thread.getState() == Thread.State.NEW;
    }

    @Override
    public boolean proceeds() {
        return true;
    }

    /** {@inheritDoc} The time also moves between two steps, for a smooth now-line, but not past the next event. */
    @Override
    public InstantSource clock() {
        return speed.speed() == 0 ? demo.clock() : () -> paused ? demo.clock().instant() : speed.now(demo.next());
    }

    @Override
    public int speed() {
        return paused ? 0 : speed.speed() == 0 ? UNBOUNDED : speed.speed();
    }

    @Override
    public boolean extendsScheduler() {
        return false;
    }

    @Override
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            LockSupport.unpark(thread);
            stop.closed.run();
        }
    }
}
