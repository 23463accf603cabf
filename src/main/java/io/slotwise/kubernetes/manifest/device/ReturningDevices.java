package io.slotwise.kubernetes.manifest.device;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * Devices on their way back: a claim has them still, and every pod that it was reserved for has ended. kube-controller-manager takes them from the claim some time after
 * that; until then kube-scheduler gives them to nobody, and a gang that is sent there meanwhile is refused.
 */
public final class ReturningDevices {
    private ReturningDevices() {}

    /**
     * Whether a node has some. O(slices + claims).
     *
     * @param nodes any of these
     * @param hasEnded whether the pod of a name ({@code namespace/name}) and UID has ended or is gone
     */
    public static boolean areOn(
            Set<String> nodes,
            Collection<ResourceSlice> slices,
            Collection<ResourceClaim> claims,
            BiPredicate<String, String> hasEnded) {
        Set<List<String>> pools = new HashSet<>();
        for (ResourceSlice slice : slices) {
            if (slice.getSpec() != null
                    && slice.getSpec().getPool() != null
                    && nodes.contains(String.valueOf(slice.getSpec().getNodeName()))) {
                pools.add(pool(
                        slice.getSpec().getDriver(), slice.getSpec().getPool().getName()));
            }
        }
        return !pools.isEmpty()
                && claims.stream()
                        .anyMatch(
                                claim -> isLeft(claim, hasEnded) && pools(claim).anyMatch(pools::contains));
    }

    private static boolean isLeft(ResourceClaim claim, BiPredicate<String, String> hasEnded) {
        if (claim.getStatus() == null || claim.getStatus().getAllocation() == null) {
            return false;
        }
        List<ResourceClaimConsumerReference> users = claim.getStatus().getReservedFor();
        return !users.isEmpty()
                && users.stream()
                        .allMatch(user -> "pods".equals(user.getResource())
                                && hasEnded.test(
                                        claim.getMetadata().getNamespace() + "/" + user.getName(),
                                        String.valueOf(user.getUid())));
    }

    private static Stream<List<String>> pools(ResourceClaim claim) {
        var devices = claim.getStatus().getAllocation().getDevices();
        return devices == null
                ? Stream.empty()
                : devices.getResults().stream().map(result -> pool(result.getDriver(), result.getPool()));
    }

    private static List<String> pool(String driver, String name) {
        return List.of(String.valueOf(driver), String.valueOf(name));
    }

    /**
     * Whether a pod asks for devices, by a claim or by an extended resource. O(containers).
     *
     * @param served the extended resources that devices serve
     */
    public static boolean areAskedForBy(Pod pod, Set<String> served) {
        return !pod.getSpec().getResourceClaims().isEmpty()
                || (!served.isEmpty()
                        && Stream.concat(
                                        pod.getSpec().getContainers().stream(),
                                        pod.getSpec().getInitContainers().stream())
                                .map(Container::getResources)
                                .filter(Objects::nonNull)
                                .anyMatch(resources -> asksFor(resources, served)));
    }

    private static boolean asksFor(ResourceRequirements resources, Set<String> served) {
        return Stream.of(resources.getRequests(), resources.getLimits())
                .filter(Objects::nonNull)
                .flatMap(amounts -> amounts.keySet().stream())
                .anyMatch(served::contains);
    }
}
