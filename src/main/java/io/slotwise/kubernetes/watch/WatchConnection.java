package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A watch from its beginning to its end, and the kind of its end. */
final class WatchConnection<T extends HasMetadata> implements Watcher<T> {
    private final Reflector.Source<T> source;
    private final Sink<T> sink;
    private final WatchTiming timing;
    private final Duration timeout;
    private final boolean doubted;
    private final ProcessClock clock;
    private final long begun;
    private final CompletableFuture<End> end = new CompletableFuture<>();
    /** The time of the beginning or of the last event, nanoseconds. */
    private volatile long heard;

    private volatile long ended;

    private volatile @Nullable Watch watch;

    @FunctionalInterface
    interface Sink<T extends HasMetadata> {
        void take(WatchConnection<T> connection, Action action, T object);
    }

    enum End {
        /** The API server ended it after its time-out and had delivered everything. */
        IN_TIME,
        /** The API server no longer has the changes since its version. */
        GONE,
        /** Its connection broke, or this program was suspended and saw the end late. */
        BROKEN,
        /** The watch outlived its time-out or did not deliver a write, or this program was suspended. */
        DOUBTFUL,
        /** The watch began in doubt and outlived its time-out. */
        HUNG;

        /** Returns whether something may have been missed that no list would show. */
        boolean leavesADoubt() {
            return this == BROKEN || this == DOUBTFUL || this == HUNG;
        }
    }

    /**
     * Creates a watch that begins with {@link #begin}. Its time-out counts from here.
     *
     * @param doubted whether the previous watch left a doubt
     */
    WatchConnection(Reflector.Source<T> source, Sink<T> sink, WatchTiming timing, boolean doubted, ProcessClock clock) {
        this.source = source;
        this.sink = sink;
        this.timing = timing;
        this.doubted = doubted;
        this.timeout = timing.timeout(doubted);
        this.clock = clock;
        this.begun = clock.nanos();
        this.heard = begun;
        this.ended = begun;
    }

    /** Requests the changes since a version. Returns when the API server has answered. */
    void begin(String version) {
        ListOptions options = new ListOptionsBuilder()
                .withResourceVersion(version)
                .withTimeoutSeconds(timeout.toSeconds())
                .withAllowWatchBookmarks(true)
                .build();
        try {
            Watch answeredWatch = source.watch(options, this);
            watch = answeredWatch;
            if (end.isDone()) {
                answeredWatch.close();
            }
        } catch (RuntimeException | Error e) {
            end.completeExceptionally(e);
        }
    }

    /**
     * Waits for the end.
     *
     * @param lacking tells whether a write is overdue; called now and then
     */
    End end(BooleanSupplier lacking) throws InterruptedException {
        long look = Math.max(1, timing.grace().toMillis() / 5);
        while (!hasStoodStill()) {
            try {
                return end.get(look, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (outlives()) {
                    return doubted ? End.HUNG : End.DOUBTFUL;
                }
                if (clock.nanos() - heard > timing.echo().toNanos() && lacking.getAsBoolean()) {
                    return End.DOUBTFUL;
                }
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException problem ? problem : new IllegalStateException(e);
            }
        }
        return End.DOUBTFUL;
    }

    /** Returns the time of its end, nanoseconds. */
    long ended() {
        return ended;
    }

    private boolean hasStoodStill() {
        return clock.resumed() - begun > 0;
    }

    private boolean outlives() {
        return clock.nanos() - begun > timeout.plus(timing.grace()).toNanos();
    }

    void leave() {
        end.complete(End.BROKEN);
        Watch answeredWatch = watch;
        if (answeredWatch != null) {
            answeredWatch.close();
        }
    }

    @Override
    public void eventReceived(Action action, T object) {
        if (action != Action.ERROR) {
            heard = clock.nanos();
            sink.take(this, action, object);
        }
    }

    @Override
    public void onClose() {
        over();
    }

    @Override
    public void onClose(WatcherException cause) {
        if (cause.isHttpGone()) {
            end.complete(End.GONE);
        } else {
            over();
        }
    }

    /** Ends the watch. The API server ends no watch before its time-out, so an earlier end is a broken connection. */
    private void over() {
        ended = clock.nanos();
        boolean inTime = ended - begun >= timeout.toNanos() && !outlives() && !hasStoodStill();
        end.complete(inTime ? End.IN_TIME : End.BROKEN);
    }
}
