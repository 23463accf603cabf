package io.slotwise.it.faults;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.it.ApiProxy;
import io.slotwise.it.ApiProxy.Trouble;
import io.slotwise.it.ApiProxy.Turn;
import io.slotwise.it.ApiProxy.Weather;
import io.slotwise.it.ExtenderRelay;
import io.slotwise.it.GangSpec;
import io.slotwise.it.faults.FaultLoad.Fate;
import io.slotwise.it.faults.FaultPlan.Episode;
import io.slotwise.it.faults.FaultPlan.Kind;
import io.slotwise.it.faults.FaultPlan.Step;
import io.slotwise.it.faults.FaultPlan.StepFault;
import io.slotwise.it.faults.FaultTimeline.Sort;
import java.io.IOException;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Carries out a {@link FaultPlan}, and records in a {@link FaultTimeline} what really happened and when. */
final class Injector {
    private static final Duration SLOWEST_CALL = Duration.ofSeconds(2);
    private static final int LATEST_BIND_MILLIS = 1500;
    /** The delay after which the pods of a deleted node go, as with a real cleanup. */
    private static final long CLEANING_MILLIS = 1500;

    private static final int FLAPPING = 3;
    private static final long FLAP_MILLIS = 1000;

    private static final long GIVING_BACK_MILLIS = 4000;
    /**
     * The time for which a fault of a binding waits for the next start before it makes its own gang, or for its effect.
     */
    private static final Duration LULL = Duration.ofSeconds(5);
    /** The largest number of gangs that such a fault makes. */
    private static final int MOST_EXTRA = 4;
    /** The time in which a forwarded binding is answered. */
    private static final long ANSWERED_MILLIS = 50;

    private static final String BINDING = "/binding";
    /** The resources that a start depends on. */
    private static final List<String> WATCHED = List.of("pods", "nodes", "reservations");

    private final InstantSource clock = InstantSource.system();
    private final FaultContext context;
    private final FaultTimeline story;
    private final ScheduledExecutorService threads;
    private final Map<String, StepFault> steps = new ConcurrentHashMap<>();
    private final Set<StepFault> done = ConcurrentHashMap.newKeySet();
    private final List<Future<?>> begun = new CopyOnWriteArrayList<>();
    /** Keeps killing and freezing apart. */
    private final ReentrantLock slotwise = new ReentrantLock();

    /** Lets only one fault at a time treat bindings. */
    private final ReentrantLock bindings = new ReentrantLock();

    private final AtomicInteger extra = new AtomicInteger();
    private final ReentrantLock time = new ReentrantLock();
    private final ReentrantLock api = new ReentrantLock();
    private final ReentrantLock relay = new ReentrantLock();
    private final ReentrantLock nodes = new ReentrantLock();
    private final RandomGenerator random;

    Injector(FaultPlan plan, FaultContext context, FaultTimeline story, ScheduledExecutorService threads) {
        this.context = context;
        this.story = story;
        this.threads = threads;
        this.random = FaultPlan.generator(plan.seed() + 2);
        plan.steps().forEach(step -> steps.put("g%04d".formatted(step.gang()), step));
    }

    void begin(Runnable what) {
        begun.add(threads.submit(what));
    }

    /** Waits for the end of everything begun, and throws what went wrong. */
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

    /** Starts the gang's own fault if the gang has reached the fault's step. */
    void reached(GangSpec gang, Step step) {
        StepFault fault = steps.get(gang.name());
        if (fault != null && isDue(fault, step) && done.add(fault)) {
            begun.add(threads.submit(() -> run(fault, gang)));
        }
    }

    /** A gang that Slotwise binds itself has no step STARTING before RUNNING. */
    private static boolean isDue(StepFault fault, Step step) {
        return fault.step() == step || (fault.step() == Step.STARTING && step == Step.RUNNING);
    }

