package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.kubectl.KubeconfigClient;
import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.kubernetes.watch.PodState;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Removes Slotwise's gate from every waiting pod of a scheduler name before Slotwise is uninstalled, because no other
 * program would. Other gates and pods of other schedulers stay unchanged.
 *
 * <p>The finalizers of records are removed too, so that they can be deleted without a replica that charges them.
 * Slotwise's Deployment is stopped first, because a replica would keep each record with a window.
 *
 * <p>The admission policy stays active for a moment after the deletion of its binding, so pods are listed until nothing
 * is found after a pause.
 */
public final class GateRemoval {
    private static final long PAGE = 500;
    /** Longer than an API server needs to drop an admission policy, for which half a second was measured. */
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final KubernetesClient client;
    private final @Nullable String schedulerName;
    private final Runnable pause;
    private @Nullable String deployment;

    /**
     * @param schedulerName scheduler of the pods that lose the gate; null to keep all gates
     * @param pause waits for longer than the API server needs to drop an admission policy, a second or two
     */
    public GateRemoval(KubernetesClient client, @Nullable String schedulerName, Runnable pause) {
        this.client = client;
        this.schedulerName = schedulerName;
        this.pause = pause;
    }

    /**
     * Sets the Deployment that is stopped before the finalizers are removed.
     *
     * @param name as {@code NAMESPACE/NAME}, or null
     */
    public GateRemoval stopping(@Nullable String name) {
        deployment = name;
        return this;
    }

    public sealed interface Outcome {
        record Removed(int pods) implements Outcome {}

        /** The API server refused, or did not answer. */
        record Failed(String message) implements Outcome {}
    }

    /**
     * Removes the gates in kubectl's current cluster.
     *
     * @param schedulerName scheduler of the pods that lose the gate; null to keep all gates
     * @param policyBinding the MutatingAdmissionPolicyBinding that is deleted first, or null
     * @param deployment the Deployment, as {@code NAMESPACE/NAME}, that is stopped before the finalizers are removed,
     *     or null
     */
    public static Outcome inCluster(
            @Nullable String schedulerName, @Nullable String policyBinding, @Nullable String deployment) {
        try (KubeconfigClient kubeconfig = KubeconfigClient.patient()) {
            GateRemoval removal = new GateRemoval(
                            kubeconfig.client(), schedulerName, () -> LockSupport.parkNanos(PAUSE.toNanos()))
                    .stopping(deployment);
            return new Outcome.Removed(removal.run(policyBinding));
        } catch (KubernetesClientException e) {
            if (schedulerName == null) {
                return new Outcome.Failed(
                        ("the Reservations could not be released: %s%nMaybe check that kubectl reaches the cluster and "
                                        + "run it again.")
                                .formatted(Unreachable.words(e)));
            }
            return new Outcome.Failed(
                    ("the gate %s could not be removed from pods with schedulerName %s: %s%nMaybe check that "
                                    + "kubectl reaches the cluster and run it again, or keep the gates with the value "
                                    + "uninstall.gates=keep.")
                            .formatted(AnnotationKeys.WINDOW_GATE, schedulerName, Unreachable.words(e)));
        }
    }

    /**
     * Removes the gates.
     *
     * @param policyBinding the MutatingAdmissionPolicyBinding that is deleted first, so that no new pod gets the gate;
     *     or null
     * @return number of pods that lost it
     * @throws KubernetesClientException if the API server refuses or does not answer
     */
    public int run(@Nullable String policyBinding) {
        if (policyBinding != null) {
            client.genericKubernetesResources("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicyBinding")
                    .withName(policyBinding)
                    .delete();
        }
        int removed = schedulerName == null ? 0 : removeAll(schedulerName);
        stop();
        letGo();
        return removed;
    }

    private int removeAll(String name) {
        int removed = remove(name);
        int late;
        do {
            pause.run();
            late = remove(name);
            removed += late;
        } while (late > 0);
        return removed;
    }

    /** Stops the Deployment, whose replicas would add the finalizers again. */
    private void stop() {
        if (deployment == null) {
            return;
        }
        String[] names = deployment.split("/", 2);
        var slotwise = client.apps().deployments().inNamespace(names[0]).withName(names[names.length - 1]);
        Deployment known = slotwise.get();
        if (known != null) {
            slotwise.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"replicas\":0}}");
            while (!client
                    .pods()
                    .inNamespace(names[0])
                    .withLabelSelector(known.getSpec().getSelector())
                    .list()
                    .getItems()
                    .stream()
                    .allMatch(PodState::hasEnded)) {
                pause.run();
            }
        }
    }

    /** Removes Slotwise's finalizers, which no program would remove after the uninstallation. */
    private void letGo() {
        for (Reservation reservation : reservations()) {
            List<String> keepers = reservation.getMetadata().getFinalizers();
            if (keepers.contains(Reservations.FINALIZER)) {
                String others = keepers.stream()
                        .filter(keeper -> !keeper.equals(Reservations.FINALIZER))
                        .map(keeper -> '"' + keeper + '"')
                        .collect(Collectors.joining(",", "[", "]"));
                client.resource(reservation)
                        .patch(
                                PatchContext.of(PatchType.JSON_MERGE),
                                "{\"metadata\":{\"finalizers\":%s}}".formatted(others));
            }
        }
    }

    private List<Reservation> reservations() {
        try {
            return client.resources(Reservation.class).inAnyNamespace().list().getItems();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return List.of();
            }
            throw e;
        }
    }

    private int remove(String name) {
        int removed = 0;
        String next = null;
        do {
            PodList page = client.pods()
                    .inAnyNamespace()
                    .withField("spec.schedulerName", name)
                    .list(new ListOptionsBuilder()
                            .withLimit(PAGE)
                            .withContinue(next)
                            .build());
            for (Pod pod : page.getItems()) {
                removed += Pods.isGated(pod) && remove(pod) ? 1 : 0;
            }
            next = page.getMetadata().getContinue();
        } while (next != null && !next.isEmpty());
        return removed;
    }

    /** Removes the gate from one pod. The UID excludes a new pod of the same name. Returns false if the pod is gone. */
    private boolean remove(Pod pod) {
        String patch = PodPatch.ungate(pod.getMetadata().getUid());
        try {
            Pod patchedPod = client.pods()
                    .inNamespace(pod.getMetadata().getNamespace())
                    .withName(pod.getMetadata().getName())
                    .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), patch);
            return patchedPod != null;
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND || e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return false;
            }
            throw e;
        }
    }
}
