package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.it.RunRecord.PodLife;
import io.slotwise.it.RunRecord.Version;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The visible facts of a gang that is stopped while it runs, and starts again. */
final class MovedGang {
    private final Cluster cluster;
    private final GangSpec gang;

    MovedGang(Cluster cluster, GangSpec gang) {
        this.cluster = cluster;
        this.gang = gang;
    }

    Set<String> uids() {
        return cluster.pods(gang).stream()
                .map(pod -> pod.getMetadata().getUid())
                .collect(Collectors.toSet());
    }

    List<String> nodes() {
        return cluster.pods(gang).stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .map(MovedGang::node)
                .toList();
    }

    private static String node(Pod pod) {
        return String.valueOf(pod.getSpec().getNodeName());
    }

    /** The Reservation's record of the time before the last move. */
    Map<String, Object> past() {
        GenericKubernetesResource reservation = Objects.requireNonNull(cluster.reservation(gang));
        return Objects.requireNonNull(reservation.get("status", "past"));
    }

    int moves() {
        GenericKubernetesResource reservation = Objects.requireNonNull(cluster.reservation(gang));
        Integer moves = reservation.get("status", "past", "moves");
        return Objects.requireNonNullElse(moves, 0);
    }

    /** The runs that moves have ended. */
    @SuppressWarnings("unchecked")
    List<Map<String, Object>> runs() {
        return (List<Map<String, Object>>) Objects.requireNonNull(past().get("runs"));
    }

    /** The time at which the last move stopped the gang. */
    Instant stoppedAt() {
        return Instant.parse(String.valueOf(runs().getLast().get("endedAt")));
    }

    /** The times at which the containers of its pods had finished. */
    List<Instant> ends() {
        return cluster.pods(gang).stream()
                .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
                .map(status -> Instant.parse(status.getState().getTerminated().getFinishedAt()))
                .toList();
    }

    /** The seconds from the start of run {@code number}, from 0, to the move that ended it. */
    long lasted(int number) {
        Map<String, Object> run = runs().get(number);
        return Instant.parse(String.valueOf(run.get("endedAt"))).getEpochSecond()
                - Instant.parse(String.valueOf(run.get("start"))).getEpochSecond();
    }

    /** The causes of its broken promises, without duplicates. */
    List<String> brokenPromises() {
        String ours = "WindowBroken Reservation/" + gang.name() + ": ";
        return cluster.events(gang.namespace(), "WindowBroken").stream()
                .filter(event -> event.startsWith(ours))
                .map(event -> event.substring(ours.length()))
                .toList();
    }

    /** Waits until exactly one event gives a cause that begins like this. Events are written last. */
    void awaitBrokenOnce(String words) {
        Scenario.within("it to be told why gang " + gang.name() + " was moved", 20)
                .untilAsserted(() ->
                        assertThat(brokenPromises()).singleElement().asString().startsWith(words));
    }

    /** The pods that ever had a node, in the order of their bindings. */
    List<PodLife> lives() {
        return cluster.record(gang.namespace()).members(gang.name()).stream()
                .filter(pod -> pod.binding() != null)
                .sorted((a, b) -> Objects.requireNonNull(a.binding())
                        .answered()
                        .compareTo(Objects.requireNonNull(b.binding()).answered()))
                .toList();
    }

    /** The promised starts after the last move, in the order of their writes. */
    List<Instant> promisedAfterTheMove() {
        List<Version> versions = Objects.requireNonNull(
                cluster.record(gang.namespace()).byReservation().get(gang.name()));
        return versions.stream()
                .filter(version -> version.object()
                                .path("status")
                                .path("past")
                                .path("moves")
                                .asInt()
                        == moves())
                .filter(version -> version.phase().equals("Promised"))
                .map(Version::windowStart)
                .distinct()
                .toList();
    }

    /** The time at which the gang's barrier opened last. */
    Instant startedAt() {
        GenericKubernetesResource reservation = Objects.requireNonNull(cluster.reservation(gang));
        return Instant.parse(Objects.requireNonNull(reservation.<String>get("status", "startedAt")));
    }
}