    private void run(StepFault fault, GangSpec gang) {
        Instant from = clock.instant();
        switch (fault.action()) {
            case DELETE_POD ->
                context.owner().pods(gang).stream()
                        .skip(fault.pod() % gang.size())
                        .findFirst()
                        .ifPresent(pod -> context.owner().delete(pod));
            case DELETE_GANG -> giveUp(gang);
            case TAKE_BUDGET -> {
                context.owner().annotate(gang, "budget", "0.000001");
                pause(GIVING_BACK_MILLIS);
                context.owner().annotate(gang, "budget", gang.annotations().getOrDefault("budget", "1000"));
            }
            case EDIT_RUNTIME -> context.owner().annotate(gang, "runtime", gang.runtimeSeconds() + 2 + "s");
        }
        story.count(fault.step() + " " + fault.action());
        story.happened(Sort.GANG, gang.name(), from, clock.instant(), FaultTimeline.NONE);
    }

    void giveUp(GangSpec gang) {
        Instant from = clock.instant();
        story.gaveUp(gang.name());
        context.owner().giveUp(gang);
        story.happened(Sort.GANG, gang.name(), from, clock.instant(), FaultTimeline.NONE);
    }

    /** Carries a fault out from its beginning to its end. */
    void run(Episode episode) {
        switch (episode.kind()) {
            case SLOTWISE_KILLED -> killSlotwise();
            case KILLED_BEFORE_BINDING -> killAtBindings(episode.kind(), 0);
            case KILLED_WHILE_BINDING -> killAtBindings(episode.kind(), 1);
            case BINDING_REFUSED -> oneBinding(episode.kind(), Turn.REFUSED);
            case BINDING_UNANSWERED -> oneBinding(episode.kind(), Turn.UNANSWERED);
            case MEMBER_REPLACED -> replaceMember(episode.kind());
            case SCHEDULER_KILLED -> {
                Instant from = clock.instant();
                context.scheduler().restart();
                happened(Sort.SCHEDULER, episode.kind(), from);
            }
            case API_AWAY -> away(episode);
            case WATCHES_HANG -> hang(episode);
            case CHANGES_FORGOTTEN -> {
                context.proxies().forEach(ApiProxy::breakWatches);
                weather(episode, Trouble.FORGOTTEN);
            }
            case API_BUSY -> busy(episode);
            case EXTENDER_AWAY -> extenderAway(episode);
            case API_ERRORS -> weather(episode, Trouble.ERROR);
            case API_SLOW -> weather(episode, Trouble.SLOW);
            case API_DROPS -> weather(episode, Trouble.DROP);
            case API_TRUNCATES -> weather(episode, Trouble.TRUNCATE);
            case REPLIES_LOST -> weather(episode, Trouble.LOSE_REPLY);
            case WATCHES_BREAK -> {
                context.proxies().forEach(ApiProxy::breakWatches);
                happened(Sort.TROUBLE, episode.kind(), clock.instant());
            }
            case WATCHES_STALL -> stall(episode);
            case BINDS_TWICE, BINDS_REORDERED -> binds(episode);
            case STORE_SLOW -> slowStore(episode);
            case NODES_FLAP -> oneNode(() -> nodesFlap(episode));
            case NODE_GONE -> oneNode(() -> nodeGone(episode));
            case LABELS_GONE -> oneNode(() -> labelsGone(episode));
            case CLOCK_AHEAD -> step(episode, Duration.ofSeconds(episode.strength()));
            case CLOCK_BEHIND -> step(episode, Duration.ofSeconds(-episode.strength()));
            case TWO_LEADERS -> twoLeaders(episode);
        }
    }

    /** Records a happening until now. */
    private void happened(Sort sort, Kind kind, Instant from) {
        story.count(kind.name());
        story.happened(sort, kind.name(), from, clock.instant(), FaultTimeline.NONE);
    }

    private void killSlotwise() {
        slotwise.lock();
        try {
            Instant from = clock.instant();
            context.slotwise().kill();
            story.happened(Sort.DEATH, Kind.SLOTWISE_KILLED.name(), from);
            context.slotwise().start();
            leads();
            happened(Sort.ABSENCE, Kind.SLOTWISE_KILLED, from);
        } finally {
            slotwise.unlock();
        }
    }

