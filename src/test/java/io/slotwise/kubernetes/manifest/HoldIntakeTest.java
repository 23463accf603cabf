package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.id;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.resource.Resources;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.inquiry.ReservationManifest;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The intake of advance reservations and of the gangs that name them. */
class HoldIntakeTest {
    private static ClusterObjects holds(String spec) {
        String manifest = """
            apiVersion: slotwise.io/v1alpha1
            kind: Reservation
            metadata: {name: friday, namespace: user, creationTimestamp: "2029-12-31T23:00:00Z"}
            spec: {hold: {%s}}
            """.formatted(spec);
        return ManifestFile.read(new ByteArrayInputStream(manifest.getBytes(StandardCharsets.UTF_8)), "holds.yaml");
    }

    private static IntakeResult take(String spec, Pod... pods) {
        return Samples.take(holds(spec).plus(Samples.objects(List.of(node("n1").build()), pods)), Map.of());
    }

    private static Gang gang(IntakeResult result) {
        assertThat(result.snapshot().held()).isEmpty();
        return result.snapshot().requests().getFirst().gang();
    }

    @Test
    void anAdvanceReservationIsARequestLikeAGangOfSeats() {
        IntakeResult result =
                take("size: 2, resources: {cpu: 1500m, memory: 1Gi}, runtime: 90m, earliest: '2030-01-01T02:00:00Z',"
                        + " deadline: '2030-01-01T08:00:00Z', budget: '2.5', criterion: cost, topology: zone,"
                        + " maxPerNode: 1, lockstep: true, nodeSelector: {disk: ssd}");
        Gang gang = gang(result);

        assertThat(gang.id()).isEqualTo(id("friday"));
        assertThat(gang.pods()).containsExactly("friday-0", "friday-1");
        assertThat(gang.request().resources())
                .isEqualTo(Resources.of(Map.of("cpu", 1500L, "memory", 1L << 30, "pods", 1L)));
        assertThat(gang.runtime()).isEqualTo(5400);
        assertThat(gang.earliestStart()).isEqualTo(NOW + 7200);
        assertThat(gang.deadline()).isEqualTo(NOW + 8 * 3600);
        assertThat(gang.budget().total()).hasToString("2.500000");
        assertThat(gang.criterion()).isEqualTo(Criterion.COST);
        assertThat(gang.topology()).isEqualTo(Topology.within(TopologyLevel.of("zone")));
        assertThat(gang.maxPerNode()).isEqualTo(1);
        assertThat(gang.lockstep()).isTrue();
        assertThat(gang.request().constraint().selector()).containsExactly(Map.entry("disk", "ssd"));
        assertThat(gang.arrival()).isEqualTo(NOW - 3600);
        assertThat(result.names().holds()).containsExactly(id("friday"));
        assertThat(result.members()).isEmpty();
    }

    @Test
    void aWindowMeansExactlyThatTimeOnEveryNode() {
        Gang gang = gang(take("size: 1, window: {start: '2030-01-01T02:00:00Z', end: '2030-01-01T03:00:00Z'}"));

        assertThat(gang.earliestStart()).isEqualTo(NOW + 7200);
        assertThat(gang.deadline()).isEqualTo(NOW + 3 * 3600);
        assertThat(gang.runtime()).isEqualTo(3600);
        assertThat(gang.request().nodeIndependent()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "size: 0 | `spec.hold.size` (0) is not valid: expected a whole number between 1 and 100000",
                "size: 1, runtime: soon | `spec.hold.runtime` (soon) is not valid: expected a duration "
                        + "in whole seconds such as 90s, 1h30m, 7d or PT1H30M",
                "size: 1, deadline: noon | `spec.hold.deadline` (noon) is not valid: expected an RFC "
                        + "3339 instant such as 2030-01-01T08:00:00Z",
                "size: 1, criterion: best | `spec.hold.criterion` (best) is not valid: expected start or "
                        + "finish or runtime or cost or processor-time or energy or value or preference",
                "size: 1, window: {start: '2030-01-01T02:00:00Z', end: '2030-01-01T01:00:00Z'} | "
                        + "`spec.hold.window.end` (2030-01-01T01:00:00Z) must lie after `spec.hold.window.start` "
                        + "(2030-01-01T02:00:00Z)"
            })
    void unreadableFieldsAreReportedByTheReservationsFieldNames(String spec, String problem) {
        assertThat(take(spec).snapshot().held()).singleElement().satisfies(pending -> {
            assertThat(pending.gang()).isEqualTo(id("friday"));
            assertThat(pending.refusal().message()).isEqualTo(problem);
            assertThat(pending.refusal())
                    .isInstanceOfSatisfying(
                            Refusal.InvalidRequest.class,
                            refusal -> assertThat(problem).startsWith("`" + refusal.field() + "` ("));
        });
    }

