package io.slotwise.kubernetes.extender;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.extender.ExtenderMessages.ExtenderArgs;
import io.slotwise.kubernetes.extender.ExtenderMessages.ExtenderFilterResult;
import io.slotwise.kubernetes.extender.ExtenderMessages.ExtenderPreemptionArgs;
import io.slotwise.kubernetes.extender.ExtenderMessages.MetaPod;
import io.slotwise.kubernetes.extender.ExtenderMessages.PodRef;
import io.slotwise.kubernetes.extender.ExtenderMessages.Victims;
import io.slotwise.live.port.SchedulerBackoff;
import io.slotwise.live.record.Phase;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SchedulerExtenderTest {
    private static final String PROMISE = "promised on node n00 from 2030-01-01T00:00:00Z [slotwise.io/promised]";
    private static final String WAITS = "waits for its window [slotwise.io/waiting]";
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    private static final String PLANLESS = "waits for a plan [slotwise.io/waiting]";
    private static final List<String> NODES = List.of("n00", "n01");

    private Instant now = START.minusSeconds(5);
    private final KnownReservations view = new KnownReservations();
    private boolean current = true;
    private final SchedulerExtender extender = new SchedulerExtender(view, "slotwise", () -> now, () -> current);

    @ParameterizedTest
    @EnumSource(names = {"STARTING", "RUNNING"})
    void letsAReleasedPodPassToItsPromisedNodeOnly(Phase phase) {
        view.put(new ReservationBuilder().phase(phase).build());

        ExtenderFilterResult answer = filter("g-0", NODES);

        assertThat(answer.nodeNames()).containsExactly("n00");
        assertThat(answer.failedAndUnresolvableNodes()).isEmpty();
        assertThat(answer.failedNodes()).isEmpty();
        assertThat(answer.error()).isEmpty();
    }

    @Test
    void refusesAllPodsBrieflyWhileTheWatchesAreSilent() {
        view.put(new ReservationBuilder().build());
        current = false;

        ExtenderFilterResult answer = filter("g-0", NODES);

        assertThat(answer.nodeNames()).isNullOrEmpty();
        assertThat(answer.error()).startsWith("waits until Slotwise sees the latest changes of the cluster");

        current = true;
        assertThat(filter("g-0", NODES).nodeNames()).containsExactly("n00");
    }

    @Test
    void letsAPodPassNowhereWhenItsPromisedNodeIsNotACandidate() {
        view.put(new ReservationBuilder().build());

        ExtenderFilterResult answer = filter("g-0", List.of("n01"));

        assertThat(answer.nodeNames()).isEmpty();
        assertThat(answer.failedAndUnresolvableNodes()).containsExactly(Map.entry("n01", PROMISE));
    }

    @Test
    void saysWhatAPodWaitsFor() {
        assertThat(reason(new ReservationBuilder().phase(Phase.PROMISED).build()))
                .isEqualTo(WAITS);
        assertThat(reason(new ReservationBuilder().deleting().build())).isEqualTo(PLANLESS);
        assertThat(reason(new ReservationBuilder().phase(Phase.COMPLETED).build()))
                .isEqualTo(PLANLESS);
        assertThat(reason(new ReservationBuilder().phase(Phase.BROKEN).build())).isEqualTo(PLANLESS);
        assertThat(reason(new ReservationBuilder().phase(Phase.PENDING).build()))
                .isEqualTo(PLANLESS);
        assertThat(filter("unknown-0", NODES).failedAndUnresolvableNodes()).containsEntry("n00", PLANLESS);
    }

    @Test
    void leavesAPodAloneWhoseWindowIsFarAway() {
        view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        now = START.minus(SchedulerBackoff.FAR).minusSeconds(1);

        ExtenderFilterResult answer = filter("g-0", NODES);

        assertThat(answer.error()).isEqualTo(WAITS);
        assertThat(answer.nodeNames()).isNullOrEmpty();
        now = START.minus(SchedulerBackoff.FAR);
        assertThat(filter("g-0", NODES).error()).isEmpty();
        view.put(new ReservationBuilder().phase(Phase.STARTING).build());
        now = START.minus(SchedulerBackoff.FAR).minusSeconds(1);
        assertThat(filter("g-0", NODES).nodeNames()).containsExactly("n00");
    }

    @Test
    void leavesAPodOfARolledBackGangWithoutAWindowAlone() {
        view.put(new ReservationBuilder().pendingFor("NoWindow", "none").build());
        assertThat(filter("g-0", NODES).error()).isEmpty();

        view.put(new ReservationBuilder()
                .pendingFor("NoWindow", "none")
                .attempts(1)
                .build());
        assertThat(filter("g-0", NODES).error()).isEqualTo("waits for a window: NoWindow [slotwise.io/waiting]");
    }

    @Test
    void saysTheSameWhileTheFiguresOfAPendingGangChange() {
        String before = reason(new ReservationBuilder()
                .pendingFor("OverBudget", "the cheapest costs 3.2")
                .build());
        String after = reason(new ReservationBuilder()
                .pendingFor("OverBudget", "the cheapest costs 3.1")
                .build());

        assertThat(before)
                .isEqualTo("waits for a window: OverBudget [slotwise.io/waiting]")
                .isEqualTo(after);
    }

    @Test
    void makesRoomForAPlannedPodOnItsPromisedNodeOnly() {
        view.put(new ReservationBuilder().build());

        assertThat(preempt("g-0", "slotwise")).containsOnlyKeys("n00");
        view.put(new ReservationBuilder().phase(Phase.PROMISED).build());
        assertThat(preempt("g-0", "slotwise")).isEmpty();
        assertThat(preempt("unknown-0", "slotwise")).isEmpty();
        assertThat(preempt("web-0", "default-scheduler")).containsOnlyKeys("n00", "n01");
    }

    @ParameterizedTest
    @EnumSource(names = {"STARTING", "RUNNING"})
    void allowsNoPreemptionOfAMemberOfAStartedGang(Phase phase) {
        view.put(new ReservationBuilder().gang("victim").phase(phase).build());

        Map<String, Victims<MetaPod>> remaining = preempt("web-0", "default-scheduler", "uid-of-victim-1");

        assertThat(remaining).isEmpty();
    }

    @Test
    void leavesItToThePlanToDisplaceAGangOfOne() {
        view.put(new ReservationBuilder()
                .gang("single")
                .pods(1)
                .phase(Phase.RUNNING)
                .build());

        assertThat(preempt("web-0", "default-scheduler", "uid-of-single-0")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"PENDING", "PROMISED"})
    void letsPodsGoThatThePlanHasDisplaced(Phase phase) {
        view.put(new ReservationBuilder().build());
        view.put(new ReservationBuilder().gang("victim").phase(phase).build());

        assertThat(preempt("g-0", "slotwise", "uid-of-victim-1")).containsOnlyKeys("n00");
    }

    @Test
    void onlyTheCandidatesGoThatHoldAMemberOfARunningGang() {
        view.put(new ReservationBuilder().gang("victim").phase(Phase.RUNNING).build());
        Victims<MetaPod> mixed = new Victims<>(List.of(new MetaPod("foreign"), new MetaPod("uid-of-victim-1")), 0);
        Victims<MetaPod> foreign = new Victims<>(List.of(new MetaPod("foreign")), 1);
        PodRef preemptor = PodRef.of("user", "web-0", "uid-of-web-0", "default-scheduler");

        assertThat(extender.preempt(new ExtenderPreemptionArgs(preemptor, null, Map.of("n00", mixed, "n01", foreign)))
                        .nodeNameToMetaVictims())
                .isEqualTo(Map.of("n01", foreign));
    }

    private String reason(Reservation reservation) {
        view.put(reservation);
        ExtenderFilterResult answer = filter("g-0", NODES);
        assertThat(answer.nodeNames()).isEmpty();
        assertThat(answer.failedAndUnresolvableNodes().values())
                .containsOnly(answer.failedAndUnresolvableNodes().get("n00"));
        return String.valueOf(answer.failedAndUnresolvableNodes().get("n00"));
    }

    private ExtenderFilterResult filter(String pod, List<String> nodes) {
        return extender.filter(new ExtenderArgs(PodRef.of("user", pod, "uid-of-" + pod, "slotwise"), null, nodes));
    }

    private Map<String, Victims<MetaPod>> preempt(String pod, String scheduler) {
        return preempt(pod, scheduler, "foreign");
    }

    private Map<String, Victims<MetaPod>> preempt(String pod, String scheduler, String victim) {
        Victims<MetaPod> victims = new Victims<>(List.of(new MetaPod(victim)), 0);
        PodRef preemptor = PodRef.of("user", pod, "uid-of-" + pod, scheduler);
        return extender.preempt(new ExtenderPreemptionArgs(preemptor, null, Map.of("n00", victims, "n01", victims)))
                .nodeNameToMetaVictims();
    }
}
