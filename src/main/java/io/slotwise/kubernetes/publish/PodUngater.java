package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.Eviction;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.manifest.pods.PodRecreation;
import io.slotwise.kubernetes.watch.ClusterWatch;
import io.slotwise.kubernetes.watch.PodState;
import io.slotwise.live.port.PodReleaser;
import io.slotwise.live.record.Member;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Releases pods to kube-scheduler. Removing Slotwise's gate puts a pod straight into the active queue. A pod without
 * the gate waits in kube-scheduler's queue for unschedulable pods. Any change of the pod wakes it after a rejection by
 * an extender, and the release condition is such a change.
 */
public final class PodUngater implements PodReleaser {
    private static final Logger LOG = Logger.getLogger(PodUngater.class);
    /** The most reads of a pod that keeps changing as it ends. The next cycle tries again. */
    private static final int MOST_LOOKS = 5;

    private final KubernetesClient client;
    /**
     * A client without retries. A disruption budget refuses an eviction with the answer of an overloaded API server,
     * for which waiting is useless.
     */
    private final KubernetesClient once;

    private final ClusterWatch watch;
    private final PatchCall call;
    private final Guidance guidance;
    private final InstantSource clock;
    private final Executor writers;

    /** The way in which a released pod learns its node. */
    public enum Guidance {
        /**
         * By required node affinity if a controller recreates the pod, else not at all. One patch removes the gate and
         * pins.
         */
        AUTO,
        /** By {@code status.nominatedNodeName}, a hint that can be withdrawn. */
        NOMINATE,
        /** By required node affinity, which is permanent. */
        PIN
    }

    /**
     * @param writers runs one task for each pod
     */
    public PodUngater(
            KubernetesClient client, ClusterWatch watch, Guidance guidance, InstantSource clock, Executor writers) {
        this.client = client;
        this.once = client.newClient(
                        new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                                .withRequestRetryBackoffLimit(0)
                                .build())
                .adapt(KubernetesClient.class);
        this.watch = watch;
        this.call = new PatchCall(client);
        this.guidance = guidance;
        this.clock = clock;
        this.writers = writers;
    }

    @Override
    public List<String> release(Window window, List<Member> members) {
        Map<String, Member> byName = new HashMap<>();
        members.forEach(member -> byName.put(member.pod(), member));
        List<CompletableFuture<@Nullable String>> sent = new ArrayList<>();
        for (Placement placement : window.placements()) {
            Member member = byName.get(placement.pod());
            if (member != null && member.state() == Member.State.WAITING) {
                sent.add(CompletableFuture.supplyAsync(() -> send(window, placement, member), writers));
            }
        }
        List<String> failures = new ArrayList<>();
        for (CompletableFuture<@Nullable String> one : sent) {
            String failure = one.join();
            if (failure != null) {
                failures.add(failure);
            }
        }
        return failures;
    }

    /**
     * Clears nominations. kube-scheduler keeps the room of a nominated pod from others of the same priority, so a
     * nomination must not outlive its window.
     */
    @Override
    public void recall(GangId gang, Collection<String> pods) {
        List<CompletableFuture<Void>> recalled = new ArrayList<>();
        for (String name : pods) {
            Pod pod = watch.pod(gang.namespace(), name);
            if (pod != null && pod.getSpec().getNodeName() == null && !PodState.isOver(pod)) {
                recalled.add(CompletableFuture.runAsync(
                        () -> recall(gang, name, pod.getMetadata().getUid()), writers));
            }
        }
        CompletableFuture.allOf(recalled.toArray(CompletableFuture[]::new)).join();
    }

