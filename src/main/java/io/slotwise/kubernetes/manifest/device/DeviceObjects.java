package io.slotwise.kubernetes.manifest.device;

import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.slotwise.kubernetes.manifest.field.ObjectLists;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

    /** What files hold: a kind of which they have an object counts as known. */
    public static DeviceObjects ofFiles(
            List<ResourceSlice> slices,
            List<DeviceClass> classes,
            List<ResourceClaim> claims,
            List<ResourceClaimTemplate> templates) {
        Set<Kind> known = ObjectLists.held(
                Map.of(Kind.SLICES, slices, Kind.CLASSES, classes, Kind.CLAIMS, claims, Kind.TEMPLATES, templates));
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
                ObjectLists.both(slices, other.slices),
                ObjectLists.both(classes, other.classes),
                ObjectLists.both(claims, other.claims),
                ObjectLists.both(templates, other.templates),
                ObjectLists.both(known, other.known),
                ObjectLists.both(unread, other.unread));
    }
}
