package io.slotwise.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slotwise.it.GangSpec;
import io.slotwise.it.RunChecker.Room;
import io.slotwise.it.RunRecord;
import io.slotwise.it.RunRecord.Binding;
import io.slotwise.it.RunRecord.PodLife;
import io.slotwise.it.RunRecord.Version;
import io.slotwise.it.faults.FaultChecker.Account;
import io.slotwise.it.faults.FaultChecker.End;
import io.slotwise.it.faults.FaultChecker.Told;
import io.slotwise.it.faults.FaultLoad.Fate;
import io.slotwise.it.faults.FaultTimeline.Sort;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the checker with a clean run of a gang of two pods, and with every way to spoil the run. */
class FaultCheckerTest {
    private static final long GIB = 1L << 30;
    private static final Map<String, Room> ROOMS = Map.of(
            "n1", new Room(4000, 8 * GIB, new BigDecimal("2.00")),
            "n2", new Room(4000, 8 * GIB, new BigDecimal("2.00")));
    /** Two pods with half a node each for ten seconds. */
    private static final long COST = 2 * 1_000_000L * 10;

    private final FaultTimeline story = new FaultTimeline();
    private final List<PodLife> pods = new ArrayList<>();
    private final List<Version> versions = new ArrayList<>();
    private final List<Told> told = new ArrayList<>();
    private String budget = "1";
    private long spent = COST;

    @BeforeEach
    void aCleanRun() {
        story.submitted(GangSpec.of("ns", "g", 2, 2000, 10), Fate.RUNS);
        pods.add(pod("g-0", "n1", "10:00:10.1", "10:00:20.1"));
        pods.add(pod("g-1", "n2", "10:00:10.2", "10:00:20.1"));
        versions.add(version("10:00:02", "Promised", "10:00:10", "10:00:20"));
        versions.add(version("10:00:09", "Starting", "10:00:10", "10:00:20"));
        versions.add(version("10:00:10", "Running", "10:00:10", "10:00:20"));
        versions.add(version("10:00:21", "Completed", "10:00:10", "10:00:20"));
    }

    @Test
    void aCleanRunHasNoViolations() {
        assertThat(violations()).isEmpty();
    }

    @Test
    void aGangThatRunsInPartForLongerThanItsRepairTakesIsFound() {
        pods.set(1, pod("g-1", "n2", "10:00:26", "10:00:36"));
        pods.set(0, pod("g-0", "n1", "10:00:10.1", "10:00:40"));

        assertThat(violations()).anySatisfy(one -> assertThat(one).startsWith("partly running: gang g"));
    }

    @Test
    void theTimeInWhichItsRepairerWasAwayIsNotCounted() {
        pods.set(1, pod("g-1", "n2", "10:00:26", "10:00:36"));
        pods.set(0, pod("g-0", "n1", "10:00:10.1", "10:00:40"));
        story.happened(Sort.ABSENCE, "away", instant("10:00:11"), instant("10:00:13"), FaultTimeline.NONE);

        assertThat(violations()).noneSatisfy(one -> assertThat(one).startsWith("partly running"));
    }

    @Test
    void timeInWhichALeaderWasThereIsCounted() {
        pods.set(1, pod("g-1", "n2", "10:00:26", "10:00:36"));
        pods.set(0, pod("g-0", "n1", "10:00:10.1", "10:00:40"));
        story.happened(Sort.SCHEDULER, "killed", instant("10:00:11"), instant("10:00:26"), FaultTimeline.NONE);
        story.happened(Sort.TROUBLE, "slow", instant("10:00:11"), instant("10:00:26"), FaultTimeline.NONE);
        story.happened(Sort.BINDINGS, "held", instant("10:00:11"), instant("10:00:26"), FaultTimeline.NONE);
        story.happened(Sort.DEATH, "other", instant("10:00:12"));

        assertThat(violations()).anySatisfy(one -> assertThat(one).startsWith("partly running: gang g"));
    }

    @Test
    void aMemberThatWentBeforeItsBindingLeavesTheOthersInPart() {
        pods.set(0, pod("g-0", "n1", "10:00:10.1", "10:00:40"));
        PodLife gone = pods.get(1);
        pods.set(
                1,
                new PodLife(
                        gone.name(),
                        "g",
                        2000,
                        GIB,
                        gone.created(),
                        null,
                        instant("10:00:10.1"),
                        instant("10:00:10.1"),
                        false));

        assertThat(violations()).anySatisfy(one -> assertThat(one).startsWith("partly running: gang g"));
    }

