package io.slotwise.kubernetes.manifest.volumes;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.slotwise.kubernetes.manifest.field.ObjectLists;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What there is to know of volumes. Of a kind that is not known nothing follows: a claim that is not there is missing
 * only where claims are known.
 *
 * @param claims of all namespaces
 * @param volumes all of them
 * @param classes all of them
 * @param nodes how many volumes can be attached to which node
 * @param known the kinds of which all objects are here
 * @param unread the kinds that the API server does not hand out
 */
public record VolumeObjects(
        List<PersistentVolumeClaim> claims,
        List<PersistentVolume> volumes,
        List<StorageClass> classes,
        List<CSINode> nodes,
        Set<Kind> known,
        Set<Kind> unread) {
    /** Nothing is known. */
    public static final VolumeObjects UNKNOWN =
            new VolumeObjects(List.of(), List.of(), List.of(), List.of(), Set.of(), Set.of());

    public VolumeObjects {
        claims = List.copyOf(claims);
        volumes = List.copyOf(volumes);
        classes = List.copyOf(classes);
        nodes = List.copyOf(nodes);
        known = Set.copyOf(known);
        unread = Set.copyOf(unread);
    }

    /** The kinds, each by its plural. */
    public enum Kind {
        CLAIMS("persistentvolumeclaims"),
        VOLUMES("persistentvolumes"),
        CLASSES("storageclasses"),
        NODES("csinodes");

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
    public static VolumeObjects ofFiles(
            List<PersistentVolumeClaim> claims,
            List<PersistentVolume> volumes,
            List<StorageClass> classes,
            List<CSINode> nodes) {
        Set<Kind> known = ObjectLists.held(
                Map.of(Kind.CLAIMS, claims, Kind.VOLUMES, volumes, Kind.CLASSES, classes, Kind.NODES, nodes));
        return new VolumeObjects(claims, volumes, classes, nodes, known, Set.of());
    }

    /** These objects and the others. */
    public VolumeObjects plus(VolumeObjects other) {
        return new VolumeObjects(
                ObjectLists.both(claims, other.claims),
                ObjectLists.both(volumes, other.volumes),
                ObjectLists.both(classes, other.classes),
                ObjectLists.both(nodes, other.nodes),
                ObjectLists.both(known, other.known),
                ObjectLists.both(unread, other.unread));
    }
}
