package io.slotwise.kubernetes.manifest.field;

import io.slotwise.kubernetes.crd.v1alpha1.StartRecord;
import io.slotwise.kubernetes.gangs.Conventions;
import io.slotwise.kubernetes.gangs.TimeLimit;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The labels and annotations of Slotwise, and those of other projects that are read. */
public final class AnnotationKeys {
    public static final String PREFIX = "slotwise.io/";

    /** Label of a pod: its gang's name. */
    public static final String GANG = Conventions.OWN_LABEL;
    /** Annotation of a pod: number of pods that start together. */
    public static final String GANG_SIZE = PREFIX + "gang-size";
    /** Annotation of a pod: reservation time on a node of performance 1. */
    public static final String RUNTIME = PREFIX + "runtime";
    /** Annotation of a pod: maximum cost of the whole gang. Annotation of a namespace: maximum cost per period. */
    public static final String BUDGET = PREFIX + "budget";
    /** Annotation of a pod: currency units per hour and pod. */
    public static final String MAX_PRICE = PREFIX + "max-price";
    /** Annotation of a pod: what the price limit bounds, {@code total} or {@code slot}. */
    public static final String PRICE_LIMIT = PREFIX + "price-limit";
    /** Annotation of a pod: criterion that the gang minimizes. */
    public static final String CRITERION = PREFIX + "criterion";
    /** Annotation of a pod: value of ending an hour earlier. */
    public static final String VALUE_OF_TIME = PREFIX + "value-of-time";
    /** Annotation of a pod: preferred start of the window. */
    public static final String PREFERRED_START = PREFIX + "preferred-start";
    /** Annotation of a pod: preferred latest end of the window. */
    public static final String PREFERRED_FINISH = PREFIX + "preferred-finish";
    /** Annotation of a pod: preferred maximum cost of the window. */
    public static final String PREFERRED_COST = PREFIX + "preferred-cost";
    /** The annotations of a pod that the criterion {@code preference} uses. */
    public static final List<String> PREFERENCES = List.of(PREFERRED_START, PREFERRED_FINISH, PREFERRED_COST);
    /** Annotation of a pod: earliest start of the window. */
    public static final String EARLIEST_START = PREFIX + "earliest-start";
    /** Annotation of a pod: latest end of the window. */
    public static final String DEADLINE = PREFIX + "deadline";
    /** Annotation of a pod: gangs after whose end this gang starts. */
    public static final String AFTER = PREFIX + "after";
    /** Annotation of a pod: bytes to move to the domain after those gangs have ended. */
    public static final String AFTER_TRANSFER = PREFIX + "after-transfer";
    /** Annotation of a namespace: namespaces whose gangs may start after its gangs. */
    public static final String AFTER_FROM = PREFIX + "after-from";
    /** Annotation of a pod: bytes to move to the domain before the start. */
    public static final String DATA_SIZE = PREFIX + "data-size";
    /** Annotation of a pod: advance Reservation that the gang takes over. */
    public static final String RESERVATION = PREFIX + "reservation";
    /** Annotation of a pod: key of a node label. The whole gang runs within one value of it. */
    public static final String TOPOLOGY = PREFIX + "topology";
    /** Annotation of a pod: key of the node label in one value of which the gang prefers to run. */
    public static final String TOPOLOGY_PREFERRED = PREFIX + "topology-preferred";
    /** Annotation of a pod: the longest delay that the gang accepts for a narrower level. */
    public static final String TOPOLOGY_PATIENCE = PREFIX + "topology-patience";
    /** Annotation of a pod: factors of the runtime by the level that the gang spans. */
    public static final String DISTANCE_COST = PREFIX + "distance-cost";
    /** Annotation of a pod: levels in one domain of which each part of the gang runs, with the pods of a part. */
    public static final String TOPOLOGY_SLICE = PREFIX + "topology-slice";
    /** The annotations of a pod that state how near each other the gang runs. */
    public static final List<String> TOPOLOGIES = List.of(TOPOLOGY, TOPOLOGY_PREFERRED, DISTANCE_COST, TOPOLOGY_SLICE);
    /** Annotation of a pod: maximum number of the gang's pods on one node. */
    public static final String MAX_PER_NODE = PREFIX + "max-per-node";
    /** Annotation of a pod: every pod keeps its node until the slowest ends. */
    public static final String LOCKSTEP = PREFIX + "lockstep";
    /** Annotation of a pod: mode in which the gang is placed. */
    public static final String MODE = PREFIX + "mode";
    /** Annotation of a pod: weight of time in the online modes. */
    public static final String TIME_WEIGHT = PREFIX + "time-weight";
    /** Annotation of a pod: weight of cost in the online modes. */
    public static final String COST_WEIGHT = PREFIX + "cost-weight";
    /** Annotation of a pod: the gang may be evicted and placed again. */
    public static final String MIGRATABLE = PREFIX + "migratable";
    /** Annotation of a pod: whether nodes are bought for the gang. */
    public static final String PROVISION = PREFIX + "provision";

    /** Annotation of a pod: its gang's queue. */
    public static final String QUEUE = PREFIX + "queue";
    /** Annotation of a pod: the gang may be stopped for another queue. */
    public static final String PREEMPTIBLE = PREFIX + "preemptible";

