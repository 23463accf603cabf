package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.crd.v1alpha1.ResourceVersion;
import io.slotwise.kubernetes.crd.v1alpha1.RetryAfter;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one kind as the API server has them: a list, then one watch after the other, each from the version at
 * which the one before ended. A watch that ends in time costs no list, and its end is not logged.
 *
 * <p>The API server ends every watch after some tens of seconds, a different number for each, and sends a bookmark
 * shortly before. A watch that outlives that hangs: it is left, and everything is listed again. The same holds, sooner,
 * for one that is silent although this program has written an object of the kind.
 *
 * <p>Proofs of life are a list, the API server's consent to a watch (one that it refuses ends at once), an event and a
 * bookmark. After a watch that hung the consent to the next one proves nothing, and it gets less time.
 *
 * <p>The handler is told of changes one after another, before the next one is taken in. With n objects of the kind, an
 * event costs O(1), a list O(n).
 */
final class Reflector<T extends HasMetadata> implements AutoCloseable {
    /** Objects in one answer to a list: whole objects are only held for so many at a time, stripped ones for all. */
    static final long PAGE = 500;

    private static final Logger LOG = Logger.getLogger(Reflector.class);
    /** A watch that ends sooner has failed. */
    private static final Duration FAILED = Duration.ofSeconds(1);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final String kind;
    private final Source<T> source;
    private final Handler<T> handler;
    private final List<ObjectIndex<T>> indexes;
    private final Timing timing;
    private final LongSupplier nanos;
    private final StrippedStore<T> store;
    private final CountDownLatch closed = new CountDownLatch(1);
    /** Held for the assignments and the handler of one event. */
    private final ReentrantLock lock = new ReentrantLock();
    /** The watch whose events count; guarded by the lock. */
    private @Nullable Connection connected;

    private BooleanSupplier overdue = () -> false;
    private volatile @Nullable Thread thread;
    private volatile String version = "";
    private volatile boolean synced;
    /** The API server does not hand the objects out. */
    private volatile boolean withheld;
    /** When the last proof of life came, nanoseconds. */
    private volatile long proven;
    /** The last watch hung, and nothing has come through one since. */
    private volatile boolean wary;

    private volatile @Nullable Awaited awaited;
    private @Nullable String said;

    /** Where objects come from. */
    interface Source<T extends HasMetadata> {
        /** One page; fails with a {@link KubernetesClientException}. */
        KubernetesResourceList<T> list(ListOptions options);

        /**
         * A single watch, which is never begun again by itself; returns, or fails, when the API server has answered.
         */
        Watch watch(ListOptions options, Watcher<T> watcher);

        /** The objects of a kind by a client that does not begin watches again. */
        static <T extends HasMetadata> Source<T> of(
                AnyNamespaceOperation<T, ? extends KubernetesResourceList<T>, ?> operation) {
            return new Source<>() {
                @Override
                public KubernetesResourceList<T> list(ListOptions options) {
                    return operation.list(options);
                }

                @Override
                public Watch watch(ListOptions options, Watcher<T> watcher) {
                    return operation.watch(options, watcher);
                }
            };
        }
    }

    /** Is told of changes. */
    interface Handler<T> {
        /**
         * An object is there, or is another one.
         *
         * @param before as it was; null: it was not there
         */
        void seen(@Nullable T before, T now);

        /** An object is there no more. */
        void gone(T last);

        /**
         * All was listed, and told where it was new.
         *
         * @param keys of all objects that there were
         * @param version of the list
         */
        default void listed(Set<String> keys, String version) {}

        /**
         * The API server hands no objects out: their kind is not served, or may not be read. Told once until they are
         * listed.
         */
        default void withheld() {}

        /** The API server has refused a list or a watch, which is asked for again unless the reflector is closed. */
        default void refused(KubernetesClientException refusal) {}
    }

