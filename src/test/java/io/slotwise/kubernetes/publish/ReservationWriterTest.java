package io.slotwise.kubernetes.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.watch.ReservationIndex;
import io.slotwise.live.port.Leadership;
import io.slotwise.live.port.RecordStore;
import io.slotwise.live.port.RecordStore.Outcome;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.RecordedTerms;
import io.slotwise.live.record.WindowOwnership;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnableKubernetesMockClient(https = false)
@SuppressWarnings("NullAway.Init")
class ReservationWriterTest {
    private static final long NOON = 1_893_499_200L;
    private static final GangId GANG = new GangId("user", "g");
    private static final String ALL = "/apis/slotwise.io/v1alpha1/namespaces/user/reservations";
    private static final String ONE = ALL + "/g";

    KubernetesMockServer server;

    private final ReservationIndex index = new ReservationIndex();

    private KubernetesClient client;

    private ReservationWriter writer;

    private long epoch = 3;
    private int outdated;
    private final Leadership leadership = new Leadership() {
        @Override
        public boolean getAsBoolean() {
            return true;
        }

        @Override
        public long epoch() {
            return epoch;
        }

        @Override
        public void outdated() {
            outdated++;
        }
    };

    @BeforeEach
    void connect() {
        client = FailFastClient.of(server.url("/"));
        writer = new ReservationWriter(client, index, leadership);
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void aNewGangIsCreatedWholeAndThenItsStatusWritten() throws InterruptedException {
        GangRecord after =
                promised(GangRecord.first(GANG, NOON - 60)).withOwnership(new WindowOwnership.Part("friday"));
        server.expect().post().withPath(ALL).andReturn(201, answer(after, "1")).once();
        server.expect()
                .put()
                .withPath(ONE + "/status")
                .andReturn(200, answer(after, "2"))
                .once();

        Outcome outcome = writer.write(GangRecord.first(GANG, NOON - 60), after);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Written.class,
                        written -> assertThat(written.record().version()).isEqualTo("2"));
        assertThat(body(next()))
                .contains("\"gang\":\"g\"")
                .contains("\"reservation\":\"friday\"")
                .contains("\"exactCost\":4000", "\"epoch\":3}")
                .contains("\"start\":\"2030-01-01T12:00:00Z\"");
        assertThat(body(next()))
                .contains("\"resourceVersion\":\"1\"")
                .contains("\"phase\":\"Promised\"")
                .contains("\"status\":{\"phase\"", "\"epoch\":3}");
        assertThat(Objects.requireNonNull(index.record(GANG)).version()).isEqualTo("2");
    }

    @Test
    void foreignFieldsStayWhenTheWindowIsReplaced() throws InterruptedException {
        GangRecord before = GangRecord.first(GANG, NOON - 60).withVersion("7");
        Reservation known = answer(before, "7");
        known.getMetadata().setLabels(Map.of("team", "a"));
        index.accept(known);
        server.expect()
                .put()
                .withPath(ONE)
                .andReturn(200, answer(promised(before), "8"))
                .once();

        writer.write(before, promised(before));

        assertThat(body(next()))
                .contains("\"team\":\"a\"", "\"slotwise.io/gang\":\"g\"")
                .contains("\"resourceVersion\":\"7\"", "\"exactCost\":4000");
    }

