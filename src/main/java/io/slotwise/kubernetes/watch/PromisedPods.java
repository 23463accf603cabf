package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.window.Placement;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.gang.PromisePlacements;
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
 * Fingerprints of the pods to which a window is promised. Records keep them. A fingerprint contains each pod's UID, and
 * everything that can change on a waiting pod and that decides where it runs and what it pays: requests, node selector,
 * node affinity, tolerations, deadline, labels and annotations. Recreated, edited or resized pods have another
 * fingerprint. Gates do not count, because they are removed when the gang starts. Thread-safe.
 */
final class PromisedPods {
    private static final int BYTES = 8;

    private final ObjectCache<Pod, String> knownCache = new ObjectCache<>();
    private final AmountCache amounts;

    PromisedPods(AmountCache amounts) {
        this.amounts = amounts;
    }

    /** Returns the fingerprint of the pods of each planned gang, as the intake read them. O(pods). */
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
     * Returns whether the pods of a gang's window are the pods to which it was promised. Late pods, which a controller
     * creates only when other pods of the gang are ready, may be missing. O(pods of the window).
     *
     * @param pods returns a pod by its plain name, or null
     * @param late tells whether a pod of this name is a late pod
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
        Map<String, Placement> placements = PromisePlacements.of(promise);
        return Fingerprint.of(
                pods.stream()
                        .filter(pod -> !Pods.isComing(pod))
                        .map(pod -> one(pod, placements.get(pod.getMetadata().getName())))
                        .sorted()
                        .collect(Collectors.joining("|")),
                BYTES);
    }

    /**
     * Returns the fingerprint of a pod. Slotwise may pin a pod to its promised node when it removes the gate. The pin
     * is left out of the fingerprint.
     */
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
