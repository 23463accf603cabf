package io.slotwise.it.faults;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.slotwise.it.ApiProxy;
import io.slotwise.it.ApiProxy.Trouble;
import io.slotwise.it.ApiProxy.Turn;
import io.slotwise.it.ApiProxy.Weather;
import io.slotwise.it.ExtenderRelay;
import io.slotwise.it.GangSpec;
import io.slotwise.it.faults.FaultPlan.Episode;
import io.slotwise.it.faults.FaultPlan.Kind;
import io.slotwise.it.faults.FaultPlan.Step;
import io.slotwise.it.faults.FaultPlan.StepFault;
import io.slotwise.it.faults.Story.Sort;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/** Does what a {@link FaultPlan} says, and writes down in a {@link Story} what it really did and when. */
final class Injector {
    private static final Duration SLOWEST_CALL = Duration.ofSeconds(2);
    private static final int LATEST_BIND_MILLIS = 1500;
    /** A node's own pods go so long after it: whoever cleans up notices it then. */
    private static final long CLEANING_MILLIS = 1500;

    private static final long GIVING_BACK_MILLIS = 4000;

    private final InstantSource clock = InstantSource.system();
    private final Scene scene;
    private final Story story;
    private final ScheduledExecutorService threads;
    private final Map<String, StepFault> steps = new ConcurrentHashMap<>();
    private final Set<StepFault> done = ConcurrentHashMap.newKeySet();
    private final List<Future<?>> begun = new CopyOnWriteArrayList<>();
    /** Who is killed is not frozen, and the other way round. */
    private final ReentrantLock slotwise = new ReentrantLock();

    private final ReentrantLock time = new ReentrantLock();
    private final ReentrantLock api = new ReentrantLock();
    private final ReentrantLock nodes = new ReentrantLock();
    private final RandomGenerator random;

    Injector(FaultPlan plan, Scene scene, Story story, ScheduledExecutorService threads) {
        this.scene = scene;
        this.story = story;
        this.threads = threads;
        this.random = FaultPlan.generator(plan.seed() + 2);
        plan.steps().forEach(step -> steps.put("g%04d".formatted(step.gang()), step));
    }

    /** Begins something now. */
    void begin(Runnable what) {
        begun.add(threads.submit(what));
    }

    /** Waits for the end of all that was begun; what went wrong in any of it is thrown. */
    void await() {
        for (Future<?> episode : begun) {
            try {
                var _ = episode.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            } catch (ExecutionException e) {
                throw new IllegalStateException("A fault could not be made.", e.getCause());
            }
        }
    }

    /** A gang has got to a step of its life: its own fault is due, if it has one for that step. */
    void reached(GangSpec gang, Step step) {
        StepFault fault = steps.get(gang.name());
        if (fault != null && isDue(fault, step) && done.add(fault)) {
            begun.add(threads.submit(() -> run(fault, gang)));
        }
    }

    /** A gang that Slotwise binds itself is not on its way before it runs. */
    private static boolean isDue(StepFault fault, Step step) {
        return fault.step() == step || (fault.step() == Step.STARTING && step == Step.RUNNING);
    }

    private void run(StepFault fault, GangSpec gang) {
        Instant from = clock.instant();
        switch (fault.action()) {
            case DELETE_POD ->
                scene.owner().pods(gang).stream()
                        .skip(fault.pod() % gang.size())
                        .findFirst()
                        .ifPresent(pod -> scene.owner().delete(pod));
            case DELETE_GANG -> giveUp(gang);
            case TAKE_BUDGET -> {
                scene.owner().annotate(gang, "budget", "0.000001");
                pause(GIVING_BACK_MILLIS);
                scene.owner().annotate(gang, "budget", gang.annotations().getOrDefault("budget", "1000"));
            }
            case EDIT_RUNTIME -> scene.owner().annotate(gang, "runtime", gang.runtimeSeconds() + 2 + "s");
        }
        story.happened(Sort.GANG, gang.name(), from, clock.instant(), Story.NONE);
    }

    /** Deletes a gang for ever. */
    void giveUp(GangSpec gang) {
        Instant from = clock.instant();
        story.gaveUp(gang.name());
        scene.owner().giveUp(gang);
        story.happened(Sort.GANG, gang.name(), from, clock.instant(), Story.NONE);
    }

