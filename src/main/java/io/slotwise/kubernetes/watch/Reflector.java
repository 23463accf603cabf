package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.crd.v1alpha1.ResourceVersion;
import io.slotwise.kubernetes.crd.v1alpha1.RetryAfter;
import io.slotwise.kubernetes.watch.WatchConnection.End;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one kind as the API server has them: a list, then one watch after the other, each from the version at
 * which the previous one ended. A watch that ends in time costs no list and is not logged.
 *
 * <p>The API server ends every watch after some seconds, with a different number for each watch. A list proves that
 * everything was seen. So does a watch that the API server ended in time, because it has delivered everything by then.
 *
 * <p>Any other end leaves a doubt: the connection broke, or the watch outlived its time-out, or it was silent although
 * this program has written an object of the kind. This program may also have been suspended and unable to listen. The
 * next watch continues from the same version and lasts one second, so that the next proof comes soon. If that watch
 * outlives its time-out too, everything is listed again, which ends the doubt. If no proof holds, objects that fit on
 * one page are listed again at once.
 *
 * <p>The handler receives changes one after another, before the next one is read. With n objects of the kind, an event
 * costs O(1) and a list O(n).
 */
final class Reflector<T extends HasMetadata> implements AutoCloseable {
    /** The objects in one page of a list. No more unstripped objects are in memory at a time. */
    static final long PAGE = 500;

    private static final Logger LOG = Logger.getLogger(Reflector.class);
    /** The lifetime below which a broken watch counts as failed. */
    private static final Duration FAILED = Duration.ofSeconds(1);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final String kind;
    private final Source<T> source;
    private final Handler<T> handler;
    private final WatchTiming timing;
    private final ProcessClock clock;
    private final Map<String, T> objects = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    /** Held while one event is stored and handled. */
    private final ReentrantLock lock = new ReentrantLock();
    /** The watch whose events count; guarded by the lock. */
    private @Nullable WatchConnection<T> openConnection;

    private BooleanSupplier overdue = () -> false;
    private volatile @Nullable Thread thread;
    private volatile String version = "";
    private volatile boolean synced;
    /** True if the API server refuses to return the objects. */
    private volatile boolean withheld;
    /** The time of the last proof, nanoseconds. */
    private volatile long proven;

    private volatile @Nullable Awaited awaited;
    private @Nullable String loggedWords;

    interface Source<T extends HasMetadata> {
        /**
         * Returns one page.
         *
         * @throws KubernetesClientException if the list fails
         */
        KubernetesResourceList<T> list(ListOptions options);

        /**
         * Starts a single watch that is never repeated by itself. Returns or fails when the API server has answered.
         */
        Watch watch(ListOptions options, Watcher<T> watcher);

