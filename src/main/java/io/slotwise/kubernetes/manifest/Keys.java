package io.slotwise.kubernetes.manifest;

/** The labels and annotations of ours, and those of others that are read. */
public final class Keys {
    /** What every key of ours begins with. */
    public static final String PREFIX = "slotwise.io/";

    /** Label of a pod: its gang's name. */
    public static final String GANG = PREFIX + "gang";
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
    /** Annotation of a pod: the window starts no earlier. */
    public static final String EARLIEST_START = PREFIX + "earliest-start";
    /** Annotation of a pod: the window ends no later. */
    public static final String DEADLINE = PREFIX + "deadline";
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

    private Keys() {}
}
