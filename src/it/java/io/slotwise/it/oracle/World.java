package io.slotwise.it.oracle;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import java.util.List;
import java.util.Set;

/**
 * A small cluster, and pods to ask about one by one.
 *
 * @param nodes whose {@link #SEAL} is one more than the residents that stay
 * @param residents bound to nodes
 * @param cases pods without a node
 * @param others volumes, devices, their claims and classes, in the order of their creation
 */
record World(List<Node> nodes, List<Resident> residents, List<Case> cases, List<HasMetadata> others) {
    /** A resource of which every resident requests one, so that kube-scheduler's view of them shows. */
    static final String SEAL = "example.com/seal";

    /** The label of all objects of the oracle. */
    static final String ORACLE = "it.slotwise.io/oracle";

    World {
        nodes = List.copyOf(nodes);
        residents = List.copyOf(residents);
        cases = List.copyOf(cases);
        others = List.copyOf(others);
    }

    /** The state of a resident when the oracle asks. */
    enum Fate {
        STAYS,
        /** Being deleted, with a grace period of an hour. */
        IS_LEAVING,
        /** Succeeded, and still present as an object. */
        HAS_ENDED
    }

    /** A bound pod. */
    record Resident(Pod pod, Fate fate) {}

    /** A pod without a node. */
    record Case(Pod pod, Set<Kind> kinds) {
        Case {
            kinds = Set.copyOf(kinds);
        }
    }

    /** The world for kube-scheduler and the planner: objects as the API server has them. */
    record Objects(List<Node> nodes, List<Pod> residents, List<Namespace> namespaces, OptionalObjects optional) {
        Objects {
            nodes = List.copyOf(nodes);
            residents = List.copyOf(residents);
            namespaces = List.copyOf(namespaces);
        }
    }
}
