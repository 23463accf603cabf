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
 * The objects that a snapshot is made from, read by informers or from files.
 *
 * @param reservations advance reservations whose window is not over; from files also the records of gangs
 * @param ledgers ledgers of namespaces, where the host does not keep them itself
 * @param groups objects of other projects and owners that describe gangs
 * @param warnings warnings from reading files
 * @param optional volumes, devices and quotas, as far as they are known
 * @param unreported readable budgets of namespaces whose ledgers cannot be read
 * @param admissions results for pods that have passed no API server
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

    /** Returns these objects and the others, without admissions. */
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