    @Override
    public void evict(GangId gang, List<Member> bound) {
        CompletableFuture.allOf(bound.stream()
                        .map(member -> CompletableFuture.runAsync(() -> evict(gang, member), writers))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    @Override
    public SortedMap<String, String> evictIfAllowed(GangId gang, List<Member> bound) {
        return refusals(gang, bound, false);
    }

    @Override
    public SortedMap<String, String> evictTogether(GangId gang, List<Member> bound) {
        SortedMap<String, String> kept = refusals(gang, bound, true);
        if (kept.isEmpty()) {
            // Each trial was separate, so a budget that allows a single eviction has allowed all. The rest is half a
            // gang.
            evict(gang, bound);
        }
        return kept;
    }

    /**
     * Requests evictions in parallel.
     *
     * @param trial whether this is a dry run
     */
    private SortedMap<String, String> refusals(GangId gang, List<Member> bound, boolean trial) {
        SortedMap<String, String> refused = new ConcurrentSkipListMap<>();
        CompletableFuture.allOf(bound.stream()
                        .map(member -> CompletableFuture.runAsync(
                                () -> {
                                    String why = refusal(gang, member, trial);
                                    if (why != null) {
                                        refused.put(member.pod(), why);
                                    }
                                },
                                writers))
                        .toArray(CompletableFuture[]::new))
                .join();
        return refused;
    }

    /** Requests the eviction of a member that still runs. Returns null if it is leaving, else why not. */
    private @Nullable String refusal(GangId gang, Member member, boolean trial) {
        try {
            Pod seenPod = watch.pod(gang.namespace(), member.pod());
            if (seenPod == null) {
                seenPod = look(gang, member);
            }
            for (int looks = 0; looks < MOST_LOOKS && seenPod != null && runs(seenPod, member); looks++) {
                try {
                    return once.pods().resource(seenPod).evict(eviction(seenPod, trial)) || look(gang, member) == null
                            ? null
                            : "a PodDisruptionBudget does not allow it";
                } catch (KubernetesClientException e) {
                    if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                        throw e;
                    }
                    seenPod = look(gang, member);
                }
            }
            return seenPod == null || !runs(seenPod, member) ? null : "it keeps changing";
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private @Nullable String send(Window window, Placement placement, Member member) {
        GangId gang = window.gang();
        String nominated = guidance == Guidance.NOMINATE ? placement.node() : null;
        Pod knownPod = watch.pod(gang.namespace(), placement.pod());
        try {
            if (!member.gated() || nominated != null) {
                call.pod(gang, placement.pod(), "/status", PodPatch.release(member.uid(), nominated, window.start()));
            }
            if (member.gated() && !member.direct() && isPinned(knownPod)) {
                call.pod(gang, placement.pod(), "", PodPatch.ungateAndPin(member.uid(), knownPod, placement.node()));
            } else if (member.gated()) {
                call.pod(gang, placement.pod(), "", PodPatch.ungate(member.uid()));
            }
            watch.ungated(gang.namespace(), placement.pod(), member.uid());
            return null;
        } catch (IOException e) {
            return "%s: %s".formatted(placement.pod(), e.getMessage());
        }
    }

    /** Returns whether a pod gets pinned. A pin is permanent, so a bare pod whose node dies could never start. */
    private boolean isPinned(@Nullable Pod pod) {
        return guidance == Guidance.PIN
                || (guidance == Guidance.AUTO && pod != null && PodRecreation.isControlled(pod));
    }

    private void recall(GangId gang, String pod, String uid) {
        try {
            call.pod(gang, pod, "/status", PodPatch.recall(uid, clock.instant()));
        } catch (IOException e) {
            LOG.debugf("the nomination of %s/%s was not cleared: %s", gang.namespace(), pod, e.getMessage());
        }
    }

    /**
     * Ends a member that still runs. A pod that has changed since it was seen may have finished, so it is read again
     * first.
     */
    private void evict(GangId gang, Member member) {
        try {
            Pod seenPod = watch.pod(gang.namespace(), member.pod());
            if (seenPod == null) {
                seenPod = look(gang, member);
            }
            for (int looks = 0; looks < MOST_LOOKS && seenPod != null && runs(seenPod, member); looks++) {
                if (end(gang, seenPod)) {
                    return;
                }
                seenPod = look(gang, member);
            }
        } catch (KubernetesClientException e) {
            LOG.errorf("%s/%s could not be rolled back: %s", gang.namespace(), member.pod(), e.getMessage());
        }
    }

    private @Nullable Pod look(GangId gang, Member member) {
        return client.pods()
                .inNamespace(gang.namespace())
                .withName(member.pod())
                .get();
    }

    private static boolean runs(Pod seenPod, Member member) {
        return member.uid().equals(seenPod.getMetadata().getUid()) && !PodState.isOver(seenPod);
    }

    /** Evicts a pod, or else deletes it. Returns false without effect if the pod has changed since it was seen. */
    private boolean end(GangId gang, Pod seenPod) {
        try {
            if (once.pods().resource(seenPod).evict(eviction(seenPod, false))) {
                return true;
            }
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return false;
            }
            LOG.debugf(
                    "%s/%s is deleted instead of evicted: %s",
                    gang.namespace(), seenPod.getMetadata().getName(), e.getMessage());
        }
        Pod toldPod = disrupt(gang, seenPod);
        if (PodState.isOver(toldPod)) {
            return false;
        }
        try {
            client.resource(toldPod)
                    .lockResourceVersion(toldPod.getMetadata().getResourceVersion())
                    .delete();
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return false;
            }
            throw e;
        }
    }

    /** Writes the disruption condition. Returns the pod after that, or as it was seen if the write failed. */
    private Pod disrupt(GangId gang, Pod seenPod) {
        String name = seenPod.getMetadata().getName();
        try {
            String answer = call.pod(
                    gang,
                    name,
                    "/status",
                    PodPatch.disrupt(seenPod.getMetadata().getUid(), clock.instant()));
            return client.getKubernetesSerialization().unmarshal(answer, Pod.class);
        } catch (IOException e) {
            LOG.debugf("%s/%s has no condition that says why it ends: %s", gang.namespace(), name, e.getMessage());
            return seenPod;
        }
    }

    /** Returns an eviction of exactly this version, so that no other pod of the name and no ended pod is evicted. */
    private static Eviction eviction(Pod seenPod, boolean trial) {
        return new EvictionBuilder()
                .withNewMetadata()
                .withNamespace(seenPod.getMetadata().getNamespace())
                .withName(seenPod.getMetadata().getName())
                .endMetadata()
                .withDeleteOptions(new DeleteOptionsBuilder()
                        .withNewPreconditions()
                        .withUid(seenPod.getMetadata().getUid())
                        .withResourceVersion(seenPod.getMetadata().getResourceVersion())
                        .endPreconditions()
                        .withDryRun(trial ? List.of("All") : List.of())
                        .build())
                .build();
    }
}
