package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** Selects the changes of objects that need a cycle. Heartbeats, for example, do not. */
final class ChangeFilter {
    private ChangeFilter() {}

    static boolean nodeChanged(Node before, Node after) {
        return differ(before, after, node -> node.getMetadata().getLabels())
                || differ(before, after, node -> node.getMetadata().getAnnotations())
                || differ(before, after, Node::getSpec)
                || differ(before, after, node -> node.getStatus().getAllocatable())
                || usable(before) != usable(after);
    }

    static boolean podChanged(Pod before, Pod after) {
        return differ(before, after, pod -> pod.getMetadata().getUid())
                || differ(before, after, pod -> pod.getMetadata().getLabels())
                || differ(before, after, pod -> pod.getMetadata().getAnnotations())
                || differ(before, after, pod -> pod.getMetadata().getDeletionTimestamp())
                || differ(before, after, Pod::getSpec)
                || differ(before, after, pod -> pod.getStatus().getPhase());
    }

    /**
     * Returns whether an otherwise unchanged pod has lost Slotwise's gate, got a node, or has running containers, as
     * every pod that starts.
     */
    static boolean hasGoneOn(Pod before, Pod after) {
        boolean bound =
                before.getSpec().getNodeName() == null && after.getSpec().getNodeName() != null;
        boolean runs = "Running".equals(phase(after)) && !"Running".equals(phase(before));
        boolean sent = Pods.isGated(before) && !Pods.isGated(after);
        return (bound || runs || sent)
                && (bound || sent || Objects.equals(before.getSpec(), after.getSpec()))
                && !differ(before, after, pod -> pod.getMetadata().getUid())
                && !differ(before, after, pod -> pod.getMetadata().getLabels())
                && !differ(before, after, pod -> pod.getMetadata().getAnnotations())
                && !differ(before, after, pod -> pod.getMetadata().getDeletionTimestamp());
    }

    private static String phase(Pod pod) {
        return pod.getStatus() == null ? "" : String.valueOf(pod.getStatus().getPhase());
    }

    static boolean groupChanged(GenericKubernetesResource before, GenericKubernetesResource after) {
        return differ(before, after, object -> object.getMetadata().getUid())
                || differ(before, after, object -> object.getMetadata().getLabels())
                || differ(before, after, object -> object.getMetadata().getAnnotations())
                || differ(before, after, GenericKubernetesResource::getAdditionalProperties);
    }

    static boolean budgetChanged(PodDisruptionBudget before, PodDisruptionBudget after) {
        return differ(before, after, budget -> budget.getSpec().getSelector()) || allowed(before) != allowed(after);
    }

    /** Compares the limits only. The use follows from pods, whose changes are reported by themselves. */
    static boolean quotaChanged(ResourceQuota before, ResourceQuota after) {
        return differ(before, after, ResourceQuota::getSpec);
    }

    static boolean queueChanged(QueueObject before, QueueObject after) {
        return differ(before, after, QueueObject::getSpec);
    }

    static boolean claimChanged(PersistentVolumeClaim before, PersistentVolumeClaim after) {
        return metadataChanged(before, after)
                || differ(before, after, PersistentVolumeClaim::getSpec)
                || differ(before, after, ChangeFilter::phase);
    }

    static boolean volumeChanged(PersistentVolume before, PersistentVolume after) {
        return metadataChanged(before, after)
                || differ(before, after, PersistentVolume::getSpec)
                || differ(before, after, ChangeFilter::phase);
    }

    static boolean classChanged(StorageClass before, StorageClass after) {
        return metadataChanged(before, after) || differ(before, after, StorageClass::getAllowedTopologies);
    }

    static boolean attachmentsChanged(CSINode before, CSINode after) {
        return differ(before, after, CSINode::getSpec);
    }

    static boolean slicesChanged(ResourceSlice before, ResourceSlice after) {
        return differ(before, after, ResourceSlice::getSpec);
    }

    static boolean deviceClassChanged(DeviceClass before, DeviceClass after) {
        return differ(before, after, DeviceClass::getSpec);
    }

    static boolean deviceClaimChanged(ResourceClaim before, ResourceClaim after) {
        return metadataChanged(before, after)
                || differ(before, after, ResourceClaim::getSpec)
                || differ(before, after, ChangeFilter::allocation)
                || differ(before, after, ChangeFilter::users);
    }

    private static Object allocation(ResourceClaim claim) {
        return claim.getStatus() == null || claim.getStatus().getAllocation() == null
                ? ""
                : claim.getStatus().getAllocation();
    }

    private static Object users(ResourceClaim claim) {
        return claim.getStatus() == null ? List.of() : claim.getStatus().getReservedFor();
    }

    static boolean templateChanged(ResourceClaimTemplate before, ResourceClaimTemplate after) {
        return differ(before, after, ResourceClaimTemplate::getSpec);
    }

    private static String phase(PersistentVolumeClaim claim) {
        return claim.getStatus() == null ? "" : String.valueOf(claim.getStatus().getPhase());
    }

    private static String phase(PersistentVolume volume) {
        return volume.getStatus() == null
                ? ""
                : String.valueOf(volume.getStatus().getPhase());
    }

    private static boolean metadataChanged(HasMetadata before, HasMetadata after) {
        return differ(before, after, object -> object.getMetadata().getUid())
                || differ(before, after, object -> object.getMetadata().getLabels())
                || differ(before, after, object -> object.getMetadata().getAnnotations())
                || differ(before, after, object -> object.getMetadata().getDeletionTimestamp());
    }

    private static int allowed(PodDisruptionBudget budget) {
        Integer allowed = budget.getStatus() == null ? null : budget.getStatus().getDisruptionsAllowed();
        return allowed == null ? 0 : allowed;
    }

    static boolean namespaceChanged(Namespace before, Namespace after) {
        return differ(before, after, namespace -> namespace.getMetadata().getAnnotations());
    }

    /** Returns whether new pods may go to a node: it exists, is ready and is not cordoned. */
    static boolean usable(Node node) {
        if (node.getMetadata().getDeletionTimestamp() != null
                || (node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable()))) {
            return false;
        }
        if (node.getStatus() == null || node.getStatus().getConditions() == null) {
            return true;
        }
        for (NodeCondition condition : node.getStatus().getConditions()) {
            if ("Ready".equals(condition.getType())) {
                return "True".equals(condition.getStatus());
            }
        }
        return true;
    }

    private static <T> boolean differ(T before, T after, Function<T, ?> part) {
        return !Objects.equals(part.apply(before), part.apply(after));
    }
}
