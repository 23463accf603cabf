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
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.gangs.Groups;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The objects of other projects and of owners that say how large gangs are.
 *
 * <p>A kind is watched if the API server serves it, in the version that it prefers. What it does not serve costs nothing; it is
 * looked for again when a pod names an object of it, now and then. A kind that may not be read, or whose definition
 * goes, counts as not served.
 *
 * <p>Other projects' webhooks and API servers answer for these kinds, and may be down for days: each kind is waited for a while, and then
 * counts as unread until it answers. It is asked for again and again.
 */
final class GroupWatch implements Groups, AutoCloseable {
    private static final Logger LOG = Logger.getLogger(GroupWatch.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    /** How long a kind is waited for. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final KubernetesClient client;
    private final Runnable changed;
    private final Duration pause;
    private final Duration patience;
    private final LongSupplier nanos;
    private final Map<GroupKind, SharedIndexInformer<GenericKubernetesResource>> watched = new ConcurrentHashMap<>();
    /** Since when the kinds have been asked for that have not been looked up yet, nanoseconds. */
    private final Map<GroupKind, Long> asked = new ConcurrentHashMap<>();

    private final Semaphore wanted = new Semaphore(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean looked;
    private volatile long begun;

    /**
     * A watch that begins with {@link #start}.
     *
     * @param changed called after every change of what an object asks for
     * @param pause the least between two looks at what is served
     */
    GroupWatch(KubernetesClient client, Runnable changed, Duration pause) {
        this(client, changed, pause, PATIENCE, System::nanoTime);
    }

    /**
     * A watch that begins with {@link #start}.
     *
     * @param changed called after every change of what an object asks for
     * @param pause the least between two looks at what is served
     * @param patience how long a kind is waited for
     * @param nanos a clock that only runs forward, nanoseconds
     */
    GroupWatch(KubernetesClient client, Runnable changed, Duration pause, Duration patience, LongSupplier nanos) {
        this.client = client;
        this.changed = changed;
        this.pause = pause;
        this.patience = patience;
        this.nanos = nanos;
        this.begun = nanos.getAsLong();
    }

    /** Begins to look what is served; returns at once. */
    void start() {
        begun = nanos.getAsLong();
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
        return unread;
    }

    /** The kinds that are served and have not been read yet. */
    private Stream<GroupKind> open() {
        return asked.keySet().stream().filter(kind -> {
            SharedIndexInformer<GenericKubernetesResource> informer = watched.get(kind);
            return informer == null || !informer.hasSynced();
        });
    }

    private boolean isLate(long since) {
        return nanos.getAsLong() - since >= patience.toNanos();
    }

    @Override
    public @Nullable GenericKubernetesResource find(GroupKey key) {
        SharedIndexInformer<GenericKubernetesResource> informer = watched.get(key.kind());
        if (informer != null) {
            return informer.getStore().getByKey(key.namespace() + "/" + key.name());
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
        watched.values().forEach(SharedIndexInformer::stop);
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
                closed.await((answered || ready() ? pause : FIRST_PAUSE).toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Watches what is served and not watched yet; false: something could not be asked for. */
    private boolean discover() {
        try {
            APIGroupList served = client.getApiGroups();
            List<APIGroup> groups = served == null ? List.of() : served.getGroups();
            Set<String> names = groups.stream().map(APIGroup::getName).collect(Collectors.toSet());
            for (GroupKind kind : GroupKind.values()) {
                if (names.contains(kind.apiGroup())) {
                    asked.putIfAbsent(kind, nanos.getAsLong());
                }
            }
            looked = true;
            boolean answered = true;
            for (GroupKind kind : GroupKind.values()) {
                answered &= watched.containsKey(kind) || discover(groups, kind);
            }
            return answered;
        } catch (KubernetesClientException | IllegalStateException e) {
            LOG.debugf("what the API server serves could not be read: %s", e.getMessage());
            return false;
        }
    }

    /** Watches a kind if it is served; false: whoever serves its group does not answer. */
    private boolean discover(List<APIGroup> groups, GroupKind kind) {
        try {
            ResourceDefinitionContext context = context(groups, kind);
            if (context == null) {
                asked.remove(kind);
            } else if (closed.getCount() > 0) {
                watch(kind, context);
            }
            return true;
        } catch (KubernetesClientException | IllegalStateException e) {
            LOG.debugf("whether %s.%s is served could not be read: %s", kind.plural(), kind.apiGroup(), e.getMessage());
            return false;
        }
    }

    private @Nullable ResourceDefinitionContext context(List<APIGroup> groups, GroupKind kind) {
        for (APIGroup group : groups) {
            if (group.getName().equals(kind.apiGroup())) {
                return versions(group)
                        .filter(version -> serves(version, kind))
                        .findFirst()
                        .map(version -> new ResourceDefinitionContext.Builder()
                                .withGroup(kind.apiGroup())
                                .withVersion(version.getVersion())
                                .withKind(kind.kind())
                                .withPlural(kind.plural())
                                .withNamespaced(true)
                                .build())
                        .orElse(null);
            }
        }
        return null;
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

    private boolean serves(GroupVersionForDiscovery version, GroupKind kind) {
        APIResourceList resources = client.getApiResources(version.getGroupVersion());
        return resources != null
                && resources.getResources().stream().map(APIResource::getName).anyMatch(kind.plural()::equals);
    }

    private void watch(GroupKind kind, ResourceDefinitionContext context) {
        SharedIndexInformer<GenericKubernetesResource> informer = client.genericKubernetesResources(context)
                .inAnyNamespace()
                .withLimit(Reflector.PAGE)
                .runnableInformer(0);
        informer.removeNamespaceIndex();
        informer.itemStore(new StrippedStore<>(Groups::strip));
        informer.addEventHandler(new Changes());
        informer.exceptionHandler((started, problem) -> {
            LOG.warnf(
                    "watching %s.%s failed%s: %s",
                    kind.plural(),
                    kind.apiGroup(),
                    isRefused(problem) ? ", it counts as not served" : " and is tried again",
                    problem.getMessage());
            boolean given = isRefused(problem) && watched.remove(kind, informer);
            if (given) {
                asked.remove(kind);
            }
            return !given;
        });
        watched.put(kind, informer);
        var _ = informer.start();
    }

    private static boolean isRefused(Throwable problem) {
        Throwable reason =
                problem instanceof CompletionException && problem.getCause() != null ? problem.getCause() : problem;
        return reason instanceof KubernetesClientException e
                && (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND);
    }

    /** Tells of what matters; a status is not kept and so never differs. */
    private final class Changes implements ResourceEventHandler<GenericKubernetesResource> {
        @Override
        public void onAdd(GenericKubernetesResource object) {
            changed.run();
        }

        @Override
        public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
            if (Relevance.groupChanged(before, after)) {
                changed.run();
            }
        }

        @Override
        public void onDelete(GenericKubernetesResource object, boolean finalStateUnknown) {
            changed.run();
        }
    }
}
