package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.slotwise.core.queue.Queue;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueSpec;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueStatus;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Reason;
import io.slotwise.kubernetes.refusal.ApiRefusal;
import io.slotwise.live.port.ClusterView.Notice;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Writes the condition {@code Active} of queues. It is False for a queue that is refused, and for a queue that is
 * suspended or below a suspended one. A write that fails is repeated in a later cycle; one that is refused, when the
 * queue changes.
 */
final class QueueConditions {
    private static final Logger LOG = Logger.getLogger(QueueConditions.class);
    private static final String KIND = HasMetadata.getKind(QueueObject.class);

    private final KubernetesClient client;
    private final InstantSource clock;
    private final Executor calls;
    /** The versions of queues, by UID, for which a condition was written. */
    private final Map<String, String> written = new ConcurrentHashMap<>();

    QueueConditions(KubernetesClient client, InstantSource clock, Executor calls) {
        this.client = client;
        this.clock = clock;
        this.calls = calls;
    }

    /**
     * Writes the conditions that have changed. O(queues and their levels, notices).
     *
     * @param queues as last seen
     * @param notices all of a cycle
     */
    void show(List<QueueObject> queues, Collection<Notice> notices) {
        Map<String, Notice> problems = new HashMap<>();
        notices.stream()
                .filter(notice -> notice.kind().equals(KIND))
                .forEach(notice -> problems.putIfAbsent(notice.name(), notice));
        Map<String, QueueSpec> specs = new HashMap<>();
        Set<String> existing = new HashSet<>();
        for (QueueObject queue : queues) {
            specs.put(queue.getMetadata().getName(), queue.getSpec());
            existing.add(queue.getMetadata().getUid());
        }
        written.keySet().retainAll(existing);
        for (QueueObject queue : queues) {
            String name = queue.getMetadata().getName();
            Condition condition = condition(queue, problems.get(name), suspended(name, specs));
            Condition before = before(queue);
            String version = queue.getMetadata().getResourceVersion();
            if (!condition.equals(before)
                    && !version.equals(written.put(queue.getMetadata().getUid(), version))) {
                calls.execute(() -> write(queue, condition));
            }
        }
    }

    private static @Nullable Condition before(QueueObject queue) {
        return queue.getStatus() == null
                ? null
                : queue.getStatus().conditions().stream()
                        .filter(condition -> condition.getType().equals(QueueStatus.ACTIVE))
                        .findFirst()
                        .orElse(null);
    }

    /** Returns the first suspended queue from this one up, or null. */
    private static @Nullable String suspended(String name, Map<String, QueueSpec> specs) {
        Set<String> path = new HashSet<>();
        String queue = name;
        while (queue != null && path.add(queue)) {
            QueueSpec spec = specs.get(queue);
            if (spec != null && Boolean.TRUE.equals(spec.suspended())) {
                return queue;
            }
            queue = spec == null ? null : Objects.requireNonNullElse(spec.parent(), Queue.ROOT);
        }
        return null;
    }

    private Condition condition(QueueObject queue, @Nullable Notice notice, @Nullable String suspended) {
        boolean refused = notice != null && !notice.reason().equals(Reason.IGNORED.key());
        String status = refused || suspended != null ? "False" : "True";
        String reason = "Ready";
        String message = "its gangs get windows";
        if (notice != null && (refused || suspended == null)) {
            reason = notice.reason();
            message = notice.message();
        } else if (suspended != null) {
            reason = "Suspended";
            message = "queue %s is suspended: gangs in it and below it get no new windows".formatted(suspended);
        }
        Condition before = before(queue);
        return new ConditionBuilder()
                .withType(QueueStatus.ACTIVE)
                .withStatus(status)
                .withReason(reason)
                .withMessage(message)
                .withObservedGeneration(queue.getMetadata().getGeneration())
                .withLastTransitionTime(
                        before != null && before.getStatus().equals(status)
                                ? before.getLastTransitionTime()
                                : Reservations.instant(clock.instant().getEpochSecond()))
                .build();
    }

    private void write(QueueObject queue, Condition condition) {
        QueueObject writtenQueue = new QueueObject();
        writtenQueue.setMetadata(queue.getMetadata());
        writtenQueue.setSpec(queue.getSpec());
        writtenQueue.setStatus(new QueueStatus(List.of(condition)));
        try {
            client.resource(writtenQueue).updateStatus();
        } catch (KubernetesClientException e) {
            if (!ApiRefusal.isRefusal(e)) {
                written.remove(queue.getMetadata().getUid());
            }
            LOG.logf(
                    ApiRefusal.level(e),
                    "the condition of queue %s was not written: %s",
                    queue.getMetadata().getName(),
                    e.getMessage());
        }
    }
}
