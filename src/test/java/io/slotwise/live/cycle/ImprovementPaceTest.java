package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.time.Interval;
import io.slotwise.testing.SharedEnvironment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A cluster in which gangs are promised windows, with at most 10 s between cycles. */
class ImprovementPaceTest {
    private static final long EVERY = 10;

    private final Policy policy = Policy.EXACT;
    private final Snapshot first = promised();
    private final ImprovementPace pace = new ImprovementPace();

    private static Snapshot promised() {
        Snapshot snapshot = new Snapshot(
                1_000,
                SharedEnvironment.busy(5, 1).cluster(),
                SharedEnvironment.batch(4, 1).stream()
                        .map(gang -> new Request(gang, null))
                        .toList(),
                List.of());
        return snapshot.published(new Planner(Policy.EXACT).plan(snapshot));
    }

    private static Snapshot at(long now, Snapshot like) {
        return new Snapshot(now, like.cluster(), like.requests(), List.of());
    }

    private Snapshot with(List<Node> nodes, List<Occupation> occupations) {
        return new Snapshot(1_001, new Cluster(nodes, occupations), first.requests(), List.of());
    }

    private List<Node> nodes() {
        List<Node> nodes = new ArrayList<>();
        first.cluster().inventory().forEach(nodes::add);
        return nodes;
    }

    @Test
    void theFirstPlanImprovesPromisesAndTheNextOnesAfterEachCycle() {
        assertThat(pace.isDue(policy, first, EVERY)).isTrue();
        assertThat(pace.isDue(policy, at(1_001, first), EVERY)).isFalse();
        assertThat(pace.isDue(policy, at(1_009, first), EVERY)).isFalse();
        assertThat(pace.isDue(policy, at(1_010, first), EVERY)).isTrue();
        assertThat(pace.isDue(policy, at(1_011, first), EVERY)).isFalse();
    }

    @Test
    void aRestartAnotherPolicyOrAnEarlierClockRestartsThePace() {
        pace.isDue(policy, first, EVERY);
        assertThat(pace.isDue(policy.withImproveLimit(7), at(1_001, first), EVERY))
                .isTrue();
        assertThat(pace.isDue(policy.withImproveLimit(7), at(900, first), EVERY))
                .isTrue();
        pace.forget();
        assertThat(pace.isDue(policy.withImproveLimit(7), at(901, first), EVERY))
                .isTrue();
    }

    @Test
    void anArrivalIsPlannedAlone() {
        pace.isDue(policy, first, EVERY);
        List<Request> more = new ArrayList<>(first.requests());
        more.add(new Request(SharedEnvironment.batch(9, 1).getLast(), null));

        assertThat(pace.isDue(policy, new Snapshot(1_001, first.cluster(), more, List.of()), EVERY))
                .isFalse();
    }

    @Test
    void promisesAreImprovedOnceAPodHasEndedEarlyAndNotWhereItWasToEnd() {
        List<Occupation> left = new ArrayList<>(first.cluster().occupations());
        Occupation ended = left.removeFirst();
        assertThat(ended.interval().end()).isGreaterThan(1_001);

        pace.isDue(policy, first, EVERY);
        assertThat(pace.isDue(policy, with(nodes(), left), EVERY)).isTrue();

        List<Occupation> over = new ArrayList<>(left);
        over.add(ended.during(new Interval(ended.interval().start(), 1_001)));
        pace.forget();
        pace.isDue(policy, with(nodes(), over), EVERY);
        assertThat(pace.isDue(policy, with(nodes(), left), EVERY)).isFalse();
    }

    @Test
    void promisesAreImprovedOnceANodeIsAnotherOneOrAGangHasLeft() {
        List<Node> fewer = nodes().subList(1, nodes().size());
        pace.isDue(policy, first, EVERY);
        assertThat(pace.isDue(policy, with(fewer, first.cluster().occupations()), EVERY))
                .isTrue();

        pace.forget();
        pace.isDue(policy, first, EVERY);
        Request gone = first.requests().stream()
                .filter(request -> request.promise() != null)
                .findFirst()
                .orElseThrow();
        List<Request> others = first.requests().stream()
                .filter(request -> !request.equals(gone))
                .toList();
        assertThat(pace.isDue(policy, new Snapshot(1_001, first.cluster(), others, List.of()), EVERY))
                .isTrue();
    }
}