    /**
     * How long watches last and are waited for.
     *
     * @param shortest the shortest time-out of a watch
     * @param longest the longest one
     * @param wary that of a watch after one that hung
     * @param grace a watch hangs if it outlives its time-out by this
     * @param echo a silent watch hangs if it has not brought a write of this program for so long
     */
    record Timing(Duration shortest, Duration longest, Duration wary, Duration grace, Duration echo) {
        static final Timing DEFAULT = new Timing(
                Duration.ofSeconds(20),
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10));

        private Duration timeout(boolean afterOneThatHung) {
            long more = longest.minus(shortest).toMillis();
            return afterOneThatHung
                    ? wary
                    : shortest.plusMillis(ThreadLocalRandom.current().nextLong(more + 1));
        }

        /** A proof holds for as long as a watch may take for the next one. */
        private long holds(boolean afterOneThatHung) {
            return (afterOneThatHung ? wary : longest).plus(grace).toNanos();
        }
    }

    /**
     * A write of this program that the watch has not brought.
     *
     * @param since when it was made, nanoseconds
     */
    private record Awaited(String version, long since) {}

    /** How a watch ended. */
    private enum End {
        /** In time, or its connection broke: the next one goes on where it was. */
        OVER,
        /** The API server does not have the changes since its version any more. */
        GONE,
        /** It outlived its time-out, or did not bring what was written. */
        HUNG
    }

    /**
     * Objects that are seen from {@link #start} on.
     *
     * @param kind their plural
     * @param nanos a clock that only runs forward, nanoseconds
     */
    Reflector(
            String kind,
            Source<T> source,
            Handler<T> handler,
            List<ObjectIndex<T>> indexes,
            Timing timing,
            LongSupplier nanos) {
        this(kind, source, handler, indexes, _ -> {}, timing, nanos);
    }

    /**
     * The same for parts of objects.
     *
     * @param strip takes out of an object what no code reads
     */
    Reflector(
            String kind,
            Source<T> source,
            Handler<T> handler,
            List<ObjectIndex<T>> indexes,
            Consumer<? super T> strip,
            Timing timing,
            LongSupplier nanos) {
        this.store = new StrippedStore<>(strip);
        this.kind = kind;
        this.source = source;
        this.handler = handler;
        this.indexes = List.copyOf(indexes);
        this.timing = timing;
        this.nanos = nanos;
    }

    /** Their plural. */
    String kind() {
        return kind;
    }

    /**
     * Begins; returns at once.
     *
     * @param unseen whether a write of this program has not been seen for {@link Timing#echo}; asked now and then
     */
    void start(BooleanSupplier unseen) {
        overdue = unseen;
        thread = Thread.ofVirtual().name("slotwise-watch-" + kind).start(this::run);
    }

    /** Whether all that there is has been seen once, and the handler has been told. */
    boolean hasSynced() {
        return synced;
    }

    /** Whether the last list was refused, because the kind is not served or may not be read. */
    boolean isWithheld() {
        return withheld;
    }

    /** Whether the last proof of life still holds. */
    boolean isCurrent() {
        return synced && nanos.getAsLong() - proven <= timing.holds(wary);
    }

    /** How long ago the last proof of life came; null: none has. */
    @Nullable
    Duration sinceProof() {
        return synced ? Duration.ofNanos(nanos.getAsLong() - proven) : null;
    }

    /** This program has written an object of this kind, which has this version since. */
    void written(String newer) {
        if (awaited == null && ResourceVersion.isLater(newer, version)) {
            awaited = new Awaited(newer, nanos.getAsLong());
            // It may have come meanwhile.
            seenUpTo(version);
        }
    }

    /** All objects. */
    List<T> list() {
        return store.values().toList();
    }

    /** An object by {@code NAMESPACE/NAME}, or by its name where the kind has no namespaces. */
    @Nullable
    T get(String key) {
        return store.get(key);
    }

    @Override
    public void close() {
        closed.countDown();
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    private boolean isOpen() {
        return closed.getCount() > 0;
    }

    private void run() {
        int failures = 0;
        try {
            while (isOpen()) {
                long begun = nanos.getAsLong();
                try {
                    if (version.isEmpty()) {
                        relist();
                        begun = nanos.getAsLong();
                    }
                    End end = watch();
                    boolean failed = end == End.OVER && nanos.getAsLong() - begun < FAILED.toNanos();
                    failures = failed ? failures + 1 : 0;
                    if (end == End.OVER) {
                        await(failed ? pause(failures, Duration.ZERO) : Duration.ZERO);
                    } else {
                        leave(end);
                    }
                } catch (RuntimeException | Error e) {
                    failures++;
                    await(failed(e, failures));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What the watch shows is not to be gone on from. */
    private void leave(End end) {
        version = "";
        if (end == End.HUNG) {
            wary = true;
            awaited = null;
            LOG.warnf(
                    "The watch of %s has been silent for %d s; listing and watching again.",
                    kind, TimeUnit.NANOSECONDS.toSeconds(nanos.getAsLong() - proven));
        }
    }

    /** How long to wait after a failure; each new one is logged in one line. */
    private Duration failed(Throwable problem, int failures) {
        int code = problem instanceof KubernetesClientException e ? e.getCode() : 0;
        if (code == HttpURLConnection.HTTP_GONE) {
            version = "";
        }
        if (withholds(code) && version.isEmpty() && !withheld) {
            withheld = true;
            told("withheld", handler::withheld);
        }
        String words = problem instanceof KubernetesClientException
                ? String.valueOf(problem.getMessage())
                : problem.toString();
        if (isOpen() && !words.equals(said)) {
            said = words;
            LOG.warnf("watching %s failed; retrying: %s", kind, words);
        }
        if (problem instanceof KubernetesClientException refusal) {
            told("refused", () -> handler.refused(refusal));
            return pause(failures, RetryAfter.of(refusal));
        }
        return pause(failures, Duration.ZERO);
    }

    /** Whether an answer of this code says that a kind is not served, or may not be read. */
    static boolean withholds(int code) {
        return code == HttpURLConnection.HTTP_FORBIDDEN || code == HttpURLConnection.HTTP_NOT_FOUND;
    }

    /** Longer with each failure in a row, and never the same for two replicas. */
    private static Duration pause(int failures, Duration least) {
        long doubled = FIRST_PAUSE.toMillis() << Math.min(failures - 1, 10);
        long millis = Math.max(Math.min(doubled, LONGEST_PAUSE.toMillis()), least.toMillis());
        return Duration.ofMillis(millis + ThreadLocalRandom.current().nextLong(millis / 2 + 1));
    }

    private void await(Duration time) throws InterruptedException {
        if (time.isPositive()) {
            var _ = closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** All that there is, page by page; what is not in it is gone. */
    private void relist() {
        long begun = nanos.getAsLong();
        Set<String> listed = new HashSet<>();
        String next = null;
        String at;
        do {
            KubernetesResourceList<T> page = source.list(
                    new ListOptionsBuilder().withLimit(PAGE).withContinue(next).build());
            lock.lock();
            try {
                page.getItems().forEach(item -> listed.add(put(item)));
            } finally {
                lock.unlock();
            }
            ListMeta meta = page.getMetadata();
            next = meta == null ? null : meta.getContinue();
            at = meta == null ? null : meta.getResourceVersion();
        } while (next != null && !next.isEmpty());
        lock.lock();
        try {
            store.keySet().filter(key -> !listed.contains(key)).toList().forEach(this::remove);
            version = at == null || at.isEmpty() ? "0" : at;
            withheld = false;
            handler.listed(listed, version);
        } finally {
            lock.unlock();
        }
        proven = begun;
        synced = true;
        seenUpTo(version);
    }

    private End watch() throws InterruptedException {
        Connection connection = new Connection(timing.timeout(wary));
        lock.lock();
        try {
            connected = connection;
        } finally {
            lock.unlock();
        }
        // Another thread's call: it may hang before it is answered.
        Thread.ofVirtual().name("slotwise-watch-" + kind + "-begins").start(connection::begin);
        try {
            return connection.end();
        } finally {
            connection.leave();
        }
    }

    private String put(T object) {
        String key = store.getKey(object);
        T before = store.get(key);
        if (before == null || !isSame(before, object)) {
            store.put(key, object);
            told(key, () -> indexes.forEach(index -> index.put(key, before, object)));
            told(key, () -> handler.seen(before, object));
        }
        return key;
    }

    private static boolean isSame(HasMetadata known, HasMetadata other) {
        String of = known.getMetadata().getResourceVersion();
        return of != null
                && of.equals(other.getMetadata().getResourceVersion())
                && Objects.equals(
                        known.getMetadata().getUid(), other.getMetadata().getUid());
    }

    private void remove(String key) {
        T last = store.remove(key);
        if (last != null) {
            told(key, () -> indexes.forEach(index -> index.remove(key, last)));
            told(key, () -> handler.gone(last));
        }
    }

    /** A bug must not end the watch. */
    private void told(String key, Runnable handled) {
        Isolated.run(handled, bug -> LOG.errorf(bug, "A change of %s %s could not be processed", kind, key));
    }

    private void seenUpTo(String now) {
        Awaited write = awaited;
        if (write != null && !now.isEmpty() && !ResourceVersion.isLater(write.version(), now)) {
            awaited = null;
        }
    }

    /** One watch, from the API server's answer to its end. */
    private final class Connection implements Watcher<T> {
        private final Duration timeout;
        private final long begun = nanos.getAsLong();
        private final CompletableFuture<End> end = new CompletableFuture<>();
        private volatile @Nullable Watch watch;

        Connection(Duration timeout) {
            this.timeout = timeout;
        }

        void begin() {
            ListOptions options = new ListOptionsBuilder()
                    .withResourceVersion(version)
                    .withTimeoutSeconds(Math.max(1, timeout.toSeconds()))
                    .withAllowWatchBookmarks(true)
                    .build();
            try {
                Watch answered = source.watch(options, this);
                watch = answered;
                if (end.isDone()) {
                    answered.close();
                }
            } catch (RuntimeException | Error e) {
                end.completeExceptionally(e);
            }
        }

        /** Waits for the end. */
        End end() throws InterruptedException {
            long look = Math.max(1, timing.grace().toMillis() / 5);
            while (true) {
                try {
                    return end.get(look, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    if (hangs()) {
                        return End.HUNG;
                    }
                    stands();
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof RuntimeException problem ? problem : new IllegalStateException(e);
                }
            }
        }

        /** A watch that is refused ends at once: one that has not has been consented to since it was asked for. */
        private void stands() {
            if (watch != null && !wary && proven - begun < 0 && nanos.getAsLong() - begun > FAILED.toNanos()) {
                lock.lock();
                try {
                    proven = Math.max(proven, begun);
                    said = null;
                } finally {
                    lock.unlock();
                }
            }
        }

        private boolean hangs() {
            long now = nanos.getAsLong();
            if (now - begun > timeout.plus(timing.grace()).toNanos()) {
                return true;
            }
            long echo = timing.echo().toNanos();
            Awaited write = awaited;
            return now - Math.max(proven, begun) > echo
                    && ((write != null && now - write.since() > echo) || overdue.getAsBoolean());
        }

        /** Nothing that it still brings counts. */
        void leave() {
            lock.lock();
            try {
                connected = null;
            } finally {
                lock.unlock();
            }
            end.complete(End.OVER);
            Watch answered = watch;
            if (answered != null) {
                answered.close();
            }
        }

        @Override
        public void eventReceived(Action action, T object) {
            lock.lock();
            try {
                if (connected != this || action == Action.ERROR) {
                    return;
                }
                proven = nanos.getAsLong();
                if (wary) {
                    wary = false;
                }
                switch (action) {
                    case ADDED, MODIFIED -> put(object);
                    case DELETED -> remove(store.getKey(object));
                    case BOOKMARK, ERROR -> {}
                }
                String now = object.getMetadata().getResourceVersion();
                if (now != null && !now.isEmpty()) {
                    version = now;
                    seenUpTo(now);
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void onClose() {
            end.complete(End.OVER);
        }

        @Override
        public void onClose(WatcherException cause) {
            end.complete(cause.isHttpGone() ? End.GONE : End.OVER);
        }
    }
}
