package io.slotwise.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeListBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.Watcher.Action;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Watches of an API server in memory that ends them, hangs and fails as the test says. The test advances the clock. */
class ReflectorTest {
    private static final Logger LOGGER = Logger.getLogger(Reflector.class.getName());
    /**
     * In order: the shortest and the longest timeout of a watch, the timeout after a doubt, the grace (checked every
     * fifth of it), the echo. A proof holds for a bit more than 32 s.
     */
    private static final WatchTiming TIMING = WatchTiming.DEFAULT.with(copy -> copy.shortest(Duration.ofSeconds(20))
            .longest(Duration.ofSeconds(30))
            .brief(Duration.ofSeconds(2))
            .grace(Duration.ofMillis(50))
            .echo(Duration.ofSeconds(8)));

    private final AtomicLong nanos = new AtomicLong(-12_345);
    private final ProcessClock clock = new ProcessClock(nanos::get);
    private final ApiServer server = new ApiServer();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final ObjectIndex<Node> byZone =
            new ObjectIndex<>(node -> node.getMetadata().getLabels() == null
                    ? null
                    : node.getMetadata().getLabels().get("zone"));
    private volatile boolean bug;
    private final Reflector<Node> reflector = new Reflector<>(
            "nodes",
            server,
            new Reflector.Handler<>() {
                @Override
                public void seen(@Nullable Node before, Node now) {
                    byZone.put(name(now), before, now);
                    told.add((before == null ? "+" : "=") + name(now));
                    if (bug) {
                        throw new IllegalStateException("a bug");
                    }
                }

                @Override
                public void gone(Node last) {
                    byZone.remove(name(last), last);
                    told.add("-" + name(last));
                }

                @Override
                public void listed(Set<String> keys, String version) {
                    told.add("listed " + keys.size() + " at " + version);
                }

                @Override
                public void withheld() {
                    told.add("refused");
                }
            },
            TIMING,
            clock);

