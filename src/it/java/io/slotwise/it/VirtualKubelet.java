package io.slotwise.it;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.slotwise.it.faults.ClockAgent;
import io.slotwise.it.faults.SteppedClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The kubelet of a namespace's pods by the stepped clock of the program under test. A pod runs once it is seen with a
 * node, and ends when its time is over. Time passes as usual, and {@link #pass} adds a step.
 */
final class VirtualKubelet {
    /** The annotation of pods that kwok ignores. */
    private static final String STANDS = "it.slotwise.io/stands";

    private static final String RUNS = "it.slotwise.io/runs-in-virtual-time";
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");
    private static final PatchContext MERGE = PatchContext.of(PatchType.STRATEGIC_MERGE);

    private final ControlPlane plane;
    private final String namespace;
    private final Path file;
    private final SteppedClock clock;
    /** The clock's offset by the instant of the machine's clock from which it holds. */
    private final NavigableMap<Instant, Duration> ahead = new TreeMap<>();
    /** The times at which the running pods began, by UID. */
    private final Map<String, Instant> began = new HashMap<>();

    VirtualKubelet(ControlPlane plane, String namespace, Instant start) {
        this.plane = plane;
        this.namespace = namespace;
        file = plane.folder().resolve("virtual-clock");
        clock = new SteppedClock(file);
        step(Duration.between(Scenario.now(), start));
    }

    /** The JVM option that gives the program this clock. */
    String option() {
        return ClockAgent.option(plane.folder(), file);
    }

    Instant now() {
        return clock.instant();
    }

    /** The times that the program's clock showed in a second of the machine's clock, which may contain steps. */
    Stream<Instant> at(Instant second) {
        Instant last = second.plusMillis(999);
        return Stream.concat(
                Stream.of(second.plus(aheadAt(second)), last.plus(aheadAt(last))),
                ahead.subMap(second, last).entrySet().stream()
                        .map(step -> step.getKey().plus(step.getValue())));
    }

    private Duration aheadAt(Instant moment) {
        Map.Entry<Instant, Duration> last = ahead.floorEntry(moment);
        return last == null ? Duration.ZERO : last.getValue();
    }

    private void step(Duration more) {
        Instant here = Scenario.now();
        Duration sum = aheadAt(here).plus(more);
        ahead.put(here, sum);
        clock.step(sum);
    }

    /** Returns a pod that is to run here. */
    static Pod own(Pod pod) {
        String runs = pod.getMetadata().getAnnotations().get(Workload.RUNS_FOR);
        return new PodBuilder(pod)
                .editMetadata()
                .removeFromAnnotations(Workload.RUNS_FOR)
                .addToAnnotations(STANDS, "true")
                .addToAnnotations(RUNS, runs)
                .endMetadata()
                .build();
    }

    /** Lets time pass. Every pod ends in its second. */
    void pass(Duration time) {
        Instant until = now().plus(time);
        for (Instant next = look(until); now().isBefore(until); next = look(until)) {
            Duration more = Duration.between(now(), next);
            if (more.isPositive()) {
                step(more);
            }
        }
    }

    /** Updates every pod's status to the present. */
    void look() {
        look(Instant.MAX);
    }

    /** Updates in the same way, and returns the next end, or {@code until} if that is earlier. */
    private Instant look(Instant until) {
        Instant next = until;
        for (Pod pod : plane.client().pods().inNamespace(namespace).list().getItems()) {
            String runs = pod.getMetadata().getAnnotations().get(RUNS);
            String phase = pod.getStatus().getPhase();
            if (runs == null || pod.getSpec().getNodeName() == null || ENDED.contains(phase)) {
                continue;
            }
            String uid = pod.getMetadata().getUid();
            Instant start = began.get(uid);
            if (start == null) {
                start = now().truncatedTo(ChronoUnit.SECONDS);
                began.put(uid, start);
                write(pod, start, "Running", "{\"running\": {\"startedAt\": \"%s\"}}".formatted(start));
            }
            Instant end = start.plus(Duration.parse("PT" + runs));
            if (now().isBefore(end)) {
                next = end.isBefore(next) ? end : next;
            } else {
                end(pod, start, "Succeeded", 0, end);
            }
        }
        return next;
    }

    /** Stops the containers of a running pod that is being deleted. The pod stays. */
    void stop(Pod pod) {
        Instant start = Objects.requireNonNull(began.get(pod.getMetadata().getUid()), "the pod does not run");
        end(pod, start, "Failed", 143, now().truncatedTo(ChronoUnit.SECONDS));
    }

    private void end(Pod pod, Instant start, String phase, int exitCode, Instant end) {
        write(
                pod,
                start,
                phase,
                "{\"terminated\": {\"exitCode\": %d, \"startedAt\": \"%s\", \"finishedAt\": \"%s\"}}"
                        .formatted(exitCode, start, end));
    }

    private void write(Pod pod, Instant start, String phase, String state) {
        boolean runs = phase.equals("Running");
        var _ = plane.client()
                .pods()
                .inNamespace(namespace)
                .withName(pod.getMetadata().getName())
                .subresource("status")
                .patch(MERGE, """
                        {"status": {"phase": "%s", "startTime": "%s",
                        "conditions": [{"type": "Ready", "status": "%s", "lastTransitionTime": "%s"}],
                        "containerStatuses": [{"name": "main", "image": "none", "imageID": "", "ready": %s,
                        "restartCount": 0, "state": %s}]}}""".formatted(
                        phase, start, runs ? "True" : "False", now().truncatedTo(ChronoUnit.SECONDS), runs, state));
    }
}
