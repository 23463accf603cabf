package io.slotwise.kubernetes.manifest.holds;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.kubernetes.crd.v1alpha1.LedgerSpec;
import io.slotwise.kubernetes.crd.v1alpha1.PlacementSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationSpec;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationStatus;
import io.slotwise.kubernetes.crd.v1alpha1.WindowSpec;
import io.slotwise.kubernetes.manifest.Samples;
import io.slotwise.live.record.Phase;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordSizeTest {
    /** The largest request of etcd by default. */
    private static final int ETCD_BYTES = 1536 * 1024;

    private static final String SECOND = "2030-01-01T00:00:00Z";
    /** As many resources as a node may have. */
    private static final Map<String, Long> REQUEST = IntStream.range(0, 20)
            .boxed()
            .collect(Collectors.toMap(i -> "example.com/%s%d".formatted("r".repeat(60), i), _ -> Long.MAX_VALUE));

    private static final String DEAREST = "1000000000.000000";

    @ParameterizedTest
    @CsvSource({"5, 3", "20, 15", "63, 63", "253, 253"})
    void theLargestRecordFitsAndIsNotMuchSmallerThanItMayBe(int podName, int nodeName) {
        int size = new RecordSize(nodeName, false).most(podName);

        int bytes = Serialization.asJson(record(size, "p".repeat(podName), "n".repeat(nodeName)))
                .getBytes(StandardCharsets.UTF_8)
                .length;

        assertThat(bytes).isBetween(ETCD_BYTES * 3 / 4, ETCD_BYTES);
    }

    @Test
    void aGangThatFitsIntoNoRecordIsToldHowManyWould() {
        RecordSize sizes = new RecordSize(10, true);
        List<Pod> pods = List.of(Samples.pod("g-00000000").build());

        assertThat(sizes.problem(sizes.most(10), pods)).isNull();
        assertThat(sizes.most(10)).isLessThan(new RecordSize(10, false).most(10));
        assertThat(sizes.problem(100_000, pods))
                .isEqualTo("100000 pods with names of 10 characters, on nodes with names of 10, do not fit into one "
                        + "Reservation of 1500000 bytes: expected at most " + sizes.most(10) + " pods");
    }

    private static Reservation record(int size, String pod, String node) {
        Reservation reservation = new Reservation();
        reservation.setSpec(new ReservationSpec(
                "g",
                "cost",
                3600L,
                DEAREST,
                "cyclic",
                "4:6634179bc755db23:6634179bc755db23",
                Integer.MIN_VALUE,
                true,
                new WindowSpec(
                        SECOND,
                        SECOND,
                        DEAREST,
                        Long.MAX_VALUE,
                        Long.MAX_VALUE,
                        IntStream.range(0, size)
                                .mapToObj(i -> new PlacementSpec(pod, node, SECOND, SECOND, DEAREST, Long.MAX_VALUE, 8))
                                .toList(),
                        List.of(),
                        Collections.nCopies(9, REQUEST)),
                null,
                null,
                Long.MAX_VALUE));
        reservation.setStatus(new ReservationStatus(
                Phase.COMPLETED,
                List.of(),
                SECOND,
                SECOND,
                SECOND,
                SECOND,
                IntStream.range(0, size)
                        .mapToObj(i -> new ReservationStatus.End(pod, SECOND))
                        .toList(),
                0,
                Integer.MAX_VALUE,
                List.of(),
                null,
                SECOND,
                IntStream.range(0, size)
                        .mapToObj(i -> "00000000-0000-0000-0000-000000000000")
                        .toList(),
                List.of(),
                null,
                new ReservationStatus.Resized(
                        SECOND,
                        Collections.nCopies(size, Long.MAX_VALUE),
                        Collections.nCopies(
                                3,
                                new LedgerSpec.Day(
                                        "2030-01-01",
                                        Long.MAX_VALUE,
                                        Long.MAX_VALUE,
                                        "9".repeat(40),
                                        "9".repeat(40),
                                        null))),
                Long.MAX_VALUE));
        return reservation;
    }
}
