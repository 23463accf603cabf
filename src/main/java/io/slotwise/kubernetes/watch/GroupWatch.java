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
 * The objects of other projects and of owners that say how large gangs are, and which of their pods were made together.
 *
 * <p>A kind is watched if the API server serves it, in the version that it prefers. What it does not serve costs
 * nothing; it is looked for again when a pod names an object of it, now and then. A kind that may not be read, or whose
 * definition goes, counts as not served.
 *
 * <p>Other projects' webhooks and API servers answer for these kinds, and may be down or hang for days: each kind is
 * waited for a while, and then counts as unread until it answers. It is asked for again and again, in threads of its
 * own, so that none waits for another. One that was read and has hung or failed since counts as unread, too, and is
 * known as it was last seen.
 */
final class GroupWatch implements GroupObjects, AutoCloseable {
    private static final Logger LOG = Logger.getLogger(GroupWatch.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    /** How many that have gone are kept, as their pods go after them. */
    private static final int MOST_GONE = 1000;

    private final KubernetesClient client;
    private final Runnable changed;
    private final Consumer<GenericKubernetesResource> come;
    private final WatchTiming timing;
    private final ProcessClock clock;
    private final Map<GroupKind, Reflector<GenericKubernetesResource>> watched = new ConcurrentHashMap<>();
    /** Since when the kinds have been asked for that have not been looked up yet, nanoseconds. */
    private final Map<GroupKind, Long> asked = new ConcurrentHashMap<>();

    /** The StatefulSets that have gone, the last of each name. */
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
     * A watch that begins with {@link #start}.
     *
     * @param client one that does not repeat calls and begins no watch again
     * @param changed called after every change of what an object asks for
     * @param come called with each object that was not known
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

    /** Begins to look what is served; returns at once. */
    void start() {
        begun = clock.nanos();
        Thread.ofVirtual().name("slotwise-groups").start(this::look);
    }

    /** Whether all that is served has been read, or was waited for long enough. */
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
     * Whether a kind that was read has neither been listed nor watched for longer than one hang takes to be noticed and
     * mended.
     */
    private boolean isStale(Reflector<GenericKubernetesResource> reflector) {
        Duration unheard = reflector.sinceProof();
        return unheard != null && unheard.compareTo(timing.holds().plus(timing.patience())) > 0;
    }

    /** The kinds that are served and have not been read yet. */
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
        if (wanted.availablePermits() == 0) {
            wanted.release();
        }
        return null;
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

    /** Watches what is served and not watched yet; false: something could not be asked for. */
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
     * Whether all of them went well. Each has a thread of its own: one API service that hangs keeps no thread from
     * asking the others.
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

    /** Watches the kinds of a group that are served; false: the server of the group does not answer. */
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

    /** The kinds that are served, each in the first version that has it. One call for a version. */
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

    /** The one that the API server prefers, then the others. */
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

    /** A kind that may not be read, or is served no more. */
    private void giveUp(GroupKind kind) {
        Reflector<GenericKubernetesResource> reflector = watched.remove(kind);
        asked.remove(kind);
        if (reflector != null) {
            LOG.warnf("%s is treated as not served until a pod names an object of it", reflector.kind());
            reflector.close();
            changed.run();
        }
    }

    /** Tells of what matters; a status is not kept and so never differs. */
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
