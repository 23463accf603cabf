package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.it.PurchaseJudge.Allowed;
import io.slotwise.it.PurchaseJudge.Booked;
import io.slotwise.it.PurchaseJudge.Claimed;
import io.slotwise.it.PurchaseJudge.Gone;
import io.slotwise.it.PurchaseJudge.Happening;
import io.slotwise.it.PurchaseJudge.Limits;
import io.slotwise.it.PurchaseJudge.Recorded;
import io.slotwise.it.PurchaseJudge.Telling;
import io.slotwise.it.PurchaseJudge.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PurchaseJudgeTest {
    private static final Instant SEEN = Instant.parse("2030-01-01T00:00:00Z");
    private static final Instant START = SEEN.plusSeconds(20);

    private final List<Happening> happenings = new ArrayList<>();
    private final Map<String, List<String>> told = new HashMap<>();
    private long revision;

    private static Recorded gang(
            long revision, String phase, @Nullable Instant start, @Nullable Instant started, String planned) {
        return gang(revision, "g", phase, start, started, planned);
    }

    private static Recorded gang(
            long revision,
            String name,
            String phase,
            @Nullable Instant start,
            @Nullable Instant started,
            String planned) {
        return new Recorded(
                revision,
                SEEN,
                "user",
                name,
                phase,
                start,
                start == null ? null : start.plusSeconds(15),
                start == null ? Set.of() : Set.of("node-of-a"),
                null,
                started,
                5,
                Map.of("a", 7L),
                planned);
    }

    private void record(String phase, @Nullable Instant start, @Nullable Instant started, String planned) {
        happenings.add(gang(++revision, phase, start, started, planned));
    }

    private void book(Map<String, Long> bills) {
        happenings.add(new Booked(++revision, bills));
    }

    private void claim(String uid, boolean hasNode) {
        happenings.add(new Claimed(++revision, "a", uid, "pool", hasNode));
    }

    private Verdict verdict(int nodes, int ofPool, long budget, List<Absence> absences) {
        return PurchaseJudge.judge(
                happenings,
                new Limits(nodes, Map.of("pool", ofPool), Map.of("user", budget)),
                new Telling(told, absences, Set.of("node-of-a")));
    }

    private Verdict verdict() {
        return verdict(1, 1, 5, List.of());
    }

    /** Adds a correct purchase. */
    private void bought() {
        happenings.add(new Allowed(++revision, 7));
        record("Promised", START, null, "True Promised: ");
        book(Map.of("a", 7L));
        claim("1", false);
        claim("1", true);
        record("Running", START, START, "");
        happenings.add(new Gone(++revision, "1"));
    }

    @Test
    void aPurchaseAsItShouldBeIsCounted() {
        bought();

        assertThat(verdict().violations()).isEmpty();
        assertThat(verdict().figures())
                .containsEntry("purchases", 1)
                .containsEntry("purchases that had a node", 1)
                .containsEntry("gangs that started as promised", 1);
    }

    @Test
    void aPurchaseBeforeItsRecordAndBillIsFound() {
        happenings.add(new Allowed(++revision, 7));
        claim("1", false);
        record("Promised", START, null, "");
        claim("2", false);

        assertThat(verdict(2, 2, 5, List.of()).violations())
                .hasSize(2)
                .anyMatch(one -> one.contains("before a record named it"))
                .anyMatch(one -> one.contains("null was kept"));
    }

    @Test
    void repeatedAndExcessivePurchasesAreFound() {
        bought();
        claim("2", true);
        claim("3", false);

        assertThat(verdict().violations())
                .anyMatch(one -> one.contains("made again after it had had a node"))
                .anyMatch(one -> one.contains("2 claims are there"))
                .anyMatch(one -> one.contains("2 claims of pool pool"))
                .anyMatch(one -> one.contains("bills of 14 are paid"));
        book(Map.of("a", 7L, "b", 1L));
        assertThat(verdict().violations()).anyMatch(one -> one.contains("bills of 8 are kept"));
    }

    @Test
    void aNamespaceBeyondItsBudgetIsFound() {
        bought();

        assertThat(verdict(1, 1, 4, List.of()).violations())
                .containsExactly("the gangs of namespace user cost 5, and its budget is 4");
    }

    @Test
    void lateStartsAndMissingCausesAreFound() {
        record("Promised", START, null, "");
        record("Running", START, START.plusSeconds(6), "");
        assertThat(verdict().violations()).singleElement().asString().contains("started at 2030-01-01T00:00:26Z");

        happenings.clear();
        record("Promised", START, null, "");
        record("Pending", null, null, "False NoWindow: too large");
        assertThat(verdict().violations()).singleElement().asString().contains("only this was told");
        assertThat(verdict(1, 1, 5, List.of(new Absence(SEEN.plusSeconds(3), SEEN.plusSeconds(9))))
                        .violations())
                .isEmpty();

        happenings.clear();
        record("Promised", START, null, "");
        record("Promised", START.plusSeconds(1), null, "");
        assertThat(verdict().violations()).singleElement().asString().contains("only this was told");

        happenings.clear();
        record("Promised", START, null, "");
        record("Pending", null, null, "False WindowBroken: not-provisioned: a node was not ready");
        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void aNodeIsLostOnlyIfItWasTakenAway() {
        told.put("user/g", List.of("node-lost: node node-of-a is gone"));
        assertThat(verdict().violations()).isEmpty();

        told.put("user/g", List.of("node-lost: node slotwise-1 is gone", "not-provisioned: node slotwise-1"));
        assertThat(verdict().violations())
                .containsExactly("gang user/g was told that node-lost: node slotwise-1 is gone, and nobody took that "
                        + "node away");
    }

    /** Judges a gang that starts late on a node, where the next gang then loses its window. */
    private List<String> lateBefore(int late, int next, List<Absence> absences) {
        happenings.clear();
        happenings.add(gang(++revision, "before", "Promised", START, null, ""));
        happenings.add(gang(++revision, "g", "Promised", START.plusSeconds(next), null, ""));
        happenings.add(gang(++revision, "before", "Running", START, START.plusSeconds(late), ""));
        happenings.add(gang(++revision, "g", "Pending", null, null, "False WindowBroken: room-taken: a pod has it"));
        return verdict(1, 1, 10, absences).violations();
    }

    @Test
    void roomIsTakenOnlyByAGangThatSlotwiseCouldNotStartInItsSecond() {
        Absence away = new Absence(START.minusSeconds(5), START.plusSeconds(3));
        Absence back = new Absence(START.minusSeconds(5), START.minusSeconds(2));

        assertThat(lateBefore(4, 18, List.of(away))).isEmpty();
        assertThat(verdict(1, 1, 10, List.of(away)).figures())
                .containsEntry("promises given up: room-taken by a gang that started late", 1);
        assertThat(lateBefore(4, 18, List.of(back)))
                .as("it was there in that second")
                .singleElement()
                .asString()
                .contains("only this was told");
        assertThat(lateBefore(4, 19, List.of(away)))
                .as("the late gang is over by then")
                .singleElement()
                .asString()
                .contains("only this was told");
        assertThat(lateBefore(0, 14, List.of(away)))
                .as("it was not late")
                .singleElement()
                .asString()
                .contains("only this was told");
    }
}