    /** Forwards this many bindings of each start, and holds the others until Slotwise is dead. */
    private void killAtBindings(Kind kind, int through) {
        slotwise.lock();
        bindings.lock();
        ApiProxy proxy = context.proxies().getFirst();
        try {
            Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
            proxy.treat((method, path) -> isBinding(path)
                            && calls.computeIfAbsent(gang(pod(path)), name -> new AtomicInteger())
                                            .incrementAndGet()
                                    > through
                    ? Turn.HELD
                    : Turn.PASSES);
            boolean midway = starts(() -> proxy.held() > 0);
            pause(ANSWERED_MILLIS);
            Instant from = clock.instant();
            context.slotwise().kill();
            story.happened(Sort.DEATH, kind.name(), from);
            proxy.forget();
            context.slotwise().start();
            leads();
            story.happened(Sort.ABSENCE, kind.name(), from, clock.instant(), FaultTimeline.NONE);
            story.count(midway ? kind.name() : kind + " in vain");
        } finally {
            proxy.forget();
            bindings.unlock();
            slotwise.unlock();
        }
    }

    /** Treats the next binding of Slotwise. */
    private void oneBinding(Kind kind, Turn turn) {
        bindings.lock();
        ApiProxy proxy = context.proxies().getFirst();
        try {
            AtomicReference<String> hit = new AtomicReference<>("");
            proxy.treat((method, path) -> isBinding(path) && hit.compareAndSet("", pod(path)) ? turn : Turn.PASSES);
            Instant from = clock.instant();
            boolean came = starts(() -> !hit.get().isEmpty());
            story.count(came ? kind.name() : kind + " in vain");
            story.happened(Sort.BINDINGS, kind.name(), from, clock.instant(), FaultTimeline.NONE);
        } finally {
            proxy.release();
            bindings.unlock();
        }
    }

    /** Holds the next binding until its pod is replaced by one of the same name. */
    private void replaceMember(Kind kind) {
        bindings.lock();
        ApiProxy proxy = context.proxies().getFirst();
        try {
            AtomicReference<String> name = new AtomicReference<>("");
            proxy.treat((method, path) -> isBinding(path)
                            && (name.compareAndSet("", pod(path)) || pod(path).equals(name.get()))
                    ? Turn.HELD
                    : Turn.PASSES);
            boolean came = starts(() -> proxy.held() > 0);
            Instant from = clock.instant();
            String held = name.get();
            Pod pod = context.owner().pod(held);
            came = came && pod != null;
            if (pod != null) {
                context.owner().delete(pod);
                String uid = pod.getMetadata().getUid();
                came = comes(() -> {
                    Pod now = context.owner().pod(held);
                    return now != null && !now.getMetadata().getUid().equals(uid);
                });
                story.happened(Sort.GANG, gang(held), from, clock.instant(), FaultTimeline.NONE);
            }
            story.count(came ? kind.name() : kind + " in vain");
            story.happened(Sort.BINDINGS, kind.name(), from, clock.instant(), FaultTimeline.NONE);
        } finally {
            proxy.release();
            bindings.unlock();
        }
    }

    private void leads() {
        context.until("the replica to lead again", () -> context.slotwise().metric("slotwise_leader") == 1);
    }

    private static boolean isBinding(String path) {
        return path.endsWith(BINDING);
    }

    private static String pod(String path) {
        String call = path.substring(0, path.length() - BINDING.length());
        return call.substring(call.lastIndexOf('/') + 1);
    }

    private static String gang(String pod) {
        return pod.substring(0, pod.lastIndexOf('-'));
    }

    /** Waits for an effect of the next start, making gangs if none starts. Returns whether the effect came. */
    private boolean starts(BooleanSupplier what) {
        for (int gang = 0; gang < MOST_EXTRA; gang++) {
            if (comes(what)) {
                return true;
            }
            GangSpec more = FaultLoad.extra(extra.incrementAndGet());
            story.submitted(more, Fate.RUNS);
            context.owner().submit(more, false);
        }
        return comes(what);
    }

    /** Waits a short time. Returns whether the effect came. */
    private boolean comes(BooleanSupplier what) {
        Instant latest = clock.instant().plus(LULL);
        while (!what.getAsBoolean()) {
            if (clock.instant().isAfter(latest)) {
                return false;
            }
            pause(5);
        }
        return true;
    }

    /** Cuts the API server off from Slotwise, kube-scheduler or both. */
    private void away(Episode episode) {
        api.lock();
        try {
            List<ApiProxy> proxies = switch (episode.strength()) {
                case 0 -> context.proxies();
                case 1 -> context.proxies().subList(0, 1);
                default -> context.proxies().subList(1, 2);
            };
            Instant from = clock.instant();
            proxies.forEach(ApiProxy::cut);
            pause(episode.lasts().toMillis());
            proxies.forEach(ApiProxy::restore);
            happened(episode.strength() > 1 ? Sort.SCHEDULER : Sort.ABSENCE, episode.kind(), from);
        } finally {
            api.unlock();
        }
    }

