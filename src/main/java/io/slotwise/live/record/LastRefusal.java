package io.slotwise.live.record;

import io.slotwise.core.text.Keyed;
import io.slotwise.core.text.SafeText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who did not start a gang the last time, and why, as its record keeps it until it has started: so that everybody is
 * told once.
 *
 * @param by who refused
 * @param pods the first that were refused, by name
 * @param refused how many pods were
 * @param words what the one who refused said of the first of them, in his own words
 */
public record LastRefusal(By by, List<String> pods, int refused, String words) {
    /** So many pods are named. */
    public static final int MOST_NAMED = 3;

    private static final String NOT_STARTED = "not started";
    private static final String ON_ITS_WAY = "its pods are being bound";

    /** Who refuses to start a gang. */
    public enum By implements Keyed {
        KUBE_SCHEDULER,
        /** A pod that it refuses is over for good. */
        KUBELET,
        /** It refuses a binding, or says what keeps a pod from its node. */
        API_SERVER;

        /** Whose word this is; null: no actor's that is known here. */
        public static @Nullable By of(String key) {
            for (By by : values()) {
                if (by.key().equals(key)) {
                    return by;
                }
            }
            return null;
        }
    }

    public LastRefusal {
        pods = pods.stream().limit(MOST_NAMED).toList();
        refused = Math.max(refused, pods.size());
        words = SafeText.line(words);
    }

    /** The refusal of these members, of which there is one at least. */
    public static LastRefusal of(By by, List<Member> members) {
        return new LastRefusal(
                by,
                members.stream().map(Member::pod).toList(),
                members.size(),
                members.getFirst().refusal());
    }

    /** One sentence without a full stop. */
    public String message() {
        return switch (by) {
            case KUBE_SCHEDULER -> "kube-scheduler refused %s: %s".formatted(names(), words);
            case API_SERVER -> words;
            case KUBELET ->
                ("the kubelet refused %s, which cannot start again; without a controller that recreates "
                                + "it, the gang stays incomplete: %s")
                        .formatted(names(), words);
        };
    }

    private String names() {
        return PodNames.shortly(pods, refused);
    }

    /** What is said of a gang that waits. */
    public static String waiting(@Nullable LastRefusal last) {
        return last == null ? NOT_STARTED : NOT_STARTED + ": " + last.message();
    }

    /** What is said of a gang whose pods are on their way. */
    public static String onItsWay(@Nullable LastRefusal last) {
        return last == null ? ON_ITS_WAY : ON_ITS_WAY + "; before that: " + last.message();
    }

    /** Whether another one is by the same for the same reason but for numbers in it, such as those of nodes. */
    public boolean isLike(@Nullable LastRefusal other) {
        return other != null && by == other.by && withoutNumbers(words).equals(withoutNumbers(other.words));
    }

    /** Kubernetes says why in a sentence alone; a digit more or less makes no other reason. */
    private static String withoutNumbers(String said) {
        StringBuilder left = new StringBuilder();
        said.chars()
                .filter(character -> character < '0' || character > '9')
                .forEach(character -> left.append((char) character));
        return left.toString();
    }
}
