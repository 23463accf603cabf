package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Durations;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.Annotations;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.field.Intervals;
import io.slotwise.kubernetes.manifest.gang.AnnotatedGang;
import io.slotwise.kubernetes.manifest.pods.PodRecreation;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.live.record.StartedMembers;
import io.slotwise.live.settings.LoopSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The occupations of nodes: bound pods until their expected end, and members of gangs that are about to be bound. Used
 * for one intake.
 *
 * <p>A pod past its expected end and the turnover keeps its room for one overrun grace at a time, so that plans behind
 * it move once per grace and not once per cycle. The first grace is shorter for short runtimes; if no user stated the
 * runtime, the grace doubles each time. A terminating pod keeps its room until its deletion time, then for one grace at
 * a time until it is gone.
 */
final class NodeOccupants {
    /**
     * Tolerated difference between clocks, seconds. A pod that began up to this far ahead, by another clock or before
     * this one was set back, also ends by that clock, because its room was promised until then. A start further ahead
     * is a mistake and counts as now.
     */
    static final long SKEW = 60;

    private static final Resources ONE_POD = Resources.of(Map.of(Resources.PODS, 1L));

    private final LoopSettings settings;
    private final Map<String, Node> nodes;
    private final PodReader reader;
    private final long now;
    private final List<Occupation> occupations = new ArrayList<>();
    private final List<IntakeWarning> warnings = new ArrayList<>();

    /** Starts without occupants. Ends are judged by the time at which the pods were seen. */
    NodeOccupants(IntakeInput input, PodReader reader) {
        this.settings = input.settings();
        this.nodes = input.nodes();
        this.reader = reader;
        this.now = input.seen();
    }

    List<Occupation> occupations() {
        return occupations;
    }

    List<Occupation> since(int before) {
        return List.copyOf(occupations.subList(before, occupations.size()));
    }

    List<IntakeWarning> warnings() {
        return warnings;
    }

    /**
     * The expected stay of a pod, seconds since the epoch. The end is {@link Interval#FOREVER} if unknown.
     *
     * @param late as {@link Occupation#late}
     */
    private record Stay(long start, long end, long late) {
        Stay(long start, long end) {
            this(start, end, 0);
        }

        /** Returns the stay with its delay beyond this placement's end. */
        Stay in(Placement placement) {
            return new Stay(start, end, Math.max(0, end - placement.end()));
        }
    }

    /**
     * Returns the stay to plan with. A pod that started late within the tolerance, and is not past its own end, is
     * expected to end as promised. Later promises in its room may start late by as much and lose nothing. A start
     * becomes durable in the second after its plan, or some seconds later.
     */
    private Stay planned(Stay stay) {
        if (stay.late == 0 || stay.late > settings.tolerance() || now >= stay.end) {
            return stay;
        }
        return new Stay(stay.start, Math.max(stay.start + 1, Math.max(stay.end - stay.late, now)));
    }

    private Stay stay(long begun, long length) {
        long believed = begun <= now + SKEW ? begun : now;
        return new Stay(Math.min(begun, now), believed + length);
    }

    /** Adds a bound pod that belongs to no gang of Slotwise. */
    void addForeign(Pod pod, String node) {
        long begun = Pods.begun(pod, now);
        long runtime = statedRuntime(pod);
        Long limit = pod.getSpec().getActiveDeadlineSeconds();
        Stay stay = runtime > 0
                ? stay(begun, duration(runtime, node))
                : limit == null
                        ? new Stay(Math.min(begun, now), Interval.FOREVER)
                        : stay(begun, Math.clamp(limit, 1, Interval.FOREVER));
        hold(pod, node, stay);
    }

