package io.slotwise.web.board;

import io.slotwise.web.board.BoardSource.Moment;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the newest board and tells its listeners of changes. It draws only while somebody looks: on demand, and for listeners a short while
 * after {@link #changed} and at every look.
 *
 * <p>Three events: {@code change}, the difference from the edition that the listener has; {@code state}, the version of an edition that it has to
 * fetch whole, because it has missed one or the difference is large; {@code beat}, the time and the version, so that both sides see that the
 * other is there. A listener that has not taken the last event is sent nothing; then it is sent what is newest, and never a backlog.
 */
public final class BoardFeed implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(BoardFeed.class);
    private static final int STUCK_BEATS = 6;

    private final BoardSource source;
    private final Rhythm rhythm;
    private final String instance = UUID.randomUUID().toString().substring(0, 8);
    private final Set<Subscriber> subscribers = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean waiting = new AtomicBoolean();
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("slotwise-board").daemon().factory());
    private final Object drawing = new Object();
    private volatile @Nullable Edition newest;
    private long number;
    private volatile boolean stale = true;

    /**
     * How often a feed does what.
     *
     * @param settle how long changes are collected before listeners are told
     * @param look how often a change is looked for that nobody told
     * @param beat how often listeners are told the time
     * @param listeners the most at a time
     */
    public record Rhythm(Duration settle, Duration look, Duration beat, int listeners) {
        /** For a cluster. */
        public static final Rhythm USUAL =
                new Rhythm(Duration.ofMillis(300), Duration.ofSeconds(5), Duration.ofSeconds(10), 256);
    }

    /** Somebody who is told. */
    public interface Listener {
        /** Sends an event; the stage completes when it is taken, exceptionally if it cannot be. Never waits. */
        CompletionStage<?> send(String event, String data);

        /** Sends it away. */
        void close();
    }

    /** A feed of this source. */
    public BoardFeed(BoardSource source, Rhythm rhythm) {
        this.source = source;
        this.rhythm = rhythm;
        every(rhythm.look(), () -> {
            stale = true;
            publish();
        });
        every(rhythm.beat(), () -> subscribers.forEach(Subscriber::beat));
    }

    private void every(Duration period, Runnable task) {
        var _ = worker.scheduleWithFixedDelay(
                () -> guarded(task), period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("the board was not drawn and is tried again", e);
        }
    }

    /** Something changed that a board shows; returns at once. */
    public void changed() {
        stale = true;
        if (!subscribers.isEmpty() && !worker.isShutdown() && waiting.compareAndSet(false, true)) {
            var _ = worker.schedule(
                    () -> {
                        waiting.set(false);
                        guarded(this::publish);
                    },
                    rhythm.settle().toMillis(),
                    TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Begins to tell a listener.
     *
     * @param known the version that it has; empty: none
     * @return what ends it; null: there are too many listeners already
     */
    public @Nullable Runnable join(Listener listener, String known) {
        Subscriber subscriber = new Subscriber(listener, known);
        synchronized (subscribers) {
            if (subscribers.size() >= rhythm.listeners()) {
                return null;
            }
            subscribers.add(subscriber);
        }
        worker.execute(() -> guarded(() -> {
            edition();
            subscriber.beat();
        }));
        return () -> subscribers.remove(subscriber);
    }

    /** How many listen now. */
    public int listeners() {
        return subscribers.size();
    }

    /** The newest edition. */
    Edition edition() {
        synchronized (drawing) {
            Edition before = newest;
            if (before != null && !stale) {
                return before;
            }
            stale = false;
            Board board = source.board();
            int speed = source.moment().speed();
            Edition after = before == null
                    ? Edition.first(version(), speed, board)
                    : before.shows(board) && before.speed() == speed
                            ? before.at(board)
                            : before.next(version(), speed, board);
            newest = after;
            return after;
        }
    }

    private String version() {
        return instance + "-" + ++number;
    }

    private void publish() {
        if (!subscribers.isEmpty()) {
            Edition edition = edition();
            subscribers.forEach(subscriber -> subscriber.offer(edition));
        }
    }

    private record Beat(String version, long now, int speed) {}

    private record State(String version) {}

    /** A listener and what it knows. */
    private final class Subscriber {
        private final Listener listener;
        private String known;
        private boolean sending;
        private int missedBeats;

        private Subscriber(Listener listener, String known) {
            this.listener = listener;
            this.known = known;
        }

        synchronized void offer(Edition edition) {
            if (sending || known.equals(edition.version())) {
                return;
            }
            String change = edition.changeFrom(known);
            known = edition.version();
            if (change == null) {
                send("state", Edition.text(new State(known)));
            } else {
                send("change", change);
            }
        }

        synchronized void beat() {
            if (!sending) {
                missedBeats = 0;
                Moment moment = source.moment();
                send("beat", Edition.text(new Beat(edition().version(), moment.millis(), moment.speed())));
            } else if (++missedBeats >= STUCK_BEATS) {
                leave();
            }
        }

        private void send(String event, String data) {
            sending = true;
            var _ = listener.send(event, data).whenComplete((_, failure) -> {
                if (failure != null) {
                    leave();
                } else {
                    taken();
                }
            });
        }

        /** Called by whoever sends: what is offered next is there already, nothing is drawn. */
        private synchronized void taken() {
            sending = false;
            Edition edition = newest;
            if (edition != null && subscribers.contains(this)) {
                offer(edition);
            }
        }

        private void leave() {
            subscribers.remove(this);
            listener.close();
        }
    }

    @Override
    public void close() {
        worker.shutdownNow();
        subscribers.forEach(subscriber -> subscriber.listener.close());
        subscribers.clear();
    }
}
