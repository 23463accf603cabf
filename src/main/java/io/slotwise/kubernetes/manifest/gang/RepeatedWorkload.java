package io.slotwise.kubernetes.manifest.gang;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.runtime.RecurringWorkload;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.gangs.Conventions;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.pods.PodResources;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.live.record.Fingerprint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Of which workload a gang is a run: the same owner without what was generated of its name, the same roles, requests
 * and images. Images count without tag and digest: another version of a program mostly runs as long. Nothing else
 * counts, how many pods there are neither.
 *
 * <p>A controller's name ends in five characters that Kubernetes draws, a CronJob's run in a number, a person's in
 * {@code -17} or a date: parts of a name that look so are left out, but for the first one.
 */
final class RepeatedWorkload {
    /**
     * What a key begins with; another number where it is made otherwise, so that histories of the other form are not
     * mixed with it.
     */
    private static final String FORM = "1-";

    private static final int KEY_BYTES = 12;
    private static final int LONGEST = RecurringWorkload.LONGEST_NAME;

    /** Labels by which projects call the part that a pod plays in its gang. */
    private static final List<String> ROLES = List.of(
            "training.kubeflow.org/replica-type",
            "jobset.sigs.k8s.io/replicatedjob-name",
            "ray.io/group",
            "volcano.sh/task-spec",
            "app.kubernetes.io/component");

    /** The alphabet of names that Kubernetes draws has no vowels and nothing that looks like one. */
    private static final Pattern DRAWN = Pattern.compile("[bcdfghjklmnpqrstvwxz2456789]{5}");
    /** Numbers, dates, times, and what is hexadecimal or drawn with a digit in it. */
    private static final Pattern COUNTED =
            Pattern.compile("\\d+([tT]\\d+)?[zZ]?|(?=.*\\d)([0-9a-f]{6,40}|[bcdfghjklmnpqrstvwxz2456789]{8,10})");
    /** In the middle of a name a word of five consonants may be one. */
    private static final Pattern DIGIT = Pattern.compile(".*\\d.*");

    private RepeatedWorkload() {}

    /**
     * The workload of these pods. O(pods), and the reading of what one pod asks for for each role of each owner.
     *
     * @return null: there are no pods, or what they ask for cannot be read
     */
    static @Nullable RecurringWorkload of(GangId gang, List<Pod> pods, QuantityAmounts amounts) {
        if (pods.isEmpty()) {
            return null;
        }
        Map<String, Pod> kinds = new HashMap<>();
        TreeSet<String> owners = new TreeSet<>();
        for (Pod pod : pods) {
            OwnerReference owner = Pods.controller(pod).orElse(null);
            if (kinds.putIfAbsent((owner == null ? pod.getMetadata().getName() : owner.getUid()) + "|" + role(pod), pod)
                    == null) {
                owners.add(owner(gang, pod, owner));
            }
        }
        try {
            String asked = kinds.values().stream()
                    .map(pod -> asked(pod, amounts))
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining("|"));
            String name = SafeText.line(String.join("+", owners));
            return new RecurringWorkload(
                    FORM + Fingerprint.of(name + "|" + asked, KEY_BYTES),
                    name.length() <= LONGEST ? name : name.substring(0, LONGEST));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static String role(Pod pod) {
        return ROLES.stream()
                .<@Nullable String>map(key -> Pods.label(pod, key))
                .filter(Objects::nonNull)
                .collect(Collectors.joining(","));
    }

    private static String owner(GangId gang, Pod pod, @Nullable OwnerReference owner) {
        if (owner != null) {
            return owner.getKind() + "/" + stem(Objects.requireNonNullElse(owner.getName(), ""));
        }
        String drawn = pod.getMetadata().getGenerateName();
        if (drawn != null && !drawn.isEmpty()) {
            return "Pod/" + stem(drawn);
        }
        boolean alone = gang.name().equals(Conventions.ownGang(pod));
        return (alone ? "Pod/" : "Gang/") + stem(alone ? pod.getMetadata().getName() : gang.name());
    }

    /** A name without the parts that were generated. */
    static String stem(String name) {
        String[] parts = name.split("-", -1);
        int last = parts.length - 1;
        while (last > 0 && (parts[last].isEmpty() || isGenerated(parts[last]))) {
            last--;
        }
        int end = last;
        return Stream.concat(
                        Stream.of(parts[0]),
                        Stream.of(parts)
                                .limit(end + 1L)
                                .skip(1)
                                .filter(part -> !(isGenerated(part)
                                        && DIGIT.matcher(part).matches())))
                .collect(Collectors.joining("-"));
    }

    private static boolean isGenerated(String part) {
        return DRAWN.matcher(part).matches() || COUNTED.matcher(part).matches();
    }

    private static String asked(Pod pod, QuantityAmounts amounts) {
        String images = Stream.concat(
                        pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
                .map(RepeatedWorkload::image)
                .collect(Collectors.joining(","));
        return role(pod) + "|" + PodResources.of(pod.getSpec(), amounts).amounts() + "|" + images;
    }

    /** Without tag and digest; a colon before the last slash is a registry's port. */
    private static String image(Container container) {
        String image = String.valueOf(container.getImage());
        String undigested = image.indexOf('@') < 0 ? image : image.substring(0, image.indexOf('@'));
        int colon = undigested.lastIndexOf(':');
        return colon > undigested.lastIndexOf('/') ? undigested.substring(0, colon) : undigested;
    }
}
