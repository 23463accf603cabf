package io.slotwise.demo;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.ClusterView;
import io.slotwise.live.Diary;
import io.slotwise.live.Host;
import io.slotwise.live.PlanningLoop.Latest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A demo that goes on by itself, on a thread of its own, at a tempo. */
public final class DemoHost implements Host {
    private static final Logger LOG = Logger.getLogger(DemoHost.class);

    private final LivingDemo demo;
    private final Tempo tempo;
    private final Instant end;
    private final Runnable ended;
    private final Thread thread = new Thread(this::live, "slotwise-demo");
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    /**
     * A demo that has not begun.
     *
     * @param end the first of its instants that it does not see
     * @param ended called once it has come to its end
     */
    DemoHost(LivingDemo demo, Tempo tempo, Instant end, Runnable ended) {
        this.demo = demo;
        this.tempo = tempo;
        this.end = end;
        this.ended = ended;
        thread.setDaemon(true);
    }

    private void live() {
        try {
            Instant next = demo.next();
            while (!closed && next.isBefore(end)) {
                long wait = tempo.nanosUntil(next);
                if (wait > 0) {
                    LockSupport.parkNanos(wait);
                } else {
                    tempo.reaches(next);
                    if (demo.step()) {
                        listeners.forEach(Runnable::run);
                    }
                    next = demo.next();
                }
            }
            if (!closed) {
                ended.run();
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
    public List<Diary.Entry> told(GangId gang) {
        return demo.diary().of(gang);
    }

    @Override
    public boolean leads() {
        return true;
    }

    @Override
    public boolean alive() {
        return thread.isAlive() || thread.getState() == Thread.State.NEW;
    }

    @Override
    public boolean proceeds() {
        return true;
    }

    /** {@inheritDoc} It moves between two steps too, so that a now-line glides, but never past what has not happened yet. */
    @Override
    public InstantSource clock() {
        return tempo.speed() == 0 ? demo.clock() : () -> tempo.now(demo.next());
    }

    @Override
    public int speed() {
        return tempo.speed();
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
        closed = true;
        LockSupport.unpark(thread);
    }
}
