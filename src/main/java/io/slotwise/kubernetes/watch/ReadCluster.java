package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import io.slotwise.live.cycle.CyclePreview;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.LoopSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A cluster whose objects were read once, from files or from its API server. Used by one thread. */
public final class ReadCluster extends ObservedCluster {
    private final ClusterObjects objects;
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<String, Pod> pods = new HashMap<>();
    private final Map<String, List<Pod>> byGang = new HashMap<>();
    private final Map<String, List<Pod>> byNode = new HashMap<>();
    private @Nullable IntakeResult result;

    public ReadCluster(Intake intake, ClusterObjects objects) {
        super(intake, new ReservationIndex());
        this.objects = objects;
        objects.reservations().forEach(reservations()::watched);
        reservations().complete();
        objects.nodes().forEach(node -> nodes.put(node.getMetadata().getName(), node));
        for (Pod pod : objects.pods()) {
            takeIn(pod, objects.groups(), null);
            pods.put(pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName(), pod);
            byGang.computeIfAbsent(PodState.gangOf(pod), _ -> new ArrayList<>()).add(pod);
            String node = PodState.nodeOf(pod);
            if (node != null) {
                byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(pod);
            }
        }
    }

    /**
     * Returns the input from which a replica of this cluster would plan at second {@code now}, with the promises that
     * it would keep and the remaining budgets of namespaces.
     */
    public IntakeResult planned(LoopSettings settings, long now) {
        Intaken agreedIntaken = CyclePreview.of(this, settings, now);
        List<IntakeWarning> unread = new ArrayList<>();
        new TreeMap<>(unreadable())
                .forEach((gang, problem) -> unread.add(new IntakeWarning(
                        IntakeWarning.Reason.INVALID_VALUE,
                        new Subject("Reservation", gang.namespace(), gang.name()),
                        problem + "; no window of this gang is planned")));
        return Objects.requireNonNull(result)
                .planning(agreedIntaken.snapshot(), agreedIntaken.names())
                .warning(unread);
    }

    @Override
    IntakeResult takeIn(LoopSettings settings, Collection<GangRecord> records, long now) {
        result = super.takeIn(settings, records, now);
        return result;
    }

    @Override
    public boolean ready() {
        return true;
    }

    @Override
    ClusterObjects objects() {
        return objects;
    }

    @Override
    GroupObjects groups() {
        return objects.groups();
    }

    @Override
    OptionalObjects optionalObjects() {
        return objects.optional();
    }

    @Override
    List<DeviceClass> deviceClasses() {
        return objects.optional().of(DeviceClass.class);
    }

    @Override
    public @Nullable Pod pod(String namespace, String name) {
        return pods.get(namespace + "/" + name);
    }

    @Override
    public @Nullable Node node(String name) {
        return nodes.get(name);
    }

    @Override
    List<Pod> naming(GangId gang) {
        return byGang.getOrDefault(gang.toString(), List.of());
    }

    @Override
    public List<Pod> podsOn(String node) {
        return byNode.getOrDefault(node, List.of());
    }
}
