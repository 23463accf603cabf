package io.slotwise.kubernetes.manifest.field;

import io.slotwise.kubernetes.crd.v1alpha1.StartRecord;
import io.slotwise.kubernetes.gangs.Conventions;
import io.slotwise.kubernetes.gangs.TimeLimit;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The labels and annotations of ours, and those of others that are read. */
public final class AnnotationKeys {
    /** What every key of ours begins with. */
    public static final String PREFIX = "slotwise.io/";

    /** Label of a pod: its gang's name. */
    public static final String GANG = Conventions.OWN_LABEL;
    /** Annotation of a pod: how many pods must start together. */
    public static final String GANG_SIZE = PREFIX + "gang-size";
    /** Annotation of a pod: reservation time on a node of performance 1. */
    public static final String RUNTIME = PREFIX + "runtime";
    /** Annotation of a pod: the most that the whole gang may cost. Annotation of a namespace: the most per period. */
    public static final String BUDGET = PREFIX + "budget";
    /** Annotation of a pod: currency units per hour and pod. */
    public static final String MAX_PRICE = PREFIX + "max-price";
    /** Annotation of a pod: what the price limit bounds, {@code total} or {@code slot}. */
    public static final String PRICE_LIMIT = PREFIX + "price-limit";
    /** Annotation of a pod: what the gang wants to be least. */
    public static final String CRITERION = PREFIX + "criterion";
    /** Annotation of a pod: what it is worth that the gang ends an hour earlier. */
    public static final String VALUE_OF_TIME = PREFIX + "value-of-time";
    /** Annotation of a pod: when the window would better start. */
    public static final String PREFERRED_START = PREFIX + "preferred-start";
    /** Annotation of a pod: by when the window would better end. */
    public static final String PREFERRED_FINISH = PREFIX + "preferred-finish";
    /** Annotation of a pod: what the window would better cost at most. */
    public static final String PREFERRED_COST = PREFIX + "preferred-cost";
    /** The annotations of a pod that the criterion {@code preference} goes by. */
    public static final List<String> PREFERENCES = List.of(PREFERRED_START, PREFERRED_FINISH, PREFERRED_COST);
    /** Annotation of a pod: the window starts no earlier. */
    public static final String EARLIEST_START = PREFIX + "earliest-start";
    /** Annotation of a pod: the window ends no later. */
    public static final String DEADLINE = PREFIX + "deadline";
    /** Annotation of a pod: the gangs after whose end this one starts. */
    public static final String AFTER = PREFIX + "after";
    /** Annotation of a pod: bytes to move to the domain once those have ended. */
    public static final String AFTER_TRANSFER = PREFIX + "after-transfer";
    /** Annotation of a namespace: the namespaces whose gangs may start after its gangs. */
    public static final String AFTER_FROM = PREFIX + "after-from";
    /** Annotation of a pod: bytes to move to the domain before the start. */
    public static final String DATA_SIZE = PREFIX + "data-size";
    /** Annotation of a pod: the advance Reservation that the gang takes over. */
    public static final String RESERVATION = PREFIX + "reservation";
    /** Annotation of a pod: a node label's key; the whole gang inside one value of it. */
    public static final String TOPOLOGY = PREFIX + "topology";
    /** Annotation of a pod: the most pods of the gang on one node. */
    public static final String MAX_PER_NODE = PREFIX + "max-per-node";
    /** Annotation of a pod: every pod keeps its node until the slowest ends. */
    public static final String LOCKSTEP = PREFIX + "lockstep";
    /** Annotation of a pod: how the gang is placed. */
    public static final String MODE = PREFIX + "mode";
    /** Annotation of a pod: weight of time in the online modes. */
    public static final String TIME_WEIGHT = PREFIX + "time-weight";
    /** Annotation of a pod: weight of cost in the online modes. */
    public static final String COST_WEIGHT = PREFIX + "cost-weight";
    /** Annotation of a pod: the gang may be evicted and placed again. */
    public static final String MIGRATABLE = PREFIX + "migratable";
    /** Annotation of a pod: whether nodes are bought for the gang. */
    public static final String PROVISION = PREFIX + "provision";

