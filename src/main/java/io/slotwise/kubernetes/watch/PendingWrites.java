package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * This program's writes to pods that the watch has not shown yet. A watch may hang for seconds. Going by the watch
 * alone, the program would take a gang that it has bound itself for one that did not start, and would end it.
 *
 * <p>Only permanent changes are kept: the removed gate and the binding. An entry is dropped as soon as the watch shows
 * it. With k entries, usually those of the last moments, each write costs O(k) and each reading of a pod O(1).
 */
final class PendingWrites {
    private final Function<Pod, @Nullable Pod> latest;
    private final LongSupplier nanos;
    private final Map<String, Done> byUid = new ConcurrentHashMap<>();
    private final Map<String, Written> versions = new ConcurrentHashMap<>();

    /**
     * @param latest returns the watch's current pod of the same namespace and name, or null
     * @param nanos a monotonic clock, nanoseconds
     */
    PendingWrites(Function<Pod, @Nullable Pod> latest, LongSupplier nanos) {
        this.latest = latest;
        this.nanos = nanos;
    }

    /** The writes to one pod. */
    private static final class Done {
        /** The node that it is bound to; null if only the gate was removed. */
        private final @Nullable String node;

        private final Pod seenPod;

        /** The time of the write, nanoseconds. */
        private final long since;

        private @Nullable Pod shownPod;

        Done(Pod seenPod, @Nullable String node, long since) {
            this.node = node;
            this.seenPod = seenPod;
            this.since = since;
        }

        @Nullable
        String node() {
            return node;
        }

        Pod seen() {
            return seenPod;
        }

        /** Returns the changed pod. It is made on demand, because the watch is mostly faster. */
        synchronized Pod shown() {
            Pod knownPod = shownPod;
            if (knownPod == null) {
                knownPod = new PodBuilder(seenPod)
                        .editSpec()
                        .removeMatchingFromSchedulingGates(gate -> AnnotationKeys.WINDOW_GATE.equals(gate.getName()))
                        .withNodeName(node)
                        .endSpec()
                        .build();
                shownPod = knownPod;
            }
            return knownPod;
        }

        boolean isIn(Pod pod) {
            return node == null ? !Pods.isGated(pod) : pod.getSpec().getNodeName() != null;
        }
    }

    /** A write that changed only a pod's version: the pod that was overwritten, and the new version. */
    private record Written(Pod finishedPod, String version) {
        boolean isUnseen(Pod pod) {
            return PendingWrites.version(finishedPod).equals(PendingWrites.version(pod))
                    && uid(finishedPod).equals(uid(pod));
        }
    }

    /** Notes a write that changed only a pod's version. O(k). */
    void written(Pod finishedPod, String version) {
        versions.values().removeIf(before -> {
            Pod pod = latest.apply(before.finishedPod());
            return pod == null || !before.isUnseen(pod);
        });
        versions.put(uid(finishedPod), new Written(finishedPod, version));
    }

    /** Returns the version of a pod by the watch and the writes. O(1). */
    String versionOf(Pod seenPod) {
        Written knownWritten = versions.get(uid(seenPod));
        return knownWritten != null && knownWritten.isUnseen(seenPod) ? knownWritten.version() : version(seenPod);
    }

    private static String version(Pod pod) {
        String version = pod.getMetadata().getResourceVersion();
        return version == null ? "" : version;
    }

    void ungated(Pod seenPod) {
        note(seenPod, null);
    }

    void bound(Pod seenPod, String node) {
        note(seenPod, node);
    }

    private void note(Pod seenPod, @Nullable String node) {
        byUid.values().removeIf(done -> !isUnseen(done));
        Done done = new Done(seenPod, node, nanos.getAsLong());
        if (!done.isIn(seenPod)) {
            byUid.merge(uid(seenPod), done, (before, after) -> before.node() == null ? after : before);
        }
    }

    private boolean isUnseen(Done done) {
        Pod pod = latest.apply(done.seen());
        return pod != null && uid(pod).equals(uid(done.seen())) && !done.isIn(pod);
    }

    /** Returns whether the watch still lacks a write of this age. O(k). */
    boolean isUnseenFor(Duration time) {
        long latestMoment = nanos.getAsLong() - time.toNanos();
        return byUid.values().stream().anyMatch(done -> done.since - latestMoment < 0 && isUnseen(done));
    }

    /**
     * Returns the pod with the writes applied: the same object as long as the writes and the watched pod stay the same.
     */
    @SuppressWarnings("ReferenceEquality") // Another object is another version.
    Pod on(Pod seenPod) {
        if (byUid.isEmpty() || seenPod.getSpec().getNodeName() != null) {
            return seenPod;
        }
        Done knownDone = byUid.get(uid(seenPod));
        if (knownDone == null || knownDone.isIn(seenPod)) {
            return seenPod;
        }
        if (knownDone.seen() == seenPod) {
            return knownDone.shown();
        }
        Done done =
                byUid.computeIfPresent(uid(seenPod), (uid, before) -> new Done(seenPod, before.node(), before.since));
        return done == null ? seenPod : done.shown();
    }

    List<Pod> on(List<Pod> seen) {
        return byUid.isEmpty() ? seen : seen.stream().map(this::on).toList();
    }

    /** Returns the pods that were bound to a node and that the watch still shows without one. */
    Stream<Pod> boundTo(String node) {
        return byUid.values().stream()
                .filter(done -> node.equals(done.node()))
                .map(done -> latest.apply(done.seen()))
                .filter(pod -> pod != null && pod.getSpec().getNodeName() == null)
                .map(this::on)
                .filter(pod -> node.equals(pod.getSpec().getNodeName()));
    }

    private static String uid(Pod pod) {
        return pod.getMetadata().getUid();
    }
}