    @Test
    void aPodThatCameAfterTheStartIsNoMemberOfIt() {
        PodLife member = pods.get(1);
        pods.set(
                1,
                new PodLife(
                        member.name(),
                        "g",
                        2000,
                        GIB,
                        instant("10:00:10.05"),
                        member.binding(),
                        null,
                        member.ended(),
                        true));

        assertThat(violations())
                .anySatisfy(one -> assertThat(one).contains("pod g-1 was bound to n2 at", "in no window of its gang"));
    }

    @Test
    void aBindingAfterARollbackIsFoundExceptDuringTrouble() {
        versions.set(3, version("10:00:11", "Broken", "10:00:10", "10:00:20"));
        pods.set(1, pod("g-1", "n2", "10:00:12", "10:00:14"));

        assertThat(violations()).anySatisfy(one -> assertThat(one).contains("pod g-1 was bound to n2 at"));

        story.happened(Sort.TROUBLE, "errors", instant("10:00:09"), instant("10:00:12"), FaultTimeline.NONE);

        assertThat(violations()).noneSatisfy(one -> assertThat(one).contains("pod g-1 was bound to n2 at"));
    }

    @Test
    void aMemberDeletedJustBeforeTheStartMayStillBeCounted() {
        PodLife gone = pods.get(1);
        Instant asked = instant("10:00:07");
        pods.set(1, new PodLife("g-1", "g", 2000, GIB, gone.created(), null, asked, asked, false, instant("10:00:10")));
        assertThat(violations()).noneMatch(one -> one.contains("without its pod"));

        pods.set(1, new PodLife("g-1", "g", 2000, GIB, gone.created(), null, asked, asked, false, asked));
        assertThat(violations()).anyMatch(one -> one.contains("without its pod g-1"));
    }

    @Test
    void aMemberThatWasNotThereAtTheStartIsFound() {
        PodLife late = pods.get(1);
        pods.set(1, new PodLife(late.name(), "g", 2000, GIB, instant("10:00:12"), null, null, null, false));

        assertThat(violations())
                .anySatisfy(one -> assertThat(one)
                        .startsWith("starts whole: gang g started")
                        .contains("without its pod g-1"));
    }

    @Test
    void aGangWhoseOtherMembersSucceededIsWhole() {
        versions.replaceAll(both -> alone(both.at(), both.phase()));
        assertThat(violations()).anySatisfy(one -> assertThat(one).contains("started with a window of 1 pods"));

        pods.set(0, pod("g-0", "n1", "10:00:00.5", "10:00:05"));
        assertThat(violations()).noneSatisfy(one -> assertThat(one).contains("started with a window"));

        pods.add(1, pod("g-1", "n1", "10:00:00.5", "10:00:05"));
        assertThat(violations()).noneSatisfy(one -> assertThat(one).contains("started with a window"));
    }

    @Test
    void podsFromBeforeAStartAreNoPartOfIt() {
        Instant bound = instant("10:01:00.1");
        pods.set(0, pod("g-0", "n1", "10:00:10.1", "10:00:40"));
        pods.add(new PodLife(
                "g-1",
                "g",
                2000,
                GIB,
                instant("10:00:41"),
                new Binding("n2", bound, bound),
                null,
                instant("10:01:10"),
                true));
        versions.add(alone(instant("10:01:00"), "Running"));
        versions.add(alone(instant("10:01:11"), "Completed"));

        assertThat(violations()).noneSatisfy(one -> assertThat(one).startsWith("partly running"));
    }

    @Test
    void aBindingBeforeTheStartIsFound() {
        pods.set(1, pod("g-1", "n2", "10:00:08", "10:00:20.1"));

        assertThat(violations()).singleElement().asString().contains("pod g-1 was bound to n2", "in no window");
    }

    @Test
    void aBindingOnAnotherNodeIsFound() {
        pods.set(1, pod("g-1", "n1", "10:00:10.2", "10:00:20.1"));

        assertThat(violations()).singleElement().asString().contains("pod g-1 was bound to n1", "in no window");
    }