    /** Label of a node: its price per hour. */
    public static final String PRICE = PREFIX + "price";
    /** Label of a node: its speed relative to the reference node. */
    public static final String PERFORMANCE = PREFIX + "performance";
    /** Label of a node: who earns its income. */
    public static final String OWNER = PREFIX + "owner";
    /** Label of a node: power drawn at full load. */
    public static final String WATTS = PREFIX + "watts";
    /** Annotation of a node: bits per second into its domain. */
    public static final String DOMAIN_BANDWIDTH = PREFIX + "domain-bandwidth";
    /** Annotation of a node: its price over time. */
    public static final String PRICE_CALENDAR = PREFIX + "price-calendar";
    /** Annotation of a node: when the owner keeps it for itself. */
    public static final String UNAVAILABLE = PREFIX + "unavailable";

    /** The scheduling gate that holds a pod back until its window. */
    public static final String WINDOW_GATE = PREFIX + "window";

    /** Annotation of a pod as Slurm's bridge reads it: how long it may run, minutes. */
    public static final String SLURM_TIME_LIMIT = TimeLimit.SLURM;
    /** Label of a pod as Kueue reads it: how long it may run, seconds. */
    public static final String KUEUE_TIME_LIMIT = TimeLimit.KUEUE;

    /** Label of a node: its instance type, for the price catalogue. */
    public static final String INSTANCE_TYPE = "node.kubernetes.io/instance-type";
    /** Label of a node: its region, for the price catalogue. */
    public static final String REGION = "topology.kubernetes.io/region";
    /** Label of a node: its capacity type as Karpenter says it. */
    public static final String KARPENTER_CAPACITY_TYPE = "karpenter.sh/capacity-type";
    /** Label of a node: its capacity type as EKS says it, {@code ON_DEMAND} or {@code SPOT}. */
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
    /** Annotation of a pod, written by Slotwise: the start of the window that the pod was released for. */
    public static final String WINDOW_START = PREFIX + "window-start";
    /** Label of a node, written by Slotwise, of Karpenter's by way of its NodeClaim: it is bought. */
    public static final String BOUGHT = PREFIX + "bought";
    /** Annotation of a node, written by Slotwise in the same way: for which gang it is bought. */
    public static final String BOUGHT_FOR = PREFIX + "bought-for";
    /** Label of a node that was bought: its purchase's name, also that of its NodeClaim or ProvisioningRequest. */
    public static final String PURCHASE = PREFIX + "purchase";
    /** Annotation of a node that was bought of a node group, and of its ProvisioningRequest: the group's label. */
    public static final String NODE_GROUP = PREFIX + "node-group";
    /** What Slotwise itself writes on nodes. */
    public static final Set<String> WRITTEN_ON_NODES = Set.of(BOUGHT, BOUGHT_FOR, PURCHASE, NODE_GROUP);
    /** Annotation of a pod, set by Slotwise's Binding: which start has bound it. */
    public static final String RUN = StartRecord.RUN;
    /** Annotation of the first pod of a gang, set by Slotwise's Binding: the gang's record from its start on. */
    public static final String RECORD = StartRecord.RECORD;
    /** What Slotwise itself writes on pods; no request of theirs. */
    public static final Set<String> WRITTEN_ON_PODS = Set.of(WINDOW_START, RUN, RECORD);

    public static final Set<String> NODE_LABELS = Set.of(PRICE, PERFORMANCE, OWNER, WATTS);
    public static final Set<String> NODE_ANNOTATIONS = Set.of(DOMAIN_BANDWIDTH, PRICE_CALENDAR, UNAVAILABLE);
    public static final Set<String> NAMESPACE_ANNOTATIONS = Set.of(BUDGET, AFTER_FROM);

    /** On what a label or annotation of ours belongs, in words that follow "is"; null: it is not known. */
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
