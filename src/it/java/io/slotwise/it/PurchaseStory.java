package io.slotwise.it;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.slotwise.it.PurchaseJudge.Allowed;
import io.slotwise.it.PurchaseJudge.Booked;
import io.slotwise.it.PurchaseJudge.Claimed;
import io.slotwise.it.PurchaseJudge.Gone;
import io.slotwise.it.PurchaseJudge.Happening;
import io.slotwise.it.PurchaseJudge.Recorded;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Records everything that the API server stores of purchases from now on, by watches. */
final class PurchaseStory implements AutoCloseable {
    private final KubernetesClient client;
    private final Queue<Happening> happenings = new ConcurrentLinkedQueue<>();
    private final Queue<Exception> ends = new ConcurrentLinkedQueue<>();
    private final List<Watch> watches = new ArrayList<>();

    PurchaseStory(KubernetesClient client) {
        this.client = client;
        watches.add(client.genericKubernetesResources(Karpenter.CLAIMS)
                .watch(new Told<>(PurchaseStory::claim, claim -> new Gone(revision(claim), uid(claim)))));
        watches.add(client.genericKubernetesResources(Cluster.RESERVATIONS)
                .inAnyNamespace()
                .watch(new Told<>(one -> record(one, Cluster.phase(one)), one -> record(one, ""))));
        watches.add(client.configMaps().inAnyNamespace().watch(new Told<>(PurchaseStory::books, map -> null)));
    }

    List<Happening> happenings() {
        if (!ends.isEmpty()) {
            throw new IllegalStateException("A watch of purchases has ended.", ends.element());
        }
        return List.copyOf(happenings);
    }

    long purchases() {
        return happenings().stream()
                .filter(Claimed.class::isInstance)
                .map(claim -> ((Claimed) claim).uid())
                .distinct()
                .count();
    }

    /** Sets the spending limit from now on, 1/3600 millionths. */
    void allow(long spending) {
        String now = client.namespaces().list().getMetadata().getResourceVersion();
        happenings.add(new Allowed(Long.parseLong(now), spending));
    }

    @Override
    public void close() {
        watches.forEach(Watch::close);
    }

    private static long revision(HasMetadata object) {
        return Long.parseLong(object.getMetadata().getResourceVersion());
    }

    private static String uid(HasMetadata object) {
        return object.getMetadata().getUid();
    }

    private static Happening claim(GenericKubernetesResource claim) {
        return new Claimed(
                revision(claim),
                claim.getMetadata().getName(),
                uid(claim),
                String.valueOf(claim.getMetadata().getLabels().get("karpenter.sh/nodepool")),
                claim.get("status", "providerID") != null);
    }

    private static @Nullable Happening books(ConfigMap map) {
        if (!map.getMetadata().getName().endsWith("-purchases")) {
            return null;
        }
        Map<String, Long> bills = new HashMap<>();
        Objects.requireNonNullElse(map.getData(), Map.<String, String>of())
                .forEach((name, line) -> bills.put(name, Karpenter.bill(line)));
        return new Booked(revision(map), bills);
    }

    private static Happening record(GenericKubernetesResource reservation, String phase) {
        List<Map<String, Object>> purchases =
                Objects.requireNonNullElse(reservation.get("spec", "purchases"), List.of());
        Map<String, Long> bills = new HashMap<>();
        purchases.forEach(one -> bills.put(String.valueOf(one.get("node")), NamespaceLedger.exact(one, "exactBill")));
        Number cost = reservation.get("spec", "window", "exactCost");
        return new Recorded(
                revision(reservation),
                Scenario.now(),
                reservation.getMetadata().getNamespace(),
                reservation.getMetadata().getName(),
                phase,
                instant(reservation.get("spec", "window", "start")),
                instant(reservation.get("spec", "window", "end")),
                nodes(reservation),
                instant(reservation.get("spec", "promisedBy")),
                instant(reservation.get("status", "startedAt")),
                cost == null ? 0 : cost.longValue(),
                bills,
                Cluster.condition(reservation, "Planned"));
    }

    private static Set<String> nodes(GenericKubernetesResource reservation) {
        List<Map<String, Object>> placements =
                Objects.requireNonNullElse(reservation.get("spec", "window", "placement"), List.of());
        return placements.stream()
                .map(placement -> String.valueOf(placement.get("node")))
                .collect(Collectors.toSet());
    }

    private static @Nullable Instant instant(@Nullable String text) {
        return text == null ? null : Instant.parse(text);
    }

    /** Records what a watch delivers. */
    private final class Told<T extends HasMetadata> implements Watcher<T> {
        private final Function<T, @Nullable Happening> stored;
        private final Function<T, @Nullable Happening> removed;

        Told(Function<T, @Nullable Happening> stored, Function<T, @Nullable Happening> removed) {
            this.stored = stored;
            this.removed = removed;
        }

        @Override
        public void eventReceived(Action action, T object) {
            Happening happening = switch (action) {
                case ADDED, MODIFIED -> stored.apply(object);
                case DELETED -> removed.apply(object);
                case ERROR, BOOKMARK -> null;
            };
            if (happening != null) {
                happenings.add(happening);
            }
        }

        @Override
        public void onClose(WatcherException cause) {
            ends.add(cause);
        }
    }
}