    /** Label of a node: its price per hour. */
    public static final String PRICE = PREFIX + "price";
    /** Label of a node: its speed relative to the reference node. */
    public static final String PERFORMANCE = PREFIX + "performance";
    /** Label of a node: owner who earns its income. */
    public static final String OWNER = PREFIX + "owner";
    /** Label of a node: power drawn at full load. */
    public static final String WATTS = PREFIX + "watts";
    /** Annotation of a node: bits per second into its domain. */
    public static final String DOMAIN_BANDWIDTH = PREFIX + "domain-bandwidth";
    /** Annotation of a node: its price over time. */
    public static final String PRICE_CALENDAR = PREFIX + "price-calendar";
    /** Annotation of a node: times at which its owner keeps it. */
    public static final String UNAVAILABLE = PREFIX + "unavailable";

    /** The scheduling gate that holds a pod back until its window. */
    public static final String WINDOW_GATE = PREFIX + "window";

    /** Annotation of a pod, read by Slurm's bridge: time limit, minutes. */
    public static final String SLURM_TIME_LIMIT = TimeLimit.SLURM;
    /** Label of a pod, read by Kueue: time limit, seconds. */
    public static final String KUEUE_TIME_LIMIT = TimeLimit.KUEUE;

    /** Label of a node: its instance type, for the price catalogue. */
    public static final String INSTANCE_TYPE = "node.kubernetes.io/instance-type";
    /** Label of a node: its region, for the price catalogue. */
    public static final String REGION = "topology.kubernetes.io/region";
    /** Label of a node: capacity type, by Karpenter. */
    public static final String KARPENTER_CAPACITY_TYPE = "karpenter.sh/capacity-type";
    /** Label of a node: capacity type, by EKS, {@code ON_DEMAND} or {@code SPOT}. */
    public static final String EKS_CAPACITY_TYPE = "eks.amazonaws.com/capacityType";
    /** Label of a node: {@code true} on GKE's spot nodes. */
    public static final String GKE_SPOT = "cloud.google.com/gke-spot";
    /** Label of a node: {@code true} on GKE's preemptible nodes. */
    public static final String GKE_PREEMPTIBLE = "cloud.google.com/gke-preemptible";
    /** Label of a node: {@code standard}, {@code spot} or {@code preemptible} on GKE. */
    public static final String GKE_PROVISIONING = "cloud.google.com/gke-provisioning";
    /** Label of a node: {@code regular} or {@code spot} on AKS. */
    public static final String AZURE_PRIORITY = "kubernetes.azure.com/scalesetpriority";

    public static final Set<String> CAPACITY_TYPES = Set.of(
            KARPENTER_CAPACITY_TYPE, EKS_CAPACITY_TYPE, GKE_SPOT, GKE_PREEMPTIBLE, GKE_PROVISIONING, AZURE_PRIORITY);

    public static final Set<String> POD_LABELS = Set.of(GANG);
    public static final Set<String> POD_ANNOTATIONS =
            GangKey.ALL.stream().map(GangKey::key).collect(Collectors.toUnmodifiableSet());
    /** Annotation of a pod, written by Slotwise: start of the window for which the pod was released. */
    public static final String WINDOW_START = PREFIX + "window-start";

    public static final String RUN = StartRecord.RUN;
    public static final String RECORD = StartRecord.RECORD;
    /** Label of a node, written by Slotwise (for Karpenter's nodes through the NodeClaim): the node is bought. */
    public static final String BOUGHT = PREFIX + "bought";
    /** Annotation of a node, written in the same way: gang for which the node is bought. */
    public static final String BOUGHT_FOR = PREFIX + "bought-for";
    /** Label of a bought node: name of its purchase, which is also the name of its NodeClaim or ProvisioningRequest. */
    public static final String PURCHASE = PREFIX + "purchase";
    /** Annotation of a node bought from a node group, and of its ProvisioningRequest: label of the group. */
    public static final String NODE_GROUP = PREFIX + "node-group";

    public static final Set<String> WRITTEN_ON_NODES = Set.of(BOUGHT, BOUGHT_FOR, PURCHASE, NODE_GROUP);
    /** The keys that Slotwise writes on pods, which request nothing. */
    public static final Set<String> WRITTEN_ON_PODS = Set.of(WINDOW_START, RUN, RECORD);

    public static final Set<String> NODE_LABELS = Set.of(PRICE, PERFORMANCE, OWNER, WATTS);
    public static final Set<String> NODE_ANNOTATIONS = Set.of(DOMAIN_BANDWIDTH, PRICE_CALENDAR, UNAVAILABLE);
    public static final Set<String> NAMESPACE_ANNOTATIONS = Set.of(BUDGET, AFTER_FROM);

    /**
     * Returns the kind of object that a key of Slotwise belongs on, in words that follow "is", or null if the key is
     * unknown.
     */
    public static @Nullable String place(String key) {
        return NODE_LABELS.contains(key)
                ? "a label of nodes"
                : NODE_ANNOTATIONS.contains(key)
                        ? "an annotation of nodes"
                        : NAMESPACE_ANNOTATIONS.contains(key)
                                ? "an annotation of namespaces"
                                : POD_LABELS.contains(key)
                                        ? "a label of pods"
                                        : POD_ANNOTATIONS.contains(key) ? "an annotation of pods" : null;
    }

    private AnnotationKeys() {}
}
