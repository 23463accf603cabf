package io.slotwise.live.record;

import io.slotwise.core.text.Keyed;
import io.slotwise.core.text.SafeText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last refusal to start a gang. The record keeps it until the start, so that it is announced once.
 *
 * @param pods the first refused pods, by name
 * @param words the message about the first pod, as Kubernetes gave it
 */
public record LastRefusal(By by, List<String> pods, int refused, String words) {
    /** The most pods that are named. */
    public static final int MOST_NAMED = 3;

    private static final String NOT_STARTED = "not started";
    private static final String ON_ITS_WAY = "its pods are being bound";

    /** The components that can refuse a start. */
    public enum By implements Keyed {
        KUBE_SCHEDULER,
        /** A pod that the kubelet refuses is final. */
        KUBELET,
        /** Refuses a binding, or reports what keeps a pod from its node. */
        API_SERVER;

        /** Returns the component with this key. Null if there is none. */
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

    /** Returns the refusal of these members, at least one. */
    public static LastRefusal of(By by, List<Member> members) {
        return new LastRefusal(
                by,
                members.stream().map(Member::pod).toList(),
                members.size(),
                members.getFirst().refusal());
    }

    /** Returns one sentence without a full stop. */
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

    /** Returns the message about a waiting gang. */
    public static String waiting(@Nullable LastRefusal last) {
        return last == null ? NOT_STARTED : NOT_STARTED + ": " + last.message();
    }

    /** Returns the message about a gang whose pods are on their way. */
    public static String onItsWay(@Nullable LastRefusal last) {
        return last == null ? ON_ITS_WAY : ON_ITS_WAY + "; before that: " + last.message();
    }

    /** Returns whether another refusal has the same origin and reason, apart from numbers such as those of nodes. */
    public boolean isLike(@Nullable LastRefusal other) {
        return other != null && by == other.by && withoutNumbers(words).equals(withoutNumbers(other.words));
    }

    /** Kubernetes gives its reason only as a sentence. Other digits do not make it another reason. */
    private static String withoutNumbers(String message) {
        StringBuilder left = new StringBuilder();
        message.chars()
                .filter(character -> character < '0' || character > '9')
                .forEach(character -> left.append((char) character));
        return left.toString();
    }
}