    private void weather(Episode episode, Trouble trouble) {
        weather(episode, trouble, Sort.TROUBLE);
    }

    private void weather(Episode episode, Trouble trouble, Sort sort) {
        Weather weather = new Weather(trouble, episode.strength(), SLOWEST_CALL);
        Instant from = clock.instant();
        context.proxies().forEach(proxy -> proxy.begin(weather));
        pause(episode.lasts().toMillis());
        context.proxies().forEach(proxy -> proxy.end(weather));
        happened(sort, episode.kind(), from);
    }

    /** No call has an effect, as if the API server were away. */
    private void busy(Episode episode) {
        api.lock();
        try {
            weather(episode, Trouble.BUSY, Sort.ABSENCE);
        } finally {
            api.unlock();
        }
    }

    /** Hangs the watches of Slotwise only. */
    private void hang(Episode episode) {
        String kind = WATCHED.get(episode.strength() % WATCHED.size());
        ApiProxy proxy = context.proxies().getFirst();
        Instant from = clock.instant();
        proxy.hangWatches(kind, false);
        pause(episode.lasts().toMillis());
        proxy.unhangWatches(kind);
        story.count(episode.kind() + " of " + kind);
        happened(Sort.TROUBLE, episode.kind(), from);
    }

    /** Calls that have come by the end are never answered. */
    private void extenderAway(Episode episode) {
        relay.lock();
        try {
            Instant from = clock.instant();
            Instant end = from.plus(episode.lasts());
            context.relay().behave((_, _) -> {
                pause(Math.max(1, Duration.between(clock.instant(), end).toMillis()));
                throw new IOException("away");
            });
            pause(episode.lasts().toMillis());
            context.relay().behaveWell();
            happened(Sort.SCHEDULER, episode.kind(), from);
        } finally {
            relay.unlock();
        }
    }

    private void stall(Episode episode) {
        Instant from = clock.instant();
        context.proxies().forEach(ApiProxy::stallWatches);
        pause(episode.lasts().toMillis());
        context.proxies().forEach(ApiProxy::resumeWatches);
        happened(Sort.TROUBLE, episode.kind(), from);
    }

    private void binds(Episode episode) {
        relay.lock();
        try {
            bindsGoWrong(episode);
        } finally {
            relay.unlock();
        }
    }