    @Test
    void aGangThatNamesOneClaimsIt() {
        IntakeResult result = take(
                "size: 2, runtime: 1h",
                member("g", "g-0", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.RESERVATION, "friday")
                        .build());

        assertThat(result.names().named()).containsExactly(Map.entry(id("g"), id("friday")));
        assertThat(result.snapshot().requests()).hasSize(2);
    }

    @Test
    void aGangWithTheNameOfAReservationIsNotPlannedAndSaysWhy() {
        IntakeResult result = take(
                "size: 2, runtime: 1h",
                member("friday", "f-0", AnnotationKeys.GANG_SIZE, "1").build());

        assertThat(result.snapshot().requests()).hasSize(1);
        assertThat(result.warnings())
                .extracting(IntakeWarning::message)
                .containsExactly("`slotwise.io/gang` (friday) of pod user/f-0 is the name of an advance reservation:"
                        + " expected another name for the gang");
    }

    @Test
    void aGangsRecordIsNoReservationToPlan() {
        ClusterObjects objects =
                ManifestFile.read(new ByteArrayInputStream("""
                    {"apiVersion": "slotwise.io/v1alpha1", "kind": "Reservation",
                     "metadata": {"name": "g", "namespace": "user"}, "spec": {"gang": "g"}}
                    """.getBytes(StandardCharsets.UTF_8)), "reservations.json");

        assertThat(objects.warnings()).isEmpty();
        IntakeResult result = Samples.take(objects, Map.of());
        assertThat(result.snapshot().requests()).isEmpty();
        assertThat(result.snapshot().held()).isEmpty();
    }

    @Test
    void aDescribedReservationIsAManifestThatReadsTheSame() {
        ReservationManifest manifest = ReservationManifest.of(
                "user",
                "friday",
                new ReservationManifest.Words(
                        Map.of(
                                "size",
                                "2",
                                "runtime",
                                "90m",
                                "start",
                                "2030-01-01T02:00:00Z",
                                "budget",
                                "2.5",
                                "max-per-node",
                                "1"),
                        Map.of("cpu", "1500m"),
                        Map.of("disk", "ssd")),
                NOW);

        ClusterObjects read = ManifestFile.read(
                new ByteArrayInputStream(manifest.yaml().getBytes(StandardCharsets.UTF_8)), "friday.yaml");

        Gang gang = gang(Samples.take(read, Map.of()));
        assertThat(gang.earliestStart()).isEqualTo(NOW + 7200);
        assertThat(gang.deadline()).isEqualTo(NOW + 7200 + 5400);
        assertThat(gang.runtime()).isEqualTo(5400);
        assertThat(gang.maxPerNode()).isEqualTo(1);
        assertThat(manifest.json()).contains("\"hold\"").doesNotContain("status", "lockstep", "null");
    }

    @Test
    void aDescriptionThatCannotBeReadIsRefusedAtOnce() {
        assertThatThrownBy(() -> ReservationManifest.of(
                        "user",
                        "friday",
                        new ReservationManifest.Words(
                                Map.of("size", "2", "start", "2030-01-01T02:00:00Z"), Map.of(), Map.of()),
                        NOW))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("`start` (2030-01-01T02:00:00Z) needs an end: expected either `runtime` or `deadline`");
    }
}
