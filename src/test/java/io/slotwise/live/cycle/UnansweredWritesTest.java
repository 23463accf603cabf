package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.port.ClusterFacts;
import io.slotwise.live.port.Leadership;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cycles while writes are in progress, and after writes that failed or came second. */
class UnansweredWritesTest extends OneReplica {
    /** Starts a replica whose new records are written when the test permits. */
    private PlanningLoop streaming(List<Runnable> writes) {
        return host.replica(
                current,
                () -> host.leads,
                starter,
                new PlanPublisher.Writers(Runnable::run, writes::add),
                Duration.ZERO);
    }

    @Test
    void theNextCycleIgnoresAGangWithAnUnansweredWrite() {
        List<Runnable> writes = new ArrayList<>();
        PlanningLoop streaming = streaming(writes);
        GangId first = host.arrives("first", 3, 100);
        host.goesDirect(first);
        streaming.cycle();
        assertThat(host.records).isEmpty();
        GangId second = host.arrives("second", 3, 100);
        host.goesDirect(second);

        streaming.cycle();
        List.copyOf(writes).forEach(Runnable::run);

        assertThat(host.startedDirectly).containsExactly("first");
        assertThat(host.window(first).start()).isEqualTo(FakeHost.BEGIN);
        assertThat(host.window(second).start()).isEqualTo(FakeHost.BEGIN + 100 + TURNOVER);
        assertThat(host.writes).as("that of the second").isEqualTo(1);
    }

    @Test
    void aGangThatIsSeenToRunCountsAsRunningBeforeItsStartIsAnswered() {
        GangId gang = host.arrives("g", 3, 100);
        loop.cycle();
        GangRecord promised = host.known(gang).withPhase(Phase.PROMISED);
        host.openBarrier(gang);

        ClusterFacts facts = WritesUnderway.on(host.facts(), Map.of(gang, promised), host);

        assertThat(facts.records()).containsEntry(gang, host.known(gang));
    }

    @Test
    void aCycleEndsWithWhatGivesRoomUpWhileNewRecordsWait() {
        List<Runnable> writes = new ArrayList<>();
        host.arrives("first", 3, 100);
        loop.cycle();
        host.passTo(host.second() + 10);
        List.of("first-0", "first-1", "first-2").forEach(host::end);
        host.withNodes("A", "B");
        GangId second = host.arrives("second", 2, 100);
        host.goesDirect(second);
        PlanningLoop streaming = streaming(writes);

        streaming.cycle();

        assertThat(writes).hasSize(1);
        assertThat(host.records).isEmpty();
    }

    /** The room belongs to the gang until its record says otherwise, even if the plan gives it to another gang. */
    @Test
    void noGangGetsRoomWhoseWithdrawalIsStillBeingWritten() {
        List<Runnable> writes = new ArrayList<>();
        PlanningLoop streaming = streaming(writes);
        GangId first = host.arrives("first", 3, 100);
        streaming.cycle();
        host.nodes.removeIf(node -> node.name().equals("a"));
        GangId second = host.arrives("second", 2, 100);

        streaming.cycle();
        List.copyOf(writes).forEach(Runnable::run);

        assertThat(host.records).containsOnlyKeys(first);
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
    void aStartThatWasRolledBackIsToldIfTheNextWindowWasNotWritten() {
        leaveRolledBack(true, "Promised", "its next window");

        assertThat(host.told)
                .anySatisfy(told ->
                        assertThat(told).startsWith("g WindowBroken: outage: its next window could not be written"))
                .anySatisfy(told -> assertThat(told).startsWith("g WindowPromised"));
    }

    /** The second of two writes, which has the phase without a window, may be refused. */
    @ParameterizedTest
    @EnumSource(names = {"PENDING", "PROMISED"})
    void aWindowThatWasTakenInAnExchangeIsToldIfTheNewOneWasNotWritten(Phase phase) {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.told.clear();
        GangRecord promised = host.known(gang).planned(true, "Promised", "its window", host.second());
        host.records.put(gang, promised.with((Promise) null).withPhase(phase));

        loop.cycle();

        assertThat(host.told)
                .anySatisfy(told ->
                        assertThat(told).startsWith("g WindowBroken: outage: its next window could not be written"))
                .anySatisfy(told -> assertThat(told).startsWith("g WindowPromised"));
        host.told.clear();
        loop.cycle();
        assertThat(host.told).isEmpty();
    }

    /** Only the new window was written. */
    @Test
    void aWindowThatWasTakenInAnExchangeIsToldIfTheNewOneWasNotPromised() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.told.clear();
        GangRecord promised = host.known(gang).planned(true, "Promised", "its window", host.second());
        host.records.put(gang, promised.withPhase(Phase.PENDING));

        loop.cycle();

        assertThat(host.told)
                .anySatisfy(told ->
                        assertThat(told).startsWith("g WindowBroken: outage: its next window could not be written"))
                .anySatisfy(told -> assertThat(told).startsWith("g WindowPromised"));
        assertThat(host.known(gang).phase()).isEqualTo(Phase.STARTING);
    }

