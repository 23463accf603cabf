package io.slotwise.kubernetes.manifest.device;

import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What there is to know of devices. Of a kind that is not known nothing follows: a claim that is not there is missing
 * only where claims are known.
 *
 * @param slices which devices drivers offer
 * @param classes all of them
 * @param claims of all namespaces
 * @param templates of all namespaces
 * @param known the kinds of which all objects are here
 * @param unread the kinds that the API server does not hand out
 */
public record DeviceObjects(
        List<ResourceSlice> slices,
        List<DeviceClass> classes,
        List<ResourceClaim> claims,
        List<ResourceClaimTemplate> templates,
        Set<Kind> known,
        Set<Kind> unread) {
    /** The extended resource that every class serves has this prefix. */
    public static final String CLASS_PREFIX = "deviceclass.resource.kubernetes.io/";

    /** Nothing is known. */
    public static final DeviceObjects UNKNOWN =
            new DeviceObjects(List.of(), List.of(), List.of(), List.of(), Set.of(), Set.of());

    public DeviceObjects {
        slices = List.copyOf(slices);
        classes = List.copyOf(classes);
        claims = List.copyOf(claims);
        templates = List.copyOf(templates);
        known = Set.copyOf(known);
        unread = Set.copyOf(unread);
    }

    /** The kinds, each by its plural. */
    public enum Kind {
        SLICES("resourceslices"),
        CLASSES("deviceclasses"),
        CLAIMS("resourceclaims"),
        TEMPLATES("resourceclaimtemplates");

        private final String plural;

        Kind(String plural) {
            this.plural = plural;
        }

        /** The name of the kind's resource. */
        public String plural() {
            return plural;
        }
    }

    /**
     * What files hold: a kind of which they have an object or the whole list counts as known.
     *
     * @param listed the kinds of which they have the whole list, such as {@code DeviceClass}
     */
    public static DeviceObjects ofFiles(
            List<ResourceSlice> slices,
            List<DeviceClass> classes,
            List<ResourceClaim> claims,
            List<ResourceClaimTemplate> templates,
            Set<String> listed) {
        Set<Kind> known = EnumSet.noneOf(Kind.class);
        if (!slices.isEmpty() || listed.contains("ResourceSlice")) {
            known.add(Kind.SLICES);
        }
        if (!classes.isEmpty() || listed.contains("DeviceClass")) {
            known.add(Kind.CLASSES);
        }
        if (!claims.isEmpty() || listed.contains("ResourceClaim")) {
            known.add(Kind.CLAIMS);
        }
        if (!templates.isEmpty() || listed.contains("ResourceClaimTemplate")) {
            known.add(Kind.TEMPLATES);
        }
        return new DeviceObjects(slices, classes, claims, templates, known, Set.of());
    }

    /** Whether all objects of a kind are here. */
    public boolean knows(Kind kind) {
        return known.contains(kind);
    }

    /** The extended resources that these classes serve. O(classes). */
    public static Set<String> served(Collection<DeviceClass> classes) {
        Set<String> served = new HashSet<>();
        for (DeviceClass one : classes) {
            served.add(CLASS_PREFIX + one.getMetadata().getName());
            String resource = one.getSpec() == null ? null : one.getSpec().getExtendedResourceName();
            // No device class serves what a node has of its own.
            if (resource != null && resource.indexOf('/') > 0) {
                served.add(resource);
            }
        }
        return served;
    }

    /** These objects and the others. */
    public DeviceObjects plus(DeviceObjects other) {
        return new DeviceObjects(
                both(slices, other.slices),
                both(classes, other.classes),
                both(claims, other.claims),
                both(templates, other.templates),
                both(known, other.known),
                both(unread, other.unread));
    }

    private static <T> List<T> both(List<T> one, List<T> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }

    private static <T> Set<T> both(Set<T> one, Set<T> other) {
        Set<T> all = new HashSet<>(one);
        all.addAll(other);
        return all;
    }
}
