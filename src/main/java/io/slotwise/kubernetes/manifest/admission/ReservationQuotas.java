package io.slotwise.kubernetes.manifest.admission;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The room that ResourceQuotas leave to advance reservations after the use in the quotas' status. A quota that cannot
 * be read limits nothing. Used for one intake. O(quotas of the namespace) for each reservation.
 */
public final class ReservationQuotas {
    private final Map<String, List<NamespaceQuota>> byNamespace = new HashMap<>();

    public ReservationQuotas(Collection<ResourceQuota> quotas) {
        QuantityAmounts amounts = new QuantityAmounts();
        quotas.stream()
                .filter(quota -> quota.getSpec() != null && quota.getSpec().getHard() != null)
                .sorted(Comparator.comparing(quota -> quota.getMetadata().getName()))
                .forEach(quota -> Isolated.run(
                        () -> byNamespace
                                .computeIfAbsent(quota.getMetadata().getNamespace(), _ -> new ArrayList<>())
                                .add(new NamespaceQuota(quota, amounts)),
                        _ -> {}));
    }

    /**
     * Returns why {@code seats} seats cannot be kept in a namespace. Null if they can, or if the seat cannot be read.
     */
    public @Nullable String problem(String namespace, PodSpec seat, int seats) {
        return Isolated.get(
                        () -> of(namespace).stream()
                                .flatMap(quota -> Stream.ofNullable(quota.problem(seat, seats)))
                                .findFirst(),
                        _ -> Optional.<String>empty())
                .orElse(null);
    }

    public void keep(String namespace, PodSpec seat, int seats) {
        Isolated.run(() -> of(namespace).forEach(quota -> quota.keep(seat, seats)), _ -> {});
    }

    private List<NamespaceQuota> of(String namespace) {
        return byNamespace.getOrDefault(namespace, List.of());
    }
}
