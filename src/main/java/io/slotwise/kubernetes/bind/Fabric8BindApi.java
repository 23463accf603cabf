package io.slotwise.kubernetes.bind;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.Epoch;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationStatus;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationStatus.Condition;
import io.slotwise.kubernetes.crd.v1alpha1.RetryAfter;
import io.slotwise.kubernetes.crd.v1alpha1.WindowSpec;
import io.slotwise.kubernetes.manifest.pods.GatePatch;
import io.slotwise.live.port.StartRefusals;
import io.slotwise.live.record.GangRecord;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The barrier's calls as Kubernetes requests. The client's own retries are off: after an unanswered call the barrier
 * reads the state before it calls again.
 */
public final class Fabric8BindApi implements BindApi {
    static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final KubernetesClient client;
    private final Consumer<Reservation> writtenReservation;
    private final Runnable outdated;
    private final StartRefusals refusals;

    /**
     * @param client its configuration is used except for time-outs and retries
     * @param writtenReservation receives every reservation in an answer, so that the view need not wait for its watch
     * @param outdated called if a write was refused because a newer leader has written since
     */
    public Fabric8BindApi(KubernetesClient client, Consumer<Reservation> writtenReservation, Runnable outdated) {
        this(client, writtenReservation, outdated, StartRefusals.NONE);
    }

    /**
     * @param refusals recent refusals of calls that starts need
     */
    public Fabric8BindApi(
            KubernetesClient client,
            Consumer<Reservation> writtenReservation,
            Runnable outdated,
            StartRefusals refusals) {
        this.client = client.newClient(
                        new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                                .withRequestTimeout((int) TIMEOUT.toMillis())
                                .withRequestRetryBackoffLimit(0)
                                .build())
                .adapt(KubernetesClient.class);
        this.writtenReservation = writtenReservation;
        this.outdated = outdated;
        this.refusals = refusals;
    }

    @Override
    public @Nullable String refusal(GangId gang, Collection<String> pods, boolean tries) {
        return refusals.of(gang, pods, tries);
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
                pod.getMetadata().getDeletionTimestamp() != null);
    }

    @Override
    public BindAnswer bind(BindRequest request) {
        Binding binding = new BindingBuilder()
                .withNewMetadata()
                .withNamespace(request.namespace())
                .withName(request.pod())
                .withUid(request.uid())
                .withResourceVersion(request.version())
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

    @Override
    public BindAnswer ungate(BindRequest request) {
        try {
            client.pods()
                    .inNamespace(request.namespace())
                    .withName(request.pod())
                    .patch(
                            PatchContext.of(PatchType.STRATEGIC_MERGE),
                            GatePatch.of(request.uid()).toString());
            return new BindAnswer.Bound();
        } catch (KubernetesClientException e) {
            return answer(e);
        }
    }

    private static BindAnswer answer(KubernetesClientException e) {
        boolean podTells =
                e.getCode() == HttpURLConnection.HTTP_CONFLICT || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
        return podTells ? new BindAnswer.Conflict(words(e)) : failure(e);
    }

    private static Failure failure(KubernetesClientException e) {
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

    @Override
    public MarkAnswer markRunning(Reservation reservation, Instant startedAt, List<BindRequest> members, long epoch) {
        Reservation patchReservation = new Reservation();
        patchReservation.setMetadata(new ObjectMetaBuilder()
                .withNamespace(reservation.getMetadata().getNamespace())
                .withName(reservation.getMetadata().getName())
                .withResourceVersion(reservation.getMetadata().getResourceVersion())
                .build());
        patchReservation.setStatus(
                running(reservation, startedAt.toString(), members).in(epoch));
        try {
            writtenReservation.accept(client.resource(patchReservation).updateStatus());
            return new MarkAnswer.Marked();
        } catch (KubernetesClientException e) {
            boolean old = Epoch.isOld(e);
            if (old) {
                outdated.run();
            }
            if (old || e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return new MarkAnswer.Conflict(
                        read(reservation) instanceof ReservationAnswer.Found(Reservation currentReservation)
                                ? currentReservation
                                : null);
            }
            return failure(e);
        }
    }

    /**
     * Returns the status of a gang that starts with these members. If the record has no condition {@code Planned} yet,
     * the gang starts in the second in which it was promised, and the condition is added.
     */
    private static ReservationStatus running(Reservation reservation, String startedAt, List<BindRequest> members) {
        ReservationStatus status = reservation.getStatus();
        ReservationStatus before = status == null ? ReservationStatus.NONE : status;
        List<Condition> conditions = new ArrayList<>();
        conditions.add(before.conditions().stream()
                .filter(condition ->
                        condition.type().equals("Planned") && condition.status().equals("True"))
                .findFirst()
                .orElse(new Condition("Planned", "True", "Promised", "it starts at once", startedAt)));
        conditions.add(new Condition(
                "Started", "True", GangRecord.BARRIER_OPENED, "all its pods are bound at the same time", startedAt));
        WindowSpec window = reservation.window();
        return before.running(
                window == null ? startedAt : window.start(), startedAt, conditions, uids(reservation, members));
    }

    private static List<String> uids(Reservation reservation, List<BindRequest> members) {
        Map<String, String> byPod = new HashMap<>();
        members.forEach(request -> byPod.put(request.pod(), request.uid()));
        WindowSpec window = reservation.window();
        return window == null
                ? List.of()
                : window.placement().stream()
                        .map(placement -> byPod.getOrDefault(placement.pod(), ""))
                        .toList();
    }

    private static String words(KubernetesClientException e) {
        if (e.getStatus() != null && e.getStatus().getMessage() != null) {
            return e.getStatus().getMessage();
        }
        return e.getCode() == 0 ? "the API server did not answer" : "the API server answered " + e.getCode();
    }
}
