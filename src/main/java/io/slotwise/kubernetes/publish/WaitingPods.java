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
 * Lets pods that Slotwise binds itself state why they wait, if they wait for long, as kube-scheduler would: the
 * condition {@code PodScheduled} is False, with a reason and an instant, written once for each change. An instant that
 * moves by less than a minute is not written again.
 *
 * <p>Callers do not wait. Pods are written one after another, and a later statement replaces an unwritten one. Written
 * statements are kept as values instead of being read from the pods. A new leader therefore writes each once more,
 * which has no effect in the API server if nothing differs. Two statements are kept for each waiting pod. A cycle costs
 * O(waiting pods).
 */
public final class WaitingPods implements WaitExplainer {
    /** The wait from which pods state why. Most pods have their node by then. */
    static final Duration LONG = Duration.ofSeconds(30);

    private static final Logger LOG = Logger.getLogger(WaitingPods.class);

    private final KubernetesClient client;
    private final View view;
    private final PatchCall call;
    private final InstantSource clock;
    private final Executor writers;
    private final ReentrantLock lock = new ReentrantLock();
    /** The statements to write, by the UID of the pod. */
    private final Map<String, Word> unwritten = new LinkedHashMap<>();
    /** The written statements, by the UID of the pod, of the gangs that waited last. */
    private final Map<String, Waiting> written = new ConcurrentHashMap<>();

    private boolean writing;

    private record Word(String pod, Waiting waiting) {}

    /** The view of pods. */
    interface View {
        List<Pod> podsOf(GangId gang);

        @Nullable
        Pod pod(String namespace, String name);

        boolean goesDirect(Pod pod);

        /** Notes that a pod was written and has another version. */
        void written(Pod finishedPod, String version);
    }

    /**
     * @param writers runs a task for each pod, one at a time, and never drops it
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
        for (Waiting waitingGang : waiting) {
            for (Pod pod : view.podsOf(waitingGang.gang())) {
                seen.add(pod.getMetadata().getUid());
                if (waitsForLong(pod, now) && !isWritten(pod, waitingGang)) {
                    news.put(
                            pod.getMetadata().getUid(),
                            new Word(pod.getMetadata().getName(), waitingGang));
                }
            }
        }
        written.keySet().retainAll(seen);
        lock.lock();
        try {
            Set<String> known = new HashSet<>(unwritten.keySet());
            unwritten.keySet().retainAll(news.keySet());
            news.forEach((uid, word) -> {
                if (known.contains(uid)) {
                    unwritten.replace(uid, word);
                } else {
                    unwritten.put(uid, word);
                }
            });
            if (unwritten.isEmpty() || writing) {
                return;
            }
            writing = true;
        } finally {
            lock.unlock();
        }
        writers.execute(this::next);
    }

    /**
     * Returns whether a pod has to state why it waits. A pod that this program has written to may differ from the view.
     */
    private boolean waitsForLong(Pod pod, Instant now) {
        String created = pod.getMetadata().getCreationTimestamp();
        return pod.getSpec().getNodeName() == null
                && !PodState.isOver(pod)
                && view.goesDirect(pod)
                && created != null
                && Instant.parse(created).plus(LONG).isBefore(now);
    }

    /** Returns whether this replica has written nearly the same statement, and no other writer has changed it since. */
    private boolean isWritten(Pod pod, Waiting waiting) {
        Waiting before = written.get(pod.getMetadata().getUid());
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
            if (unwritten.isEmpty()) {
                writing = false;
                return null;
            }
            String uid = unwritten.keySet().iterator().next();
            return Map.entry(uid, Objects.requireNonNull(unwritten.remove(uid)));
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
                || isWritten(pod, word.waiting())) {
            return;
        }
        try {
            String answer =
                    call.pod(gang, word.pod(), "/status", PodPatch.explain(pod, word.waiting(), clock.instant()));
            written.put(uid, word.waiting());
            Pod writtenPod = client.getKubernetesSerialization().unmarshal(answer, Pod.class);
            view.written(pod, writtenPod.getMetadata().getResourceVersion());
        } catch (IOException e) {
            LOG.debugf(
                    "%s/%s has no condition that says why it waits: %s", gang.namespace(), word.pod(), e.getMessage());
        }
    }
}
