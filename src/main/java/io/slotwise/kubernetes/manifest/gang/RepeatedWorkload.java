package io.slotwise.kubernetes.manifest.gang;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.runtime.RecurringWorkload;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.gangs.Conventions;
import io.slotwise.kubernetes.gangs.Owners;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.live.record.Fingerprint;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the workload that a gang is a run of, by the owner without the generated parts of its name, the roles, the
 * requests and the images. Tags and digests do not count, because another version of a program mostly runs as long.
 * Nothing else counts, not even the number of pods.
 *
 * <p>Generated parts of a name are left out, except the first part: five random characters from Kubernetes, the number
 * of a CronJob's run, or what people add, such as {@code -17} or a date.
 */
final class RepeatedWorkload {
    /**
     * The prefix of keys. A change to the form of keys needs another number, so that histories of both forms are not
     * mixed.
     */
    private static final String FORM = "1-";

    private static final int KEY_BYTES = 12;
    private static final int LONGEST = RecurringWorkload.LONGEST_NAME;

    private static final List<String> ROLES = List.of(
            "training.kubeflow.org/replica-type",
            "jobset.sigs.k8s.io/replicatedjob-name",
            "ray.io/group",
            "volcano.sh/task-spec",
            "app.kubernetes.io/component");

    /** The alphabet of random names in Kubernetes has no vowels and no similar characters. */
    private static final Pattern DRAWN = Pattern.compile("[bcdfghjklmnpqrstvwxz2456789]{5}");
    /** Numbers, dates, times, and hexadecimal or random text with a digit. */
    private static final Pattern COUNTED =
            Pattern.compile("\\d+([tT]\\d+)?[zZ]?|(?=.*\\d)([0-9a-f]{6,40}|[bcdfghjklmnpqrstvwxz2456789]{8,10})");
    /** Generated text in the middle of a name needs a digit, because five consonants there may be a word. */
    private static final Pattern DIGIT = Pattern.compile(".*\\d.*");

    private RepeatedWorkload() {}

    /**
     * Returns the workload of these pods. O(pods), plus reading one pod's request for each role of each owner.
     *
     * @param requests returns a pod's request as stated; throws an IllegalArgumentException if it cannot be read
     * @return null if there are no pods, or a request cannot be read
     */
    static @Nullable RecurringWorkload of(GangId gang, List<Pod> pods, Function<Pod, Resources> requests) {
        if (pods.isEmpty()) {
            return null;
        }
        Set<String> kinds = new HashSet<>();
        SortedSet<String> owners = new TreeSet<>();
        SortedSet<String> asked = new TreeSet<>();
        try {
            for (Pod pod : pods) {
                OwnerReference owner = Owners.controller(pod);
                String role = role(pod);
                if (kinds.add((owner == null ? pod.getMetadata().getName() : owner.getUid()) + "|" + role)) {
                    owners.add(owner(gang, pod, owner));
                    asked.add(role + "|" + requests.apply(pod).amounts() + "|" + images(pod.getSpec()));
                }
            }
            String name = SafeText.line(String.join("+", owners));
            return new RecurringWorkload(
                    FORM + Fingerprint.of(name + "|" + String.join("|", asked), KEY_BYTES),
                    name.length() <= LONGEST ? name : name.substring(0, LONGEST));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static String role(Pod pod) {
        StringJoiner roles = new StringJoiner(",");
        for (String key : ROLES) {
            String role = Pods.label(pod, key);
            if (role != null) {
                roles.add(role);
            }
        }
        return roles.toString();
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

    private static String images(PodSpec spec) {
        StringJoiner images = new StringJoiner(",");
        spec.getInitContainers().forEach(container -> images.add(image(container)));
        spec.getContainers().forEach(container -> images.add(image(container)));
        return images.toString();
    }

    /** A colon before the last slash precedes a registry's port. */
    private static String image(Container container) {
        String image = String.valueOf(container.getImage());
        String undigested = image.indexOf('@') < 0 ? image : image.substring(0, image.indexOf('@'));
        int colon = undigested.lastIndexOf(':');
        return colon > undigested.lastIndexOf('/') ? undigested.substring(0, colon) : undigested;
    }
}
