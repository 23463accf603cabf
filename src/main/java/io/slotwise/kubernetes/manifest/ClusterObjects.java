package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.admission.PodAdmissions;
import io.slotwise.kubernetes.manifest.device.DeviceObjects;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.ObjectLists;
import io.slotwise.kubernetes.manifest.volumes.VolumeObjects;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;

/**
 * The objects that a snapshot is made of, from informers or from files.
 *
 * @param nodes all of them
 * @param pods all of them, whatever their scheduler and phase
 * @param namespaces those that are known
 * @param reservations advance reservations whose room is not over, and where they were read once the records of gangs
 * @param budgets disruption budgets
 * @param ledgers of namespaces, where the host does not keep them itself
 * @param groups what other projects and owners say of gangs
 * @param warnings what the reading of files has to say
 * @param volumes what is known of volumes
 * @param devices what is known of devices
 * @param unreported budgets of namespaces that cannot be told although they can be read, because their ledgers cannot
 * @param histories past runs, by namespace
 * @param admissions of pods that have passed no API server
 * @param quotas those that advance reservations count against
 */
@RecordBuilder
public record ClusterObjects(
        List<Node> nodes,
        List<Pod> pods,
        List<Namespace> namespaces,
        List<Reservation> reservations,
        List<PodDisruptionBudget> budgets,
        List<Ledger> ledgers,
        GroupObjects groups,
        List<IntakeWarning> warnings,
        VolumeObjects volumes,
        DeviceObjects devices,
        Map<String, Grant> unreported,
        Map<String, RunHistory> histories,
        PodAdmissions admissions,
        List<ResourceQuota> quotas)
        implements ClusterObjectsBuilder.With {
    /** Nothing. */
    public static final ClusterObjects NONE = new ClusterObjects(List.of(), List.of(), List.of());

    public ClusterObjects {
        nodes = List.copyOf(nodes);
        pods = List.copyOf(pods);
        namespaces = List.copyOf(namespaces);
        reservations = List.copyOf(reservations);
        budgets = List.copyOf(budgets);
        ledgers = List.copyOf(ledgers);
        warnings = List.copyOf(warnings);
        unreported = Map.copyOf(unreported);
        histories = Map.copyOf(histories);
        quotas = List.copyOf(quotas);
    }

    /** Objects without volumes and devices. */
    public ClusterObjects(
            List<Node> nodes,
            List<Pod> pods,
            List<Namespace> namespaces,
            List<Reservation> reservations,
            List<PodDisruptionBudget> budgets,
            List<Ledger> ledgers,
            GroupObjects groups,
            List<IntakeWarning> warnings,
            Map<String, Grant> unreported) {
        this(
                nodes,
                pods,
                namespaces,
                reservations,
                budgets,
                ledgers,
                groups,
                warnings,
                VolumeObjects.UNKNOWN,
                DeviceObjects.UNKNOWN,
                unreported,
                Map.of(),
                PodAdmissions.NONE,
                List.of());
    }

    /** Objects whose ledgers can all be read, without volumes and devices. */
    public ClusterObjects(
            List<Node> nodes,
            List<Pod> pods,
            List<Namespace> namespaces,
            List<Reservation> reservations,
            List<PodDisruptionBudget> budgets,
            List<Ledger> ledgers,
            GroupObjects groups,
            List<IntakeWarning> warnings) {
        this(nodes, pods, namespaces, reservations, budgets, ledgers, groups, warnings, Map.of());
    }

    /** Objects without advance reservations, budgets, ledgers, groups and warnings. */
    public ClusterObjects(List<Node> nodes, List<Pod> pods, List<Namespace> namespaces) {
        this(nodes, pods, namespaces, List.of(), GroupObjects.NONE);
    }

    /** Objects without budgets, ledgers and warnings. */
    public ClusterObjects(
            List<Node> nodes,
            List<Pod> pods,
            List<Namespace> namespaces,
            List<Reservation> reservations,
            GroupObjects groups) {
        this(nodes, pods, namespaces, reservations, List.of(), List.of(), groups, List.of());
    }

    /** The same with this knowledge of volumes. */
    public ClusterObjects knowing(VolumeObjects objects) {
        return withVolumes(objects);
    }

    /** The same with this knowledge of devices. */
    public ClusterObjects knowing(DeviceObjects objects) {
        return withDevices(objects);
    }

    /** These objects and the others, of which no admission is known. */
    public ClusterObjects plus(ClusterObjects other) {
        return new ClusterObjects(
                ObjectLists.both(nodes, other.nodes),
                ObjectLists.both(pods, other.pods),
                ObjectLists.both(namespaces, other.namespaces),
                ObjectLists.both(reservations, other.reservations),
                ObjectLists.both(budgets, other.budgets),
                ObjectLists.both(ledgers, other.ledgers),
                groups.or(other.groups),
                ObjectLists.both(warnings, other.warnings),
                volumes.plus(other.volumes),
                devices.plus(other.devices),
                ObjectLists.both(unreported, other.unreported),
                ObjectLists.both(histories, other.histories),
                admissions,
                ObjectLists.both(quotas, other.quotas));
    }
}