    /**
     * Returns the occupation of a bound pod that belongs to no gang of Slotwise, without its marks. It stays the same
     * as long as the object does. Null if the pod has not begun, cannot be read, or states an end.
     */
    @Nullable
    Occupation endless(Pod pod, String node) {
        long start = Pods.start(pod, now);
        if (start >= now
                || Annotations.find(pod, AnnotationKeys.RUNTIME) != null
                || pod.getSpec().getActiveDeadlineSeconds() != null) {
            return null;
        }
        try {
            return new Occupation(Pods.name(pod), node, reader.unmarked(pod), new Interval(start, Interval.FOREVER));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Adds a bound pod that is expected to begin terminating, if it has not, at second {@code from}, now or later. */
    void addLeaving(Pod pod, String node, long from) {
        hold(pod, node, new Stay(Pods.start(pod, now), from + PodRecreation.gone(pod)));
    }

    /**
     * Adds the bound members of a started gang.
     *
     * @param annotated null if the terms cannot be read
     * @param placements the placements of the promise that the gang started from, by pod name
     * @param started the pods that the gang has started with; if none, each pod started when it was bound
     */
    void addMembers(
            List<Pod> pods,
            @Nullable AnnotatedGang annotated,
            Map<String, Placement> placements,
            StartedMembers started) {
        OptionalLong startedAt = started.startedAt();
        long longest = 0;
        if (annotated != null && annotated.demand().lockstep()) {
            for (Pod pod : pods) {
                longest = Math.max(longest, duration(annotated, node(pod)));
            }
        }
        for (Pod pod : pods) {
            String node = node(pod);
            if (annotated == null) {
                addForeign(pod, node);
                continue;
            }
            Placement promisedPlacement = placements.get(pod.getMetadata().getName());
            Placement placement =
                    promisedPlacement != null && promisedPlacement.node().equals(node) ? promisedPlacement : null;
            boolean late = startedAt.isEmpty() || Pods.isReplacement(pod, started);
            long begun = late ? Pods.begun(pod, now) : startedAt.getAsLong();
            long length = placement == null
                    ? Math.max(longest, duration(annotated, node))
                    : placement.end() - placement.start();
            Stay stay = stay(begun, length);
            hold(pod, node, placement == null || late ? stay : stay.in(placement), true, annotated.statesRuntime());
        }
    }

    /**
     * Adds a bound pod that an unexpected error made unreadable, with the request as far as it can be read, forever.
     */
    void addAnyhow(Pod pod, String node) {
        Resources resources = Isolated.get(() -> resources(pod), _ -> ONE_POD);
        occupations.add(new Occupation(Pods.name(pod), node, resources, new Interval(now, Interval.FOREVER)));
    }

    void forgetAllBut(int first) {
        occupations.subList(first, occupations.size()).clear();
    }

    void addPlacement(String namespace, Placement placement, Resources resources) {
        addPlacement(namespace, placement, resources, new Stay(placement.start(), placement.end()));
    }

    /**
     * Adds a placement of a started gang whose pod may be bound at any moment. It lasts the planned length from {@code
     * begun}, or from now if that is over, because the binding may have been delayed.
     */
    void addStarted(String namespace, Placement placement, Resources resources, long begun) {
        Stay stay = stay(begun, placement.end() - placement.start());
        if (isOver(stay.end)) {
            addFromNow(namespace, placement, resources);
        } else {
            addPlacement(namespace, placement, resources, stay);
        }
    }

    private void addPlacement(String namespace, Placement placement, Resources resources, Stay stay) {
        Stay plannedStay = planned(stay.in(placement));
        long from = Math.min(stay.start, placement.start());
        Interval interval = new Interval(from, Math.max(plannedStay.end, from + 1));
        occupations.add(new Occupation(
                namespace + "/" + placement.pod(), placement.node(), resources, interval, false, plannedStay.late));
    }

    /**
     * Adds a placement whose planned time is over and whose pod may be bound at any moment. It lasts the planned length
     * from now.
     */
    void addLate(String namespace, Placement placement, Resources resources) {
        if (isOver(placement.end())) {
            addFromNow(namespace, placement, resources);
        }
    }

    private boolean isOver(long end) {
        return end + turnover() <= now;
    }

    private void addFromNow(String namespace, Placement placement, Resources resources) {
        occupations.add(new Occupation(
                namespace + "/" + placement.pod(),
                placement.node(),
                resources,
                new Interval(now, now + placement.end() - placement.start())));
    }

    private void hold(Pod pod, String node, Stay stay) {
        hold(pod, node, stay, false, true);
    }

    /**
     * Adds an occupation. A member that overruns keeps its room until it is evicted and gone, if the policy evicts
     * members that overrun.
     *
     * @param stated whether a user stated the runtime
     */
    private void hold(Pod pod, String node, Stay stay, boolean member, boolean stated) {
        boolean overrun = stay.end < Interval.FOREVER && isOver(stay.end);
        String deletion = pod.getMetadata().getDeletionTimestamp();
        Stay plannedStay = deletion == null ? planned(stay) : stay;
        long expected = deletion == null ? plannedStay.end : Math.max(Intervals.parseUp(deletion), stay.start + 1);
        // A pod that is expected to end as promised is not past its own end.
        long end = expected >= Interval.FOREVER || plannedStay.end < stay.end
                ? expected
                : settings.graced(stay.start, expected, now, stated);
        if (member && overrun && deletion == null && settings.overrun() == LoopSettings.Overrun.EVICT) {
            end = Math.max(end, expected + settings.overrunGrace() + PodRecreation.gone(pod));
        }
        occupations.add(new Occupation(
                Pods.name(pod), node, resources(pod), new Interval(stay.start, end), overrun, plannedStay.late));
    }

    Resources resources(Pod pod) {
        try {
            return reader.resources(pod);
        } catch (IllegalArgumentException e) {
            warn(
                    pod,
                    "pod %s: %s; it is treated as one pod without resources".formatted(Pods.name(pod), e.getMessage()));
            return reader.marked(ONE_POD, pod);
        }
    }

    private long statedRuntime(Pod pod) {
        String text = Annotations.find(pod, AnnotationKeys.RUNTIME);
        if (text == null) {
            return 0;
        }
        try {
            return Durations.parsePositive(text);
        } catch (IllegalArgumentException e) {
            warn(
                    pod,
                    "`%s` (%s) of pod %s is not valid: %s; the pod already runs, and its end is treated as unknown"
                            .formatted(AnnotationKeys.RUNTIME, text, Pods.name(pod), e.getMessage()));
            return 0;
        }
    }

    private void warn(Pod pod, String message) {
        warnings.add(new IntakeWarning(IntakeWarning.Reason.INVALID_VALUE, Subject.of(pod), message));
    }

    private long turnover() {
        return settings.policy().turnover();
    }

    private long duration(AnnotatedGang annotated, String node) {
        return annotated.nodeIndependent() ? annotated.runtime() : duration(annotated.runtime(), node);
    }

    private long duration(long runtime, String node) {
        Node knownNode = nodes.get(node);
        return (knownNode == null ? Performance.REFERENCE : knownNode.performance()).duration(runtime);
    }

    private static String node(Pod pod) {
        return String.valueOf(Pods.node(pod));
    }
}
