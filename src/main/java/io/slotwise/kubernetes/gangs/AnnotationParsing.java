package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.money.PlainDigits;
import io.slotwise.core.text.SafeText;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads labels and annotations of objects, and words the problems. */
final class AnnotationParsing {
    private AnnotationParsing() {}

    /** Returns a label; null if it is absent or empty. */
    static @Nullable String label(HasMetadata object, String key) {
        return text(object.getMetadata().getLabels(), key);
    }

    /** Returns an annotation; null if it is absent or empty. */
    static @Nullable String annotation(HasMetadata object, String key) {
        return text(object.getMetadata().getAnnotations(), key);
    }

    private static @Nullable String text(@Nullable Map<String, String> texts, String key) {
        String text = texts == null ? null : texts.get(key);
        return text == null || text.isBlank() ? null : text.strip();
    }

    /** Returns an object in words: {@code pod user/p}. */
    static String name(HasMetadata object) {
        String kind = object instanceof Pod ? "pod" : object.getKind();
        return kind + " " + object.getMetadata().getNamespace() + "/"
                + object.getMetadata().getName();
    }

    /**
     * Returns the value that all pods agree on. Pods without a value do not count.
     *
     * @param key the name of the value in the message about a disagreement
     * @return null if no pod states one
     * @throws IllegalArgumentException if two pods disagree
     */
    static @Nullable String agreed(List<Pod> pods, String key, Function<Pod, @Nullable String> reading) {
        Pod first = null;
        String agreed = null;
        for (Pod pod : pods) {
            String text = reading.apply(pod);
            if (text != null && first == null) {
                first = pod;
                agreed = text;
            } else if (text != null && first != null && !text.equals(agreed)) {
                throw new IllegalArgumentException("`%s` differs: %s of %s, %s of %s: expected one value for the gang"
                        .formatted(key, SafeText.value(agreed), name(first), SafeText.value(text), name(pod)));
            }
        }
        return agreed;
    }

    /** Returns the number that all pods agree on in an annotation; empty if none has it. */
    static OptionalLong annotated(List<Pod> pods, String key, long most) {
        return figure(key, agreed(pods, key, pod -> annotation(pod, key)), pods, most);
    }

    /** Returns the number that all pods agree on in a label; empty if none has it. */
    static OptionalLong labelled(List<Pod> pods, String key, long most) {
        return figure(key, agreed(pods, key, pod -> label(pod, key)), pods, most);
    }

    private static OptionalLong figure(String key, @Nullable String text, List<Pod> pods, long most) {
        return text == null ? OptionalLong.empty() : OptionalLong.of(figure(key, text, pods.getFirst(), most));
    }

    static long figure(String key, Object value, HasMetadata object, long most) {
        return figure(key, value, object, 1, most);
    }

    static long figure(String key, Object value, HasMetadata object, long least, long most) {
        try {
            long figure = Long.parseLong(PlainDigits.of(String.valueOf(value)));
            if (figure >= least && figure <= most) {
                return figure;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(invalid(key, value, object, least, most), e);
        }
        throw new IllegalArgumentException(invalid(key, value, object, least, most));
    }

    private static String invalid(String key, Object value, HasMetadata object, long least, long most) {
        return "`%s` (%s) of %s is not valid: expected a whole number between %d and %d"
                .formatted(key, SafeText.value(String.valueOf(value)), name(object), least, most);
    }

    /**
     * Returns the error about a gang that could never start: some of its pods are created only when another of its pods
     * has a node.
     */
    static IllegalArgumentException waitsForItself(String key, Pod pod, String reason) {
        return new IllegalArgumentException(
                ("`%s` (%s) of %s suits no gang, since %s: expected pods that come together. "
                                + "Maybe give each pod the annotation `slotwise.io/gang-size` with 1.")
                        .formatted(key, SafeText.value(String.valueOf(annotation(pod, key))), name(pod), reason));
    }

    static int size(GenericKubernetesResource object, String... path) {
        Object value = object.get((Object[]) path);
        String field = String.join(".", path);
        if (value == null) {
            throw new IllegalArgumentException("%s has no %s: expected a whole number between 1 and %d"
                    .formatted(name(object), field, GangSize.LARGEST));
        }
        return (int) figure(field, value, object, GangSize.LARGEST);
    }

    /** Returns {@code sum + times * count}, none of them negative, or the largest long if that overflows. */
    static long plus(long sum, long times, long count) {
        long product = times == 0 || count <= Long.MAX_VALUE / times ? times * count : Long.MAX_VALUE;
        return product > Long.MAX_VALUE - sum ? Long.MAX_VALUE : sum + product;
    }

    static GangSize.Together together(GenericKubernetesResource object, long sum) {
        if (sum < 1 || sum > GangSize.LARGEST) {
            throw new IllegalArgumentException("%s asks for %d pods%s: expected between 1 and %d"
                    .formatted(name(object), sum, sum == Long.MAX_VALUE ? " or more" : "", GangSize.LARGEST));
        }
        return new GangSize.Together((int) sum);
    }
}
