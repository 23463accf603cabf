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
 * What this program has done to pods and the watch has not shown yet. A watch may hang for seconds: who went by it
 * alone would take a gang for one that did not start although the program itself has bound it, and would end it.
 *
 * <p>Only what holds for the rest of a pod's life is kept here: our gate is off, it is bound. It is forgotten as soon
 * as the watch shows it. With k such pods, usually those of the last moments, each write costs O(k) and each reading of
 * a pod O(1).
 */
final class PendingWrites {
    private final Function<Pod, @Nullable Pod> latest;
    private final LongSupplier nanos;
    private final Map<String, Done> byUid = new ConcurrentHashMap<>();
    private final Map<String, Written> versions = new ConcurrentHashMap<>();

    /**
     * @param latest the pod of the same namespace and name as the watch has it now, or null
     * @param nanos a clock that only runs forward, nanoseconds
     */
    PendingWrites(Function<Pod, @Nullable Pod> latest, LongSupplier nanos) {
        this.latest = latest;
        this.nanos = nanos;
    }

    /** What was done to one pod. */
    private static final class Done {
        /** That it is bound to; null: our gate is off. */
        private final @Nullable String node;

        private final Pod seenPod;

        /** When it was done, nanoseconds. */
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

        /** The pod with what was done; made when it is asked for, as the watch is mostly faster. */
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

    /** A write that changed nothing but a pod's version: the pod that was written over, and its version since. */
    private record Written(Pod finishedPod, String version) {
        boolean isUnseen(Pod pod) {
            return PendingWrites.version(finishedPod).equals(PendingWrites.version(pod))
                    && uid(finishedPod).equals(uid(pod));
        }
    }

    /** A pod was written to, and is as it was but for its version. O(k). */
    void written(Pod finishedPod, String version) {
        versions.values().removeIf(before -> {
            Pod pod = latest.apply(before.finishedPod());
            return pod == null || !before.isUnseen(pod);
        });
        versions.put(uid(finishedPod), new Written(finishedPod, version));
    }

    /** The version of a pod by what the watch shows and what was written. O(1). */
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

    /** Whether the watch has not shown something that was done so long ago. O(k). */
    boolean isUnseenFor(Duration time) {
        long latestMoment = nanos.getAsLong() - time.toNanos();
        return byUid.values().stream().anyMatch(done -> done.since - latestMoment < 0 && isUnseen(done));
    }

    /** The pod as it is by what was done and what the watch shows: the same object for as long as both are the same. */
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

    /** The pods that were bound to a node and that the watch still shows without one. */
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
