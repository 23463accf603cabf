package io.slotwise.kubernetes.bind;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationStatus;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationStatus.Condition;
import io.slotwise.live.Standing;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The barrier's calls as Kubernetes requests. The client's own retries are off: what an unanswered call may have done is the
 * barrier's question, and it asks before it calls again.
 */
public final class Fabric8BindApi implements BindApi {
    /** How long a request may take. */
    static final Duration TIMEOUT = Duration.ofSeconds(3);

    private static final int TOO_MANY_REQUESTS = 429;

    private final KubernetesClient client;
    private final Consumer<Reservation> written;

    /**
     * @param client its configuration is taken over but for timeouts and retries
     * @param written is handed every reservation as the API server answered it, so that the view need not wait for its watch
     */
    public Fabric8BindApi(KubernetesClient client, Consumer<Reservation> written) {
        this.client = client.newClient(
                        new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                                .withRequestTimeout((int) TIMEOUT.toMillis())
                                .withRequestRetryBackoffLimit(0)
                                .build())
                .adapt(KubernetesClient.class);
        this.written = written;
    }

    @Override
    public PodAnswer readPod(String namespace, String name) {
        try {
            Pod pod = client.pods().inNamespace(namespace).withName(name).get();
            return pod == null ? new PodAnswer.Absent() : found(pod);
        } catch (KubernetesClientException e) {
            return new PodAnswer.Unanswered(words(e));
        }
    }

    private static PodAnswer found(Pod pod) {
        String node = pod.getSpec().getNodeName();
        return new PodAnswer.Found(
                pod.getMetadata().getUid(),
                node == null || node.isEmpty() ? null : node,
                Objects.requireNonNullElse(pod.getSpec().getSchedulerName(), ""),
                !pod.getSpec().getSchedulingGates().isEmpty(),
                pod.getMetadata().getDeletionTimestamp() != null);
    }

    @Override
    public BindAnswer bind(String namespace, String name, String uid, String node) {
        Binding binding = new BindingBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withUid(uid)
                .endMetadata()
                .withNewTarget()
                .withApiVersion("v1")
                .withKind("Node")
                .withName(node)
                .endTarget()
                .build();
        try {
            client.raw("/api/v1/namespaces/" + namespace + "/pods/" + name + "/binding", "POST", binding);
            return new BindAnswer.Bound();
        } catch (KubernetesClientException e) {
            if (isUnanswered(e)) {
                return new BindAnswer.Unanswered(words(e));
            }
            boolean podTells =
                    e.getCode() == HttpURLConnection.HTTP_CONFLICT || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
            return podTells ? new BindAnswer.Conflict(words(e)) : new BindAnswer.Refused(words(e));
        }
    }

    @Override
    public NodeAnswer lookAtNode(String name) {
        try {
            Node node = client.nodes().withName(name).get();
            if (node == null || node.getMetadata().getDeletionTimestamp() != null) {
                return new NodeAnswer.Unusable("node " + name + " is gone");
            }
            return Boolean.TRUE.equals(node.getSpec().getUnschedulable())
                    ? new NodeAnswer.Unusable("node " + name + " takes no pods")
                    : new NodeAnswer.Usable();
        } catch (KubernetesClientException e) {
            return new NodeAnswer.Unanswered(words(e));
        }
    }

    @Override
    public MarkAnswer markRunning(Reservation reservation, Instant startedAt) {
        Reservation patch = new Reservation();
        patch.setMetadata(new ObjectMetaBuilder()
                .withNamespace(reservation.getMetadata().getNamespace())
                .withName(reservation.getMetadata().getName())
                .withResourceVersion(reservation.getMetadata().getResourceVersion())
                .build());
        patch.setStatus(running(reservation.getStatus(), startedAt.toString()));
        try {
            written.accept(
                    client.resource(patch).subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), patch));
            return new MarkAnswer.Marked();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return new MarkAnswer.Conflict(read(reservation));
            }
            return isUnanswered(e) ? new MarkAnswer.Unanswered(words(e)) : new MarkAnswer.Refused(words(e));
        }
    }

    private @Nullable Reservation read(Reservation of) {
        try {
            Reservation current = client.resources(Reservation.class)
                    .inNamespace(of.getMetadata().getNamespace())
                    .withName(of.getMetadata().getName())
                    .get();
            if (current != null) {
                written.accept(current);
            }
            return current;
        } catch (KubernetesClientException e) {
            return null;
        }
    }

    private static ReservationStatus running(@Nullable ReservationStatus status, String startedAt) {
        ReservationStatus before = status == null ? ReservationStatus.NONE : status;
        List<Condition> conditions = new ArrayList<>();
        for (Condition condition : before.conditions()) {
            if (!condition.type().equals("Started")) {
                conditions.add(condition);
            }
        }
        conditions.add(
                new Condition("Started", "True", Standing.BARRIER_OPENED, "all its pods had arrived", startedAt));
        return before.running(startedAt, conditions);
    }

    /** Whether the call may have had its effect: no answer, a server error, or too many requests. */
    private static boolean isUnanswered(KubernetesClientException e) {
        return e.getCode() < HttpURLConnection.HTTP_BAD_REQUEST
                || e.getCode() >= HttpURLConnection.HTTP_INTERNAL_ERROR
                || e.getCode() == TOO_MANY_REQUESTS;
    }

    private static String words(KubernetesClientException e) {
        if (e.getStatus() != null && e.getStatus().getMessage() != null) {
            return e.getStatus().getMessage();
        }
        return e.getCode() == 0 ? "the API server did not answer" : "the API server answered " + e.getCode();
    }
}