    /** Three gangs of one pod that move in a circle, each into the room of the next one. */
    private final class Circle {
        private final PlanPublisher publication = host.publication(starter, PlanPublisher.Writers.all(Runnable::run));
        private final PlanningLoop replica =
                host.replica(current, () -> host.leads, starter, publication, Duration.ZERO);
        private final List<GangId> gangs;
        private final List<Window> windows;

        Circle() {
            this("");
        }

        /** Creates gangs whose names have this suffix. */
        Circle(String suffix) {
            gangs = Stream.of("x", "y", "z")
                    .map(name -> host.arrives(name + suffix.replace(' ', '-'), 1, 100))
                    .toList();
            gangs.forEach(id -> host.gangs.computeIfPresent(id, (_, gang) -> gang.startingFrom(FakeHost.BEGIN + 20)));
            replica.cycle();
            gangs.forEach(gang ->
                    host.records.put(gang, host.known(gang).planned(true, "Promised", "its window", host.second())));
            windows = gangs.stream().map(host::window).toList();
            host.told.clear();
            host.again = 0;
        }

        List<String> roomsUsedTwice() {
            List<Placement> places = host.records.values().stream()
                    .flatMap(record -> Stream.ofNullable(record.promise()))
                    .flatMap(promise -> promise.window().placements().stream())
                    .toList();
            return places.stream()
                    .filter(placement -> places.stream()
                            .anyMatch(other -> !other.pod().equals(placement.pod())
                                    && other.node().equals(placement.node())
                                    && other.start() < placement.end()
                                    && placement.start() < other.end()))
                    .map(Placement::node)
                    .toList();
        }

        /** Causes an event in between: a gang starts that still can, or the API server fails. */
        void meets(String event) {
            host.silent = event.equals("silent");
            host.unreachable = event.equals("unreachable");
            host.conflicts = event.equals("conflicts");
            gangs.stream()
                    .filter(gang -> event.equals("starts " + gang.name().charAt(0)))
                    .filter(gang -> host.known(gang).promise() != null)
                    .forEach(host::openBarrier);
        }

        void leave() {
            gangs.forEach(gang -> {
                host.records.remove(gang);
                host.gangs.remove(gang);
                host.pods.remove(gang.name() + "-0");
            });
        }

        GangId first() {
            return gangs.getFirst();
        }

        GangId second() {
            return gangs.get(1);
        }

        GangId third() {
            return gangs.getLast();
        }