    @Test
    void aLateBindingAfterARollbackIsFound() {
        versions.set(3, version("10:00:12", "Broken", "10:00:10", "10:00:20"));
        pods.set(1, pod("g-1", "n2", "10:00:18", "10:00:28"));

        assertThat(violations()).anySatisfy(one -> assertThat(one).contains("pod g-1 was bound to n2 at"));
    }

    @Test
    void aMemberThatRunsOnAfterARollbackIsFound() {
        versions.set(3, version("10:00:11", "Broken", "10:00:10", "10:00:20"));

        assertThat(violations())
                .anySatisfy(one ->
                        assertThat(one).contains("pod g-0 of gang g ran on for 9.1 s after the gang was taken back"));
    }

    @Test
    void aMemberThatHasDoneItsWorkBeforeItIsDeletedRunsNoMore() {
        versions.set(3, version("10:00:19", "Broken", "10:00:10", "10:00:20"));
        pods.replaceAll(pod -> new PodLife(
                pod.name(),
                "g",
                2000,
                GIB,
                pod.created(),
                pod.binding(),
                instant("10:00:40"),
                pod.ended(),
                pod.succeeded()));

        assertThat(violations()).noneSatisfy(one -> assertThat(one).startsWith("partly running"));
    }

    @Test
    void aGangThatCanNeverRunAndIsBoundIsFound() {
        story.submitted(GangSpec.of("ns", "g", 2, 2000, 10), Fate.NEVER_RUNS);

        assertThat(violations()).anySatisfy(one -> assertThat(one).contains("whose gang can never run"));
    }

    @Test
    void roomThatIsPromisedTwiceIsFound() {
        versions.add(2, other("10:00:09", "Promised"));
        pods.add(new PodLife("h-0", "h", 3000, GIB, instant("10:00:00"), null, null, null, false));

        assertThat(violations())
                .anySatisfy(one -> assertThat(one).startsWith("room and money").contains("promised on n1"));
    }

    @Test
    void aWorsePromiseWithoutATrueCauseIsFound() {
        versions.add(1, version("10:00:05", "Promised", "10:00:07", "10:00:17"));

        assertThat(violations())
                .singleElement()
                .asString()
                .startsWith("moved without a cause")
                .contains("nothing says why");
    }

    @Test
    void aPromiseThatGetsBetterNeedsNoCause() {
        versions.set(0, version("10:00:02", "Promised", "10:00:11", "10:00:21"));

        assertThat(violations()).isEmpty();
    }

    @Test
    void aWindowThatMovesWithinItsPromiseNeedsNoCause() {
        versions.add(1, promised(version("10:00:05", "Promised", "10:00:07", "10:00:17"), "10:00:10", "10:00:20"));

        assertThat(violations()).isEmpty();
    }

    @Test
    void aWindowThatMovesBeyondItsPromiseIsFound() {
        versions.add(1, promised(version("10:00:05", "Promised", "10:00:07", "10:00:17"), "10:00:09", "10:00:20"));

        assertThat(violations()).singleElement().asString().contains("nothing says why");
    }

    @Test
    void aWindowThatIsTakenBetweenTwoWritesIsNoLoss() {
        versions.set(0, version("10:00:02", "Promised", "10:00:11", "10:00:21"));
        versions.add(1, version("10:00:03", "Pending", "10:00:10", "10:00:20"));

        assertThat(violations()).isEmpty();
    }

    @Test
    void aReleasedGangsWindowTakenBetweenTwoWritesIsNoLoss() {
        versions.add(1, version("10:00:03", "Starting", "10:00:10", "10:00:20"));
        versions.add(2, version("10:00:04", "Broken", "10:00:10", "10:00:20"));
        versions.add(3, version("10:00:05", "Promised", "10:00:10", "10:00:20"));

        assertThat(violations()).isEmpty();
    }

    @Test
    void aWorseWindowAfterOneThatWasTakenFromAGangOnItsWayIsFound() {
        versions.add(0, version("10:00:01", "Starting", "10:00:08", "10:00:18"));
        versions.add(1, version("10:00:02", "Broken", "10:00:08", "10:00:18"));

        assertThat(violations()).singleElement().asString().contains("nothing says why");
    }