    private final Handler lines = new Handler() {
        @Override
        public void publish(LogRecord line) {
            log.add(new SimpleFormatter().formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private static String name(Node node) {
        return node.getMetadata().getName();
    }

    private final class ApiServer implements Reflector.Source<Node> {
        final Map<String, Node> nodes = new TreeMap<>();
        final List<String> lists = new CopyOnWriteArrayList<>();
        final List<Connection> watches = new CopyOnWriteArrayList<>();
        /** The answers to the next lists, in place of the nodes. */
        final ConcurrentLinkedQueue<Supplier<KubernetesResourceList<Node>>> instead = new ConcurrentLinkedQueue<>();

        volatile @Nullable KubernetesClientException refusal;
        volatile @Nullable CountDownLatch handshake;
        int version = 10;

        record Connection(ListOptions options, Watcher<Node> watcher, CountDownLatch left) {
            String from() {
                return options.getResourceVersion();
            }
        }

        @Override
        public synchronized KubernetesResourceList<Node> list(ListOptions options) {
            lists.add(String.valueOf(options.getContinue()));
            Supplier<KubernetesResourceList<Node>> other = instead.poll();
            if (other != null) {
                return other.get();
            }
            refuse();
            return page(List.copyOf(nodes.values()), "");
        }

        private void refuse() {
            KubernetesClientException e = refusal;
            if (e != null) {
                throw e;
            }
        }

        KubernetesResourceList<Node> page(List<Node> items, String next) {
            return new NodeListBuilder()
                    .withNewMetadata()
                    .withResourceVersion(String.valueOf(version))
                    .withContinue(next)
                    .endMetadata()
                    .withItems(items)
                    .build();
        }

        @Override
        public Watch watch(ListOptions options, Watcher<Node> watcher) {
            Connection connection = new Connection(options, watcher, new CountDownLatch(1));
            watches.add(connection);
            CountDownLatch hanging = handshake;
            if (hanging != null) {
                try {
                    hanging.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            refuse();
            return connection.left()::countDown;
        }

        /** Adds as many nodes as a page has, so that the view is not listed again without need. */
        void fill() {
            IntStream.range(0, (int) Reflector.PAGE).forEach(i -> put("n" + i));
        }

        /** Adds a node without telling the watches. */
        synchronized Node put(String name) {
            Node node = node(name, ++version);
            nodes.put(name, node);
            return node;
        }

        Connection watch(int number) {
            await("watch " + number).until(() -> watches.size() > number);
            return watches.get(number);
        }
    }

    private static Node node(String name, long version) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withUid("uid-" + name)
                .withResourceVersion(String.valueOf(version))
                .addToLabels("zone", "zone-" + version % 2)
                .endMetadata()
                .build();
    }

    private static Node bookmark(long version) {
        return new NodeBuilder()
                .withNewMetadata()
                .withResourceVersion(String.valueOf(version))
                .endMetadata()
                .build();
    }

    /** The report of fabric8 that it does not restart a watch. */
    private static WatcherException over() {
        return new WatcherException("Exhausted reconnects");
    }

    private static WatcherException gone() {
        return new WatcherException("too old resource version", failure(410, null));
    }

    private static KubernetesClientException failure(int code, @Nullable Integer retryAfterSeconds) {
        return new KubernetesClientException(new StatusBuilder()
                .withCode(code)
                .withMessage("on purpose " + code)
                .withNewDetails()
                .withRetryAfterSeconds(retryAfterSeconds)
                .endDetails()
                .build());
    }

    /** Advances time, and this process notices every second. */
    private void pass(Duration time) {
        for (long left = time.toNanos(); left > 0; left -= Duration.ofSeconds(1).toNanos()) {
            nanos.addAndGet(Math.min(left, Duration.ofSeconds(1).toNanos()));
            var _ = clock.resumed();
        }
    }

    /** Advances time while this process is stopped. */
    private void standStill(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    /** Ends a watch at its timeout, as the API server does. */
    private void endInTime(ApiServer.Connection watch) {
        pass(Duration.ofSeconds(watch.options().getTimeoutSeconds()));
        watch.watcher().onClose(over());
    }

    private void starts() {
        reflector.start(() -> false);
        server.watch(0);
        await().until(reflector::isCurrent);
    }

    @BeforeEach
    void listen() {
        LOGGER.addHandler(lines);
    }

    @AfterEach
    void stop() {
        LOGGER.removeHandler(lines);
        reflector.close();
    }

    @Test
    void aWatchThatEndsInTimeContinuesWithoutAListOrALogLine() {
        server.put("a");
        starts();
        for (int i = 0; i < 20; i++) {
            ApiServer.Connection watch = server.watch(i);
            assertThat(watch.options().getTimeoutSeconds()).isBetween(20L, 30L);
            assertThat(watch.options().getAllowWatchBookmarks()).isTrue();
            assertThat(watch.from()).isEqualTo(i == 0 ? "11" : String.valueOf(100 + i - 1));
            if (i % 2 == 0) {
                watch.watcher().eventReceived(Action.MODIFIED, node("a", 100 + i));
            } else {
                watch.watcher().eventReceived(Action.BOOKMARK, bookmark(100 + i));
            }
            endInTime(watch);
            await().until(() -> Objects.requireNonNull(reflector.sinceProof()).isZero());
            assertThat(reflector.isCurrent()).isTrue();
        }

        server.watch(20);
        assertThat(server.lists).hasSize(1);
        assertThat(server.watches.stream()
                        .map(watch -> watch.options().getTimeoutSeconds())
                        .distinct()
                        .count())
                .as("different time-outs")
                .isGreaterThan(1);
        assertThat(log).isEmpty();
        assertThat(told).startsWith("+a", "listed 1 at 11", "=a").hasSize(12);
    }

    @Test
    void eventsAreTakenInAndFound() {
        starts();
        Watcher<Node> watcher = server.watch(0).watcher();

        watcher.eventReceived(Action.ADDED, node("a", 21));
        watcher.eventReceived(Action.ADDED, node("b", 23));
        watcher.eventReceived(Action.MODIFIED, node("b", 24));
        watcher.eventReceived(Action.DELETED, node("a", 25));

        assertThat(told).containsExactly("listed 0 at 10", "+a", "+b", "=b", "-a");
        assertThat(reflector.list()).extracting(ReflectorTest::name).containsExactly("b");
        assertThat(reflector.get("a")).isNull();
        assertThat(byZone.get("zone-0")).extracting(ReflectorTest::name).containsExactly("b");
        assertThat(byZone.get("zone-1")).isEmpty();
    }

    @Test
    void afterAWatchThatOutlivesItsTimeOutABriefOneGoesOnWhereItWas() {
        server.put("a");
        starts();
        ApiServer.Connection silent = server.watch(0);

        pass(Duration.ofSeconds(31));

        ApiServer.Connection next = server.watch(1);
        assertThat(next.from()).isEqualTo("11");
        assertThat(next.options().getTimeoutSeconds()).isEqualTo(2);
        await("the silent one to be left").until(() -> silent.left().getCount() == 0);
        assertThat(reflector.isCurrent()).as("by the list").isTrue();
        silent.watcher().eventReceived(Action.ADDED, node("late", 99));
        next.watcher().eventReceived(Action.ADDED, node("b", 14));
        endInTime(next);

        assertThat(server.watch(2).from()).isEqualTo("14");
        assertThat(server.watch(2).options().getTimeoutSeconds()).isBetween(20L, 30L);
        assertThat(reflector.isCurrent()).isTrue();
        assertThat(reflector.get("late")).isNull();
        assertThat(reflector.get("b")).isNotNull();
        assertThat(server.lists).hasSize(1);
        assertThat(log).isEmpty();
    }

    @Test
    void ifTheBriefWatchHangsTooEverythingIsListedAgain() {
        server.put("a");
        server.put("b");
        starts();
        server.nodes.remove("a");
        server.put("c");
        pass(Duration.ofSeconds(31));
        server.watch(1);
        pass(Duration.ofSeconds(3));

        ApiServer.Connection next = server.watch(2);
        assertThat(told).containsExactly("+a", "+b", "listed 2 at 12", "+c", "-a", "listed 2 at 13");
        assertThat(next.from()).isEqualTo("13");
        assertThat(next.options().getTimeoutSeconds())
                .as("the list was a proof")
                .isBetween(20L, 30L);
        assertThat(reflector.isCurrent()).isTrue();
        assertThat(log).singleElement().asString().contains("The watch of nodes has been silent for 34 s");
        next.watcher().eventReceived(Action.ADDED, node("d", 14));
        assertThat(reflector.get("d")).isNotNull();
    }

    @Test
    void afterAStandstillFewObjectsAreListed() {
        server.put("a");
        starts();
        server.watch(0);
        server.put("b");

        standStill(Duration.ofSeconds(5));
        assertThat(reflector.isCurrent()).isFalse();

        assertThat(server.watch(1).from()).isEqualTo("12");
        assertThat(server.watch(1).options().getTimeoutSeconds()).isBetween(20L, 30L);
        assertThat(reflector.isCurrent()).isTrue();
        assertThat(reflector.get("b")).isNotNull();
        assertThat(server.lists).hasSize(2);
    }

    @Test
    void afterAStandstillABriefWatchProvesALargeView() {
        server.put("a");
        server.fill();
        starts();
        ApiServer.Connection old = server.watch(0);

        for (int seconds : List.of(5, 15, 35, 60)) {
            int number = server.watches.size();
            standStill(Duration.ofSeconds(seconds));

            assertThat(reflector.isCurrent()).isFalse();
            old.watcher().eventReceived(Action.MODIFIED, node("a", 1_000 + seconds));
            assertThat(reflector.isCurrent()).as("others may lie unread").isFalse();
            ApiServer.Connection next = server.watch(number);
            assertThat(next.options().getTimeoutSeconds()).isEqualTo(2);
            next.watcher().eventReceived(Action.BOOKMARK, bookmark(1_001 + seconds));
            assertThat(reflector.isCurrent()).as("others may follow").isFalse();
            endInTime(next);
            await().until(reflector::isCurrent);

            old = server.watch(number + 1);
            assertThat(old.from()).isEqualTo(String.valueOf(1_001 + seconds));
            assertThat(old.options().getTimeoutSeconds()).isBetween(20L, 30L);
        }
        assertThat(server.lists).hasSize(1);
        assertThat(log).isEmpty();
    }

    @Test
    void anEndThatIsSeenLateForAStandstillIsNoProof() {
        server.fill();
        starts();
        ApiServer.Connection watch = server.watch(0);
        pass(Duration.ofSeconds(watch.options().getTimeoutSeconds() - 4));
        standStill(Duration.ofSeconds(4));

        watch.watcher().onClose(over());

        assertThat(server.watch(1).options().getTimeoutSeconds()).isEqualTo(2);
        assertThat(reflector.isCurrent()).isFalse();
    }

    @Test
    void aWatchThatIsAnsweredAfterItWasGivenUpIsLeft() {
        server.put("a");
        CountDownLatch handshake = new CountDownLatch(1);
        server.handshake = handshake;
        reflector.start(() -> false);
        ApiServer.Connection slow = server.watch(0);
        server.handshake = null;

        pass(Duration.ofSeconds(31));

        server.watch(1);
        assertThat(slow.left().getCount()).isOne();
        handshake.countDown();
        await().until(() -> slow.left().getCount() == 0);
    }

    @Test
    void aForbiddenKindIsReportedOnceAndListedWhenAllowed() {
        server.put("a");
        server.refusal = failure(403, null);
        reflector.start(() -> false);
        await("three lists").until(() -> server.lists.size() >= 3);

        assertThat(reflector.isWithheld()).isTrue();
        assertThat(reflector.hasSynced()).isFalse();
        assertThat(told).containsExactly("refused");

        server.refusal = null;
        await("the list").until(reflector::hasSynced);
        assertThat(reflector.isWithheld()).isFalse();
        assertThat(told).containsExactly("refused", "+a", "listed 1 at 11");
    }

    @Test
    void withoutAProofOfLifeTheViewIsNotCurrent() {
        server.fill();
        starts();
        server.refusal = failure(500, null);
        assertThat(Objects.requireNonNull(reflector.sinceProof())).isZero();

        pass(Duration.ofSeconds(33));

        assertThat(reflector.isCurrent()).isFalse();
        assertThat(reflector.sinceProof()).isEqualTo(Duration.ofSeconds(33));
        await().until(() -> server.watches.size() > 2);
        assertThat(reflector.isCurrent()).isFalse();
        assertThat(log).singleElement().asString().contains("watching nodes failed; retrying");
    }

    @Test
    void afterAnOutageABriefWatchIsTheProof() {
        server.fill();
        starts();
        server.refusal = failure(503, null);
        pass(Duration.ofSeconds(15));
        server.watch(0).watcher().onClose(over());
        await().until(() -> server.watches.size() > 2);
        pass(Duration.ofSeconds(18));
        assertThat(reflector.isCurrent()).isFalse();

        server.refusal = null;
        ApiServer.Connection next = server.watch(server.watches.size());
        assertThat(reflector.isCurrent()).isFalse();
        assertThat(next.options().getTimeoutSeconds()).isEqualTo(2);
        endInTime(next);

        await().until(reflector::isCurrent);
        assertThat(server.lists).as("it went on where it was").hasSize(1);
    }

    @Test
    void aSilentWatchThatDoesNotBringAnOwnWriteIsDoubtedSooner() {
        starts();
        reflector.written("20");

        pass(Duration.ofSeconds(9));

        assertThat(server.watch(1).options().getTimeoutSeconds()).isEqualTo(2);
        assertThat(server.watch(1).from()).isEqualTo("10");
        assertThat(server.lists).hasSize(1);
    }

    @Test
    void aWatchThatBringsAnythingIsNotDoubtedForAnOwnWrite() {
        starts();
        reflector.written("20");
        pass(Duration.ofSeconds(5));
        server.watch(0).watcher().eventReceived(Action.ADDED, node("a", 15));
        pass(Duration.ofSeconds(5));
        server.watch(0).watcher().eventReceived(Action.ADDED, node("b", 20));
        reflector.written("19");
        reflector.written("20");
        pass(Duration.ofSeconds(9));

        server.watch(0).watcher().onClose(over());

        assertThat(server.watch(1).from()).isEqualTo("20");
        assertThat(server.lists).hasSize(1);
    }

    @Test
    void changesThatTheServerHasForgottenAreListed() {
        server.put("a");
        starts();
        server.nodes.remove("a");
        server.put("b");

        server.watch(0).watcher().onClose(gone());

        assertThat(server.watch(1).from()).isEqualTo("12");
        assertThat(told).containsExactly("+a", "listed 1 at 11", "+b", "-a", "listed 1 at 12");
        assertThat(server.watch(1).options().getTimeoutSeconds()).isBetween(20L, 30L);
    }

    @Test
    void aListWithExpiredPagesRestartsAndDeletesNothing() {
        server.put("a");
        server.put("b");
        starts();
        told.clear();
        server.instead.add(() -> server.page(List.of(node("a", 11)), "more"));
        server.instead.add(() -> {
            throw failure(410, null);
        });

        server.watch(0).watcher().onClose(gone());

        server.watch(1);
        assertThat(server.lists).containsExactly("null", "null", "more", "null");
        assertThat(told).containsExactly("listed 2 at 12");
    }

    @Test
    void aRefusingApiServerIsCalledNoSoonerThanItsRetryAfter() {
        List<Long> asked = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            server.instead.add(() -> {
                asked.add(System.nanoTime());
                throw failure(429, 1);
            });
        }
        server.instead.add(() -> {
            asked.add(System.nanoTime());
            return server.page(List.of(node("a", 11)), "");
        });

        reflector.start(() -> false);

        await().atMost(Duration.ofSeconds(30)).until(reflector::hasSynced);
        for (int i = 1; i < asked.size(); i++) {
            assertThat(Duration.ofNanos(asked.get(i) - asked.get(i - 1))).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        }
        assertThat(log).as("one line for the same refusal").hasSize(1);
    }

    @Test
    void watchesThatEndAtOnceAreBegunLessAndLessOften() {
        starts();
        long began = System.nanoTime();

        for (int i = 0; i < 5; i++) {
            server.watch(i).watcher().onClose(over());
        }
        server.watch(5);

        // 0.1, 0.2, 0.4, 0.8 and 1.6 s, each with up to half as much added.
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(Duration.ofMillis(3100));
        assertThat(server.lists).hasSize(1);
    }

    @Test
    void aHandlerThatFailsEndsNothing() {
        starts();
        bug = true;
        server.watch(0).watcher().eventReceived(Action.ADDED, node("a", 21));
        bug = false;
        server.watch(0).watcher().eventReceived(Action.ADDED, node("b", 22));

        assertThat(told).contains("+a", "+b");
        assertThat(reflector.list()).hasSize(2);
    }

    @Test
    void anErrorEndsNothing() {
        server.instead.add(() -> {
            throw new StackOverflowError("an absurd object");
        });

        starts();

        assertThat(log).singleElement().asString().contains("watching nodes failed", "an absurd object");
    }
}
