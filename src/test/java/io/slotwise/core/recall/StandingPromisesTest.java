package io.slotwise.core.recall;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.ClusterChanges;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.recall.PromisedRoom.Standing;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.testing.GangBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StandingPromisesTest {
    private static final long NOW = 1_000;
    private static final long TURNOVER = 5;
    private static final Cost ONE = new Cost(1);
    private static final Gang FIRST = GangBuilder.gang("a", 2, 1_000, 100).build();
    private static final Gang SECOND = GangBuilder.gang("b", 1, 1_000, 100).build();

    /** On two nodes. */
    private static final Window OF_FIRST = window(FIRST, "n1", "n2");

    private static final Window OF_SECOND = window(SECOND, "n3");
    private static final Cluster CLUSTER = new Cluster(
            Stream.of("n1", "n2", "n3").map(StandingPromisesTest::node).toList(),
            List.of(occupation("old", "n1", 1_000, new Interval(900, 1_050))));

    private static Node node(String name) {
        return node(name, true, 1);
    }

    private static Node node(String name, boolean schedulable, long price) {
        return new Node(
                name,
                Map.of(),
                List.of(),
                schedulable,
                Resources.of(Map.of(Resources.CPU, 2_000L, Resources.PODS, 5L)),
                Performance.REFERENCE,
                "o",
                StepFunction.constant(price),
                List.of());
    }

    private static Occupation occupation(String holder, String node, long milliCores, Interval when) {
        return new Occupation(
                "user/" + holder, node, Resources.of(Map.of(Resources.CPU, milliCores, Resources.PODS, 1L)), when);
    }

    private static Window window(Gang gang, String... nodes) {
        List<Placement> seats = Stream.of(nodes)
                .map(node ->
                        new Placement(gang.pods().get(List.of(nodes).indexOf(node)), node, NOW + 10, NOW + 110, ONE))
                .toList();
        return Window.of(gang.id(), NOW + 10, seats);
    }

    /** Both gangs have what they were promised. */
    private static PromisedRoom before() {
        StandingPromises promises =
                StandingPromises.none(new Timeline(CLUSTER, NOW, 0), new Timeline(CLUSTER, NOW, TURNOVER));
        OF_FIRST.occupy(promises.timeline(), FIRST);
        OF_SECOND.occupy(promises.timeline(), SECOND);
        List<Standing> standing = List.of(promises.taken(FIRST, OF_FIRST), promises.taken(SECOND, OF_SECOND));
        promises.settle(standing);
        return promises.room(standing);
    }

    private static StandingPromises in(Cluster cluster, long now) {
        return Objects.requireNonNull(
                StandingPromises.of(before(), ClusterChanges.between(CLUSTER, cluster), cluster, now, TURNOVER));
    }

    private static Cluster with(UnaryOperator<Node> edit, Occupation... more) {
        return new Cluster(
                CLUSTER.nodes().stream().map(edit).toList(),
                Stream.concat(CLUSTER.occupations().stream(), Stream.of(more)).toList());
    }

    private static boolean standsUntouched(StandingPromises promises, Gang gang, Window window) {
        Standing standing = promises.standing(gang, window);
        return standing != null && !promises.isTouched(standing);
    }

    /** What is free is what it would be if these alone had taken their room. */
    private static void assertFree(StandingPromises promises, Cluster cluster, long now, Map<Gang, Window> windows) {
        promises.giveUpRest();
        assertFree(promises.timeline(), new Timeline(cluster, now, 0), now, windows);
        assertFree(promises.searched(), new Timeline(cluster, now, TURNOVER), now, windows);
    }

    private static void assertFree(Timeline timeline, Timeline anew, long now, Map<Gang, Window> windows) {
        windows.forEach((gang, window) -> window.occupy(anew, gang));
        for (int i = 0; i < anew.nodes().size(); i++) {
            NodeTimeline node = timeline.nodes().get(i);
            NodeTimeline expected = anew.nodes().get(i);
            for (long t = now; t < now + 200; t++) {
                assertThat(node.leastFree(t, t + 1))
                        .as("node %d, second %d", i, t)
                        .containsExactly(expected.leastFree(t, t + 1));
            }
        }
    }

    @Test
    void promiseStandsWhereNothingHasChangedAlsoOnceItsStartHasPassed() {
        long afterTheStart = NOW + 60;

        assertThat(List.of(NOW, NOW + 1, afterTheStart)).allSatisfy(now -> {
            StandingPromises promises = in(CLUSTER, now);
            assertThat(standsUntouched(promises, FIRST, OF_FIRST)).isTrue();
            assertThat(standsUntouched(promises, SECOND, OF_SECOND)).isTrue();
            assertFree(promises, CLUSTER, now, Map.of(FIRST, OF_FIRST, SECOND, OF_SECOND));
        });
    }

    @Test
    void anotherPromiseOfTheGangDoesNotStand() {
        Window other = window(FIRST, "n1", "n3");
        StandingPromises promises = in(CLUSTER, NOW);

        assertThat(promises.standing(FIRST, other)).isNull();
        assertThat(standsUntouched(promises, SECOND, OF_SECOND)).isTrue();
        assertFree(promises, CLUSTER, NOW, Map.of(SECOND, OF_SECOND));
    }

    @Test
    void promiseOfAGangThatWasEditedDoesNotStand() {
        StandingPromises promises = in(CLUSTER, NOW);

        assertThat(promises.standing(FIRST.lasting(50), OF_FIRST)).isNull();
        assertThat(standsUntouched(promises, SECOND, OF_SECOND)).isTrue();
        assertFree(promises, CLUSTER, NOW, Map.of(SECOND, OF_SECOND));
    }

    @Test
    void promiseOfAGangThatIsGoneGivesItsRoomUp() {
        StandingPromises promises = in(CLUSTER, NOW);

        assertThat(standsUntouched(promises, SECOND, OF_SECOND)).isTrue();
        assertFree(promises, CLUSTER, NOW, Map.of(SECOND, OF_SECOND));
    }

    @Test
    void promiseOfAGangThatIsNewDoesNotStand() {
        Gang between = GangBuilder.gang("aa", 1, 1_000, 100).build();
        StandingPromises promises = in(CLUSTER, NOW);

        assertThat(standsUntouched(promises, FIRST, OF_FIRST)).isTrue();
        assertThat(promises.standing(between, window(between, "n3"))).isNull();
        assertThat(standsUntouched(promises, SECOND, OF_SECOND)).isTrue();
    }

    @Test
    void promiseOnANodeThatWasCordonedPricedOtherwiseOrLostDoesNotStand() {
        List<Cluster> others = List.of(
                with(node -> node.name().equals("n2") ? node("n2", false, 1) : node),
                with(node -> node.name().equals("n2") ? node("n2", true, 2) : node),
                new Cluster(
                        CLUSTER.nodes().stream()
                                .filter(node -> !node.name().equals("n2"))
                                .toList(),
                        CLUSTER.occupations()),
                with(node -> node.name().equals("n2") ? node("n4") : node));

        assertThat(others).allSatisfy(cluster -> {
            StandingPromises promises = in(cluster, NOW);
            assertThat(promises.standing(FIRST, OF_FIRST)).isNull();
            assertThat(standsUntouched(promises, SECOND, OF_SECOND)).isTrue();
            assertFree(promises, cluster, NOW, Map.of(SECOND, OF_SECOND));
        });
    }

    @Test
    void promiseIsLookedAtWhereAPodHasComeOnItsNode() {
        Cluster cluster = with(node -> node, occupation("new", "n2", 2_000, new Interval(NOW, NOW + 50)));
        StandingPromises promises = in(cluster, NOW);

        Standing first = Objects.requireNonNull(promises.standing(FIRST, OF_FIRST));
        assertThat(promises.isTouched(first)).isTrue();
        assertThat(standsUntouched(promises, SECOND, OF_SECOND)).isTrue();
        assertFree(promises, cluster, NOW, Map.of(FIRST, OF_FIRST, SECOND, OF_SECOND));
    }

    @Test
    void promiseIsLookedAtWhereAnotherOneHasTakenRoomOnItsNode() {
        Gang third = GangBuilder.gang("c", 1, 1_000, 100).build();
        StandingPromises promises = in(CLUSTER, NOW);
        Standing first = Objects.requireNonNull(promises.standing(FIRST, OF_FIRST));
        Standing second = Objects.requireNonNull(promises.standing(SECOND, OF_SECOND));

        promises.taken(third, window(third, "n3"));

        assertThat(promises.isTouched(first)).isFalse();
        assertThat(promises.isTouched(second)).isTrue();
    }

    @Test
    void promisesThatDoNotHoldGiveTheirRoomUpWhereWindowsAreSearched() {
        Gang third = GangBuilder.gang("c", 1, 1_000, 100).build();
        Window ofThird = window(third, "n1");
        StandingPromises promises = in(CLUSTER, NOW);
        Standing first = Objects.requireNonNull(promises.standing(FIRST, OF_FIRST));
        assertThat(standsUntouched(promises, SECOND, OF_SECOND)).isTrue();
        ofThird.occupy(promises.timeline(), third);
        Standing taken = promises.taken(third, ofThird);

        OF_SECOND.vacate(promises.timeline(), SECOND);
        promises.settle(List.of(first, taken));

        assertFree(promises, CLUSTER, NOW, Map.of(FIRST, OF_FIRST, third, ofThird));
    }

    @Test
    void nothingStandsWhereTheTimeIsNotKnown() {
        ClusterChanges none = ClusterChanges.between(CLUSTER, CLUSTER);

        assertThat(StandingPromises.of(before(), none, CLUSTER, NOW - 1, TURNOVER))
                .isNull();
        assertThat(StandingPromises.of(PromisedRoom.NONE, none, CLUSTER, NOW, TURNOVER))
                .isNull();
    }
}
