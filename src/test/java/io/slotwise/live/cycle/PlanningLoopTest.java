package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.plan.Policy.Online;
import io.slotwise.core.window.Window;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The cycle as a whole. */
class PlanningLoopTest extends OneReplica {
    @Test
    void aNewGangWithRoomIsPromisedTheSecondInWhichItIsPlanned() {
        GangId gang = host.arrives("g", 2, 100);

        loop.cycle();

        assertThat(host.known(gang).phase()).isEqualTo(Phase.STARTING);
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
        assertThat(Objects.requireNonNull(loop.latest()).carriedOutPlan().domains())
                .singleElement()
                .satisfies(domains -> assertThat(domains.window()).isEqualTo(promised));
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
    void aGangWithoutAllItsPodsWaitsForThem() {
        GangId gang = host.arrives("g", 2, 100);
        host.pods.remove("g-1");

        loop.cycle();

        assertThat(host.known(gang).plannedAspect().reason()).isEqualTo("WaitingForMembers");
        assertThat(host.known(gang).plannedAspect().message()).isEqualTo("waiting for members: 1 of 2 pods exist");
    }

    @Test
    void theLoopKnowsWhenItIsNeededNext() {
        GangId gang = host.arrivesLater("g", 2, 100);
        loop.cycle();
        long start = host.window(gang).start();

        assertThat(loop.deadline()).isEqualTo(Instant.ofEpochSecond(start + LATEST + 1));

        host.passTo(start);
        starter.look(host.instant());
        assertThat(loop.deadline()).isEqualTo(Instant.ofEpochSecond(start + settings.startTimeout()));
    }

    @Test
    void noticesAreCountedAsLongAsTheyApply() {
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
}
