package io.slotwise.kubernetes.crd.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.RecordedTerms;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the record of a start on the first pod of a gang. */
class StartRecordTest {
    private static final long NOON = 1_893_499_200L;

    private final GangRecord running = running(8);
    private final String text = StartRecord.text(StartRecord.of(running));

    @Test
    void saysAllOfTheRecordToTheLastFigure() {
        Reservation read = Objects.requireNonNull(StartRecord.of(pod("g-0000", "n00", text)));

        GangRecord shown = Reservations.record(Objects.requireNonNull(StartRecord.over(read, null)));

        assertThat(shown.hasWindowOf(running)).isTrue();
        assertThat(shown.tariff()).isEqualTo(running.tariff());
        assertThat(shown.terms()).isEqualTo(running.terms());
        assertThat(shown.history().members()).isEqualTo(running.history().members());
        assertThat(shown.history().startedAt()).hasValue(NOON);
        assertThat(shown.isArriving()).isTrue();
        assertThat(shown.version()).isEmpty();
        assertThat(shown.uid()).isEmpty();
    }

    @Test
    void isShortEnoughForTheAnnotationsOfAPod() {
        String large = StartRecord.text(StartRecord.of(running(StartRecord.MOST_MEMBERS)));

        assertThat(text).hasSizeLessThan(1_500);
        assertThat(large).hasSizeLessThan(80_000);
    }

    @Test
    void countsOnlyOnThePodThatWasBoundWithItAndOnItsNode() {
        String uid = uid("g-0000");

        assertThat(StartRecord.of(pod("g-0000", uid, "n00", text))).isNotNull();
        assertThat(StartRecord.of(pod("g-0000", "another", "n00", text))).isNull();
        assertThat(StartRecord.of(pod("g-copy", uid, "n00", text))).isNull();
        assertThat(StartRecord.of(pod("g-0000", uid, "n01", text))).isNull();
        assertThat(StartRecord.of(pod("g-0000", uid, null, text))).isNull();
    }

    @Test
    void whatCannotBeReadIsRefusedInOneSentence() {
        for (String bad : List.of("no Base64!", "bm90IGNvbXByZXNzZWQ=", text.substring(0, text.length() / 2))) {
            assertThatThrownBy(() -> StartRecord.of(pod("g-0000", "n00", bad)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void isLaidOverARecordThatDoesNotKnowItAndOverNoOther() {
        Reservation start = Objects.requireNonNull(StartRecord.of(pod("g-0000", "n00", text)));
        GangRecord promised = running.withPhase(Phase.PROMISED).withVersion("7").withUid("u");

        assertThat(over(start, promised)).hasValueSatisfying(shown -> {
            assertThat(shown.phase()).isEqualTo(Phase.RUNNING);
            assertThat(shown.version()).isEqualTo("7");
            assertThat(shown.uid()).isEqualTo("u");
        });
        assertThat(over(start, promised.with((Promise) null).withPhase(Phase.PENDING)))
                .hasValueSatisfying(
                        shown -> assertThat(shown.hasWindowOf(running)).isTrue());
        assertThat(over(start, promised.withPhase(Phase.RUNNING))).isEmpty();
        assertThat(over(start, promised.withPhase(Phase.COMPLETED))).isEmpty();
        assertThat(over(start, promised.withHistory(promised.history().takenBack())))
                .as("it was rolled back")
                .isEmpty();
        MigrationHistory moved = MigrationHistory.of(
                running,
                Objects.requireNonNull(running.promise()).window(),
                Map.of(),
                new MigrationHistory.Rest(300, 0, Resources.of(Map.of(Resources.CPU, 4000L)), NOON + 310),
                new TreeSet<>(running.history().members().values()),
                NOON + 300);
        assertThat(over(start, promised.withHistory(promised.history().moved(moved))))
                .as("its run was ended by a move, before its pods went")
                .isEmpty();
    }

    private static Optional<GangRecord> over(Reservation start, GangRecord written) {
        Reservation known = StartRecord.of(written);
        known.getMetadata().setUid(written.uid());
        return Optional.ofNullable(StartRecord.over(start, known)).map(Reservations::record);
    }

    private static GangRecord running(int pods) {
        GangId gang = new GangId("user", "g");
        List<Placement> places = IntStream.range(0, pods)
                .mapToObj(pod -> new Placement(
                        "g-%04d".formatted(pod),
                        "n%02d".formatted(pod % 100),
                        NOON,
                        NOON + 600,
                        new Cost(1_800_000_001L + pod % 100)))
                .toList();
        TreeMap<PromiseTariff.Place, StepFunction> rates = new TreeMap<>();
        rates.put(
                new PromiseTariff.Place("n00", places.getFirst().cost()),
                StepFunction.startingAt(3_000_000).then(NOON + 300, 4_000_000).build());
        TreeMap<String, String> uids = new TreeMap<>();
        places.forEach(placement -> uids.put(placement.pod(), uid(placement.pod())));
        return GangRecord.first(gang, NOON - 60)
                .withTerms(new RecordedTerms("start", 600, null, "cpu=4000", 0, false))
                .promised(
                        new Promise(Window.of(gang, NOON, places), WindowOrigin.CYCLIC, false),
                        new PromiseTariff(rates))
                .withPhase(Phase.PROMISED)
                .planned(true, "Promised", "it starts at once", NOON)
                .running(NOON, uids);
    }

    private static String uid(String pod) {
        SplittableRandom random = new SplittableRandom(pod.hashCode());
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    private static Pod pod(String name, String node, String record) {
        return pod(name, uid(name), node, record);
    }

    private static Pod pod(String name, String uid, @Nullable String node, String record) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("user")
                .withName(name)
                .withUid(uid)
                .addToAnnotations("slotwise.io/record", record)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .endSpec()
                .build();
    }
}
