package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.APIGroupList;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.gangs.GroupObjects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Watches objects of other projects and owners of pods. They state the sizes of gangs, and tell which pods were made
 * together.
 *
 * <p>A kind is watched if the API server serves it, in the server's preferred version. A kind that is not served costs
 * little. It is looked up again when a pod names an object of it, or a cycle asks for all of them, but not too often. A
 * kind that may not be read, or whose definition is removed, counts as not served.
 *
 * <p>Webhooks and API servers of other projects answer for these kinds, and may be down or hang for days. Each kind is
 * awaited for a limited time, and then counts as unread until it answers. Requests are repeated in a thread for each
 * kind, so that kinds do not wait for each other. A kind whose watch has hung or failed counts as unread too, and keeps
 * its last seen objects.
 */
final class GroupWatch implements GroupObjects, AutoCloseable {
    private static final Logger LOG = Logger.getLogger(GroupWatch.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    /** The most deleted objects that are kept. They are still needed because their pods are deleted later. */
    private static final int MOST_GONE = 1000;

    private final KubernetesClient client;
    private final Runnable changed;
    private final Consumer<GenericKubernetesResource> come;
    private final WatchTiming timing;
    private final ProcessClock clock;
    private final Map<GroupKind, Reflector<GenericKubernetesResource>> watched = new ConcurrentHashMap<>();
    /** The time at which the lookup of each pending kind began, nanoseconds. */
    private final Map<GroupKind, Long> asked = new ConcurrentHashMap<>();

    /** The deleted StatefulSets, the last of each name. */
    private final Map<GroupKey, GenericKubernetesResource> gone =
            Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<GroupKey, GenericKubernetesResource> entry) {
                    return size() > MOST_GONE;
                }
            });

    private final Semaphore wanted = new Semaphore(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean looked;
    private volatile long begun;

    /**
     * Creates a watch that begins with {@link #start}.
     *
     * @param client a client that repeats neither calls nor watches
     * @param changed called after every change that affects gangs
     * @param come called with each object that was not known before
     */
    GroupWatch(
            KubernetesClient client,
            Runnable changed,
            Consumer<GenericKubernetesResource> come,
            WatchTiming timing,
            ProcessClock clock) {
        this.client = client;
        this.changed = changed;
        this.come = come;
        this.timing = timing;
        this.clock = clock;
        this.begun = clock.nanos();
    }

    /** Starts the lookup of served kinds without waiting for it. */
    void start() {
        begun = clock.nanos();
        Thread.ofVirtual().name("slotwise-groups").start(this::look);
    }

    /** Returns whether all served kinds have been read, or have been awaited for long enough. */
    boolean ready() {
        return looked ? open().allMatch(kind -> isLate(asked.getOrDefault(kind, begun))) : isLate(begun);
    }

    @Override
    public Set<GroupKind> unread() {
        Set<GroupKind> unread = EnumSet.noneOf(GroupKind.class);
        if (!looked) {
            return isLate(begun) ? EnumSet.allOf(GroupKind.class) : unread;
        }
        open().filter(kind -> isLate(asked.getOrDefault(kind, begun))).forEach(unread::add);
        watched.forEach((kind, reflector) -> {
            if (isStale(reflector)) {
                unread.add(kind);
            }
        });
        return unread;
    }

    /**
     * Returns whether a kind that was read has been silent for too long: neither a list nor a watch has proved that it
     * is up to date. The limit is the time that it takes to notice and replace one hanging watch.
     */
    private boolean isStale(Reflector<GenericKubernetesResource> reflector) {
        Duration unheard = reflector.sinceProof();
        return unheard != null && unheard.compareTo(timing.holds().plus(timing.patience())) > 0;
    }

    private Stream<GroupKind> open() {
        return asked.keySet().stream().filter(kind -> {
            Reflector<GenericKubernetesResource> reflector = watched.get(kind);
            return reflector == null || !reflector.hasSynced();
        });
    }

    private boolean isLate(long since) {
        return clock.nanos() - since >= timing.patience().toNanos();
    }

    @Override
    public @Nullable GenericKubernetesResource find(GroupKey key) {
        Reflector<GenericKubernetesResource> reflector = watched.get(key.kind());
        if (reflector != null) {
            GenericKubernetesResource found = reflector.get(key.namespace() + "/" + key.name());
            return found == null ? gone.get(key) : found;
        }
        lookAgain();
        return null;
    }

    private void lookAgain() {
        if (wanted.availablePermits() == 0) {
            wanted.release();
        }
    }

    @Override
    public List<GenericKubernetesResource> all(GroupKind kind) {
        Reflector<GenericKubernetesResource> reflector = watched.get(kind);
        if (reflector != null) {
            return List.copyOf(reflector.list());
        }
        lookAgain();
        return List.of();
    }

    @Override
    public void close() {
        closed.countDown();
        wanted.release();
        watched.values().forEach(Reflector::close);
    }

    private void look() {
        try {
            while (closed.getCount() > 0) {
                wanted.acquire();
                wanted.drainPermits();
                boolean answered = discover();
                if (!answered) {
                    wanted.release();
                }
                closed.await(
                        (answered || ready() ? timing.lookAgain() : FIRST_PAUSE).toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Watches the served kinds that are not watched yet. Returns false if a lookup failed. */
    private boolean discover() throws InterruptedException {
        List<APIGroup> groups;
        try {
            APIGroupList served = client.getApiGroups();
            groups = served == null ? List.of() : served.getGroups();
        } catch (KubernetesClientException | IllegalStateException e) {
            LOG.debugf("the API server's resources could not be read: %s", e.getMessage());
            return false;
        }
        Map<String, APIGroup> byName =
                groups.stream().collect(Collectors.toMap(APIGroup::getName, Function.identity(), (first, _) -> first));
        Map<String, List<GroupKind>> open = new TreeMap<>();
        for (GroupKind kind : GroupKind.values()) {
            if (!byName.containsKey(kind.apiGroup())) {
                asked.remove(kind);
            } else if (!watched.containsKey(kind)) {
                asked.putIfAbsent(kind, clock.nanos());
                open.computeIfAbsent(kind.apiGroup(), _ -> new ArrayList<>()).add(kind);
            }
        }
        looked = true;
        return together(open.entrySet().stream()
                .<Callable<Boolean>>map(
                        entry -> () -> discover(Objects.requireNonNull(byName.get(entry.getKey())), entry.getValue()))
                .toList());
    }

    /**
     * Returns whether all calls succeeded. Each has its own thread, so that a hanging API service does not block the
     * others.
     */
    private static boolean together(List<Callable<Boolean>> questions) throws InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            boolean all = true;
            for (Future<Boolean> answer : threads.invokeAll(questions)) {
                all &= answer.get();
            }
            return all;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Watches the served kinds of a group. Returns false if the group's server does not answer. */
    private boolean discover(APIGroup group, List<GroupKind> kinds) {
        try {
            Map<GroupKind, ResourceDefinitionContext> served = contexts(group, kinds);
            for (GroupKind kind : kinds) {
                ResourceDefinitionContext context = served.get(kind);
                if (context == null) {
                    asked.remove(kind);
                } else if (closed.getCount() > 0) {
                    watch(kind, context);
                }
            }
            return true;
        } catch (KubernetesClientException | IllegalStateException e) {
            LOG.debugf("the resources of %s could not be read: %s", group.getName(), e.getMessage());
            return false;
        }
    }

    /** Returns the served kinds, each in the first version that has it. One call for each version. */
    private Map<GroupKind, ResourceDefinitionContext> contexts(APIGroup group, List<GroupKind> kinds) {
        Map<GroupKind, ResourceDefinitionContext> contexts = new EnumMap<>(GroupKind.class);
        for (GroupVersionForDiscovery version : versions(group).toList()) {
            if (contexts.size() == kinds.size()) {
                break;
            }
            APIResourceList served = client.getApiResources(version.getGroupVersion());
            Set<String> plurals = served == null
                    ? Set.of()
                    : served.getResources().stream().map(APIResource::getName).collect(Collectors.toSet());
            for (GroupKind kind : kinds) {
                if (plurals.contains(kind.plural())) {
                    contexts.computeIfAbsent(kind, _ -> context(kind, version));
                }
            }
        }
        return contexts;
    }

    private static ResourceDefinitionContext context(GroupKind kind, GroupVersionForDiscovery version) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(kind.apiGroup())
                .withVersion(version.getVersion())
                .withKind(kind.kind())
                .withPlural(kind.plural())
                .withNamespaced(true)
                .build();
    }

    /** Returns the preferred version, then the others. */
    private static Stream<GroupVersionForDiscovery> versions(APIGroup group) {
        List<GroupVersionForDiscovery> versions = new ArrayList<>();
        if (group.getPreferredVersion() != null) {
            versions.add(group.getPreferredVersion());
        }
        versions.addAll(group.getVersions());
        return versions.stream().distinct();
    }

    private void watch(GroupKind kind, ResourceDefinitionContext context) {
        var all = client.genericKubernetesResources(context).inAnyNamespace();
        Reflector<GenericKubernetesResource> reflector = new Reflector<>(
                kind.plural() + "." + kind.apiGroup(),
                Reflector.Source.of(kind.label() == null ? all : all.withLabel(kind.label())),
                new Changes(kind),
                timing,
                clock);
        watched.put(kind, reflector);
        reflector.start(() -> false);
        if (closed.getCount() == 0) {
            reflector.close();
        }
    }

    /** Gives up a kind that may not be read, or is no longer served. */
    private void giveUp(GroupKind kind) {
        Reflector<GenericKubernetesResource> reflector = watched.remove(kind);
        asked.remove(kind);
        if (reflector != null) {
            LOG.warnf("%s is treated as not served until a pod names an object of it", reflector.kind());
            reflector.close();
            changed.run();
        }
    }

    /** Reports changes. The status is stripped and so never differs. */
    private final class Changes implements Reflector.Handler<GenericKubernetesResource> {
        private final GroupKind kind;

        Changes(GroupKind kind) {
            this.kind = kind;
        }

        @Override
        public void strip(GenericKubernetesResource object) {
            GroupObjects.strip(object);
        }

        @Override
        public void seen(@Nullable GenericKubernetesResource before, GenericKubernetesResource now) {
            if (before == null) {
                come.accept(now);
            }
            if (before == null || ChangeFilter.groupChanged(before, now)) {
                changed.run();
            }
        }

        @Override
        public void gone(GenericKubernetesResource last) {
            if (kind == GroupKind.STATEFUL_SET) {
                gone.put(
                        new GroupKey(
                                kind,
                                last.getMetadata().getNamespace(),
                                last.getMetadata().getName()),
                        last);
            }
            changed.run();
        }

        @Override
        public void refused(KubernetesClientException refusal) {
            if (Reflector.withholds(refusal.getCode())) {
                giveUp(kind);
            }
        }
    }
}
