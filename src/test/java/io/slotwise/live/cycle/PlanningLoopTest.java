package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Currency;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Online;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.reservation.ReservationClaims;
import io.slotwise.core.reservation.ReservationNames;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.port.SchedulerBackoff;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.LastRefusal;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.NodeAvoidance;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.RecordedTerms;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.start.GangStarter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PlanningLoopTest {
    private static final long TURNOVER = 3;
    /** How late a gang may be released: half of the start timeout of ten seconds. */
    private static final long LATEST = 5;

    private final FakeHost host = new FakeHost().withNodes("a", "b", "c");
    private final LoopSettings settings = LoopSettings.DEFAULT.withPolicy(Policy.DEFAULT.withTurnover(TURNOVER));
    private final ChangingSettings current = new ChangingSettings(settings);
    private final PlanningLoop loop = replica();
    private final GangStarter starter = host.starter(current);

    @Test
    void aNewGangWithRoomIsPromisedTheSecondInWhichItIsPlanned() {
        GangId gang = host.arrives("g", 2, 100);

        loop.cycle();

        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.window(gang).start()).isEqualTo(FakeHost.BEGIN);
        assertThat(host.known(gang).history().promisedStart())
                .hasValue(host.window(gang).start());
        assertThat(host.told).singleElement().asString().startsWith("g WindowPromised: 2030-01-01T00:00:0");
    }

    @Test
    void aNewPolicyPlansNewGangsFromTheNextCycleOnAndPromisesStand() {
        host.withNode("cheap", "0.5");
        GangId before = host.arrives("before", 1, 100);
        loop.cycle();
        assertThat(host.known(before).promise()).isNotNull();
        Window promised = host.window(before);
        GangId after = host.arrives("g", 4, 100);

        current.write(settings.withPolicy(settings.policy().withHorizon(60)));
        loop.cycle();

        assertThat(host.known(after).phase()).isEqualTo(Phase.PENDING);
        assertThat(host.window(before)).isEqualTo(promised);
        assertThat(Objects.requireNonNull(loop.latest()).settings().policy().horizon())
                .isEqualTo(60);

        current.write(settings);
        loop.cycle();

        assertThat(host.known(after).phase()).isEqualTo(Phase.PROMISED);
    }

    @Test
    void aCycleGoesByOnePolicyToItsEnd() {
        host.arrives("g", 2, 100);
        LoopSettings other = settings.withPolicy(settings.policy().withHorizon(60));
        host.whileTaking = () -> current.write(other);

        loop.cycle();

        assertThat(host.taken).isNotEmpty().containsOnly(settings);
        assertThat(Objects.requireNonNull(loop.latest()).settings()).isEqualTo(settings);

        host.taken.clear();
        loop.cycle();

        assertThat(host.taken).isNotEmpty().containsOnly(other);
    }

    @Test
    void howTheDomainOfAGangWasChosenIsKnownForAsLongAsItKeepsItsWindow() {
        Online emct = new Online(Manner.EMCT, CriterionWeights.DEFAULT, "zone");
        current.write(settings.withPolicy(settings.policy().withOnline(emct)));
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        Window promised = host.window(gang);

        loop.cycle();

        assertThat(host.window(gang)).isEqualTo(promised);
        assertThat(Objects.requireNonNull(loop.latest()).carriedOut().domains())
                .singleElement()
                .satisfies(domains -> assertThat(domains.window()).isEqualTo(promised));
    }

    @Test
    void releasesGoByThePolicyInForce() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        long start = host.window(gang).start();
        host.passTo(start + LATEST + 1);
        starter.look(host.instant());
        assertThat(host.released).isEmpty();

        current.write(settings.withPolicy(settings.policy().withTurnover(LATEST + 1)));
        current.renewed();
        starter.look(host.instant());

        assertThat(host.released).hasSize(2);
    }

    @Test
    void aReplicaThatDoesNotLeadReadsThePolicyToo() {
        LoopSettings other = settings.withPolicy(settings.policy().withHorizon(60));
        host.leads = false;
        current.write(other);

        loop.cycle();

        assertThat(current.get()).isEqualTo(other);
    }

    @Test
    void aCycleWithoutNewsWritesNothing() {
        host.arrives("g", 2, 100);
        host.arrives("h", 2, 100);
        loop.cycle();
        int writes = host.writes;

        loop.cycle();

        assertThat(host.writes).isEqualTo(writes);
    }

    @Test
    void aReplicaThatDoesNotLeadDoesNothing() {
        host.arrives("g", 2, 100);
        host.leads = false;

        loop.cycle();

        assertThat(host.writes).isZero();
        assertThat(starter.look(host.instant())).isNull();
    }

    @Test
    void aReplicaThatIsHeldUpInItsCycleUntilAnotherOneLeadsWritesNothingOfIt() {
        AtomicInteger asked = new AtomicInteger();
        PlanningLoop heldUp = host.replica(CurrentSettings.fixed(settings), () -> asked.incrementAndGet() == 1);
        host.arrives("g", 2, 100);

        heldUp.cycle();

        assertThat(asked).hasValueGreaterThan(1);
        assertThat(host.writes).isZero();
    }

    @Test
    void aGangOverItsBudgetWaitsAndSaysSoOnce() {
        GangId gang = host.arrives("g", 2, 3600, FakeHost.budget("1.5"));

        loop.cycle();
        loop.cycle();

        assertThat(host.known(gang).phase()).isEqualTo(Phase.PENDING);
        assertThat(host.known(gang).planned().reason()).isEqualTo("OverBudget");
        assertThat(host.known(gang).terms().budget()).hasToString("1.500000");
        assertThat(host.told)
                .containsExactly("g OverBudget: no window within budget: the cheapest costs 2, the budget is 1.5");
    }

    @Test
    void aReasonOfWhichOnlyAnInstantChangesIsRecordedButNotToldAgain() {
        host.arrives("first", 2, 600);
        loop.cycle();
        GangId gang = host.arrives("g", 2, 3600, FakeHost.budget("1.5"));
        loop.cycle();
        String before = host.known(gang).planned().message();
        host.told.clear();

        host.arrives("second", 2, 600);
        loop.cycle();

        assertThat(before).startsWith("no window within budget: the cheapest costs 2 at 2030-01-01T00:10:");
        assertThat(host.known(gang).planned().message())
                .startsWith("no window within budget: the cheapest costs 2 at 2030-01-01T00:20:");
        assertThat(host.told).noneMatch(told -> told.startsWith("g "));

        host.nodes.clear();
        host.withNode("n1", "2").withNode("n2", "2");
        loop.cycle();
        assertThat(host.told)
                .anyMatch(told -> told.startsWith("g OverBudget: no window within budget: the cheapest costs 4"));
    }

    @Test
    void aReplicaThatTakesOverTellsOnceMoreWhyGangsWait() {
        host.arrives("g", 2, 3600, FakeHost.budget("1.5"));
        loop.cycle();
        host.told.clear();
        int writes = host.writes;
        PlanningLoop successor = replica();

        successor.cycle();
        successor.cycle();

        assertThat(host.told)
                .containsExactly("g OverBudget: no window within budget: the cheapest costs 2, the budget is 1.5");
        assertThat(host.writes).isEqualTo(writes);
    }

    @Test
    void aGangWithoutAllItsPodsWaitsForThem() {
        GangId gang = host.arrives("g", 2, 100);
        host.pods.remove("g-1");

        loop.cycle();

        assertThat(host.known(gang).planned().reason()).isEqualTo("WaitingForMembers");
        assertThat(host.known(gang).planned().message()).isEqualTo("waiting for members: 1 of 2 pods exist");
    }

    @Test
    void aGangIsReleasedAHeadStartBeforeItsWindow() {
        GangId gang = later();
        Instant start = Instant.ofEpochSecond(host.window(gang).start());

        Instant next = starter.look(host.instant());

        assertThat(next).isEqualTo(start.minus(GangStarter.HEAD_START));
        assertThat(host.released).isEmpty();

        host.pass(Duration.between(host.instant(), start.minus(GangStarter.HEAD_START)));
        starter.look(host.instant());

        assertThat(host.known(gang).phase()).isEqualTo(Phase.STARTING);
        assertThat(host.released).containsExactly("g-0 to a", "g-1 to b");

        starter.look(host.instant());
        assertThat(host.released).hasSize(2);
    }

    /** A gang that cannot start before some seconds. */
    private GangId later() {
        GangId gang = host.arrives("g", 2, 100);
        Gang asked = Objects.requireNonNull(host.gangs.get(gang));
        host.gangs.put(gang, asked.startingFrom(FakeHost.BEGIN + 20));
        loop.cycle();
        assertThat(host.window(gang).start()).isEqualTo(FakeHost.BEGIN + 20);
        return gang;
    }

    @Test
    void aGangThatIsBoundDirectlyStartsInItsSecondAndNotBefore() {
        GangId gang = later();
        host.goesDirect(gang);
        Instant start = Instant.ofEpochSecond(host.window(gang).start());

        host.pass(Duration.between(host.instant(), start.minusMillis(1)));
        assertThat(starter.look(host.instant())).isEqualTo(start);
        assertThat(host.startedDirectly).isEmpty();

        host.pass(Duration.ofMillis(1));
        starter.look(host.instant());
        assertThat(host.startedDirectly).containsExactly("g");
        assertThat(host.released).isEmpty();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);
    }

    @Test
    void aGangThatCanStartNowIsHandedOverAsSoonAsItsWindowIsWritten() {
        GangId gang = host.arrives("g", 2, 100);
        host.goesDirect(gang);

        loop.cycle();

        assertThat(host.startedDirectly).containsExactly("g");
        assertThat(host.writes).isEqualTo(1);
        assertThat(host.told).isEmpty();
    }

    @Test
    void aGangDoesNotStartInTheMiddleOfAWriteOfItsRecord() {
        PlanningLoop one = host.replica(
                current, () -> host.leads, starter, PlanPublisher.Writers.all(Runnable::run), Duration.ZERO);
        GangId gang = host.arrives("g", 2, 100);
        Gang asked = Objects.requireNonNull(host.gangs.get(gang));
        host.gangs.put(gang, asked.startingFrom(FakeHost.BEGIN + 20));
        host.goesDirect(gang);
        List<Instant> looks = new ArrayList<>();
        host.whileWriting = () -> {
            host.passTo(FakeHost.BEGIN + 20);
            looks.add(Objects.requireNonNull(starter.look(host.instant())));
        };

        one.cycle();

        assertThat(looks)
                .containsExactly(Instant.ofEpochSecond(FakeHost.BEGIN + 20).plusMillis(100));
        assertThat(host.startedDirectly).isEmpty();

        starter.look(host.instant());
        assertThat(host.startedDirectly).containsExactly("g");
    }

    @Test
    void aGangThatIsBeingStartedIsLeftAlone() {
        GangId gang = host.arrives("g", 2, 100);
        host.goesDirect(gang);
        loop.cycle();
        host.starting.add(gang);
        host.passTo(host.second() + LATEST + 5);

        loop.cycle();

        assertThat(host.broken).isEmpty();
        assertThat(host.writes).isEqualTo(1);
        assertThat(host.window(gang).start()).isEqualTo(FakeHost.BEGIN);
    }

    @Test
    void theNextCycleLeavesAGangAloneWhoseWriteIsNotAnswered() {
        List<Runnable> writes = new ArrayList<>();
        PlanningLoop streaming = host.replica(
                current,
                () -> host.leads,
                starter,
                new PlanPublisher.Writers(Runnable::run, writes::add),
                Duration.ZERO);
        GangId first = host.arrives("first", 3, 100);
        host.goesDirect(first);
        streaming.cycle();
        assertThat(host.standings).isEmpty();
        GangId second = host.arrives("second", 3, 100);
        host.goesDirect(second);

        streaming.cycle();
        List.copyOf(writes).forEach(Runnable::run);

        assertThat(host.startedDirectly).containsExactly("first");
        assertThat(host.window(first).start()).isEqualTo(FakeHost.BEGIN);
        assertThat(host.window(second).start()).isEqualTo(FakeHost.BEGIN + 100 + TURNOVER);
        assertThat(host.writes).isEqualTo(2);
    }

    @Test
    void aCycleEndsWithWhatGivesRoomUpWhileNewRecordsWait() {
        List<Runnable> writes = new ArrayList<>();
        GangId first = host.arrives("first", 3, 100);
        host.goesDirect(first);
        loop.cycle();
        host.passTo(host.second() + 10);
        List.of("first-0", "first-1", "first-2").forEach(host::end);
        host.withNodes("A", "B");
        GangId second = host.arrives("second", 2, 100);
        host.goesDirect(second);
        PlanningLoop streaming = host.replica(
                current,
                () -> host.leads,
                starter,
                new PlanPublisher.Writers(Runnable::run, writes::add),
                Duration.ZERO);

        streaming.cycle();

        assertThat(writes).hasSize(1);
        assertThat(host.standings).isEmpty();
    }

    /** Its room is its own until its record says otherwise, though the plan has it for another one. */
    @Test
    void nobodyGetsTheRoomOfAGangThatLosesItsWindowWhileThatIsBeingWritten() {
        List<Runnable> writes = new ArrayList<>();
        PlanningLoop streaming = host.replica(
                current,
                () -> host.leads,
                starter,
                new PlanPublisher.Writers(Runnable::run, writes::add),
                Duration.ZERO);
        GangId first = host.arrives("first", 3, 100);
        streaming.cycle();
        host.nodes.removeIf(node -> node.name().equals("a"));
        GangId second = host.arrives("second", 2, 100);

        streaming.cycle();
        List.copyOf(writes).forEach(Runnable::run);

        assertThat(host.standings).containsOnlyKeys(first);
        assertThat(host.again).isPositive();

        writes.clear();
        streaming.cycle();
        List.copyOf(writes).forEach(Runnable::run);

        assertThat(host.known(first).promise()).isNull();
        assertThat(host.window(second).start()).isEqualTo(FakeHost.BEGIN);
    }

    @Test
    void aWriteThatFailedIsPlannedAgain() {
        GangId gang = host.arrives("g", 2, 100);
        host.goesDirect(gang);
        host.unreachable = true;
        host.catchesUp = true;
        loop.cycle();
        assertThat(host.again).isEqualTo(1);
        assertThat(host.startedDirectly).isEmpty();
        host.unreachable = false;

        loop.cycle();

        assertThat(host.startedDirectly).containsExactly("g");
    }

    @Test
    void aGangThatWaitsForAMomentOnlyHasNoRecord() {
        PlanningLoop patient = host.replica(
                current, () -> host.leads, starter, PlanPublisher.Writers.all(Runnable::run), Duration.ofSeconds(1));
        GangId gang = host.arrives("g", 2, 100);
        host.goesDirect(gang);
        Member late = Objects.requireNonNull(host.pods.remove("g-1"));
        patient.cycle();
        assertThat(host.standings).isEmpty();
        assertThat(patient.deadline()).isEqualTo(host.instant().plusSeconds(1));

        host.pods.put("g-1", late);
        patient.cycle();
        assertThat(host.startedDirectly).containsExactly("g");

        GangId waiting = host.arrives("h", 2, 100);
        host.pods.remove("h-1");
        patient.cycle();
        host.pass(Duration.ofSeconds(1));
        patient.cycle();
        assertThat(host.known(waiting).planned().reason()).isEqualTo("WaitingForMembers");
    }

    @Test
    void aMemberThatAKubeletRefusesMakesTheStartFail() {
        GangId gang = host.arrives("g", 2, 100);
        host.goesDirect(gang);
        loop.cycle();
        host.openBarrier(gang);
        host.pods.put(
                "g-1",
                new Member(
                        "g-1",
                        "uid-g-1",
                        Member.State.ENDED,
                        false,
                        "b",
                        "OutOfcpu: Node didn't have enough resource"));

        loop.cycle();

        assertThat(host.evicted).containsExactly("g-0");
        assertThat(host.broken).containsExactly(Cause.REFUSED);
        assertThat(host.known(gang).avoided()).containsOnlyKeys("b");
        assertThat(host.told.getLast()).contains("the kubelet refused g-1").contains("OutOfcpu");
    }

    @Test
    void aMemberThatSomebodyElseHasBoundElsewhereIsLeftToThem() {
        GangId gang = host.arrives("g", 3, 100);
        host.goesDirect(gang);
        loop.cycle();
        host.openBarrier(gang);
        host.bind("g-0", "elsewhere");
        host.pods.put("g-1", FakeHost.waiting("g-1").byItself());
        host.passTo(host.second() + settings.startTimeout());

        loop.cycle();

        assertThat(host.evicted).containsExactly("g-2");
    }

    @Test
    void aGangWhoseRoomIsNotFreeIsReleasedAsSoonAsItIs() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        long start = host.window(gang).start();
        host.fullNodes.add("b");
        host.passTo(start);

        assertThat(starter.look(host.instant())).isEqualTo(host.instant().plusMillis(100));
        assertThat(host.released).isEmpty();

        host.fullNodes.clear();
        host.passTo(start + 2);
        starter.look(host.instant());
        assertThat(host.released).hasSize(2);
    }

    @Test
    void aGangWhoseRoomStaysTakenIsNotReleasedButPlannedAgain() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        long start = host.window(gang).start();
        host.fullNodes.add("b");
        host.passTo(start + LATEST);
        starter.look(host.instant());
        loop.cycle();
        assertThat(host.window(gang).start()).isEqualTo(start);

        host.passTo(start + LATEST + 1);
        starter.look(host.instant());
        loop.cycle();

        assertThat(host.released).isEmpty();
        assertThat(host.broken).containsExactly(Cause.ROOM_TAKEN);
        assertThat(host.told).contains("g WindowBroken: room-taken: its room was not free at its start");
        assertThat(host.window(gang).start()).isGreaterThan(start);
    }

    /** Records change hundreds of times a second when many gangs start, and each change is a reason to look. */
    @Test
    void aGangThatWaitsForItsRoomIsLookedAtTenTimesASecond() {
        host.arrives("g", 2, 100);
        loop.cycle();
        Instant first = host.instant();
        host.fullNodes.add("b");
        starter.look(first);
        host.fullNodes.clear();

        host.pass(Duration.ofMillis(50));
        assertThat(starter.look(host.instant())).isEqualTo(first.plusMillis(100));
        assertThat(host.released).isEmpty();

        host.pass(Duration.ofMillis(50));
        starter.look(host.instant());
        assertThat(host.released).hasSize(2);
    }

    @Test
    void roomIsAskedForBesideTheGangsThatAreOnTheirWayToTheSameNodes() {
        GangId first = host.arrives("first", 3, 10);
        loop.cycle();
        Window before = host.window(first);
        host.passTo(before.start());
        starter.look(host.instant());
        assertThat(host.known(first).phase()).isEqualTo(Phase.STARTING);
        GangId next = host.arrives("next", 3, 10);
        loop.cycle();
        assertThat(host.beside).isEmpty();

        host.passTo(host.window(next).start());
        starter.look(host.instant());

        assertThat(host.beside).containsExactly(before);
    }

    @Test
    void aGangWithANodeThatIsGoneIsNotReleasedButPlannedAgain() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.lostNodes.add("b");
        host.passTo(host.window(gang).start());

        starter.look(host.instant());
        assertThat(host.released).isEmpty();

        loop.cycle();
        assertThat(host.broken).containsExactly(Cause.NODE_LOST);
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.window(gang).placements()).extracting(Placement::node).containsExactly("a", "c");
    }

    @Test
    void aGangThatLosesAPodBeforeItsStartIsTakenBack() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.pods.remove("g-1");
        host.passTo(host.window(gang).start());

        starter.look(host.instant());
        loop.cycle();

        assertThat(host.released).isEmpty();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PENDING);
        assertThat(host.known(gang).promise()).isNull();
        assertThat(host.known(gang).planned().reason()).isEqualTo("WaitingForMembers");
        assertThat(host.broken).containsExactly(Cause.EDITED);
    }

    @Test
    void aReplacementOfAPodBeforeTheStartGetsItsPlace() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        long start = host.window(gang).start();
        host.pods.remove("g-1");
        host.pods.put("g-x", FakeHost.waiting("g-x"));
        host.gangs.put(gang, FakeHost.gang(gang, List.of("g-0", "g-x"), 100, Budget.UNLIMITED, Criterion.START));

        loop.cycle();

        assertThat(host.window(gang).start()).isEqualTo(start);
        assertThat(host.window(gang).placements()).extracting(Placement::pod).containsExactly("g-0", "g-x");
        assertThat(host.broken).isEmpty();
    }

    @Test
    void aReleasedGangThatIsRefusedIsTakenBackAndLeavesTheNodeOut() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        long start = host.window(gang).start();
        host.passTo(start);
        starter.look(host.instant());
        host.refuse("g-1", "0/3 nodes are available: 3 node(s) had volume node affinity conflict");

        host.passTo(start + settings.startTimeout() - 1);
        loop.cycle();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.STARTING);

        host.passTo(start + settings.startTimeout());
        loop.cycle();

        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.known(gang).history().attempts()).isEqualTo(1);
        assertThat(host.known(gang).history().promisedStart()).hasValue(start);
        assertThat(host.known(gang).avoided())
                .containsExactly(Map.entry(
                        "b", new NodeAvoidance(host.second() + GangLifecycle.AVOIDED_SECONDS, "uid-g-1", "uid-b")));
        assertThat(host.recalled).containsExactly("g");
        assertThat(host.window(gang).placements()).extracting(Placement::node).containsExactly("a", "c");
        assertThat(host.broken).containsExactly(Cause.REFUSED);
        assertThat(host.told).anyMatch(what -> what.contains("refused g-1: 0/3 nodes are available"));
    }

    @Test
    void theCauseOfRefusalsIsToldOnceUntilItIsAnotherOne() {
        GangId gang = host.arrives("g", 1, 100);
        loop.cycle();

        refuse(gang, "0/3 nodes are available: 3 node(s) had volume node affinity conflict");
        refuse(gang, "0/2 nodes are available: 2 node(s) had volume node affinity conflict");

        assertThat(host.known(gang).history().attempts()).isEqualTo(2);
        assertThat(host.broken).containsExactly(Cause.REFUSED, Cause.REFUSED);
        assertThat(host.told.stream().filter(what -> what.contains("refused g-0")))
                .singleElement()
                .asString()
                .contains("0/3 nodes");
        assertThat(host.known(gang).started().message())
                .isEqualTo("not started: kube-scheduler refused g-0: 0/2 nodes are available: 2 node(s) had volume "
                        + "node affinity conflict");

        passPause(gang);
        refuse(gang, "0/1 nodes are available: 1 cannot allocate all claims");

        assertThat(host.told.stream().filter(what -> what.contains("refused g-0")))
                .hasSize(2);
        // The window after the first refusal is told, and those of further tries are not.
        assertThat(host.told.stream().filter(what -> what.contains("WindowPromised")))
                .hasSize(2);
    }

    @Test
    void whyAGangWasNotStartedIsKnownByItsRecordAndNotByTheSentenceInIt() {
        GangId gang = host.arrives("g", 1, 100);
        loop.cycle();
        refuse(gang, "0/3 nodes are available: 3 too bad");
        refuse(gang, "0/3 nodes are available: 3 too bad");
        GangRecord refused = host.known(gang);
        assertThat(refused.history().lastRefusal())
                .isEqualTo(new LastRefusal(
                        LastRefusal.By.KUBE_SCHEDULER, List.of("g-0"), 1, "0/3 nodes are available: 3 too bad"));

        host.standings.put(gang, refused.started(false, "NotStarted", "in other words", host.second()));
        loop.cycle();
        assertThat(host.known(gang).promise()).isNull();

        // As an older version has written it.
        host.standings.put(gang, refused.with(refused.history().refused(null)));
        loop.cycle();
        assertThat(host.known(gang).promise()).isNotNull();
    }

    @Test
    void aGangThatHasStartedKeepsNoRefusal() {
        GangId gang = host.arrives("g", 1, 100);
        loop.cycle();
        refuse(gang, "0/3 nodes are available: 3 too bad");

        assertThat(host.known(gang).history().released(host.second()).lastRefusal())
                .isNotNull();
        assertThat(host.known(gang).history().started(host.second()).lastRefusal())
                .isNull();
    }

    @Test
    void aGangThatIsRefusedAgainAndAgainTakesNobodysRoomUntilItIsTriedAgain() {
        GangId gang = host.arrives("g", 1, 100);
        loop.cycle();
        refuse(gang, "0/3 nodes are available: 3 too bad");
        assertThat(host.known(gang).promise()).isNotNull();

        refuse(gang, "0/3 nodes are available: 3 too bad");

        long pause = GangLifecycle.AVOIDED_SECONDS;
        for (int attempts = 2; attempts < 6; attempts++) {
            long refusedAt = host.second();
            assertThat(host.known(gang).promise()).isNull();
            assertThat(host.known(gang).planned().refusal())
                    .isEqualTo(new Refusal.BackingOff(
                            attempts,
                            refusedAt + pause,
                            "kube-scheduler refused g-0: 0/3 nodes are available: 3 too bad"));
            assertThat(loop.deadline()).isEqualTo(Instant.ofEpochSecond(refusedAt + pause));

            host.passTo(refusedAt + pause - 1);
            loop.cycle();
            assertThat(host.known(gang).promise()).isNull();
            GangId other = host.arrives("other-" + attempts, 3, 5);
            loop.cycle();
            assertThat(host.window(other).start()).isEqualTo(host.second());
            host.gangs.remove(other);
            host.standings.remove(other);
            host.pods.keySet().removeIf(pod -> pod.startsWith("other"));

            host.passTo(refusedAt + 2 * pause);
            loop.cycle();
            assertThat(host.known(gang).promise()).isNotNull();
            refuse(gang, "0/3 nodes are available: 3 too bad");
            pause *= 2;
        }
    }

    @Test
    void whileAGangIsTriedElsewhereTheNodesThatRefusedItBeforeStayLeftOut() {
        GangId gang = host.arrives("g", 1, 100);
        loop.cycle();
        refuse(gang, "0/3 nodes are available: 3 too bad");
        refuse(gang, "0/3 nodes are available: 3 too bad");

        passPause(gang);

        assertThat(host.known(gang).avoided()).hasSize(2);
        assertThat(host.known(gang).avoided())
                .doesNotContainKey(host.window(gang).placements().getFirst().node());
    }

    @Test
    void aPodThatIsMadeAnewIsTriedAtOnceThoughTheOneBeforeWasRefused() {
        GangId gang = host.arrives("g", 1, 100);
        loop.cycle();
        refuse(gang, "0/3 nodes are available: 3 too bad");
        refuse(gang, "0/3 nodes are available: 3 too bad");
        assertThat(host.known(gang).promise()).isNull();

        host.pods.put("g-0", new Member("g-0", "uid-of-another", Member.State.WAITING, true, "", ""));
        loop.cycle();

        assertThat(host.known(gang).promise()).isNotNull();
    }

    private void passPause(GangId gang) {
        host.passTo(GangLifecycle.pauseEnd(host.known(gang)).orElseThrow());
        loop.cycle();
    }

    /** kube-scheduler refuses a gang's only pod until it is taken back, and it is promised another window. */
    private void refuse(GangId gang, String words) {
        long start = host.window(gang).start();
        host.passTo(start);
        starter.look(host.instant());
        host.refuse("g-0", words);
        host.passTo(start + settings.startTimeout());
        loop.cycle();
    }

    @Test
    void aNodeThatRefusedIsLookedAtAgainAfterAWhile() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.standings.put(
                gang, host.known(gang).at("edited").avoiding(Map.of("c", NodeAvoidance.until(host.second() + 30))));

        host.passTo(host.second() + 1);
        loop.cycle();
        assertThat(host.known(gang).avoided()).containsOnlyKeys("c");

        host.passTo(host.second() + 30);
        loop.cycle();
        assertThat(host.known(gang).avoided()).isEmpty();
    }

    @Test
    void nodesThatRefuseAreLeftOutTwiceAsLongEachTime() {
        assertThat(IntStream.of(0, 1, 2, 3, 6, 7, 1000).mapToLong(GangLifecycle::avoidedFor))
                .containsExactly(30L, 60L, 120L, 240L, 1920L, 3600L, 3600L);
    }

    @ParameterizedTest
    @CsvSource({"uid-g-0, uid-of-the-one-before", "uid-of-the-one-before, uid-c"})
    void aNodeThatRefusedIsLookedAtAgainWhenItOrThePodIsAnotherOne(String pod, String node) {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        long until = host.second() + 3600;
        host.standings.put(
                gang,
                host.known(gang)
                        .at("edited")
                        .avoiding(Map.of(
                                "b", new NodeAvoidance(until, "uid-g-0", "uid-b"),
                                "c", new NodeAvoidance(until, pod, node))));

        host.passTo(host.second() + 1);
        loop.cycle();

        assertThat(host.known(gang).avoided()).containsOnlyKeys("b");
    }

    @Test
    void podsOfAGangThatIsNotOnItsWayKeepNoRoomFromOthers() {
        GangId large = host.arrives("large", 9, 100);
        loop.cycle();
        host.nominate("large-0");
        GangId next = host.arrives("next", 2, 100);
        host.passTo(host.second() + 1);
        loop.cycle();
        assertThat(host.known(large).phase()).isEqualTo(Phase.PENDING);
        assertThat(host.recalled).containsExactly("large");

        // The API server did not answer.
        host.passTo(host.second() + 1);
        loop.cycle();
        assertThat(host.recalled).containsExactly("large", "large");

        host.passTo(host.window(next).start());
        starter.look(host.instant());
        host.nominate("next-0");
        loop.cycle();
        assertThat(host.known(next).phase()).isEqualTo(Phase.STARTING);
        assertThat(host.recalled).doesNotContain("next");
    }

    @Test
    void aReleasedGangOfWhichKubeSchedulerSaysNothingWasLeftAloneByIt() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        long start = host.window(gang).start();
        host.passTo(start);
        starter.look(host.instant());

        host.passTo(start + settings.startTimeout());
        loop.cycle();

        assertThat(host.broken).containsExactly(Cause.OUTAGE);
        assertThat(host.known(gang).avoided()).isEmpty();
        assertThat(host.window(gang).start()).isGreaterThan(start);
    }

    @Test
    void aPromiseWhoseStartPassedWithoutAReleaseIsPlannedAgain() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        long start = host.window(gang).start();

        host.passTo(start + LATEST + 1);
        starter.look(host.instant());
        loop.cycle();

        assertThat(host.released).isEmpty();
        assertThat(host.broken).containsExactly(Cause.OUTAGE);
        assertThat(host.known(gang).history().attempts()).isZero();
        assertThat(host.window(gang).start()).isGreaterThan(start);
    }

    /** Many gangs of one second write their records one after another: those that come last are no less promised. */
    @Test
    void aGangThroughKubeSchedulerWhoseWindowForNowWasWrittenLateIsReleasedInIt() {
        PlanningLoop replica = host.replica(
                current, () -> host.leads, starter, PlanPublisher.Writers.all(Runnable::run), Duration.ZERO);
        GangId gang = host.arrives("g", 2, 100);
        long start = host.second();
        host.whileWriting = () -> host.passTo(start + LATEST + 3);
        replica.cycle();
        host.whileWriting = () -> {};
        assertThat(host.window(gang).start()).isEqualTo(start);

        replica.cycle();
        starter.look(host.instant());

        assertThat(host.broken).isEmpty();
        assertThat(host.released).containsExactly("g-0 to a", "g-1 to b");
        assertThat(host.known(gang).phase()).isEqualTo(Phase.STARTING);
        assertThat(host.known(gang).planned().holds()).isTrue();
        assertThat(host.writes).as("the record and its release").isEqualTo(2);
    }

    @Test
    void aBudgetEditedBelowTheCostBreaksThePromise() {
        GangId gang = host.arrives("g", 2, 3600, FakeHost.budget("2"));
        loop.cycle();
        host.gangs.put(gang, FakeHost.gang(gang, List.of("g-0", "g-1"), 3600, FakeHost.budget("1.9"), Criterion.START));

        loop.cycle();

        assertThat(host.broken).containsExactly(Cause.EDITED);
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PENDING);
        assertThat(host.told).contains("g WindowBroken: edited: the window costs 2, the budget is now 1.900000");
    }

    @Test
    void aGangThatIsEditedOnItsWayIsReadAgainBeforeItIsPlannedAnew() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.passTo(host.window(gang).start());
        starter.look(host.instant());
        assertThat(host.known(gang).phase()).isEqualTo(Phase.STARTING);
        host.gangs.put(gang, FakeHost.gang(gang, List.of("g-0", "g-1"), 100, Budget.UNLIMITED, Criterion.COST));
        int before = host.taken.size();

        loop.cycle();

        assertThat(host.broken).containsExactly(Cause.EDITED);
        assertThat(host.taken)
                .as("what claims allow is not read of a gang on its way")
                .hasSize(before + 2);
    }

    @Test
    void aRaisedBudgetKeepsThePromise() {
        GangId gang = host.arrives("g", 2, 3600, FakeHost.budget("2"));
        loop.cycle();
        long start = host.window(gang).start();
        host.gangs.put(gang, FakeHost.gang(gang, List.of("g-0", "g-1"), 3600, FakeHost.budget("5"), Criterion.START));

        loop.cycle();

        assertThat(host.broken).isEmpty();
        assertThat(host.window(gang).start()).isEqualTo(start);
        assertThat(host.known(gang).terms().budget()).hasToString("5.000000");
    }

    @Test
    void anotherCriterionBreaksThePromise() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.gangs.put(gang, FakeHost.gang(gang, List.of("g-0", "g-1"), 100, Budget.UNLIMITED, Criterion.COST));

        loop.cycle();

        assertThat(host.broken).containsExactly(Cause.EDITED);
        assertThat(host.known(gang).terms().criterion()).isEqualTo("cost");
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);
    }

    @Test
    void aPromiseWhoseRequestAnotherVersionWroteDownInItsOwnWayStands() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        GangRecord written = host.known(gang);
        RecordedTerms terms = written.terms();
        host.standings.put(
                gang,
                written.at("edited")
                        .with(new RecordedTerms(
                                terms.criterion(),
                                terms.runtime(),
                                terms.budget(),
                                "8c51c2d4e0b9f7a6",
                                terms.priority(),
                                terms.lockstep())));

        loop.cycle();

        assertThat(host.broken).isEmpty();
        assertThat(host.known(gang).promise()).isEqualTo(written.promise());
        assertThat(host.known(gang).terms()).isEqualTo(terms);
    }

    @Test
    void aStartIsRecordedOnceAllPodsAreBound() {
        GangId gang = starts("g");

        loop.cycle();
        loop.cycle();

        assertThat(host.known(gang).phase()).isEqualTo(Phase.RUNNING);
        assertThat(host.known(gang).started().holds()).isTrue();
        assertThat(host.started).isEqualTo(1);
        assertThat(host.told)
                .filteredOn(what -> what.startsWith("g GangStarted"))
                .hasSize(1);
    }

    @Test
    void aGangWhosePodsHaveEndedIsCompletedAndForgottenInTime() {
        GangId gang = starts("g");
        loop.cycle();
        host.end("g-0");
        loop.cycle();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.RUNNING);

        host.pods.remove("g-1");
        host.pass(Duration.ofSeconds(50));
        long end = host.second();
        loop.cycle();

        assertThat(host.known(gang).phase()).isEqualTo(Phase.COMPLETED);
        assertThat(host.known(gang).history().endedAt()).hasValue(end);

        host.passTo(end + settings.reservationTtl());
        loop.cycle();
        assertThat(host.standings).isEmpty();
    }

    @Test
    void aRecordGoesWithItsPods() {
        GangId waiting = host.arrives("g", 2, 100);
        GangId running = starts("h");
        loop.cycle();
        host.pods.clear();

        loop.cycle();
        assertThat(host.standings).doesNotContainKey(waiting);
        assertThat(host.known(running).phase()).isEqualTo(Phase.COMPLETED);

        loop.cycle();
        assertThat(host.standings).isEmpty();
    }

    @Test
    void aGangThatRunsPartlyAfterACrashIsTakenBack() {
        GangId gang = starts("g");
        host.refuse("g-1", "");
        long startedAt = host.known(gang).history().startedAt().orElseThrow();

        host.passTo(startedAt + settings.startTimeout() - 1);
        loop.cycle();
        assertThat(host.evicted).isEmpty();

        host.passTo(startedAt + settings.startTimeout());
        loop.cycle();

        assertThat(host.evicted).containsExactly("g-0");
        assertThat(host.known(gang).history().attempts()).isEqualTo(1);
        assertThat(host.known(gang).history().startedAt()).isEmpty();
    }

    @Test
    void aMemberThatSomebodyElseHasBoundElsewhereIsNotEvictedWithOurs() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.openBarrier(gang);
        host.bind("g-1", "c");

        new GangRollback(host, host, host, host, host, host).takeBack(gang, Cause.REFUSED, "g-1 is bound on node c");

        assertThat(host.evicted).containsExactly("g-0");
    }

    @Test
    void aPodThatIsMadeAgainWhileItsGangIsBeingBoundIsNotPlannedByItself() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.openBarrier(gang);
        host.starting.add(gang);
        host.pods.put("g-1", FakeHost.waiting("g-1"));
        GangId alone = new GangId("user", "pod-g-1");
        host.gangs.put(alone, FakeHost.gang(alone, List.of("g-1"), 100, Budget.UNLIMITED, Criterion.START));

        loop.cycle();

        assertThat(host.standings).doesNotContainKey(alone);

        host.starting.clear();
        loop.cycle();
        assertThat(host.standings).containsKey(alone);
    }

    @Test
    void aMemberThatWasBoundWhileItsGangWasTakenBackIsEvictedInTheNextCycle() {
        GangId gang = starts("g");
        String node = place(gang, "g-0");
        takeBackUnbound(gang);
        assertThat(host.evicted).isEmpty();
        host.bind("g-0", node);

        loop.cycle();

        assertThat(host.evicted).containsExactly("g-0");
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PENDING);
        assertThat(host.known(gang).history().attempts()).isEqualTo(2);
    }

    @Test
    void aMemberThatIsSeenToBeBoundOnceItsGangIsPromisedAgainIsEvictedToo() {
        GangId gang = starts("g");
        String node = place(gang, "g-0");
        takeBackUnbound(gang);
        loop.cycle();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);

        host.bind("g-0", node);
        loop.cycle();

        assertThat(host.evicted).containsExactly("g-0");
        assertThat(host.known(gang).promise()).isNull();
    }

    @Test
    void aMemberThatSomebodyElseHasBoundElsewhereStaysAfterItsGangWasTakenBack() {
        GangId gang = starts("g");
        String elsewhere = place(gang, "g-0");
        String ours = place(gang, "g-0");
        host.bind("g-1", elsewhere);
        new GangRollback(host, host, host, host, host, host).takeBack(gang, Cause.REFUSED, "g-1 is bound elsewhere");
        assertThat(host.evicted).containsExactly("g-0");
        host.evicted.clear();

        // Its eviction got no answer.
        host.bind("g-0", ours);
        loop.cycle();

        assertThat(host.evicted).containsExactly("g-0");
        host.end("g-0");
        host.evicted.clear();

        loop.cycle();

        assertThat(host.evicted).isEmpty();
    }

    @Test
    void aStartThatWasRolledBackIsToldIfTheNextWindowWasNotWritten() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.told.clear();
        host.standings.put(
                gang,
                host.known(gang)
                        .planned(true, "Promised", "its next window", host.second())
                        .in(Phase.BROKEN));

        loop.cycle();

        assertThat(host.told)
                .anySatisfy(told ->
                        assertThat(told).startsWith("g WindowBroken: outage: its next window could not be written"))
                .anySatisfy(told -> assertThat(told).startsWith("g WindowPromised"));
    }

    /** Of two writes the second may be refused, whose phase says that there is none. */
    @ParameterizedTest
    @EnumSource(names = {"PENDING", "PROMISED"})
    void aWindowThatWasTakenInAnExchangeIsToldIfTheNewOneWasNotWritten(Phase phase) {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.told.clear();
        GangRecord promised = host.known(gang).planned(true, "Promised", "its window", host.second());
        host.standings.put(gang, promised.with((Promise) null).in(phase));

        loop.cycle();

        assertThat(host.told)
                .anySatisfy(told ->
                        assertThat(told).startsWith("g WindowBroken: outage: its next window could not be written"))
                .anySatisfy(told -> assertThat(told).startsWith("g WindowPromised"));
        host.told.clear();
        loop.cycle();
        assertThat(host.told).isEmpty();
    }

    @Test
    void nobodyIsEvictedByAReplicaWhoseRecordIsOld() {
        GangId gang = starts("g");
        String node = place(gang, "g-0");
        host.refuse("g-0", "");
        host.refuse("g-1", "");
        new GangRollback(host, host, host, host, host, host)
                .takeBack(gang, Cause.REFUSED, "the API server refused g-1");
        host.bind("g-0", node);
        host.conflicts = true;

        loop.cycle();

        assertThat(host.evicted).isEmpty();
    }

    @Test
    void nothingIsToldOfAWriteThatCameSecond() {
        host.arrives("g", 2, 100);
        host.conflicts = true;

        loop.cycle();
        assertThat(host.told).isEmpty();

        host.conflicts = false;
        loop.cycle();
        assertThat(host.told).hasSize(1);
    }

    @Test
    void aGangIsNotReleasedWhenItsRecordCannotBeWritten() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.passTo(host.window(gang).start());
        host.unreachable = true;

        starter.look(host.instant());
        assertThat(host.released).isEmpty();

        host.unreachable = false;
        starter.look(host.instant());
        assertThat(host.released).hasSize(2);
    }

    @Test
    void aReasonStaysWhileItsInstantsAreAboutTheSame() {
        GangId gang = new GangId("user", "g");
        GangRecord told = GangRecord.first(gang, 0).refused(new Refusal.NotBefore(1000), 0);

        RecordUpdate near = new RecordUpdate(told);
        verdicts().pending(near, new Pending(gang, new Refusal.NotBefore(1059)));
        assertThat(near.after().planned().refusal()).isEqualTo(new Refusal.NotBefore(1000));
        assertThat(near.announcements()).isEmpty();

        RecordUpdate later = new RecordUpdate(told);
        verdicts().pending(later, new Pending(gang, new Refusal.NotBefore(1060)));
        assertThat(later.after().planned().refusal()).isEqualTo(new Refusal.NotBefore(1060));
        assertThat(later.announcements()).as("only its instant is new").isEmpty();

        RecordUpdate other = new RecordUpdate(told);
        verdicts().pending(other, new Pending(gang, new Refusal.NotBackfilled()));
        assertThat(other.announcements()).hasSize(1);
    }

    @Test
    void aRecordNamesNoGangOfAnotherNamespaceAndStaysAsItIsWhileOthersChangePlaces() {
        GangId gang = new GangId("user", "g");
        Pending behind =
                new Pending(gang, new Refusal.BehindPromises(new GangId("secret", "month-end-close"), 1000, 1));
        RecordUpdate draft = new RecordUpdate(GangRecord.first(gang, 0));

        verdicts().pending(draft, behind);

        GangRecord written = draft.after();
        assertThat(written.toString()).doesNotContain("secret", "month-end-close");
        assertThat(written.planned().message()).startsWith("behind promised gangs: a gang of another namespace");
        assertThat(written.tells(behind.refusal())).isTrue();
        RecordUpdate next = new RecordUpdate(written.at("1"));
        verdicts().pending(next, new Pending(gang, new Refusal.BehindPromises(new GangId("secret", "x"), 1000, 1)));
        assertThat(next.changed()).isFalse();
        assertThat(next.announcements()).isEmpty();
    }

    @Test
    void aRecordOfABrokenPromiseNamesNoGangOfAnotherNamespace() {
        RecordUpdate draft = new RecordUpdate(GangRecord.first(new GangId("user", "g"), 0));

        draft.breakPromise(Cause.DISPLACED, new BrokenPromise.Displaced(new GangId("secret", "week-1"), 2, 1), 5);

        assertThat(draft.after().toString()).doesNotContain("week-1");
        assertThat(draft.after().planned().message())
                .isEqualTo("displaced: a gang of another namespace takes its room and has a higher priority (2, "
                        + "this one 1)");
        assertThat(draft.announcements()).singleElement().satisfies(told -> {
            assertThat(told.message()).contains("secret/week-1");
            assertThat(told.asSeen("user"::equals).message()).doesNotContain("week-1");
        });
    }

    private static PlanOutcomes verdicts() {
        Snapshot nothing = new Snapshot(0, new Cluster(List.of(), List.of()), List.of(), List.of());
        return new PlanOutcomes(
                5,
                new PromisedPrices(nothing, LoopSettings.DEFAULT.policy()),
                ReservationClaims.of(nothing, ReservationNames.NONE, _ -> PromiseTariff.CONSTANT, false),
                Currency.NONE,
                false);
    }

    @Test
    void theRecordOfAGangThatWaitsIsNotWrittenForEverySecondThatPasses() {
        GangId running = host.arrives("running", 3, 1000);
        loop.cycle();
        host.passTo(host.window(running).start());
        host.openBarrier(running);
        loop.cycle();
        GangId gang = host.arrives("late", 3, 100, Budget.UNLIMITED);
        host.gangs.put(gang, Objects.requireNonNull(host.gangs.get(gang)).endingBy(host.second() + 500));
        loop.cycle();
        GangRecord first = host.known(gang);
        assertThat(first.planned().reason()).isEqualTo("NoWindow");

        for (int i = 0; i < 30; i++) {
            host.passTo(host.second() + 1);
            loop.cycle();
        }
        assertThat(host.known(gang).version()).isEqualTo(first.version());
    }

    @Test
    void nothingIsPlannedBeforeItIsKnownWhatBecameOfTheLastWrites() {
        GangId gang = host.arrives("g", 2, 100);
        host.unreachable = true;

        loop.cycle();
        assertThat(host.standings).isEmpty();
        assertThat(loop.deadline()).isEqualTo(host.instant().plusSeconds(1));

        host.unreachable = false;
        loop.cycle();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);
    }

    @Test
    void aGangWhosePodsKubeSchedulerMayNotLookAtForAWhileDoesNotStartSooner() {
        host.arrives("running", 3, 100);
        loop.cycle();
        GangId gated = host.arrives("gated", 1, 100);
        GangId asleep = host.arrives("asleep", 1, 100);
        host.refuse("asleep-0", "");
        loop.cycle();
        assertThat(host.window(gated).start()).isGreaterThan(host.second() + 100);
        assertThat(host.window(asleep).start()).isGreaterThan(host.second() + 100);

        host.standings.remove(new GangId("user", "running"));
        host.pods.keySet().removeIf(pod -> pod.startsWith("running"));
        host.gangs.remove(new GangId("user", "running"));
        host.passTo(host.second() + 1);
        loop.cycle();

        assertThat(host.window(gated).start()).isLessThan(host.second() + 10);
        assertThat(host.window(asleep).start()).isEqualTo(host.second() + SchedulerBackoff.AWAKE.toSeconds());
    }

    @Test
    void gatesThatASuccessorFindsClosedAreOpened() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.passTo(host.window(gang).start());
        host.standings.put(gang, host.known(gang).in(Phase.STARTING));

        starter.look(host.instant());

        assertThat(host.released).hasSize(2);
    }

    @Test
    void whatIsLeftOfABrokenWindowCountsForNothing() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        long start = host.window(gang).start();
        host.standings.put(gang, host.known(gang).in(Phase.BROKEN));
        host.passTo(start);

        starter.look(host.instant());
        assertThat(host.released).isEmpty();

        loop.cycle();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.known(gang).planned().reason()).isEqualTo("Promised");
    }

    @Test
    void aGangRefusedAfterItsBarrierOpenedIsTakenBackAtOnce() {
        GangId gang = starts("g");
        host.refuse("g-1", "");

        new GangRollback(host, host, host, host, host, host)
                .takeBack(gang, Cause.REFUSED, "the API server refused g-1");

        assertThat(host.evicted).containsExactly("g-0");
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PENDING);
        assertThat(host.known(gang).promise()).isNull();
        assertThat(host.broken).containsExactly(Cause.REFUSED);
        assertThat(host.told).contains("g WindowBroken: refused: the API server refused g-1");
    }

    @Test
    void theLoopKnowsWhenItIsNeededNext() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        long start = host.window(gang).start();

        assertThat(loop.deadline()).isEqualTo(Instant.ofEpochSecond(start + LATEST + 1));

        host.passTo(start);
        starter.look(host.instant());
        assertThat(loop.deadline()).isEqualTo(Instant.ofEpochSecond(start + settings.startTimeout()));
    }

    @Test
    void whatAnAdminShouldKnowIsCountedAsLongAsItIsSo() {
        host.notices.add(new ClusterView.Notice("Node", "", "n1", "PriceMissing", "node n1 has no price"));
        loop.cycle();
        assertThat(host.noticed).isEqualTo(host.notices);

        host.notices.clear();
        loop.cycle();
        assertThat(host.noticed).isEmpty();
    }

    @Test
    void theLatestPlanIsKept() {
        host.arrives("g", 2, 100);

        loop.cycle();

        assertThat(Objects.requireNonNull(loop.latest()).plan().windows()).hasSize(1);
    }

    /** The API server refuses one member of a gang of two, and the other is not seen on its node yet. */
    private void takeBackUnbound(GangId gang) {
        host.refuse("g-0", "");
        host.refuse("g-1", "");
        new GangRollback(host, host, host, host, host, host)
                .takeBack(gang, Cause.REFUSED, "the API server refused g-1");
    }

    private GangId starts(String name) {
        GangId gang = host.arrives(name, 2, 100);
        loop.cycle();
        host.passTo(host.window(gang).start());
        starter.look(host.instant());
        host.openBarrier(gang);
        return gang;
    }

    private String place(GangId gang, String pod) {
        return host.window(gang).placements().stream()
                .filter(place -> place.pod().equals(pod))
                .findFirst()
                .orElseThrow()
                .node();
    }

    private PlanningLoop replica() {
        return host.replica(current);
    }

    /** Between the two cycles nothing happens in which what was promised could be forgotten. */
    @Test
    void aPromiseThatWasGivenACycleAgoIsPushedBackWithinItsSlackAndWhatWasPromisedStays() {
        current.write(settings.withPolicy(
                settings.policy().withReplanGain(100_000).withSlack(new PromiseSlack(0, 100_000, 0))));
        host.holds("night", 3, host.second() + 60, 300);
        loop.cycle();
        GangId slow = host.arrives("slow", 3, 1_000);
        loop.cycle();
        PromiseBound by = Objects.requireNonNull(
                Objects.requireNonNull(host.known(slow).promise()).by());
        long expected = host.window(slow).start();
        host.passTo(host.second() + settings.cycle());
        GangId quick = host.arrives("quick", 3, 80);

        loop.cycle();

        assertThat(by.start()).isEqualTo(expected + 100);
        assertThat(host.window(quick).start()).isEqualTo(expected);
        assertThat(host.window(slow).start()).isGreaterThan(expected).isLessThanOrEqualTo(by.start());
        assertThat(Objects.requireNonNull(host.known(slow).promise()).by()).isEqualTo(by);
        assertThat(host.broken).isEmpty();
        assertThat(host.told).anyMatch(what -> what.startsWith("slow WindowMoved: "));
    }
}
