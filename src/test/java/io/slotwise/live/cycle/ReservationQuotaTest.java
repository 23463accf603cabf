package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.config.PolicyFile;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.WholeReplica;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Advance reservations in a namespace whose ResourceQuota allows 64 cores, of which pods use eight. */
class ReservationQuotaTest {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");

    private final WholeReplica replica = new WholeReplica(LoopSettings.EXACT, PriceCatalogue.EMPTY, BEGIN);

    @BeforeEach
    void allow() {
        for (int i = 0; i < 4; i++) {
            replica.seeing("""
                    {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n%d"},
                     "spec": {}, "status": {"allocatable": {"cpu": "64", "memory": "64Gi", "pods": "100"},
                      "conditions": [{"type": "Ready", "status": "True"}]}}
                    """.formatted(i));
        }
        allow("64");
    }

    @AfterEach
    void close() {
        replica.close();
    }

    private void allow(String processors) {
        replica.seeing("""
                {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "team", "namespace": "user"},
                 "spec": {"hard": {"requests.cpu": "%s", "limits.memory": "1Gi", "count/jobs.batch": "1"}},
                 "status": {"used": {"requests.cpu": "8"}}}
                """.formatted(processors));
    }

    private void reserve(String name, String namespace, int size, String processors) {
        replica.seeing("""
                {"apiVersion": "slotwise.io/v1alpha1", "kind": "Reservation",
                 "metadata": {"name": "%s", "namespace": "%s", "creationTimestamp": "%s"},
                 "spec": {"hold": {"size": %d, "resources": {"cpu": "%s"}, "runtime": "1h"}}}
                """.formatted(name, namespace, Instant.ofEpochSecond(replica.now()), size, processors));
    }

    private GangRecord record(String name) {
        return replica.records().stream()
                .filter(record -> record.gang().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aReservationBeyondTheQuotaOfItsNamespaceIsRefusedByTheQuotasName() {
        reserve("large", "user", 57, "1");
        reserve("elsewhere", "other", 57, "1");

        replica.cycle();

        assertThat(record("large").promise()).isNull();
        assertThat(record("large").plannedAspect().message())
                .isEqualTo(
                        "`spec.hold` (57 seats) is too much: ResourceQuota team allows 64 of requests.cpu, 8 are used, "
                                + "and it asks for 57");
        assertThat(record("elsewhere").promise()).isNotNull();
    }

    @Test
    void reservationsOfOneNamespaceCountTogetherAndAPromiseStands() {
        reserve("first", "user", 10, "3");
        replica.cycle();
        replica.pass(Duration.ofSeconds(1));
        reserve("second", "user", 10, "3");
        reserve("third", "user", 10, "2500m");

        replica.cycle();

        assertThat(record("first").promise()).isNotNull();
        assertThat(record("second").plannedAspect().message()).contains("team allows 64 of requests.cpu, 38 are used");
        assertThat(record("third").promise()).isNotNull();

        allow("10");
        replica.cycle();
        assertThat(record("first").promise()).isNotNull();
        assertThat(record("third").promise()).isNotNull();
    }

    @Test
    void amountsBeyondAnySumExceedEveryQuota() {
        reserve("huge", "user", 5_000, "9000000000000000");

        replica.cycle();

        assertThat(record("huge").plannedAspect().message()).contains("ResourceQuota team allows 64 of requests.cpu");
    }

    @Test
    void thePolicySaysHowManySeatsANamespaceMayKeep() {
        replica.under(PolicyFile.read(new StringReader("records.holds.seats: 20"), "policy.yaml"));
        reserve("first", "user", 15, "1");
        reserve("second", "user", 6, "1");

        replica.cycle();

        assertThat(record("first").promise()).isNotNull();
        assertThat(record("second").plannedAspect().message()).contains("expected at most 20 in all");
    }
}
