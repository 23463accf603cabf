package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.window.Placement;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.gang.PromiseSeats;
import io.slotwise.kubernetes.manifest.pods.AmountCache;
import io.slotwise.kubernetes.manifest.pods.ObjectCache;
import io.slotwise.kubernetes.manifest.pods.PodConstraints;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.live.record.Fingerprint;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.RecordedTerms;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which pods a window is promised to: each by its UID, with all that a waiting pod may be given otherwise and that
 * decides where it goes and what it pays (requests, node selector, node affinity, tolerations, deadline, labels and
 * annotations). Pods that were made again, edited or resized since have another fingerprint. Gates do not count: they
 * are taken off as the gang starts. Safe for threads.
 */
final class PromisedPods {
    private static final int BYTES = 8;

    private final ObjectCache<Pod, String> knownCache = new ObjectCache<>();
    private final AmountCache amounts;

    PromisedPods(AmountCache amounts) {
        this.amounts = amounts;
    }

    /** The fingerprint of the pods of each gang that is planned, all as they were taken in. O(pods). */
    Map<GangId, String> of(IntakeResult result) {
        knownCache.turn();
        Map<GangId, String> found = new HashMap<>();
        for (Request request : result.snapshot().requests()) {
            Gang gang = request.gang();
            Set<String> planned = Set.copyOf(gang.pods());
            List<Pod> pods = result.members().getOrDefault(gang.id(), List.of()).stream()
                    .filter(pod -> planned.contains(pod.getMetadata().getName()))
                    .toList();
            if (pods.size() == planned.size()) {
                found.put(gang.id(), fingerprint(pods, request.promise()));
            }
        }
        return found;
    }

    /**
     * Whether the pods of a gang's window are those that it was promised to; those that come late do not count. O(pods
     * of the window).
     *
     * @param pods by plain name; null: it is not there
     * @param late whether a pod of this name comes late
     */
    boolean are(GangRecord record, Function<String, @Nullable Pod> pods, Predicate<String> late) {
        Promise promise = record.promise();
        if (promise == null) {
            return false;
        }
        List<Pod> present = new ArrayList<>();
        for (Placement placement : promise.window().placements()) {
            Pod pod = pods.apply(placement.pod());
            if (pod != null) {
                present.add(pod);
            } else if (!late.test(placement.pod())) {
                return false;
            }
        }
        return record.terms().areOfPods(fingerprint(present, promise));
    }

    private String fingerprint(Collection<Pod> pods, @Nullable Promise promise) {
        Map<String, Placement> placements = PromiseSeats.of(promise);
        return Fingerprint.of(
                pods.stream()
                        .filter(pod -> !Pods.isComing(pod))
                        .map(pod -> one(pod, placements.get(pod.getMetadata().getName())))
                        .sorted()
                        .collect(Collectors.joining("|")),
                BYTES);
    }

    /** As its gate is taken off a pod may be pinned to its seat's node, which is no other request. */
    private String one(Pod pod, @Nullable Placement placement) {
        return placement == null || pod.getSpec().getAffinity() == null
                ? knownCache.get(pod, singlePod -> text(singlePod, null))
                : text(pod, placement.node());
    }

    private String text(Pod pod, @Nullable String pinned) {
        String text = String.join(
                "|",
                pod.getMetadata().getUid(),
                asked(pod, pinned),
                String.valueOf(pod.getSpec().getActiveDeadlineSeconds()),
                inOrder(pod.getMetadata().getLabels()),
                inOrder(pod.getMetadata().getAnnotations()));
        return pod.getMetadata().getName() + "|" + Fingerprint.of(text, BYTES);
    }

    private String asked(Pod pod, @Nullable String pinned) {
        try {
            return RecordedTerms.spelled(
                    amounts.requested(pod, new QuantityAmounts()), PodConstraints.of(pod.getSpec(), pinned, Set.of()));
        } catch (IllegalArgumentException e) {
            return "cannot be read";
        }
    }

    private static String inOrder(@Nullable Map<String, String> entries) {
        return entries == null ? "" : new TreeMap<>(entries).toString();
    }
}