    /** Does a fault from its beginning to its end. */
    void run(Episode episode) {
        switch (episode.kind()) {
            case SLOTWISE_KILLED -> killSlotwise();
            case KILLED_WHILE_BINDING -> killWhileBinding(episode);
            case SCHEDULER_KILLED ->
                absent(episode.kind(), () -> scene.scheduler().restart());
            case API_AWAY -> away(episode);
            case API_ERRORS -> weather(episode, Trouble.ERROR);
            case API_SLOW -> weather(episode, Trouble.SLOW);
            case API_DROPS -> weather(episode, Trouble.DROP);
            case API_TRUNCATES -> weather(episode, Trouble.TRUNCATE);
            case REPLIES_LOST -> weather(episode, Trouble.LOSE_REPLY);
            case WATCHES_BREAK -> {
                scene.proxies().forEach(ApiProxy::breakWatches);
                story.happened(Sort.TROUBLE, episode.kind().name(), clock.instant());
            }
            case WATCHES_STALL -> stall(episode);
            case BINDS_TWICE, BINDS_REORDERED -> binds(episode);
            case NODE_GONE -> oneNode(() -> nodeGone(episode));
            case LABELS_GONE -> oneNode(() -> labelsGone(episode));
            case CLOCK_AHEAD -> step(episode, Duration.ofSeconds(episode.strength()));
            case CLOCK_BEHIND -> step(episode, Duration.ofSeconds(-episode.strength()));
            case TWO_LEADERS -> twoLeaders(episode);
        }
    }

    private void absent(Kind kind, Runnable fault) {
        Instant from = clock.instant();
        fault.run();
        story.happened(Sort.ABSENCE, kind.name(), from, clock.instant(), Story.NONE);
    }

    private void killSlotwise() {
        slotwise.lock();
        try {
            Instant from = clock.instant();
            scene.slotwise().kill();
            story.happened(Sort.DEATH, Kind.SLOTWISE_KILLED.name(), from);
            scene.slotwise().start();
            story.happened(Sort.ABSENCE, Kind.SLOTWISE_KILLED.name(), from, clock.instant(), Story.NONE);
        } finally {
            slotwise.unlock();
        }
    }

    /** Some bindings of the next start go through, the others are held until Slotwise is dead; none may come for a while. */
    private void killWhileBinding(Episode episode) {
        slotwise.lock();
        ApiProxy proxy = scene.proxies().getFirst();
        try {
            AtomicInteger bindings = new AtomicInteger();
            proxy.treat((method, path) -> path.endsWith("/binding") && bindings.incrementAndGet() > episode.strength()
                    ? Turn.HELD
                    : Turn.PASSES);
            Instant patience = clock.instant().plus(episode.lasts());
            while (proxy.held() == 0 && clock.instant().isBefore(patience)) {
                pause(10);
            }
            Instant from = clock.instant();
            scene.slotwise().kill();
            story.happened(Sort.DEATH, episode.kind().name(), from);
            proxy.forget();
            scene.slotwise().start();
            story.happened(Sort.ABSENCE, episode.kind().name(), from, clock.instant(), Story.NONE);
        } finally {
            proxy.forget();
            slotwise.unlock();
        }
    }

    /** For Slotwise, for kube-scheduler or for both. */
    private void away(Episode episode) {
        api.lock();
        try {
            List<ApiProxy> proxies = switch (episode.strength()) {
                case 0 -> scene.proxies();
                case 1 -> scene.proxies().subList(0, 1);
                default -> scene.proxies().subList(1, 2);
            };
            absent(episode.kind(), () -> {
                proxies.forEach(ApiProxy::cut);
                pause(episode.lasts().toMillis());
                proxies.forEach(ApiProxy::restore);
            });
        } finally {
            api.unlock();
        }
    }

    private void weather(Episode episode, Trouble trouble) {
        Weather weather = new Weather(trouble, episode.strength(), SLOWEST_CALL);
        Instant from = clock.instant();
        scene.proxies().forEach(proxy -> proxy.begin(weather));
        pause(episode.lasts().toMillis());
        scene.proxies().forEach(proxy -> proxy.end(weather));
        story.happened(Sort.TROUBLE, episode.kind().name(), from, clock.instant(), Story.NONE);
    }

    private void stall(Episode episode) {
        Instant from = clock.instant();
        scene.proxies().forEach(ApiProxy::stallWatches);
        pause(episode.lasts().toMillis());
        scene.proxies().forEach(ApiProxy::resumeWatches);
        story.happened(Sort.TROUBLE, episode.kind().name(), from, clock.instant(), Story.NONE);
    }

