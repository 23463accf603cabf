package io.slotwise.kubernetes.manifest.holds;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.cluster.Node;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The size limit of a gang's Reservation. It names every pod with its node, and the API server stores it as a whole.
 */
public final class RecordSize {
    /** The limit, bytes. etcd accepts 1.5 MiB at once by default; the rest is for data that is not per pod. */
    static final int MOST_BYTES = 1_500_000;

    /** Bytes of a placement without its names. */
    private static final int PLACE = 175;

    private static final int END = 45;

    /** Bytes of the UID of a started member. */
    private static final int MEMBER = 39;

    /**
     * Bytes for the intended binding of a pod whose start was rolled back, without the node. Such a record has no
     * members and no ends.
     */
    private static final int UNDONE = 58;

    /** Bytes of one change of a placement's rate within the window, without the node. */
    private static final int RATE = 115;

    private final int longestNode;
    private final boolean ratesChange;

    RecordSize(int longestNode, boolean ratesChange) {
        this.longestNode = longestNode;
        this.ratesChange = ratesChange;
    }

    /** Returns the limit for windows on these nodes. O(nodes). */
    public static RecordSize on(Collection<Node> nodes) {
        int longest = 0;
        boolean ratesChange = false;
        for (Node node : nodes) {
            longest = Math.max(longest, node.name().length());
            ratesChange |= !node.price().isConstant();
        }
        return new RecordSize(longest, ratesChange);
    }

    /**
     * Returns why a gang is too large for a record, or null. O(pods).
     *
     * @param pods pods with typical names
     */
    @Nullable
    public String problem(int size, List<Pod> pods) {
        return problem(
                size,
                pods.stream()
                        .mapToInt(pod -> pod.getMetadata().getName().length())
                        .max()
                        .orElse(0));
    }

    /**
     * Returns why a gang is too large for a record, or null. O(1).
     *
     * @param longestPod the length of the longest pod name, characters
     */
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

    int most(int longestPod) {
        int rate = ratesChange ? RATE + longestNode : 0;
        int start = Math.max(END + longestPod + MEMBER, UNDONE + longestNode);
        return MOST_BYTES / (PLACE + longestPod + longestNode + start + rate);
    }
}
