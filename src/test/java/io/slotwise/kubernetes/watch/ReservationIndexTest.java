package io.slotwise.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.PlacementSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationName;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationSpec;
import io.slotwise.kubernetes.crd.v1alpha1.StartRecord;
import io.slotwise.kubernetes.crd.v1alpha1.WindowSpec;
import io.slotwise.kubernetes.extender.PodReservation;
import io.slotwise.kubernetes.extender.ReservationBuilder;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReservationIndexTest {
    private static final GangId G = new GangId("user", "g");

    private final ReservationIndex index = new ReservationIndex();

    @Test
    void theLaterOfTwoVersionsStays() {
        index.accept(reservation("g", "10", "n2", "p"));
        index.accept(reservation("g", "9", "n1", "p"));

        assertThat(node("p")).isEqualTo("n2");

        index.accept(reservation("g", "11", "n3", "p"));
        assertThat(node("p")).isEqualTo("n3");
    }

    @Test
    void aPodWithoutAPlaceHasASeatInItsGang() {
        index.accept(reservation("g", "1", null));
        index.podSeen(pod("p", "u1", "g"));

        PodReservation podReservation = Objects.requireNonNull(index.ofPod("user", "p"));

        assertThat(podReservation.placement()).isNull();
        assertThat(podReservation.reservation().gang()).isEqualTo(G);
        assertThat(index.byPodUid("u1")).isNotNull();
        assertThat(index.byPodUid("u2")).isNull();
    }

    @Test
    void aGangRunsAsSoonAsItsFirstPodSaysSoWhateverItsRecordSays() {
        List<GangId> changed = new ArrayList<>();
        index.onChange(changed::add);
        Pod first = bound("g-0", "n00", start(7));

        index.bound(first);

        assertThat(record().phase()).isEqualTo(Phase.RUNNING);
        assertThat(record().version()).isEmpty();
        assertThat(index.written(G)).isNull();
        assertThat(index.onTheirWay("n01")).containsExactly(G);
        assertThat(changed).containsExactly(G);
        assertThat(first.getMetadata().getAnnotations()).isEmpty();

        index.accept(new ReservationBuilder().phase(Phase.PROMISED).version(7).build());
        assertThat(record().phase()).isEqualTo(Phase.RUNNING);
        assertThat(record().version()).isEqualTo("7");

        index.accept(new ReservationBuilder()
                .phase(Phase.RUNNING)
                .startedAt(ReservationBuilder.START)
                .members("g-0", "g-1")
                .version(8)
                .build());
        changed.clear();
        index.bound(bound("g-0", "n00", start(7)));
        assertThat(index.byGang(G)).isSameAs(index.written(G));
        assertThat(changed).isEmpty();
    }

    @Test
    void aStartThatWasRolledBackIsOver() {
        index.bound(bound("g-0", "n00", start(7)));
        Reservation back = new ReservationBuilder()
                .phase(Phase.PENDING)
                .attempts(1)
                .version(8)
                .build();

        index.accept(back);
        index.bound(bound("g-0", "n00", start(7)));

        assertThat(record().phase()).isNotEqualTo(Phase.RUNNING);
    }

    @Test
    void aRecordThatGoesLeavesWhatThePodSays() {
        index.accept(new ReservationBuilder().phase(Phase.PROMISED).version(7).build());
        index.bound(bound("g-0", "n00", start(7)));

        index.remove(Objects.requireNonNull(index.written(G)));

        assertThat(record().phase()).isEqualTo(Phase.RUNNING);
        assertThat(record().version()).isEmpty();
    }

    @Test
    void aPodThatIsOverStartsNoGangButOneWhoseRecordCannotKnowIt() {
        index.complete();
        Pod over = bound("g-0", "n00", start(7));
        over.getStatus().setPhase("Succeeded");

        index.bound(over);
        assertThat(index.record(G)).as("it ended long ago").isNull();

        index.accept(new ReservationBuilder()
                .phase(Phase.PROMISED)
                .start(ReservationBuilder.START.plusSeconds(600))
                .version(8)
                .build());
        index.bound(bound("g-0", "n00", start(7), "Succeeded"));
        assertThat(record().phase()).as("of a run before").isEqualTo(Phase.PROMISED);
        index.bound(bound("g-0", "n00", start(8), "Succeeded"));
        assertThat(record().phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void aRunThatIsOverCountsIfOnlyTheWindowOfItsRecordWasWritten() {
        index.complete();
        index.accept(new ReservationBuilder().phase(Phase.PROMISED).version(8).build());

        index.bound(bound("g-0", "n00", start(7), "Succeeded"));

        assertThat(record().phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void aRunThatIsOverCountsIfItIsSeenBeforeItsRecord() {
        index.bound(bound("g-0", "n00", start(7), "Succeeded"));
        assertThat(index.record(G)).isNull();

        index.accept(new ReservationBuilder().phase(Phase.PROMISED).version(7).build());
        index.listed(Set.of("user/g"), "9");

        assertThat(record().phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void whatWasCopiedToAnotherPodOrCannotBeReadStartsNoGang() {
        index.bound(bound("g-9", "n00", start(7)));
        index.bound(bound("g-0", "n01", start(7)));
        index.bound(bound("g-0", "n00", "nonsense"));

        assertThat(index.records()).isEmpty();
    }

    private GangRecord record() {
        return Objects.requireNonNull(index.record(G));
    }

    /** The annotation of a start that went on from this version of the record. */
    private static String start(int version) {
        return StartRecord.text(new ReservationBuilder()
                .phase(Phase.RUNNING)
                .startedAt(ReservationBuilder.START)
                .members("g-0", "g-1")
                .opened()
                .version(version)
                .build());
    }

    private static Pod bound(String name, String node, String record) {
        return bound(name, node, record, "Running");
    }

    private static Pod bound(String name, String node, String record, String phase) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("user")
                .withName(name)
                .withUid("uid-of-g-0")
                .addToAnnotations("slotwise.io/run", "3/2030-01-01T00:00:00Z/g")
                .addToAnnotations("slotwise.io/record", record)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .endSpec()
                .withNewStatus()
                .withPhase(phase)
                .endStatus()
                .build();
    }

    @Test
    void aPlaceThatIsGivenUpIsForgotten() {
        index.accept(reservation("g", "1", "n1", "p", "q"));
        index.accept(reservation("g", "2", "n1", "q"));

        assertThat(index.ofPod("user", "p")).isNull();
        assertThat(node("q")).isEqualTo("n1");
    }

    @Test
    void lateWatchEventsOfADeletedRecordAreIgnored() {
        index.accept(reservation("g", "1", "n1", "p"));

        index.deleted(reservation("g", "1", "n1", "p"));
        index.watched(reservation("g", "2", "n1", "p"));
        assertThat(index.records()).isEmpty();

        index.remove(reservation("g", "2", "n1", "p"));
        index.watched(reservation("g", "3", "n2", "p"));
        assertThat(node("p")).isEqualTo("n2");
    }

    @Test
    void aReplacementOfTheSameNameSitsInItsOwnReservation() {
        index.accept(reservation("g", "1", "n1", "p"));
        index.accept(reservation("pod-p", "2", "n2", "p"));
        index.accept(reservation("g", "3", "n1", "p"));

        assertThat(node("p")).isEqualTo("n2");

        index.remove(reservation("pod-p", "4", "n2", "p"));
        assertThat(node("p")).isEqualTo("n1");
    }

    @Test
    void aRecordUnderAnotherNameDoesNotStandInFrontOfTheGangsOwn() {
        Reservation shadow = reservation("g", "2", "n2", "p");
        shadow.getMetadata().setName("zzz-0123456789");
        index.accept(reservation("g", "1", "n1", "p"));

        index.accept(shadow);
        assertThat(node("p")).isEqualTo("n1");

        index.remove(shadow);
        assertThat(node("p")).isEqualTo("n1");
    }

    @Test
    void aGangWhoseNameIsNoObjectNameIsKnownByItsHash() {
        Reservation record = reservation("Team A/Nightly", "1", "n1", "p");
        record.getMetadata().setName(ReservationName.of(new GangId("user", "Team A/Nightly")));

        index.accept(record);

        assertThat(node("p")).isEqualTo("n1");
    }

    @Test
    void aPodIsForgottenByItsUidAlone() {
        index.accept(reservation("g", "1", null));
        index.podSeen(pod("p", "u1", "g"));
        index.podSeen(pod("p", "u2", "g"));

        index.podGone(pod("p", "u1", "g"));

        assertThat(index.byPodUid("u1")).isNull();
        assertThat(index.byPodUid("u2")).isNotNull();
    }

    @Test
    void listenersHearOfChangesOnceTheyAreVisible() {
        List<String> heard = new ArrayList<>();
        index.onChange(gang -> heard.add(gang + " " + (index.byGang(gang) == null ? "gone" : "there")));

        index.accept(reservation("g", "1", "n1", "p"));
        index.accept(reservation("g", "1", "n1", "p"));
        index.remove(reservation("g", "2", "n1", "p"));

        assertThat(heard).containsExactly("user/g there", "user/g gone");
    }

    private @Nullable String node(String pod) {
        PodReservation podReservation = index.ofPod("user", pod);
        return podReservation == null || podReservation.placement() == null
                ? null
                : podReservation.placement().node();
    }

    @Test
    void recordsMissingInAListAreGoneUnlessCreatedAfterIt() {
        index.accept(reservation("listed", "1", null));
        index.accept(reservation("deleted", "2", null));
        index.accept(reservation("later", "12", null));

        index.listed(Set.of("user/listed"), "9");

        assertThat(index.records())
                .extracting(record -> record.gang().name())
                .containsExactlyInAnyOrder("listed", "later");
    }

    @Test
    void theVersionsOfAnswersAreToldAndThoseOfTheWatchAreNot() {
        List<String> answered = new ArrayList<>();
        index.onAnswer(answered::add);

        index.watched(reservation("g", "1", null));
        index.accept(reservation("g", "2", null));

        assertThat(answered).containsExactly("2");
    }

    private static Reservation reservation(String gang, String version, @Nullable String node, String... pods) {
        Reservation reservation = new Reservation();
        reservation.setMetadata(new ObjectMetaBuilder()
                .withName(gang)
                .withNamespace("user")
                .withUid("uid-" + gang)
                .withResourceVersion(version)
                .withCreationTimestamp("2030-01-01T00:00:00Z")
                .build());
        List<PlacementSpec> places = new ArrayList<>();
        for (String pod : pods) {
            places.add(new PlacementSpec(
                    pod, String.valueOf(node), "2030-01-01T00:00:00Z", "2030-01-01T00:01:00Z", "0.000000", 0, null));
        }
        WindowSpec window = node == null
                ? null
                : new WindowSpec(
                        "2030-01-01T00:00:00Z",
                        "2030-01-01T00:01:00Z",
                        "0.000000",
                        0,
                        null,
                        places,
                        List.of(),
                        List.of());
        reservation.setSpec(
                new ReservationSpec(gang, "start", null, null, "cyclic", null, null, null, window, null, null, null));
        return reservation;
    }

    private static Pod pod(String name, String uid, String gang) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("user")
                .withUid(uid)
                .addToLabels("slotwise.io/gang", gang)
                .endMetadata()
                .build();
    }
}