    private void binds(Episode episode) {
        Weather twice = new Weather(Trouble.BIND_TWICE, episode.strength(), SLOWEST_CALL);
        Instant from = clock.instant();
        scene.proxies().forEach(proxy -> proxy.begin(twice));
        scene.relay().behave((call, onward) -> {
            if (!call.verb().equals("bind") || draw(100) >= episode.strength()) {
                return onward.send();
            }
            if (episode.kind() == Kind.BINDS_REORDERED) {
                pause(draw(LATEST_BIND_MILLIS));
                return onward.send();
            }
            Future<ExtenderRelay.Answer> other = threads.submit(onward::send);
            ExtenderRelay.Answer answer = onward.send();
            other.cancel(false);
            return answer;
        });
        pause(episode.lasts().toMillis());
        scene.relay().behaveWell();
        scene.proxies().forEach(proxy -> proxy.end(twice));
        story.happened(Sort.TROUBLE, episode.kind().name(), from, clock.instant(), Story.NONE);
    }

    private void oneNode(Runnable fault) {
        nodes.lock();
        try {
            fault.run();
        } finally {
            nodes.unlock();
        }
    }

    private void nodeGone(Episode episode) {
        Node node = scene.node(episode.strength());
        String name = node.getMetadata().getName();
        Instant from = clock.instant();
        scene.client().nodes().withName(name).delete();
        pause(CLEANING_MILLIS);
        scene.owner().podsOn(name).forEach(pod -> {
            String gang = Objects.requireNonNull(pod.getMetadata().getLabels().get("slotwise.io/gang"));
            scene.owner().delete(pod);
            story.happened(Sort.GANG, gang, from, clock.instant(), Story.NONE);
        });
        pause(episode.lasts().toMillis());
        scene.client().resource(node).create();
        story.happened(Sort.NODE, name, from, clock.instant(), Story.NONE);
    }

    private void labelsGone(Episode episode) {
        String name = scene.node(episode.strength()).getMetadata().getName();
        Instant from = clock.instant();
        label(name, false);
        pause(episode.lasts().toMillis());
        label(name, true);
        story.happened(Sort.NODE, name, from, clock.instant(), Story.NONE);
    }

    private void label(String name, boolean there) {
        scene.client()
                .nodes()
                .withName(name)
                .edit(known -> there
                        ? new NodeBuilder(known)
                                .editMetadata()
                                .addToLabels(FaultLoad.POOL, "faults")
                                .endMetadata()
                                .build()
                        : new NodeBuilder(known)
                                .editMetadata()
                                .removeFromLabels(FaultLoad.POOL)
                                .endMetadata()
                                .build());
    }

    private void step(Episode episode, Duration ahead) {
        time.lock();
        try {
            Instant from = clock.instant();
            scene.time().step(ahead);
            pause(episode.lasts().toMillis());
            scene.time().step(Duration.ZERO);
            Duration most = ahead.isNegative() ? Story.NONE : ahead;
            story.happened(Sort.ABSENCE, episode.kind().name(), from, clock.instant(), most);
        } finally {
            time.unlock();
        }
    }

    private void twoLeaders(Episode episode) {
        slotwise.lock();
        try (var other = scene.another()) {
            other.start();
            Instant from = clock.instant();
            scene.slotwise().freeze();
            try {
                scene.until("the other replica to lead", () -> other.metric("slotwise_leader") == 1);
                pause(episode.lasts().toMillis());
            } finally {
                scene.slotwise().wake();
            }
            // Both lead until the first one has tried to renew its Lease.
            pause(episode.lasts().toMillis());
            other.kill();
            story.happened(Sort.DEATH, episode.kind().name(), clock.instant());
            scene.until(
                    "the first replica to lead again", () -> scene.slotwise().metric("slotwise_leader") == 1);
            story.happened(Sort.ABSENCE, episode.kind().name(), from, clock.instant(), Story.NONE);
        } finally {
            slotwise.unlock();
        }
    }

    private synchronized int draw(int below) {
        return random.nextInt(below);
    }

    private void pause(long millis) {
        Instant end = clock.instant().plusMillis(millis);
        while (clock.instant().isBefore(end)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(Math.min(20, millis)));
        }
    }

    /** The faults of gangs whose step has not come. */
    List<StepFault> left() {
        List<StepFault> left = new ArrayList<>(steps.values());
        left.removeAll(done);
        return left;
    }
}
