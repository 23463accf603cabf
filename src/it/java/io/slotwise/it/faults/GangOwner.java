package io.slotwise.it.faults;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.slotwise.it.GangSpec;
import io.slotwise.it.Workload;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The owner of the gangs: makes their pods, makes missing pods again while their gang has not ended, and deletes gangs
 * some time after their end. A pod that succeeded during its eviction is made again as well, and so is a pod that
 * succeeded before another member was made again.
 */
final class GangOwner implements AutoCloseable, ResourceEventHandler<Pod> {
    private static final long AGAIN_MILLIS = 700;
    private static final long KEPT_SECONDS = 20;

    private final KubernetesClient client;
    private final ScheduledExecutorService threads;
    private final Map<String, Owned> gangs = new ConcurrentHashMap<>();
    private final SharedIndexInformer<Pod> informer;

    /** A gang with its pods as they are made, and its existing succeeded pods, by name. */
    private static final class Owned {
        private final GangSpec gang;
        private final Map<String, Pod> pods = new ConcurrentHashMap<>();
        private final Set<String> succeeded = ConcurrentHashMap.newKeySet();
        private volatile boolean givenUp;
        private volatile boolean done;

        Owned(GangSpec gang) {
            this.gang = gang;
            gang.pods().forEach(pod -> pods.put(pod.getMetadata().getName(), pod));
        }

        /** Records a success, and returns whether it is the last one. */
        synchronized boolean succeeded(String pod) {
            boolean last = succeeded.add(pod) && succeeded.size() == gang.size() && !done;
            done = done || last;
            return last;
        }

        /** Records a missing pod, and returns whether it is to be made again. */
        synchronized boolean isMissed(String pod) {
            if (!done) {
                succeeded.remove(pod);
            }
            return !done && !givenUp;
        }
    }

    GangOwner(KubernetesClient client, ScheduledExecutorService threads) {
        this.client = client;
        this.threads = threads;
        informer = client.pods().inAnyNamespace().withLabel("slotwise.io/gang").inform(this);
    }

    /** Makes all pods of a gang. With {@code refused} the kubelet refuses one of them, and accepts its replacement. */
    void submit(GangSpec gang, boolean refused) {
        Owned owned = new Owned(gang);
        gangs.put(gang.name(), owned);
        String first = gang.name() + "-0";
        owned.pods.forEach((name, pod) -> create(refused && name.equals(first) ? refused(pod) : pod));
    }

    private static Pod refused(Pod pod) {
        return new PodBuilder(pod)
                .editMetadata()
                .addToAnnotations(Workload.REFUSED, "true")
                .endMetadata()
                .build();
    }

    /** The number of these gangs that have completed. */
    long done(List<String> names) {
        return names.stream()
                .filter(name -> {
                    Owned owned = gangs.get(name);
                    return owned != null && owned.done;
                })
                .count();
    }

    boolean isDone(String gang) {
        return done(List.of(gang)) == 1;
    }

    List<Pod> pods(GangSpec gang) {
        return informer.getStore().list().stream()
                .filter(pod -> pod.getMetadata().getNamespace().equals(gang.namespace()))
                .filter(pod -> gang.name().equals(pod.getMetadata().getLabels().get("slotwise.io/gang")))
                .toList();
    }

    @Nullable
    Pod pod(String name) {
        return informer.getStore().list().stream()
                .filter(pod -> pod.getMetadata().getName().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** The nodes that pods run on or are bound for, by name. */
    List<String> nodesInUse() {
        return informer.getStore().list().stream()
                .filter(pod -> !pod.getStatus().getPhase().equals("Succeeded"))
                .map(pod -> pod.getSpec().getNodeName())
                .filter(Objects::nonNull)
                .distinct()
                .sorted()
                .toList();
    }

    List<Pod> podsOn(String node) {
        return informer.getStore().list().stream()
                .filter(pod -> node.equals(pod.getSpec().getNodeName()))
                .filter(pod -> !pod.getStatus().getPhase().equals("Succeeded"))
                .toList();
    }

    /** Deletes a pod without a grace period. */
    void delete(Pod pod) {
        quietly(() -> {
            var _ = client.resource(pod).withGracePeriod(0).delete();
        });
    }

    /** Deletes a gang for good. */
    void giveUp(GangSpec gang) {
        Owned owned = Objects.requireNonNull(gangs.get(gang.name()));
        owned.givenUp = true;
        pods(gang).forEach(this::delete);
        // A pod that was just made is not in the store yet.
        owned.pods.values().forEach(this::delete);
    }

    /** Annotates all pods of a gang, including those made later. */
    void annotate(GangSpec gang, String key, String value) {
        Owned owned = Objects.requireNonNull(gangs.get(gang.name()));
        for (Pod pod : owned.pods.values()) {
            pod.getMetadata().getAnnotations().put("slotwise.io/" + key, value);
            quietly(() -> {
                var _ = client.pods()
                        .inNamespace(gang.namespace())
                        .withName(pod.getMetadata().getName())
                        .patch(PatchContext.of(PatchType.JSON_MERGE), """
                                {"metadata": {"annotations": {"slotwise.io/%s": "%s"}}}
                                """.formatted(key, value));
            });
        }
    }

    @Override
    public void onAdd(Pod pod) {
        onUpdate(pod, pod);
    }

    @Override
    public void onUpdate(Pod before, Pod pod) {
        Owned owned = gangs.get(pod.getMetadata().getLabels().get("slotwise.io/gang"));
        if (owned != null
                && "Failed".equals(pod.getStatus().getPhase())
                && pod.getMetadata().getDeletionTimestamp() == null) {
            begin(() -> delete(pod));
        }
        if (owned != null
                && "Succeeded".equals(pod.getStatus().getPhase())
                && owned.succeeded(pod.getMetadata().getName())) {
            var _ = threads.schedule(() -> giveUp(owned.gang), KEPT_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Override
    public void onDelete(Pod pod, boolean unknown) {
        onUpdate(pod, pod);
        Owned owned = gangs.get(pod.getMetadata().getLabels().get("slotwise.io/gang"));
        if (owned != null && owned.isMissed(pod.getMetadata().getName())) {
            var _ = threads.schedule(
                    () -> {
                        if (!owned.givenUp) {
                            endedPods(owned.gang).forEach(this::delete);
                            create(Objects.requireNonNull(
                                    owned.pods.get(pod.getMetadata().getName())));
                        }
                    },
                    AGAIN_MILLIS,
                    TimeUnit.MILLISECONDS);
        }
    }

    /** Succeeded pods that must run again because another pod is made again: their run is over. */
    private List<Pod> endedPods(GangSpec gang) {
        return pods(gang).stream()
                .filter(pod -> pod.getStatus().getPhase().equals("Succeeded"))
                .toList();
    }

    private void begin(Runnable what) {
        var _ = threads.submit(what);
    }

    private void create(Pod pod) {
        quietly(() -> {
            var _ = client.resource(pod).create();
        });
    }

    /** Ignores that the object is gone or already exists. */
    private static void quietly(Runnable call) {
        try {
            call.run();
        } catch (KubernetesClientException e) {
            if (e.getCode() != 404 && e.getCode() != 409) {
                throw e;
            }
        }
    }

    @Override
    public void close() {
        informer.close();
    }
}