        /** Returns the objects of a kind, by a client that does not repeat watches. */
        static <T extends HasMetadata> Source<T> of(
                FilterWatchListDeletable<T, ? extends KubernetesResourceList<T>, ?> operation) {
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

    interface Handler<T> {
        /** Removes the parts of an object that are never read, before it is kept. */
        default void strip(T object) {}

        /**
         * Handles a new or changed object.
         *
         * @param before the previous state, or null for a new object
         */
        void seen(@Nullable T before, T now);

        void gone(T last);

        /**
         * Handles the end of a list, after its new objects.
         *
         * @param keys the keys of all listed objects
         * @param version the version of the list
         */
        default void listed(Set<String> keys, String version) {}

        /**
         * Handles that the API server withholds the kind: it is not served, or may not be read. Called once until the
         * next list succeeds.
         */
        default void withheld() {}

        /** Handles that the objects are proven to be current again. */
        default void current() {}

        /** Handles a refused list or watch. It is repeated unless the reflector is closed. */
        default void refused(KubernetesClientException refusal) {}
    }

    /**
     * A write of this program that the watch has not delivered.
     *
     * @param since the time of the write, nanoseconds
     */
    private record Awaited(String version, long since) {}

    Reflector(String kind, Source<T> source, Handler<T> handler, WatchTiming timing, ProcessClock clock) {
        this.kind = kind;
        this.source = source;
        this.handler = handler;
        this.timing = timing;
        this.clock = clock;
    }

    String kind() {
        return kind;
    }

    /**
     * Starts without waiting.
     *
     * @param unseen tells whether a write of this program has not been seen for {@link WatchTiming#echo}; called now
     *     and then
     */
    void start(BooleanSupplier unseen) {
        overdue = unseen;
        thread = Thread.ofVirtual().name("slotwise-watch-" + kind).start(this::run);
    }

    /** Returns whether all objects have been seen once and handled. */
    boolean hasSynced() {
        return synced;
    }

    /** Returns whether the last list was refused because the kind is not served or may not be read. */
    boolean isWithheld() {
        return withheld;
    }

    /**
     * Returns whether the last proof still holds: it is recent enough, and this program has not been suspended since.
     */
    boolean isCurrent() {
        return synced
                && proven - clock.resumed() >= 0
                && clock.nanos() - proven <= timing.holds().toNanos();
    }

    /** Notes that everything was seen at a moment, nanoseconds. */
    private void prove(long moment) {
        boolean before = isCurrent();
        proven = moment;
        synced = true;
        loggedWords = null;
        if (!before && isCurrent()) {
            told("current", handler::current);
        }
    }

    /** Returns the age of the last proof, or null. */
    @Nullable
    Duration sinceProof() {
        return synced ? Duration.ofNanos(clock.nanos() - proven) : null;
    }

    void written(String newer) {
        if (awaited == null && ResourceVersion.isLater(newer, version)) {
            awaited = new Awaited(newer, clock.nanos());
            // The watch may have delivered it already.
            seenUpTo(version);
        }
    }

    List<T> list() {
        return List.copyOf(objects.values());
    }

    /** Returns an object by {@code NAMESPACE/NAME}, or by its name for kinds without namespaces. */
    @Nullable
    T get(String key) {
        return objects.get(key);
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
        boolean doubted = false;
        try {
            while (isOpen()) {
                try {
                    if (version.isEmpty() || (!isCurrent() && objects.size() < PAGE)) {
                        relist();
                        doubted = false;
                    }
                    long begun = clock.nanos();
                    End end = watch(doubted || !isCurrent());
                    doubted = end.leavesADoubt();
                    if (doubted) {
                        awaited = null;
                    }
                    if (end == End.GONE || end == End.HUNG) {
                        version = "";
                    }
                    if (end == End.HUNG) {
                        LOG.warnf(
                                "The watch of %s has been silent for %d s; listing and watching again.",
                                kind, TimeUnit.NANOSECONDS.toSeconds(clock.nanos() - proven));
                    }
                    boolean failed =
                            end == End.HUNG || (end != End.IN_TIME && clock.nanos() - begun < FAILED.toNanos());
                    failures = failed ? failures + 1 : 0;
                    await(failed ? pause(failures, Duration.ZERO) : Duration.ZERO);
                } catch (RuntimeException | Error e) {
                    failures++;
                    doubted = true;
                    await(failed(e, failures));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the pause after a failure. Each new failure is logged in one line. */
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
        if (isOpen() && !words.equals(loggedWords)) {
            loggedWords = words;
            LOG.warnf("watching %s failed; retrying: %s", kind, words);
        }
        if (problem instanceof KubernetesClientException refusal) {
            told("refused", () -> handler.refused(refusal));
            return pause(failures, RetryAfter.of(refusal));
        }
        return pause(failures, Duration.ZERO);
    }

    /** Returns whether this status code means that a kind is not served, or may not be read. */
    static boolean withholds(int code) {
        return code == HttpURLConnection.HTTP_FORBIDDEN || code == HttpURLConnection.HTTP_NOT_FOUND;
    }

    /** Returns a pause that grows with consecutive failures and is random, so that replicas differ. */
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

    /** Lists all objects page by page. Objects that are not listed are gone. */
    private void relist() {
        long begun = clock.nanos();
        Set<String> listed = new HashSet<>();
        String next = null;
        String at;
        do {
            KubernetesResourceList<T> page = source.list(
                    new ListOptionsBuilder().withLimit(PAGE).withContinue(next).build());
            locked(() -> page.getItems().forEach(item -> listed.add(put(item))));
            ListMeta meta = page.getMetadata();
            next = meta == null ? null : meta.getContinue();
            at = meta == null ? null : meta.getResourceVersion();
        } while (next != null && !next.isEmpty());
        lock.lock();
        try {
            objects.keySet().stream()
                    .filter(key -> !listed.contains(key))
                    .toList()
                    .forEach(this::remove);
            version = at == null || at.isEmpty() ? "0" : at;
            withheld = false;
            handler.listed(listed, version);
        } finally {
            lock.unlock();
        }
        prove(begun);
        seenUpTo(version);
    }

    /**
     * Watches until the end.
     *
     * @param doubted whether the previous watch left a doubt
     */
    private End watch(boolean doubted) throws InterruptedException {
        WatchConnection<T> connection = new WatchConnection<>(source, this::take, timing, doubted, clock);
        locked(() -> openConnection = connection);
        // In another thread, because the call may hang before it is answered.
        Thread.ofVirtual().name("slotwise-watch-" + kind + "-begins").start(() -> connection.begin(version));
        try {
            End end = connection.end(this::lacksAWrite);
            if (end == End.IN_TIME) {
                prove(connection.ended());
            }
            return end;
        } finally {
            locked(() -> openConnection = null);
            connection.leave();
        }
    }

    private boolean lacksAWrite() {
        Awaited awaitedWrite = awaited;
        return (awaitedWrite != null
                        && clock.nanos() - awaitedWrite.since() > timing.echo().toNanos())
                || overdue.getAsBoolean();
    }

    /**
     * Reads what a field selector selects ahead of the watch, which later skips what it delivers of older versions.
     *
     * @param known the known objects that the selector selects; those that the answer lacks are gone
     * @throws KubernetesClientException if the API server does not answer
     */
    void read(String selector, List<T> known) {
        KubernetesResourceList<T> answer =
                source.list(new ListOptionsBuilder().withFieldSelector(selector).build());
        String at = answer.getMetadata().getResourceVersion();
        Set<String> keys =
                answer.getItems().stream().map(Cache::metaNamespaceKeyFunc).collect(Collectors.toSet());
        locked(() -> {
            answer.getItems().stream().filter(object -> !isOld(object)).forEach(this::put);
            known.stream()
                    .filter(object -> !keys.contains(Cache.metaNamespaceKeyFunc(object)))
                    .filter(object -> !isOld(object) && !ResourceVersion.isLater(version(object), at))
                    .forEach(object -> remove(Cache.metaNamespaceKeyFunc(object)));
        });
    }

    private void locked(Runnable task) {
        lock.lock();
        try {
            task.run();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a later version of the object was read. */
    private boolean isOld(T object) {
        T known = objects.get(Cache.metaNamespaceKeyFunc(object));
        String version = version(object);
        return known != null && !version.isEmpty() && ResourceVersion.isLater(version(known), version);
    }

    private static String version(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getResourceVersion(), "");
    }

    private String put(T object) {
        String key = Cache.metaNamespaceKeyFunc(object);
        T before = objects.get(key);
        if (before == null || !isSame(before, object)) {
            put(key, before, object);
        }
        return key;
    }

    private void put(String key, @Nullable T before, T object) {
        // The managed fields are often the larger part of an object.
        object.getMetadata().setManagedFields(null);
        handler.strip(object);
        objects.put(key, object);
        told(key, () -> handler.seen(before, object));
    }

    /**
     * Strips objects again after a change of what stripping depends on.
     *
     * @param which returns the affected objects
     * @param copy copies an object, so that readers of the old one are not affected
     */
    void stripAgain(Supplier<List<T>> which, UnaryOperator<T> copy) {
        locked(() ->
                which.get().forEach(object -> put(Cache.metaNamespaceKeyFunc(object), object, copy.apply(object))));
    }

    private static boolean isSame(HasMetadata known, HasMetadata other) {
        String uid = String.valueOf(known.getMetadata().getUid());
        return version(known).equals(version(other))
                && uid.equals(other.getMetadata().getUid());
    }

    private void remove(String key) {
        T last = objects.remove(key);
        if (last != null) {
            told(key, () -> handler.gone(last));
        }
    }

    /** Calls the handler. An error in the handler must not end the watch. */
    private void told(String key, Runnable handled) {
        Isolated.run(handled, failure -> LOG.errorf(failure, "A change of %s %s could not be processed", kind, key));
    }

    private void seenUpTo(String now) {
        Awaited awaitedWrite = awaited;
        if (awaitedWrite != null && !now.isEmpty() && !ResourceVersion.isLater(awaitedWrite.version(), now)) {
            awaited = null;
        }
    }

    /** Takes an event. An error event ends the watch. */
    private void take(WatchConnection<T> connection, Watcher.Action action, T object) {
        locked(() -> {
            if (openConnection != connection) {
                return;
            }
            if (action == Watcher.Action.DELETED && !isOld(object)) {
                remove(Cache.metaNamespaceKeyFunc(object));
            } else if ((action == Watcher.Action.ADDED || action == Watcher.Action.MODIFIED) && !isOld(object)) {
                put(object);
            }
            String now = version(object);
            if (!now.isEmpty()) {
                version = now;
                seenUpTo(now);
            }
        });
    }
}
