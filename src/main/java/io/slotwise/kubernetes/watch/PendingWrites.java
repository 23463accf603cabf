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

        private final Pod seen;

        /** When it was done, nanoseconds. */
        private final long since;

        private @Nullable Pod shown;

        Done(Pod seen, @Nullable String node, long since) {
            this.node = node;
            this.seen = seen;
            this.since = since;
        }

        @Nullable
        String node() {
            return node;
        }

        Pod seen() {
            return seen;
        }

        /** The pod with what was done; made when it is asked for, as the watch is mostly faster. */
        synchronized Pod shown() {
            Pod known = shown;
            if (known == null) {
                known = new PodBuilder(seen)
                        .editSpec()
                        .removeMatchingFromSchedulingGates(gate -> AnnotationKeys.WINDOW_GATE.equals(gate.getName()))
                        .withNodeName(node)
                        .endSpec()
                        .build();
                shown = known;
            }
            return known;
        }

        boolean isIn(Pod pod) {
            return node == null ? !Pods.isGated(pod) : pod.getSpec().getNodeName() != null;
        }
    }

    /** A write that changed nothing but a pod's version: the pod that was written over, and its version since. */
    private record Written(Pod over, String version) {
        boolean isUnseen(Pod now) {
            return PendingWrites.version(over).equals(PendingWrites.version(now))
                    && uid(over).equals(uid(now));
        }
    }

    /** A pod was written to, and is as it was but for its version. O(k). */
    void written(Pod over, String version) {
        versions.values().removeIf(before -> {
            Pod now = latest.apply(before.over());
            return now == null || !before.isUnseen(now);
        });
        versions.put(uid(over), new Written(over, version));
    }

    /** The version of a pod by what the watch shows and what was written. O(1). */
    String versionOf(Pod seen) {
        Written known = versions.get(uid(seen));
        return known != null && known.isUnseen(seen) ? known.version() : version(seen);
    }

    private static String version(Pod pod) {
        String version = pod.getMetadata().getResourceVersion();
        return version == null ? "" : version;
    }

    void ungated(Pod seen) {
        note(seen, null);
    }

    void bound(Pod seen, String node) {
        note(seen, node);
    }

    private void note(Pod seen, @Nullable String node) {
        byUid.values().removeIf(done -> !isUnseen(done));
        Done done = new Done(seen, node, nanos.getAsLong());
        if (!done.isIn(seen)) {
            byUid.merge(uid(seen), done, (before, after) -> before.node() == null ? after : before);
        }
    }

    private boolean isUnseen(Done done) {
        Pod now = latest.apply(done.seen());
        return now != null && uid(now).equals(uid(done.seen())) && !done.isIn(now);
    }

    /** Whether the watch has not shown something that was done so long ago. O(k). */
    boolean isUnseenFor(Duration time) {
        long latestMoment = nanos.getAsLong() - time.toNanos();
        return byUid.values().stream().anyMatch(done -> done.since - latestMoment < 0 && isUnseen(done));
    }

    /** The pod as it is by what was done and what the watch shows: the same object for as long as both are the same. */
    @SuppressWarnings("ReferenceEquality") // Another object is another version.
    Pod on(Pod seen) {
        if (byUid.isEmpty() || seen.getSpec().getNodeName() != null) {
            return seen;
        }
        Done known = byUid.get(uid(seen));
        if (known == null || known.isIn(seen)) {
            return seen;
        }
        if (known.seen() == seen) {
            return known.shown();
        }
        Done done = byUid.computeIfPresent(uid(seen), (uid, before) -> new Done(seen, before.node(), before.since));
        return done == null ? seen : done.shown();
    }

    List<Pod> on(List<Pod> seen) {
        return byUid.isEmpty() ? seen : seen.stream().map(this::on).toList();
    }

    /** The pods that were bound to a node and that the watch still shows without one. */
    Stream<Pod> boundTo(String node) {
        return byUid.values().stream()
                .filter(done -> node.equals(done.node()))
                .map(done -> latest.apply(done.seen()))
                .filter(now -> now != null && now.getSpec().getNodeName() == null)
                .map(this::on)
                .filter(pod -> node.equals(pod.getSpec().getNodeName()));
    }

    private static String uid(Pod pod) {
        return pod.getMetadata().getUid();
    }
}