        /** The first gives its window up, then its predecessor in the circle takes that window, and so on. */
        void exchange(Runnable meanwhile, GangId... round) {
            List<GangId> order = List.of(round);
            List<RecordUpdate> updates = new ArrayList<>();
            for (GangId gang : order) {
                GangRecord record = host.known(gang);
                Window own = host.window(gang);
                Window next = host.window(order.get((order.indexOf(gang) + 1) % order.size()));
                Placement placement = own.placements().getFirst();
                Window taken = Window.of(
                        gang,
                        own.start(),
                        List.of(new Placement(
                                placement.pod(),
                                next.placements().getFirst().node(),
                                placement.start(),
                                placement.end(),
                                placement.cost())));
                RecordUpdate update = new RecordUpdate(record);
                update.become(record.with(new Promise(taken, WindowOrigin.CYCLIC, false))
                        .planned(true, "Promised", "its next window", host.second()));
                updates.add(update);
            }
            meanwhile.run();
            publish(updates);
        }

        void publish(List<RecordUpdate> updates) {
            publication.publish(new PlanPublisher.CycleChanges(
                    updates,
                    List.of(),
                    List.of(),
                    new Snapshot(host.second(), new Cluster(host.nodes, List.of()), List.of(), List.of()),
                    TURNOVER,
                    host.instant(),
                    new Leadership.Reign(() -> true, 0),
                    host::record));
        }
    }

    @Test
    void aGangRegainsTheWindowThatItGaveUpForAGangThatJustStarted() {
        Circle circle = new Circle();

        circle.exchange(() -> host.openBarrier(circle.second()), circle.first(), circle.second());

        assertThat(host.again).isPositive();
        assertThat(host.window(circle.first())).isEqualTo(circle.windows.getFirst());
        circle.replica.cycle();
        assertThat(host.window(circle.first())).isEqualTo(circle.windows.getFirst());
        assertThat(host.known(circle.first()).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.window(circle.second())).isEqualTo(circle.windows.get(1));
        assertThat(host.told).noneMatch(told -> told.startsWith("x "));
        assertThat(host.broken).isEmpty();
    }

    @Test
    void aGangThatHasBegunToStartGivesItsWindowToNoOther() {
        Circle circle = new Circle();

        circle.exchange(() -> host.starting.add(circle.first()), circle.first(), circle.second());

        assertThat(host.window(circle.first())).isEqualTo(circle.windows.getFirst());
        assertThat(host.known(circle.first()).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.window(circle.second())).isEqualTo(circle.windows.get(1));
    }

    @Test
    void theRecordOfAGangThatHasBegunToStartIsNotDeleted() {
        Circle circle = new Circle();
        RecordUpdate update = new RecordUpdate(host.known(circle.first()));
        update.remove();
        host.starting.add(circle.first());

        circle.publish(List.of(update));
        assertThat(host.window(circle.first())).isEqualTo(circle.windows.getFirst());

        host.starting.clear();
        circle.publish(List.of(update));
        assertThat(host.records).doesNotContainKey(circle.first());
    }

    @Test
    void aGangWhoseExchangeAStartInterruptedIsTold() {
        Circle circle = new Circle();
        circle.exchange(() -> host.openBarrier(circle.second()), circle.first(), circle.second(), circle.third());
        assertThat(host.known(circle.first()).promise()).isNull();
        assertThat(host.known(circle.first()).plannedAspect().holds()).isFalse();
        assertThat(host.window(circle.third()).placements().getFirst().node())
                .isEqualTo(circle.windows.getFirst().placements().getFirst().node());
        assertThat(host.told)
                .singleElement()
                .asString()
                .startsWith("x WindowBroken: room-taken: other gangs took its room in an exchange");

        circle.replica.cycle();

        assertThat(host.told).anySatisfy(told -> assertThat(told).startsWith("x WindowPromised"));
        assertThat(host.window(circle.first()).start())
                .isEqualTo(circle.windows.getFirst().start());
    }