    @Test
    void aWorseWindowThatComesInTwoWritesIsFound() {
        versions.add(0, version("10:00:01", "Promised", "10:00:09", "10:00:19"));
        versions.add(1, version("10:00:02", "Pending", "10:00:10", "10:00:20"));

        assertThat(violations()).singleElement().asString().contains("nothing says why");
    }

    @Test
    void aCauseThatThereWasIsBelieved() {
        versions.add(1, version("10:00:05", "Promised", "10:00:07", "10:00:17"));
        told.add(new Told("g", instant("10:00:09"), "node-lost: node n1 is gone"));
        story.happened(Sort.NODE, "n1", instant("10:00:07"));

        assertThat(violations()).isEmpty();
    }

    @Test
    void aCauseThatThereWasNotIsFound() {
        versions.add(1, version("10:00:05", "Promised", "10:00:07", "10:00:17"));
        told.add(new Told("g", instant("10:00:09"), "node-lost: node n1 is gone"));
        story.happened(Sort.NODE, "n7", instant("10:00:07"));

        assertThat(violations()).singleElement().asString().contains("of which the record of faults knows nothing");
    }

    @Test
    void theCauseOfALostWindowIsItsEventNotTheGangsPresentReason() {
        versions.add(1, unplanned("10:00:05", "WaitingForMembers", "waiting for members: 1 of 2 pods exist"));
        versions.add(2, version("10:00:08", "Promised", "10:00:10", "10:00:20"));
        story.happened(Sort.DEATH, "killed", instant("10:00:03"));
        assertThat(violations()).singleElement().asString().contains("for the cause \"edited: WaitingForMembers");

        told.add(new Told("g", instant("10:00:06"), "refused: not all pods were ready"));
        assertThat(violations()).isEmpty();
    }

    @Test
    void aCauseIsThatOfTheMoveItWasToldFor() {
        versions.add(1, version("10:00:05", "Promised", "10:00:07", "10:00:17"));
        versions.add(0, version("10:00:01", "Promised", "10:00:01", "10:00:11"));
        told.add(new Told("g", instant("10:00:09"), "node-lost: node n7 is gone"));
        assertThat(violations())
                .satisfiesExactly(
                        one -> assertThat(one).contains("nothing says why"),
                        one -> assertThat(one).contains("of which the record of faults knows nothing"));
    }

    /** The event follows the answered write, and the next move may follow at once. */
    @Test
    void aCauseIsThatOfTheMoveBeforeIt() {
        versions.add(1, version("10:00:05", "Promised", "10:00:07", "10:00:17"));
        versions.add(0, version("10:00:01", "Promised", "10:00:01", "10:00:11"));
        List<RunRecord.Version> moves = versions.subList(1, versions.size());
        story.happened(Sort.NODE, "n1", moves.getFirst().at().minusMillis(1));
        story.happened(Sort.NODE, "n2", moves.getFirst().at().minusMillis(1));
        told.add(new Told("g", moves.get(2).at().minusMillis(1), "node-lost: node n1 is gone"));

        assertThat(violations()).singleElement().asString().contains("from 2030-01-01T10:00:07Z", "nothing says why");
    }

    @Test
    void aNamespaceThatPromisesMoreThanItHasIsFound() {
        budget = "0.005555";

        assertThat(violations())
                .anySatisfy(one -> assertThat(one).startsWith("overspent: namespace ns: %d of".formatted(COST)));
    }

    @Test
    void aRunThatIsNotChargedOrChargedTwiceIsFound() {
        spent = 0;
        assertThat(violations()).singleElement().asString().contains("its ledger has spent 0; by the runs");

        spent = 2 * COST;
        assertThat(violations()).singleElement().asString().contains("its ledger has spent 40000000");
    }

    @Test
    void aGangThatNeverRunsIsFound() {
        pods.set(1, new PodLife("g-1", "g", 2000, GIB, instant("10:00:00"), null, null, null, false));

        assertThat(violations())
                .anySatisfy(one -> assertThat(one).startsWith("runs in the end: gang g of ns could run, and [g-1]"));
    }

    @Test
    void aGangThatWasDeletedNeedNotRun() {
        pods.clear();
        versions.clear();
        spent = 0;
        story.gaveUp("g");

        assertThat(violations()).isEmpty();
    }

