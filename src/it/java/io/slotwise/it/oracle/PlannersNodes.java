package io.slotwise.it.oracle;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.planner.Planner;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the nodes to which the planner sends a pod at once. The planner is asked again without its last answer until
 * there is none.
 */
final class PlannersNodes {
    private final Intake intake = new Intake(
            LoopSettings.EXACT, PriceCatalogue.EMPTY, new PodFilter("slotwise", KubeSchedulerFilters.SCHEDULER, false));
    private final Planner planner = new Planner(LoopSettings.EXACT.policy());
    private final World.Objects objects;
    private final long now;

    PlannersNodes(World.Objects objects, long now) {
        this.objects = objects;
        this.now = now;
    }

    /**
     * An answer.
     *
     * @param nodes on which the pod can start now
     * @param refused the name of the reason why the pod is never planned, or null
     */
    record Answer(Set<String> nodes, @Nullable String refused) {}

    /** Returns the nodes on which a pod, as the API server stores it, may start now. */
    Answer of(Pod pod) {
        GangId gang = Pods.gangOf(pod);
        Set<String> nodes = new TreeSet<>();
        while (true) {
            Plan plan = planner.plan(intake.take(
                            ClusterObjects.NONE.with(copy -> copy.nodes(objects.nodes())
                                    .pods(Stream.concat(objects.residents().stream(), Stream.of(pod))
                                            .toList())
                                    .namespaces(objects.namespaces())
                                    .optional(objects.optional())),
                            Map.of(gang, new KnownGang(null, OptionalLong.empty(), nodes)),
                            now)
                    .snapshot());
            List<String> found = plan.windows().stream()
                    .map(Planned::window)
                    .filter(window -> window.start() == now)
                    .map(window -> window.placements().getFirst().node())
                    .toList();
            if (found.isEmpty()) {
                return new Answer(nodes, refusal(plan));
            }
            if (!nodes.add(found.getFirst())) {
                throw new IllegalStateException(
                        "Pod %s was planned on node %s again.".formatted(gang, found.getFirst()));
            }
        }
    }

    private static @Nullable String refusal(Plan plan) {
        return plan.pending().stream()
                .map(Pending::refusal)
                .filter(refusal -> refusal instanceof Refusal.InvalidRequest
                        || refusal instanceof Refusal.UnplannedDevice
                        || refusal instanceof Refusal.Failed)
                .map(Refusal::message)
                .findFirst()
                .orElse(null);
    }
}