    @Test
    void aGangWhoseExchangeTheApiServerInterruptedIsToldOfAnOutage() {
        Circle circle = new Circle();
        circle.exchange(() -> host.writesLeft = 2, circle.first(), circle.second(), circle.third());
        assertThat(host.known(circle.first()).promise()).isNull();
        host.writesLeft = Integer.MAX_VALUE;

        circle.replica.cycle();

        assertThat(host.told)
                .anySatisfy(told ->
                        assertThat(told).startsWith("x WindowBroken: outage: its next window could not be written"));
    }

    /** The room may have been written to another gang without an answer. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWindowIsNotRestoredWhileTheHolderOfItsRoomIsUnknown(boolean written) {
        Circle circle = new Circle();
        int first = host.writes + 1;
        host.whileWriting = () -> {
            host.unreachable = !written || host.writes > first;
            host.silent = host.writes > first;
        };

        circle.exchange(() -> {}, circle.first(), circle.second());

        host.whileWriting = () -> {};
        assertThat(host.known(circle.first()).promise()).isNull();
        assertThat(host.window(circle.second()).equals(circle.windows.get(1))).isEqualTo(!written);
        host.unreachable = false;
        host.silent = false;
        circle.replica.cycle();
        assertThat(host.told)
                .anySatisfy(told ->
                        assertThat(told).startsWith("x WindowBroken: outage: its next window could not be written"));
        assertThat(circle.roomsUsedTwice()).isEmpty();
    }

    @Test
    void aWindowIsRestoredOnceItsRoomIsKnownToBeFree() {
        Circle circle = new Circle();
        host.errors.add("write y");

        circle.exchange(() -> {}, circle.first(), circle.second());

        assertThat(host.window(circle.first())).isEqualTo(circle.windows.getFirst());
        assertThat(host.told).isEmpty();
    }

    /** Any event in the middle of an exchange, after any of its writes. */
    @ParameterizedTest
    @ValueSource(strings = {"starts x", "starts y", "starts z", "silent", "unreachable", "conflicts", "none"})
    void noRoomIsPromisedTwiceInTheMiddleOfAnExchange(String event) {
        for (int after = 0; after <= 5; after++) {
            Circle circle = new Circle(event + after);
            int moment = host.writes + after;
            List<String> twice = new ArrayList<>();
            host.whileWriting = () -> {
                twice.addAll(circle.roomsUsedTwice());
                if (host.writes == moment) {
                    circle.meets(event);
                }
            };

            circle.exchange(
                    after == 0 ? () -> circle.meets(event) : () -> {}, circle.first(), circle.second(), circle.third());

            host.whileWriting = () -> twice.addAll(circle.roomsUsedTwice());
            circle.meets("none");
            circle.replica.cycle();
            host.whileWriting = () -> {};
            assertThat(twice).as("%s after %d writes", event, after).isEmpty();
            for (GangId gang : circle.gangs) {
                assertThat(host.known(gang).promise() != null
                                || host.told.stream().anyMatch(told -> told.startsWith(gang.name() + " WindowBroken")))
                        .as("%s, %s after %d writes", gang, event, after)
                        .isTrue();
            }
            circle.leave();
        }
    }

    /** Otherwise its record would describe the lost window if the program died before the start. */
    @ParameterizedTest
    @EnumSource(names = {"PENDING", "PROMISED"})
    void theRecordOfAStartingGangWithAnExchangedWindowIsWrittenWhole(Phase phase) {
        GangId gang = host.arrives("g", 2, 100);
        host.goesDirect(gang);
        loop.cycle();
        GangRecord promised = host.known(gang).planned(true, "Promised", "its window", host.second());
        host.records.put(gang, promised.with((Promise) null).withPhase(phase));

        loop.cycle();

        assertThat(host.known(gang).windowStart()).hasValue(host.second());
        assertThat(host.known(gang).plannedAspect().holds()).isTrue();
    }

