package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.watch.ClusterWatch;
import io.slotwise.kubernetes.watch.PodState;
import io.slotwise.live.port.WaitExplainer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Has pods that Slotwise binds itself and that wait for long say why, as kube-scheduler would: the condition {@code
 * PodScheduled} is False, with a reason and an instant, written once a change. No caller waits for it. One pod is
 * written after another, and a later word takes the place of one that has not been written. An instant that moves by
 * less than a minute is not written again. What was said is remembered as values, and not read out of the pods: a
 * replica that takes over says it to each once more, where the API server stores nothing if it is the same. Remembered
 * are two words for each pod that waits; a cycle costs O(pods that wait).
 */
public final class WaitingPods implements WaitExplainer {
    /** Most pods have their node by then. */
    static final Duration LONG = Duration.ofSeconds(30);

    private static final Logger LOG = Logger.getLogger(WaitingPods.class);

    private final KubernetesClient client;
    private final View view;
    private final PatchCall call;
    private final InstantSource clock;
    private final Executor writers;
    private final ReentrantLock lock = new ReentrantLock();
    /** What is to be said, by the UID of the pod. */
    private final Map<String, Word> unsaid = new LinkedHashMap<>();
    /** What was said, by the UID of the pod: of the gangs that waited last. */
    private final Map<String, Waiting> said = new ConcurrentHashMap<>();

    private boolean writing;

    private record Word(String pod, Waiting waiting) {}

    /** What is seen of pods. */
    interface View {
        List<Pod> podsOf(GangId gang);

        /** A pod; null: it is not there. */
        @Nullable
        Pod pod(String namespace, String name);

        boolean goesDirect(Pod pod);

        /** A pod was written to and has another version since. */
        void written(Pod finishedPod, String version);
    }

    /**
     * @param writers runs a task for each pod, one at a time; never drops it
     */
    public WaitingPods(KubernetesClient client, ClusterWatch watch, InstantSource clock, Executor writers) {
        this(
                client,
                new View() {
                    @Override
                    public List<Pod> podsOf(GangId gang) {
                        return watch.podsOf(gang);
                    }

                    @Override
                    public @Nullable Pod pod(String namespace, String name) {
                        return watch.pod(namespace, name);
                    }

                    @Override
                    public boolean goesDirect(Pod pod) {
                        return watch.goesDirect(pod);
                    }

                    @Override
                    public void written(Pod finishedPod, String version) {
                        watch.written(finishedPod, version);
                    }
                },
                clock,
                writers);
    }

    WaitingPods(KubernetesClient client, View view, InstantSource clock, Executor writers) {
        this.client = client;
        this.view = view;
        this.call = new PatchCall(client);
        this.clock = clock;
        this.writers = writers;
    }

    @Override
    public void explain(Collection<Waiting> waiting) {
        Map<String, Word> news = new LinkedHashMap<>();
        Set<String> seen = new HashSet<>();
        Instant now = clock.instant();
        for (Waiting one : waiting) {
            for (Pod pod : view.podsOf(one.gang())) {
                seen.add(pod.getMetadata().getUid());
                if (waitsForLong(pod, now) && !isSaid(pod, one)) {
                    news.put(
                            pod.getMetadata().getUid(),
                            new Word(pod.getMetadata().getName(), one));
                }
            }
        }
        said.keySet().retainAll(seen);
        lock.lock();
        try {
            Set<String> known = new HashSet<>(unsaid.keySet());
            unsaid.keySet().retainAll(news.keySet());
            news.forEach((uid, word) -> {
                if (known.contains(uid)) {
                    unsaid.replace(uid, word);
                } else {
                    unsaid.put(uid, word);
                }
            });
            if (unsaid.isEmpty() || writing) {
                return;
            }
            writing = true;
        } finally {
            lock.unlock();
        }
        writers.execute(this::next);
    }

    /** Whether a pod is to say why it waits. A pod that was written to by this program may not be as it is seen. */
    private boolean waitsForLong(Pod pod, Instant now) {
        String created = pod.getMetadata().getCreationTimestamp();
        return pod.getSpec().getNodeName() == null
                && !PodState.isOver(pod)
                && view.goesDirect(pod)
                && created != null
                && Instant.parse(created).plus(LONG).isBefore(now);
    }

    /** Whether this replica had the pod say nearly the same, and no writer has had it say something else since. */
    private boolean isSaid(Pod pod, Waiting waiting) {
        Waiting before = said.get(pod.getMetadata().getUid());
        PodCondition condition = PodPatch.scheduled(pod);
        return before != null
                && waiting.isNear(before)
                && condition != null
                && "False".equals(condition.getStatus())
                && before.reason().equals(condition.getReason());
    }

    private void next() {
        Map.Entry<String, Word> entry = first();
        if (entry == null) {
            return;
        }
        try {
            say(entry.getKey(), entry.getValue());
        } finally {
            writers.execute(this::next);
        }
    }

    private Map.@Nullable Entry<String, Word> first() {
        lock.lock();
        try {
            if (unsaid.isEmpty()) {
                writing = false;
                return null;
            }
            String uid = unsaid.keySet().iterator().next();
            return Map.entry(uid, Objects.requireNonNull(unsaid.remove(uid)));
        } finally {
            lock.unlock();
        }
    }

    private void say(String uid, Word word) {
        GangId gang = word.waiting().gang();
        Pod pod = view.pod(gang.namespace(), word.pod());
        if (pod == null
                || !uid.equals(pod.getMetadata().getUid())
                || !waitsForLong(pod, clock.instant())
                || isSaid(pod, word.waiting())) {
            return;
        }
        try {
            String answer =
                    call.pod(gang, word.pod(), "/status", PodPatch.explain(pod, word.waiting(), clock.instant()));
            said.put(uid, word.waiting());
            Pod writtenPod = client.getKubernetesSerialization().unmarshal(answer, Pod.class);
            view.written(pod, writtenPod.getMetadata().getResourceVersion());
        } catch (IOException e) {
            LOG.debugf(
                    "%s/%s has no condition that says why it waits: %s", gang.namespace(), word.pod(), e.getMessage());
        }
    }
}
