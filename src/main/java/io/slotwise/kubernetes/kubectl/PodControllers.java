package io.slotwise.kubernetes.kubectl;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.gangs.JobSetWaves;
import io.slotwise.kubernetes.gangs.Owners;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Finds the root controllers of gangs' pods, such as the JobSet above the Job above the pod. Lives for one question.
 */
final class PodControllers {
    private static final ResourceDefinitionContext JOB_SETS = new ResourceDefinitionContext.Builder()
            .withGroup(GroupKind.JOB_SET.apiGroup())
            .withVersion("v1alpha2")
            .withKind(GroupKind.JOB_SET.kind())
            .withPlural(GroupKind.JOB_SET.plural())
            .withNamespaced(true)
            .build();

    private final KubernetesClient client;
    private final Map<String, PodController> known = new HashMap<>();

    PodControllers(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Returns the root controllers of this gang's pods, the pods themselves where none has a controller, or its advance
     * reservation; possibly empty. With p pods and c controllers of the namespace O(p) and at most c calls.
     *
     * @throws IllegalArgumentException if one has made pods of another gang too, or makes this one as a later wave
     */
    List<PodController> of(GangId gang) {
        List<Pod> pods = client.pods().inNamespace(gang.namespace()).list().getItems();
        Map<String, PodController> makers = new TreeMap<>();
        pods.stream()
                .filter(pod -> isOf(gang, pod))
                .map(this::maker)
                .forEach(controller -> makers.put(controller.uid(), controller));
        for (Pod pod : pods) {
            if (!makers.isEmpty()
                    && !isOf(gang, pod)
                    && makers.containsKey(maker(pod).uid())) {
                throw new IllegalArgumentException(
                        ("%s also made pods of %s, such as %s: expected one that made pods of %s only. Maybe "
                                        + "delete it with kubectl")
                                .formatted(
                                        maker(pod),
                                        Pods.gangOf(pod),
                                        pod.getMetadata().getName(),
                                        gang));
            }
        }
        if (makers.isEmpty()) {
            Reservation heldReservation = client.resources(Reservation.class)
                    .inNamespace(gang.namespace())
                    .withName(gang.name())
                    .get();
            if (heldReservation != null
                    && heldReservation.getSpec() != null
                    && heldReservation.getSpec().hold() != null) {
                return List.of(maker(heldReservation));
            }
            refuseLaterWave(gang, pods);
        }
        return makers.values().stream()
                .sorted((controller, other) -> controller.toString().compareTo(other.toString()))
                .toList();
    }

    /** Refuses later waves of a JobSet, whose pods do not name their gang and may not exist yet. */
    private void refuseLaterWave(GangId gang, List<Pod> pods) {
        pods.stream()
                .map(JobSetWaves::setOf)
                .filter(Objects::nonNull)
                .map(GroupKey::name)
                .distinct()
                .map(name -> client.genericKubernetesResources(JOB_SETS)
                        .inNamespace(gang.namespace())
                        .withName(name)
                        .get())
                .filter(set -> set != null
                        && JobSetWaves.of(set).values().stream()
                                .anyMatch(laterWave -> laterWave.gang().equals(gang.name())))
                .findFirst()
                .ifPresent(set -> {
                    throw new IllegalArgumentException(
                            ("%s makes pods of %s and of other gangs: expected one that makes pods of %s only. "
                                            + "Maybe delete it with kubectl")
                                    .formatted(maker(set), gang, gang));
                });
    }

    private static boolean isOf(GangId gang, Pod pod) {
        return Pods.gangOf(pod).equals(gang) || Pods.ownGang(pod).equals(gang);
    }

    private PodController maker(HasMetadata made) {
        ObjectMeta meta = made.getMetadata();
        OwnerReference owner = Owners.controller(made);
        return owner == null
                ? new PodController(
                        made.getApiVersion(), made.getKind(), meta.getNamespace(), meta.getName(), meta.getUid())
                : known.computeIfAbsent(owner.getUid(), _ -> above(owner, meta.getNamespace()));
    }

    /** Returns the root controller. One that no longer exists counts as a root. */
    private PodController above(OwnerReference owner, String namespace) {
        PodController controller =
                new PodController(owner.getApiVersion(), owner.getKind(), namespace, owner.getName(), owner.getUid());
        GenericKubernetesResource found = client.genericKubernetesResources(owner.getApiVersion(), owner.getKind())
                .inNamespace(namespace)
                .withName(owner.getName())
                .get();
        OwnerReference next = found == null ? null : Owners.controller(found);
        return next == null ? controller : above(next, namespace);
    }
}