    @Test
    void anUnchangedRecordIsNotWritten() throws InterruptedException {
        GangRecord before = promised(GangRecord.first(GANG, NOON - 60)).withVersion("7");
        GangRecord after = before.withPhase(Phase.STARTING);
        server.expect()
                .put()
                .withPath(ONE + "/status")
                .andReturn(200, answer(after, "8"))
                .once();

        assertThat(writer.write(before, after)).isEqualTo(new Outcome.Written(after.withVersion("8")));

        assertThat(body(next())).contains("\"resourceVersion\":\"7\"").contains("\"phase\":\"Starting\"");
        assertThat(server.takeRequest(0, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void aReleasedGangIsBrokenBeforeItsWindowGoes() throws InterruptedException {
        GangRecord before = promised(GangRecord.first(GANG, NOON - 60))
                .withPhase(Phase.STARTING)
                .withVersion("7");
        GangRecord after = before.with((Promise) null).withPhase(Phase.PENDING);
        server.expect()
                .put()
                .withPath(ONE + "/status")
                .andReturn(200, answer(before, "8"))
                .once();
        server.expect().put().withPath(ONE).andReturn(200, answer(after, "9")).once();
        server.expect()
                .put()
                .withPath(ONE + "/status")
                .andReturn(200, answer(after, "10"))
                .once();

        assertThat(writer.write(before, after)).isEqualTo(new Outcome.Written(after.withVersion("10")));

        assertThat(body(next())).contains("\"phase\":\"Broken\"");
        assertThat(body(next())).contains("\"resourceVersion\":\"8\"").doesNotContain("window");
        assertThat(body(next())).contains("\"phase\":\"Pending\"");
    }

    @Test
    void aWriteThatComesSecondIsAConflict() {
        GangRecord before = promised(GangRecord.first(GANG, NOON - 60)).withVersion("7");
        server.expect().put().withPath(ONE + "/status").andReturn(409, "{}").once();

        assertThat(writer.write(before, before.withPhase(Phase.STARTING))).isEqualTo(new Outcome.Conflict());
        assertThat(index.record(GANG)).isNull();
    }

    @Test
    void aWindowThatIsWrittenAlreadyAndWhoseAnswerWasLostIsWritten() {
        GangRecord before = GangRecord.first(GANG, NOON - 60).withVersion("7");
        index.accept(answer(before, "7"));
        server.expect().put().withPath(ONE).andReturn(409, "{}").times(2);
        server.expect()
                .get()
                .withPath(ONE)
                .andReturn(200, tried(promised(before), "8"))
                .once();
        server.expect()
                .put()
                .withPath(ONE + "/status")
                .andReturn(200, answer(promised(before), "8"))
                .once();
        assertThat(writer.write(before, promised(before)))
                .isInstanceOfSatisfying(
                        Outcome.Written.class,
                        written -> assertThat(written.record().version()).isEqualTo("8"));

        Reservation others = answer(promised(before), "9");
        others.setSpec(others.getSpec().in(4));
        server.expect().get().withPath(ONE).andReturn(200, others).once();
        assertThat(writer.write(before, promised(before))).isEqualTo(new Outcome.Conflict());

        assertThat(Objects.requireNonNull(index.record(GANG)).version()).isEqualTo("9");
        assertThat(writer.catchUp()).isTrue();
        assertThat(server.getRequestCount()).as("what came first was read once").isEqualTo(5);
    }

    @Test
    void aNewRecordWhoseAnswerWasLostGetsItsStatus() {
        GangRecord after = promised(GangRecord.first(GANG, NOON - 60));
        server.expect().post().withPath(ALL).andReturn(409, "{}").once();
        server.expect().get().withPath(ONE).andReturn(200, tried(after, "1")).once();
        server.expect()
                .put()
                .withPath(ONE + "/status")
                .andReturn(200, answer(after, "2"))
                .once();

        assertThat(writer.write(GangRecord.first(GANG, NOON - 60), after))
                .isInstanceOfSatisfying(
                        Outcome.Written.class,
                        written -> assertThat(written.record().version()).isEqualTo("2"));
    }

    @Test
    void aWriteWithAnOldEpochIsAConflictAndTheLeaseIsLookedAt() throws InterruptedException {
        GangRecord before = promised(GangRecord.first(GANG, NOON - 60)).withVersion("7");
        Status refusal = new StatusBuilder()
                .withCode(403)
                .withMessage("denied request: in any words [slotwise.io/epoch]")
                .build();
        server.expect().put().withPath(ONE + "/status").andReturn(403, refusal).once();
        RecordStore old = writer.under(2);

        assertThat(old.write(before, before.withPhase(Phase.STARTING))).isEqualTo(new Outcome.Conflict());

        assertThat(body(next())).contains("\"epoch\":2}");
        assertThat(outdated).isEqualTo(1);
        assertThat(writer.catchUp())
                .as("what became of it is known to be unknown")
                .isTrue();
        assertThat(server.getRequestCount()).isEqualTo(2);
    }

    @Test
    void anotherEpochAloneIsNoReasonToWrite() {
        GangRecord before = promised(GangRecord.first(GANG, NOON - 60)).withVersion("7");
        Reservation written = answer(before, "7");
        written.setSpec(written.getSpec().in(2));
        written.setStatus(Objects.requireNonNull(written.getStatus()).in(2));
        GangRecord read = Reservations.record(written);

        assertThat(writer.write(read, read)).isEqualTo(new Outcome.Written(read));

        assertThat(server.getRequestCount()).isZero();
    }

    @Test
    void aRecordThatIsGoneIsAConflict() {
        GangRecord before = promised(GangRecord.first(GANG, NOON - 60)).withVersion("7");
        server.expect().put().withPath(ONE + "/status").andReturn(404, "{}").once();

        assertThat(writer.write(before, before.withPhase(Phase.STARTING))).isEqualTo(new Outcome.Conflict());
    }

    @Test
    void aServerThatFailsIsToldWithItsWords() {
        GangRecord before = promised(GangRecord.first(GANG, NOON - 60)).withVersion("7");
        server.expect().put().withPath(ONE + "/status").andReturn(500, "{}").once();

        assertThat(writer.write(before, before.withPhase(Phase.STARTING))).isInstanceOf(Outcome.Failed.class);
    }

    @Test
    void theEffectOfAnUnansweredWriteIsLookedUp() {
        GangRecord before = promised(GangRecord.first(GANG, NOON - 60)).withVersion("7");
        GangRecord after = before.withPhase(Phase.STARTING);
        server.expect().put().withPath(ONE + "/status").andReturn(500, "{}").once();
        server.expect().get().withPath(ONE).andReturn(503, "{}").once();
        server.expect().get().withPath(ONE).andReturn(200, answer(after, "8")).once();
        assertThat(writer.catchUp()).isTrue();

        writer.write(before, after);

        assertThat(writer.catchUp()).isFalse();
        assertThat(writer.catchUp()).isTrue();
        assertThat(Objects.requireNonNull(index.record(GANG)).version()).isEqualTo("8");
        assertThat(writer.catchUp()).isTrue();
        assertThat(server.getRequestCount()).isEqualTo(3);
    }

    @Test
    void aRecordThatIsGoneAfterAConflictIsForgotten() {
        GangRecord before = promised(GangRecord.first(GANG, NOON - 60)).withVersion("7");
        index.accept(answer(before, "7"));
        server.expect().put().withPath(ONE + "/status").andReturn(409, "{}").once();
        server.expect().get().withPath(ONE).andReturn(404, "{}").once();

        writer.write(before, before.withPhase(Phase.STARTING));

        assertThat(writer.catchUp()).isTrue();
        assertThat(index.record(GANG)).isNull();
    }

    @Test
    void aDeletedRecordIsForgottenAtOnce() throws InterruptedException {
        GangRecord record = GangRecord.first(GANG, NOON - 60).withVersion("7");
        index.accept(answer(record, "7"));
        server.expect().delete().withPath(ONE).andReturn(200, "{}").once();

        assertThat(writer.delete(record)).isInstanceOf(Outcome.Written.class);

        assertThat(body(next())).contains("\"resourceVersion\":\"7\"");
        assertThat(index.record(GANG)).isNull();
    }

    @Test
    void aRecordWithAWindowIsLetGoBeforeItIsDeleted() throws InterruptedException {
        GangRecord record = promised(GangRecord.first(GANG, NOON - 60)).withVersion("7");
        index.accept(answer(record, "7"));
        server.expect()
                .patch()
                .withPath(ONE)
                .andReturn(200, answer(record, "8"))
                .once();
        server.expect().delete().withPath(ONE).andReturn(404, "{}").once();

        assertThat(writer.delete(record)).isInstanceOf(Outcome.Written.class);

        assertThat(body(next())).contains("\"finalizers\":[]", "\"resourceVersion\":\"7\"", "\"epoch\":");
        assertThat(body(next())).contains("\"resourceVersion\":\"8\"");
        assertThat(index.record(GANG)).isNull();
    }

    /** A gang that was moved has runs behind it, which its record is to be charged for. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTakenOverRecordLosesForeignOwnersAndFinalizers(boolean isMoved) throws InterruptedException {
        GangRecord first = GangRecord.first(GANG, NOON - 60).withVersion("7");
        GangRecord waiting = isMoved ? first.withHistory(first.history().moved(moved())) : first;
        Reservation foreign = answer(waiting, "7");
        foreign.getMetadata().setFinalizers(List.of("example.com/stays"));
        foreign.getMetadata()
                .setOwnerReferences(List.of(new OwnerReferenceBuilder()
                        .withApiVersion("v1")
                        .withKind("ConfigMap")
                        .withName("c")
                        .withUid("u")
                        .build()));
        index.accept(foreign);
        GangRecord wantedRecord = promised(waiting);
        server.expect()
                .put()
                .withPath(ONE)
                .andReturn(200, answer(wantedRecord, "8"))
                .once();
        server.expect()
                .put()
                .withPath(ONE + "/status")
                .andReturn(200, answer(wantedRecord, "9"))
                .once();

        assertThat(writer.write(waiting, wantedRecord)).isInstanceOf(Outcome.Written.class);

        assertThat(body(next())).contains(Reservations.FINALIZER).doesNotContain("ConfigMap", "example.com/stays");
    }

    /** Its promise could not be kept after the move, so it has no window. */
    @Test
    void theRecordOfAGangThatMovedKeepsOurFinalizerUntilItIsLetGo() throws InterruptedException {
        GangRecord moved = GangRecord.first(GANG, NOON - 60).withVersion("7");
        moved = moved.withHistory(moved.history().moved(moved()));
        assertThat(Reservations.withSpec(moved).getMetadata().getFinalizers()).containsExactly(Reservations.FINALIZER);
        index.accept(answer(moved, "7"));
        server.expect().patch().withPath(ONE).andReturn(200, answer(moved, "8")).once();
        server.expect().delete().withPath(ONE).andReturn(404, "{}").once();

        assertThat(writer.delete(moved)).isInstanceOf(Outcome.Written.class);

        assertThat(body(next())).contains("\"finalizers\":[]", "\"resourceVersion\":\"7\"");
        assertThat(body(next())).contains("\"resourceVersion\":\"8\"");
    }

    @Test
    void theRecordOfAnAdvanceReservationIsLetGoBeforeItIsDeleted() throws InterruptedException {
        GangRecord held = promised(GangRecord.first(GANG, NOON - 60))
                .withOwnership(new WindowOwnership.Held(OptionalLong.of(NOON)))
                .withVersion("7");
        server.expect().patch().withPath(ONE).andReturn(200, answer(held, "8")).once();
        server.expect().delete().withPath(ONE).andReturn(404, "{}").once();

        assertThat(writer.delete(held)).isInstanceOf(Outcome.Written.class);

        assertThat(body(next())).contains("\"resourceVersion\":\"7\"").doesNotContain(Reservations.FINALIZER);
        assertThat(body(next())).contains("\"resourceVersion\":\"8\"");
    }

    private RecordedRequest next() throws InterruptedException {
        return Objects.requireNonNull(server.takeRequest(5, TimeUnit.SECONDS), "a request must have been made");
    }

    private static String body(RecordedRequest request) {
        return request.getBody().readUtf8();
    }

    private static MigrationHistory moved() {
        GangRecord run = promised(GangRecord.first(GANG, NOON - 60));
        return MigrationHistory.of(
                run.withPhase(Phase.RUNNING)
                        .withHistory(run.history().started(NOON, run.history().members())),
                Objects.requireNonNull(run.promise()).window(),
                Map.of(),
                new MigrationHistory.Rest(40, 0, Resources.NONE, NOON),
                Collections.emptySortedSet(),
                NOON + 20);
    }

    private static GangRecord promised(GangRecord record) {
        Window window = Window.of(GANG, NOON, List.of(new Placement("g-0", "a", NOON, NOON + 60, new Cost(4000))));
        return record.with(new Promise(window, WindowOrigin.CYCLIC, false))
                .withPhase(Phase.PROMISED)
                .withTerms(new RecordedTerms("start", 600, null, "abc", 0, false));
    }

    /** A record that this leader has written before. */
    private static Reservation tried(GangRecord record, String version) {
        Reservation reservation = answer(record, version);
        reservation.setSpec(reservation.getSpec().in(3));
        return reservation;
    }

    private static Reservation answer(GangRecord record, String version) {
        Reservation reservation = Reservations.withSpec(record.withVersion(version));
        reservation.getMetadata().setCreationTimestamp(Reservations.instant(NOON - 60));
        reservation.setStatus(Reservations.status(record));
        return reservation;
    }
}
