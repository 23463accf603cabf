package io.slotwise.kubernetes.bind;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.slotwise.kubernetes.crd.v1alpha1.Epoch;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.RetryAfter;
import io.slotwise.kubernetes.crd.v1alpha1.StartRecord;
import io.slotwise.kubernetes.manifest.field.Annotations;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The barrier's calls as Kubernetes requests. The client's own retries are off: after an unanswered call the barrier
 * reads the state before it calls again.
 */
public final class Fabric8BindApi implements BindApi {
    static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final KubernetesClient client;
    private final Consumer<Reservation> writtenReservation;
    private final Runnable outdated;

    /**
     * @param client its configuration is used except for time-outs and retries
     * @param writtenReservation receives every reservation in an answer, so that the view need not wait for its watch
     * @param outdated called if a write was refused because a newer leader has written since
     */
    public Fabric8BindApi(KubernetesClient client, Consumer<Reservation> writtenReservation, Runnable outdated) {
        this.client = client.newClient(
                        new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                                .withRequestTimeout((int) TIMEOUT.toMillis())
                                .withRequestRetryBackoffLimit(0)
                                .build())
                .adapt(KubernetesClient.class);
        this.writtenReservation = writtenReservation;
        this.outdated = outdated;
    }

    @Override
    public PodAnswer readPod(String namespace, String name) {
        try {
            Pod pod = client.pods().inNamespace(namespace).withName(name).get();
            return pod == null ? new PodAnswer.Absent() : found(pod);
        } catch (KubernetesClientException e) {
            return new Unanswered(words(e));
        }
    }

    private static PodAnswer found(Pod pod) {
        String node = pod.getSpec().getNodeName();
        return new PodAnswer.Found(
                pod.getMetadata().getUid(),
                node == null || node.isEmpty() ? null : node,
                Objects.requireNonNullElse(pod.getSpec().getSchedulerName(), ""),
                !pod.getSpec().getSchedulingGates().isEmpty(),
                pod.getMetadata().getDeletionTimestamp() != null,
                Annotations.of(pod).getOrDefault(StartRecord.RUN, ""));
    }

    @Override
    public BindAnswer bind(BindRequest request, Map<String, String> annotations) {
        Binding binding = new BindingBuilder()
                .withNewMetadata()
                .withNamespace(request.namespace())
                .withName(request.pod())
                .withUid(request.uid())
                .withResourceVersion(request.version())
                .withAnnotations(annotations)
                .endMetadata()
                .withNewTarget()
                .withApiVersion("v1")
                .withKind("Node")
                .withName(request.node())
                .endTarget()
                .build();
        try {
            client.raw(
                    "/api/v1/namespaces/" + request.namespace() + "/pods/" + request.pod() + "/binding",
                    "POST",
                    binding);
            return new BindAnswer.Bound();
        } catch (KubernetesClientException e) {
            return answer(e);
        }
    }

    private BindAnswer answer(KubernetesClientException e) {
        if (Epoch.isOld(e)) {
            outdated.run();
            return new Outdated(words(e));
        }
        if (e.getCode() == HttpURLConnection.HTTP_CONFLICT || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
            return new BindAnswer.Conflict(words(e));
        }
        if (RetryAfter.isTooMany(e)) {
            return new TooMany(RetryAfter.of(e), words(e));
        }
        return RetryAfter.isUnanswered(e) ? new Unanswered(words(e)) : new Refused(words(e));
    }

    @Override
    public ReservationAnswer read(Reservation reservation) {
        try {
            Reservation currentReservation = client.resources(Reservation.class)
                    .inNamespace(reservation.getMetadata().getNamespace())
                    .withName(reservation.getMetadata().getName())
                    .get();
            if (currentReservation == null) {
                return new ReservationAnswer.Absent();
            }
            writtenReservation.accept(currentReservation);
            return new ReservationAnswer.Found(currentReservation);
        } catch (KubernetesClientException e) {
            return new Unanswered(words(e));
        }
    }

    private static String words(KubernetesClientException e) {
        if (e.getStatus() != null && e.getStatus().getMessage() != null) {
            return e.getStatus().getMessage();
        }
        return e.getCode() == 0 ? "the API server did not answer" : "the API server answered " + e.getCode();
    }
}
