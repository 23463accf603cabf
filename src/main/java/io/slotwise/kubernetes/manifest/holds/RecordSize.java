package io.slotwise.kubernetes.manifest.holds;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.cluster.Node;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How large a gang's Reservation may get, which names every pod with its node: the API server keeps it in one piece.
 */
public final class RecordSize {
    /** etcd takes 1.5 MiB at once unless it is told otherwise; what is left is for what is not about single pods. */
    static final int MOST_BYTES = 1_500_000;

    /** A place of the window without its names, and the pod's end. */
    private static final int PLACE = 175;

    private static final int END = 45;

    /** The UID of a member of the start. */
    private static final int MEMBER = 39;

    /**
     * Where a start that was rolled back was to bind a pod, without the node; then no member and no end is in the
     * record.
     */
    private static final int UNDONE = 58;

    /** One change of a place's rate inside the window, without the node. */
    private static final int RATE = 115;

    private final int longestNode;
    private final boolean ratesChange;

    RecordSize(int longestNode, boolean ratesChange) {
        this.longestNode = longestNode;
        this.ratesChange = ratesChange;
    }

    /** For windows on these nodes. O(nodes). */
    public static RecordSize on(Collection<Node> nodes) {
        int longest = 0;
        boolean ratesChange = false;
        for (Node node : nodes) {
            longest = Math.max(longest, node.name().length());
            ratesChange |= !node.price().isConstant();
        }
        return new RecordSize(longest, ratesChange);
    }

    /** Why no record can be written of a gang of {@code size} pods with names like these; null: one can. O(pods). */
    @Nullable
    public String problem(int size, List<Pod> pods) {
        return problem(
                size,
                pods.stream()
                        .mapToInt(pod -> pod.getMetadata().getName().length())
                        .max()
                        .orElse(0));
    }

    /** The same of pods whose longest name has so many characters. O(1). */
    @Nullable
    public String problem(int size, int longestPod) {
        int most = most(longestPod);
        return size <= most
                ? null
                : String.format(
                        Locale.ROOT,
                        "%d pods with names of %d characters, on nodes with names of %d, do not fit into one "
                                + "Reservation of %d bytes: expected at most %d pods",
                        size,
                        longestPod,
                        longestNode,
                        MOST_BYTES,
                        most);
    }

    /** The most pods of a gang whose pods have names of so many characters. */
    int most(int longestPod) {
        int rate = ratesChange ? RATE + longestNode : 0;
        int start = Math.max(END + longestPod + MEMBER, UNDONE + longestNode);
        return MOST_BYTES / (PLACE + longestPod + longestNode + start + rate);
    }
}
