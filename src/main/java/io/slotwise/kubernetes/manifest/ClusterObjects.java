package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.admission.PodAdmissions;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.ObjectLists;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;

/**
 * The objects that a snapshot is made of, from informers or from files.
 *
 * @param pods all of them, whatever their scheduler and phase
 * @param reservations advance reservations whose room is not over, and where they were read once the records of gangs
 * @param ledgers of namespaces, where the host does not keep them itself
 * @param groups what other projects and owners say of gangs
 * @param warnings what the reading of files has to say
 * @param optional what is known of volumes, devices and quotas
 * @param unreported budgets of namespaces that cannot be told although they can be read, because their ledgers cannot
 * @param admissions of pods that have passed no API server
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
        OptionalObjects optional,
        Map<String, Grant> unreported,
        Map<String, RunHistory> histories,
        PodAdmissions admissions)
        implements ClusterObjectsBuilder.With {
    public static final ClusterObjects NONE = new ClusterObjects(
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            GroupObjects.NONE,
            List.of(),
            OptionalObjects.UNKNOWN,
            Map.of(),
            Map.of(),
            PodAdmissions.NONE);

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
                optional.plus(other.optional),
                ObjectLists.both(unreported, other.unreported),
                ObjectLists.both(histories, other.histories),
                admissions);
    }
}
