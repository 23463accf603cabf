package io.slotwise.kubernetes.kubectl;

import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.APIGroupList;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.file.ManifestText;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * All objects that a replica plans from, listed once with the caller's permissions, with one call for each kind. A kind
 * that cannot be read is left out, with a sentence about the consequence for the plan. A kind that the cluster does not
 * serve has no objects.
 *
 * @param release the configuration of the release in this cluster
 * @param problems unreadable kinds, with the consequence
 */
public record ClusterListing(List<ManifestText> texts, ReleaseConfiguration release, List<IntakeWarning> problems) {
    public static final ClusterListing NONE = new ClusterListing(List.of(), ReleaseConfiguration.NONE, List.of());

    private static final String OWN = "/apis/" + Reservation.GROUP + "/" + Reservation.VERSION + "/";
    private static final String DEVICES = "gangs with device claims are planned as if every node had their devices";
    private static final String TO_COME = "pods that are still to be made are planned without them";

    /** A kind, with the consequence if it cannot be read. */
    private record Kind(String path, String consequence) {
        String plural() {
            return path.substring(path.lastIndexOf('/') + 1);
        }
    }

    private static final List<Kind> KINDS = List.of(
            new Kind("/api/v1/nodes", "there is no node to plan on"),
            new Kind("/api/v1/pods", "no gang is planned, and nodes count as empty"),
            new Kind("/api/v1/namespaces", "no namespace has a budget"),
            new Kind(OWN + "reservations", "promised windows are planned again, and no advance reservation keeps room"),
            new Kind(OWN + "ledgers", "namespaces count as if they had spent nothing of their budgets"),
            new Kind(OWN + "queues", "gangs are planned as if no queue bounded them"),
            new Kind(OWN + "runhistories", "no runtime is predicted"),
            new Kind("/apis/policy/v1/poddisruptionbudgets", "gangs are moved as if no budget kept them"),
            new Kind("/api/v1/persistentvolumeclaims", "claims do not limit where pods go"),
            new Kind("/api/v1/persistentvolumes", "volumes do not limit where pods go"),
            new Kind("/apis/storage.k8s.io/v1/storageclasses", "storage classes do not limit where pods go"),
            new Kind("/apis/storage.k8s.io/v1/csinodes", "any number of volumes goes to a node"),
            new Kind("/apis/resource.k8s.io/v1/resourceslices", DEVICES),
            new Kind("/apis/resource.k8s.io/v1/deviceclasses", DEVICES),
            new Kind("/apis/resource.k8s.io/v1/resourceclaims", DEVICES),
            new Kind("/apis/resource.k8s.io/v1/resourceclaimtemplates", DEVICES),
            new Kind("/api/v1/resourcequotas", "no quota limits advance reservations"),
            new Kind("/api/v1/limitranges", TO_COME),
            new Kind("/apis/scheduling.k8s.io/v1/priorityclasses", TO_COME),
            new Kind("/apis/node.k8s.io/v1/runtimeclasses", TO_COME));

    public ClusterListing {
        texts = List.copyOf(texts);
        problems = List.copyOf(problems);
    }

    /**
     * Reads the cluster of a client.
     *
     * @throws Unreachable if the cluster does not answer, or rejects the caller's credentials
     */
    public static ClusterListing of(KubernetesClient client) {
        Reading reading = new Reading(client);
        KINDS.forEach(kind -> reading.list(kind.plural(), kind.consequence(), List.of(kind.path())));
        reading.listGroups();
        ReleaseConfiguration release = reading.ask(
                        "configmaps and deployments",
                        "the default policy counts; expected --policy FILE",
                        () -> ReleaseConfiguration.of(client))
                .orElse(ReleaseConfiguration.NONE);
        return new ClusterListing(reading.texts, release, reading.problems);
    }

    private static final class Reading {
        private final KubernetesClient client;
        private final List<ManifestText> texts = new ArrayList<>();
        private final List<IntakeWarning> problems = new ArrayList<>();

        Reading(KubernetesClient client) {
            this.client = client;
        }

        void listGroups() {
            List<APIGroup> served = ask("API groups", "gangs are known by their pods alone", client::getApiGroups)
                    .map(APIGroupList::getGroups)
                    .orElse(List.of());
            for (GroupKind kind : GroupKind.values()) {
                served.stream()
                        .filter(group -> group.getName().equals(kind.apiGroup()))
                        .forEach(group -> list(
                                kind.plural() + "." + kind.apiGroup(),
                                kind.consequence("gangs whose size they define are known by their pods alone"),
                                versions(group)
                                        .map(version -> "/apis/%s/%s%s"
                                                .formatted(
                                                        version,
                                                        kind.plural(),
                                                        kind.label() == null ? "" : "?labelSelector=" + kind.label()))
                                        .toList()));
            }
        }

        /** Returns the preferred version, then the others. */
        private static Stream<String> versions(APIGroup group) {
            return Stream.concat(Stream.ofNullable(group.getPreferredVersion()), group.getVersions().stream())
                    .map(GroupVersionForDiscovery::getGroupVersion)
                    .distinct();
        }

        void list(String kind, String consequence, List<String> paths) {
            ask(
                            kind,
                            consequence,
                            () -> paths.stream()
                                    .flatMap(path -> Stream.ofNullable(client.raw(path)))
                                    .findFirst()
                                    .orElse(null))
                    .ifPresent(json -> texts.add(new ManifestText(kind + " of the cluster", json)));
        }

        /** Returns an answer of the API server. Empty if there is none, or if access is denied, which is noted. */
        <T> Optional<T> ask(String what, String consequence, Supplier<T> question) {
            try {
                return Optional.ofNullable(question.get());
            } catch (KubernetesClientException e) {
                if (e.getCode() <= 0 || e.getCode() == HttpURLConnection.HTTP_UNAUTHORIZED) {
                    throw new Unreachable("the cluster (%s) does not answer: %s"
                            .formatted(
                                    client.getConfiguration().getMasterUrl(),
                                    e.getCode() <= 0 ? Unreachable.words(e) : "it rejects the credentials of kubectl"));
                }
                String cause = e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                        ? "kubectl's user has no right to list them"
                        : "status " + e.getCode();
                problems.add(IntakeWarning.of(
                        IntakeWarning.Reason.NOT_READ,
                        Subject.of("Cluster", what),
                        null,
                        "%s cannot be read (%s)".formatted(what, cause),
                        consequence));
                return Optional.empty();
            }
        }
    }
}
