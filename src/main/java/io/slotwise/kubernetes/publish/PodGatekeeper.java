package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.Eviction;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.watch.ClusterWatch;
import io.slotwise.live.Gatekeeper;
import io.slotwise.live.Member;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sends pods to their nodes: each is told its node, then our gate is taken off, which puts it straight into kube-scheduler's
 * active queue. A pod without our gate waits in kube-scheduler's queue instead; any change of the pod itself wakes one that an
 * extender rejected, and being told its node is such a change.
 */
public final class PodGatekeeper implements Gatekeeper {
    private static final Logger LOG = Logger.getLogger(PodGatekeeper.class);

    private final KubernetesClient client;
    private final ClusterWatch watch;
    private final PatchCall call;
    private final Guidance guidance;
    private final InstantSource clock;
    private final Executor writers;

    /** How a released pod is told its node. */
    public enum Guidance {
        /** By {@code status.nominatedNodeName}: a hint that can be taken back. */
        NOMINATE,
        /** By required node affinity: stays for ever. */
        PIN
    }

    /**
     * A gatekeeper.
     *
     * @param writers runs one task for each pod
     */
    public PodGatekeeper(
            KubernetesClient client, ClusterWatch watch, Guidance guidance, InstantSource clock, Executor writers) {
        this.client = client;
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
        for (Placement place : window.placements()) {
            Member member = byName.get(place.pod());
            if (member != null && member.state() == Member.State.WAITING) {
                sent.add(CompletableFuture.supplyAsync(() -> send(window, place, member), writers));
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

    /** kube-scheduler keeps the room of a nominated pod from others of the same priority, so a nomination must not outlive its window. */
    @Override
    public void recall(GangId gang, Collection<String> pods) {
        List<CompletableFuture<Void>> recalled = new ArrayList<>();
        for (String name : pods) {
            Pod pod = watch.pod(gang.namespace(), name);
            if (pod != null
                    && pod.getSpec().getNodeName() == null
                    && pod.getMetadata().getDeletionTimestamp() == null) {
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

    private @Nullable String send(Window window, Placement place, Member member) {
        GangId gang = window.gang();
        String nominated = guidance == Guidance.NOMINATE ? place.node() : null;
        try {
            call.pod(gang, place.pod(), "/status", PodPatch.release(member.uid(), nominated, window.start()));
            if (member.gated() && guidance == Guidance.NOMINATE) {
                call.pod(gang, place.pod(), "", PodPatch.ungate(member.uid()));
            } else if (member.gated()) {
                Pod known = watch.pod(gang.namespace(), place.pod());
                call.pod(gang, place.pod(), "", PodPatch.ungateAndPin(member.uid(), known, place.node()));
            }
            return null;
        } catch (IOException e) {
            return "%s: %s".formatted(place.pod(), e.getMessage());
        }
    }

    private void recall(GangId gang, String pod, String uid) {
        try {
            call.pod(gang, pod, "/status", PodPatch.recall(uid));
        } catch (IOException e) {
            LOG.debugf("%s/%s was not called back: %s", gang.namespace(), pod, e.getMessage());
        }
    }

    private void evict(GangId gang, Member member) {
        PodResource pod = client.pods().inNamespace(gang.namespace()).withName(member.pod());
        try {
            if (pod.evict(eviction(gang, member))) {
                return;
            }
        } catch (KubernetesClientException e) {
            LOG.debugf("%s/%s is deleted instead of evicted: %s", gang.namespace(), member.pod(), e.getMessage());
        }
        Pod known = watch.pod(gang.namespace(), member.pod());
        if (known != null && !member.uid().equals(known.getMetadata().getUid())) {
            return;
        }
        try {
            call.pod(gang, member.pod(), "/status", PodPatch.disrupt(member.uid(), clock.instant()));
        } catch (IOException e) {
            LOG.debugf("%s/%s does not say why it ends: %s", gang.namespace(), member.pod(), e.getMessage());
        }
        try {
            pod.delete();
        } catch (KubernetesClientException e) {
            LOG.errorf("%s/%s could not be taken back: %s", gang.namespace(), member.pod(), e.getMessage());
        }
    }

    /** Of this very pod: one of the same name that came after it stays. */
    private static Eviction eviction(GangId gang, Member member) {
        return new EvictionBuilder()
                .withNewMetadata()
                .withNamespace(gang.namespace())
                .withName(member.pod())
                .endMetadata()
                .withDeleteOptions(new DeleteOptionsBuilder()
                        .withNewPreconditions()
                        .withUid(member.uid())
                        .endPreconditions()
                        .build())
                .build();
    }
}
