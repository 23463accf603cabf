package io.slotwise.it.oracle;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import java.util.List;
import java.util.Set;

/**
 * A small cluster, and pods to be asked about one by one.
 *
 * @param nodes whose {@link #SEAL} is one more than the residents that stay there
 * @param residents bound to nodes
 * @param cases pods without a node
 * @param others volumes, devices, their claims and classes, in the order in which they are made
 */
record World(List<Node> nodes, List<Resident> residents, List<Case> cases, List<HasMetadata> others) {
    /** Every resident asks for one of this resource, so that it shows who has been seen. */
    static final String SEAL = "example.com/seal";

    /** The label of everything of the oracle's. */
    static final String ORACLE = "it.slotwise.io/oracle";

    World {
        nodes = List.copyOf(nodes);
        residents = List.copyOf(residents);
        cases = List.copyOf(cases);
        others = List.copyOf(others);
    }

    /** What becomes of a resident before anybody asks. */
    enum Fate {
        STAYS,
        /** It is being deleted, and takes an hour for it. */
        IS_LEAVING,
        /** It has done its work, and is still there as an object. */
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

    /** What kube-scheduler and the planner are told of the world: objects as the API server has them. */
    record Objects(List<Node> nodes, List<Pod> residents, List<Namespace> namespaces, OptionalObjects optional) {
        Objects {
            nodes = List.copyOf(nodes);
            residents = List.copyOf(residents);
            namespaces = List.copyOf(namespaces);
        }
    }
}