    @Test
    void aWindowBeyondTheDeadlineIsFound() {
        story.submitted(
                GangSpec.of("ns", "g", 2, 2000, 10).with("deadline", "2030-01-01T10:00:19Z"), Fate.RUNS_BY_A_DEADLINE);

        assertThat(violations()).anySatisfy(one -> assertThat(one).startsWith("deadline: gang g"));
    }

    @Test
    void aFaultThatNeverCameAboutIsFound() {
        FaultPlan plan = FaultPlan.of(1, 100);

        assertThat(FaultChecker.missed(plan, story))
                .contains(new FaultChecker.Violation("faults", "MEMBER_REPLACED never came about."));

        for (FaultPlan.Kind kind : FaultPlan.Kind.values()) {
            story.count(kind.name());
        }
        story.count(FaultsIT.REFUSED_BY_KUBELETS);
        assertThat(FaultChecker.missed(plan, story)).isEmpty();
    }

    private List<String> violations() {
        End end = new End(
                instant("10:02:00"), Map.of("ns", new Account(new BigDecimal(budget), spent, 0)), told, Map.of());
        return FaultChecker.check(new RunRecord(pods, versions), ROOMS, Duration.ofSeconds(3), story, end).stream()
                .map(FaultChecker.Violation::toString)
                .toList();
    }

    private static PodLife pod(String name, String node, String bound, @Nullable String ended) {
        Instant at = instant(bound);
        return new PodLife(
                name,
                "g",
                2000,
                GIB,
                instant("10:00:00"),
                new Binding(node, at, at),
                null,
                ended == null ? null : instant(ended),
                ended != null);
    }

    private Version version(String at, String phase, String start, String end) {
        return new Version(
                "g",
                versions.size() + 1,
                instant(at),
                object("""
                {"spec": {"gang": "g", "window": {"start": "%1$s", "end": "%2$s", "exactCost": %3$d, "placement": [
                   {"pod": "g-0", "node": "n1", "start": "%1$s", "end": "%2$s"},
                   {"pod": "g-1", "node": "n2", "start": "%1$s", "end": "%2$s"}]}},
                 "status": {"phase": "%4$s", "conditions": [{"type": "Planned", "status": "True", "reason": "Promised"}]}}
                """.formatted(instant(start), instant(end), COST, phase)),
                false);
    }

    private static Version promised(Version version, String by, String end) {
        ((ObjectNode) version.object().path("spec"))
                .put("promisedBy", instant(by).toString())
                .put("promisedEnd", instant(end).toString());
        return version;
    }

    private static Version alone(Instant at, String phase) {
        return new Version(
                "g",
                at.toEpochMilli(),
                at,
                object("""
                {"spec": {"gang": "g", "window": {"start": "%1$s", "end": "%2$s", "exactCost": 10000000, "placement": [
                   {"pod": "g-1", "node": "n2", "start": "%1$s", "end": "%2$s"}]}},
                 "status": {"phase": "%3$s", "conditions": [{"type": "Planned", "status": "True", "reason": "Promised"}]}}
                """.formatted(instant("10:00:10"), instant("10:00:20"), phase)),
                false);
    }

    private Version unplanned(String at, String reason, String message) {
        return new Version("g", versions.size() + 1, instant(at), object("""
                {"spec": {"gang": "g"},
                 "status": {"phase": "Pending", "conditions": [
                   {"type": "Planned", "status": "False", "reason": "%s", "message": "%s"}]}}
                """.formatted(reason, message)), false);
    }

    private static Version other(String at, String phase) {
        return new Version(
                "h", 100, instant(at), object("""
                {"spec": {"gang": "h", "window": {"start": "%1$s", "end": "%2$s", "exactCost": 15000000, "placement": [
                   {"pod": "h-0", "node": "n1", "start": "%1$s", "end": "%2$s"}]}},
                 "status": {"phase": "%3$s"}}
                """.formatted(instant("10:00:12"), instant("10:00:22"), phase)), false);
    }

    private static com.fasterxml.jackson.databind.JsonNode object(String json) {
        try {
            return new ObjectMapper().readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Instant instant(String time) {
        return Instant.parse("2030-01-01T" + time + "Z");
    }
}