    @Test
    void aReplicaWithAnOldRecordEvictsNoPod() {
        GangId gang = starts("g");
        String node = place(gang, "g-0");
        host.refuse("g-0", "");
        host.refuse("g-1", "");
        new GangRollback(host, host, host, host, host, host, GangRollback::sleep)
                .takeBack(host.known(gang), "the API server refused g-1");
        host.bind("g-0", node);
        host.conflicts = true;

        loop.cycle();

        assertThat(host.evicted).isEmpty();
    }

    @Test
    void aConflictingWriteIsNotReported() {
        host.arrives("g", 2, 100);
        host.conflicts = true;

        loop.cycle();
        assertThat(host.told).isEmpty();

        host.conflicts = false;
        loop.cycle();
        assertThat(host.told).hasSize(1);
    }

    @Test
    void anUnansweredWriteIsReportedOnceItsEffectIsKnown() {
        host.arrives("g", 2, 100);
        host.silent = true;
        loop.cycle();
        assertThat(host.told).isEmpty();
        host.silent = false;

        loop.cycle();
        loop.cycle();

        assertThat(host.told).singleElement().asString().startsWith("g WindowPromised");
    }

    @Test
    void aBrokenPromiseIsToldAlthoughTheWritesAnswerWasLost() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.told.clear();
        String node = place(gang, "g-0");
        host.nodes.removeIf(one -> one.name().equals(node));
        host.silent = true;
        loop.cycle();
        assertThat(host.told).isEmpty();
        host.silent = false;

        loop.cycle();

        assertThat(host.broken).containsExactly(Cause.NODE_LOST);
        assertThat(host.told)
                .satisfiesExactly(
                        broken -> assertThat(broken).startsWith("g WindowBroken: node-lost"),
                        promised -> assertThat(promised).startsWith("g WindowPromised"));
    }

    /** The first of two writes has the new window. */
    @Test
    void aBrokenPromiseIsToldAlthoughOnlyTheNextWindowWasWritten() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.told.clear();
        GangRecord promised = host.known(gang);
        String node = place(gang, "g-0");
        host.nodes.removeIf(one -> one.name().equals(node));
        host.silent = true;
        loop.cycle();
        host.silent = false;
        GangRecord written = host.known(gang);
        host.records.put(gang, promised.with(written.promise()).withVersion(written.version()));

        loop.cycle();

        assertThat(host.told).anyMatch(told -> told.startsWith("g WindowBroken: node-lost"));
    }

    @Test
    void aFailedWriteIsNotReported() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.told.clear();
        String node = place(gang, "g-0");
        host.nodes.removeIf(one -> one.name().equals(node));
        host.conflicts = true;
        loop.cycle();
        host.conflicts = false;

        loop.cycle();

        assertThat(host.broken).containsExactly(Cause.NODE_LOST);
        assertThat(host.told).hasSize(2);
    }

    @Test
    void aStartThatWasRolledBackIsToldIfTheRestWasNotWritten() {
        leaveRolledBack(false, "WindowBroken", "refused: the API server refused g-1");

        assertThat(host.told)
                .satisfiesExactly(
                        broken -> assertThat(broken).isEqualTo("g WindowBroken: refused: the API server refused g-1"),
                        promised -> assertThat(promised).startsWith("g WindowPromised"));
    }

    @Test
    void nothingIsPlannedBeforeItIsKnownWhatBecameOfTheLastWrites() {
        GangId gang = host.arrives("g", 2, 100);
        host.unreachable = true;

        loop.cycle();
        assertThat(host.records).isEmpty();
        assertThat(loop.deadline()).isEqualTo(host.instant().plusSeconds(1));

        host.unreachable = false;
        loop.cycle();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.STARTING);
    }

    /** Writes only that a start is rolled back, with this condition about its window. */
    private void leaveRolledBack(boolean planned, String reason, String message) {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.told.clear();
        host.records.put(
                gang,
                host.known(gang)
                        .planned(planned, reason, message, host.second())
                        .withPhase(Phase.BROKEN));

        loop.cycle();
    }
}