    private void bindsGoWrong(Episode episode) {
        Weather twice = new Weather(Trouble.BIND_TWICE, episode.strength(), SLOWEST_CALL);
        Instant from = clock.instant();
        context.proxies().forEach(proxy -> proxy.begin(twice));
        context.relay().behave((call, onward) -> {
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
        context.relay().behaveWell();
        context.proxies().forEach(proxy -> proxy.end(twice));
        happened(Sort.BINDINGS, episode.kind(), from);
    }

    private void oneNode(Runnable fault) {
        nodes.lock();
        try {
            fault.run();
        } finally {
            nodes.unlock();
        }
    }

    /** Deletes a node, if possible one with pods, and creates it again. */
    private void nodeGone(Episode episode) {
        List<String> used = context.owner().nodesInUse();
        String inUse = used.isEmpty() ? "" : used.get(episode.strength() % used.size());
        Node node = context.nodes().stream()
                .filter(one -> one.getMetadata().getName().equals(inUse))
                .findFirst()
                .orElse(context.node(episode.strength()));
        String name = node.getMetadata().getName();
        Instant from = clock.instant();
        context.client().nodes().withName(name).delete();
        pause(CLEANING_MILLIS);
        context.owner().podsOn(name).forEach(pod -> {
            String gang = Objects.requireNonNull(pod.getMetadata().getLabels().get("slotwise.io/gang"));
            context.owner().delete(pod);
            story.count("pods gone with their nodes");
            story.happened(Sort.GANG, gang, from, clock.instant(), FaultTimeline.NONE);
        });
        pause(episode.lasts().toMillis());
        context.client().resource(node).create();
        story.count(episode.kind().name());
        story.happened(Sort.NODE, name, from, clock.instant(), FaultTimeline.NONE);
    }

    /** The store's process stops for a step and runs for half a step, again and again. */
    private void slowStore(Episode episode) {
        api.lock();
        Instant from = clock.instant();
        try {
            Instant end = from.plus(episode.lasts());
            while (clock.instant().isBefore(end)) {
                context.store().signal("STOP");
                pause(episode.strength());
                context.store().signal("CONT");
                pause(episode.strength() / 2);
            }
        } finally {
            context.store().signal("CONT");
            api.unlock();
        }
        happened(Sort.TROUBLE, episode.kind(), from);
    }

    /** Each node changes its state every second. */
    private void nodesFlap(Episode episode) {
        Instant from = clock.instant();
        Instant end = from.plus(episode.lasts());
        List<String> names = IntStream.range(0, FLAPPING)
                .mapToObj(
                        i -> context.node(episode.strength() + i).getMetadata().getName())
                .toList();
        boolean ready = false;
        while (clock.instant().isBefore(end)) {
            for (String name : names) {
                ready(name, ready);
            }
            pause(FLAP_MILLIS);
            ready = !ready;
        }
        names.forEach(name -> ready(name, true));
        story.count(episode.kind().name());
        names.forEach(name -> story.happened(Sort.NODE, name, from, clock.instant(), FaultTimeline.NONE));
    }

    private void ready(String name, boolean yes) {
        context.client()
                .nodes()
                .withName(name)
                .editStatus(node -> new NodeBuilder(node)
                        .editStatus()
                        .removeMatchingFromConditions(
                                condition -> condition.getType().equals("Ready"))
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus(yes ? "True" : "False")
                        .withReason("Flaps")
                        .withMessage("by the test")
                        .withLastHeartbeatTime(clock.instant().toString())
                        .withLastTransitionTime(clock.instant().toString())
                        .endCondition()
                        .endStatus()
                        .build());
    }

    private void labelsGone(Episode episode) {
        String name = context.node(episode.strength()).getMetadata().getName();
        Instant from = clock.instant();
        label(name, false);
        pause(episode.lasts().toMillis());
        label(name, true);
        story.count(episode.kind().name());
        story.happened(Sort.NODE, name, from, clock.instant(), FaultTimeline.NONE);
    }

    private void label(String name, boolean there) {
        context.client()
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
            context.time().step(ahead);
            pause(episode.lasts().toMillis());
            context.time().step(Duration.ZERO);
            story.count(episode.kind().name());
            story.happened(Sort.CLOCK, episode.kind().name(), from, clock.instant(), ahead);
        } finally {
            time.unlock();
        }
    }

    /** The leader's bindings are held while it is frozen, and arrive after another replica has led. */
    private void twoLeaders(Episode episode) {
        slotwise.lock();
        bindings.lock();
        ApiProxy proxy = context.proxies().getFirst();
        try (var other = context.another()) {
            other.start();
            proxy.treat((method, path) -> isBinding(path) ? Turn.HELD : Turn.PASSES);
            boolean midway = starts(() -> proxy.held() > 0);
            Instant from = clock.instant();
            context.slotwise().freeze();
            proxy.pass();
            try {
                context.until("the other replica to lead", () -> other.metric("slotwise_leader") == 1);
                story.happened(Sort.ABSENCE, episode.kind().name(), from, clock.instant(), FaultTimeline.NONE);
                pause(episode.lasts().toMillis());
            } finally {
                context.slotwise().wake();
                proxy.release();
            }
            story.count(midway ? episode.kind().name() : episode.kind() + " in vain");
            // Both believe that they lead until the first one has tried to renew its Lease.
            pause(episode.lasts().toMillis());
            Instant killed = clock.instant();
            other.kill();
            story.happened(Sort.DEATH, episode.kind().name(), killed);
            leads();
            story.happened(Sort.ABSENCE, episode.kind().name(), killed, clock.instant(), FaultTimeline.NONE);
        } finally {
            proxy.release();
            bindings.unlock();
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

    /** The faults of gangs that have not reached their step. */
    List<StepFault> left() {
        List<StepFault> left = new ArrayList<>(steps.values());
        left.removeAll(done);
        return left;
    }
}
