package io.slotwise.web.board;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.slotwise.web.access.NamespaceScope;
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
 * Keeps the newest board and sends changes to listeners. A board is only rendered for readers: on demand, and for
 * listeners shortly after {@link #changed} and at regular intervals. One rendering serves all readers. Readers with the
 * same limited scope share the versions of what they may see. The versions of the {@link #MOST_SCOPES} most used scopes
 * are kept; a reader of another scope gets a whole document.
 *
 * <p>There are three events. {@code change} is the difference from the listener's version. {@code state} is the version
 * that the listener has to fetch, because it missed one or the difference is large. {@code beat} is the time and the
 * version, which shows both sides that the connection is alive. A listener that has not taken the last event is sent
 * nothing until then, and then the newest state instead of a backlog.
 */
public final class BoardFeed implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(BoardFeed.class);
    private static final int STUCK_BEATS = 6;
    private static final int MOST_SCOPES = 64;

    private final BoardSource source;
    private final Rhythm rhythm;
    private final String instance = UUID.randomUUID().toString().substring(0, 8);
    private final Set<Subscriber> subscribers = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean waiting = new AtomicBoolean();
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("slotwise-board").daemon().factory());
    private final Object drawing = new Object();
    private final Cache<NamespaceScope, Drawn> versions = Caffeine.newBuilder()
            .maximumSize(MOST_SCOPES)
            .executor(Runnable::run)
            .build();
    private @Nullable Whole newestWhole;
    private long drawings;
    private long number;
    private volatile boolean stale = true;

    /**
     * The intervals and limits of a feed.
     *
     * @param settle how long changes are collected before they are sent
     * @param look how often the board is rendered again, in case a change was not reported
     * @param beat how often the event {@code beat} is sent
     * @param listeners the most listeners at a time
     * @param ofCaller the most listeners of one caller
     */
    public record Rhythm(Duration settle, Duration look, Duration beat, int listeners, int ofCaller) {
        public static final Rhythm USUAL =
                new Rhythm(Duration.ofMillis(300), Duration.ofSeconds(5), Duration.ofSeconds(10), 256, 16);
    }

    private record Whole(Board board, int speed, long number) {}

    private record Drawn(BoardVersion version, long of) {}

    /** The place of a listener among all listeners. */
    public interface Place {
        void see(NamespaceScope scope);

        void leave();
    }

    /** A reader of events. */
    public interface Listener {
        /** Sends an event without blocking. The stage completes when it is taken, exceptionally if that fails. */
        CompletionStage<?> send(String event, String data);

        void close();

        /** Returns the caller, who may have a limited number of listeners. Null if authentication is off. */
        default @Nullable String caller() {
            return null;
        }
    }

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
            LOG.error("the board could not be rendered; retrying", e);
        }
    }

    /** Notes a change of the cluster and returns at once. */
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
     * Adds a listener.
     *
     * @param known the version that the listener has; empty if none
     * @return null if there are too many listeners, or too many of this caller
     */
    public @Nullable Place join(Listener listener, String known, NamespaceScope scope) {
        Subscriber subscriber = new Subscriber(listener, known, scope);
        synchronized (subscribers) {
            if (subscribers.size() >= rhythm.listeners() || ofCaller(listener.caller()) >= rhythm.ofCaller()) {
                return null;
            }
            subscribers.add(subscriber);
        }
        worker.execute(() -> guarded(subscriber::beat));
        return subscriber;
    }

    private long ofCaller(@Nullable String caller) {
        return caller == null
                ? 0
                : subscribers.stream()
                        .filter(subscriber -> caller.equals(subscriber.listener.caller()))
                        .count();
    }

    public int listeners() {
        return subscribers.size();
    }

    /** Returns the newest version for the readers with a scope. */
    BoardVersion versionFor(NamespaceScope scope) {
        synchronized (drawing) {
            Whole whole = newestWhole;
            if (whole == null || stale) {
                stale = false;
                whole = new Whole(source.board(), source.moment().speed(), ++drawings);
                newestWhole = whole;
            }
            Drawn before = versions.getIfPresent(scope);
            if (before != null && before.of() == whole.number()) {
                return before.version();
            }
            BoardVersion version = after(before, BoardRedactor.over(whole.board(), scope), whole.speed());
            versions.put(scope, new Drawn(version, whole.number()));
            return version;
        }
    }

    private BoardVersion after(@Nullable Drawn before, Board board, int speed) {
        if (before == null) {
            return BoardVersion.first(version(), speed, board);
        }
        BoardVersion oldVersion = before.version();
        return oldVersion.shows(board) && oldVersion.speed() == speed
                ? oldVersion.at(board)
                : oldVersion.next(version(), speed, board);
    }

    private String version() {
        return instance + "-" + ++number;
    }

    private void publish() {
        subscribers.forEach(Subscriber::offerNewest);
    }

    private record Beat(String version, long now, int speed) {}

    private record State(String version) {}

    private final class Subscriber implements Place {
        private final Listener listener;
        private volatile NamespaceScope scope;
        private @Nullable BoardVersion latestVersion;
        private String known;
        private boolean sending;
        private int missedBeats;

        private Subscriber(Listener listener, String known, NamespaceScope scope) {
            this.listener = listener;
            this.known = known;
            this.scope = scope;
        }

        @Override
        public void see(NamespaceScope newScope) {
            if (!newScope.equals(scope) && !worker.isShutdown()) {
                scope = newScope;
                worker.execute(() -> guarded(this::offerNewest));
            }
        }

        @Override
        public void leave() {
            subscribers.remove(this);
        }

        void offerNewest() {
            offer(versionFor(scope));
        }

        private synchronized void offer(BoardVersion version) {
            latestVersion = version;
            if (sending || known.equals(version.version())) {
                return;
            }
            String change = version.changeFrom(known);
            known = version.version();
            if (change == null) {
                send("state", BoardVersion.text(new State(known)));
            } else {
                send("change", change);
            }
        }

        synchronized void beat() {
            if (!sending) {
                missedBeats = 0;
                BoardVersion version = versionFor(scope);
                latestVersion = version;
                Moment moment = source.moment();
                send("beat", BoardVersion.text(new Beat(version.version(), moment.millis(), moment.speed())));
            } else if (++missedBeats >= STUCK_BEATS) {
                sendAway();
            }
        }

        private void send(String event, String data) {
            sending = true;
            var _ = listener.send(event, data).whenComplete((_, failure) -> {
                if (failure != null) {
                    sendAway();
                } else {
                    taken();
                }
            });
        }

        /** Called by the sending thread: the next version already exists, so nothing is rendered. */
        private synchronized void taken() {
            sending = false;
            BoardVersion version = latestVersion;
            if (version != null && subscribers.contains(this)) {
                offer(version);
            }
        }

        private void sendAway() {
            leave();
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
