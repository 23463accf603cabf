package io.slotwise.kubernetes.crd.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.slotwise.core.gang.GangId;
import io.slotwise.live.record.Phase;
import org.junit.jupiter.api.Test;

class ReservationTest {
    private static final String WIRE = """
            apiVersion: slotwise.io/v1alpha1
            kind: Reservation
            metadata:
              name: g
              namespace: user
            spec:
              gang: g
              criterion: cost
              budget: "2.000000"
              via: cyclic
              window:
                start: "2030-01-01T00:00:00Z"
                end: "2030-01-01T00:10:00Z"
                cost: "0.625000"
                exactCost: 2250000000
                placement:
                - {pod: g-0, node: n01, start: "2030-01-01T00:00:00Z", end: "2030-01-01T00:10:00Z", cost: "0.625000", exactCost: 2250000000}
            status:
              phase: Promised
              promisedStart: "2030-01-01T00:00:00Z"
              later: ignored
            """;

    private final KubernetesSerialization serialization = new KubernetesSerialization();

    @Test
    void whatTheServerSendsIsReadIntoTheTypes() {
        Reservation read = serialization.unmarshal(WIRE, Reservation.class);

        assertThat(read.gang()).isEqualTo(new GangId("user", "g"));
        assertThat(read.phase()).isEqualTo(Phase.PROMISED);
        assertThat(read.window()).isNotNull().satisfies(window -> {
            assertThat(window.startSecond()).isEqualTo(1_893_456_000L);
            assertThat(window.endSecond() - window.startSecond()).isEqualTo(600);
            assertThat(window.placementOf("g-0")).isNotNull();
            assertThat(window.placementOf("g-1")).isNull();
        });
        assertThat(read.getStatus().conditions()).isEmpty();
        assertThat(read.getStatus().attempts()).isZero();
    }

    @Test
    void whatIsWrittenIsReadBackEqual() {
        Reservation first = serialization.unmarshal(WIRE, Reservation.class);

        String json = serialization.asJson(first);
        Reservation second = serialization.unmarshal(json, Reservation.class);

        assertThat(second).isEqualTo(first);
        assertThat(json).contains("\"phase\":\"Promised\"").doesNotContain("null");
    }

    @Test
    void aReservationWithoutAStatusIsPending() {
        Reservation empty = new Reservation();

        assertThat(empty.phase()).isEqualTo(Phase.PENDING);
        assertThat(empty.window()).isNull();
        assertThat(empty.gang()).isNull();
    }
}
