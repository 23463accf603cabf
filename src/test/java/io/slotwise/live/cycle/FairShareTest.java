package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.HalfLife;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Policy;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A node, and gangs that need the whole of it. */
class FairShareTest {
    private static final long HOUR = 3600;
    private static final long DAY = 24 * HOUR;

    private final FakeHost host = new FakeHost().withNodes("a");

    @Test
    void theNamespaceThatSpentLessGoesFirstThoughItsGangCameLater() {
        PlanningLoop loop = loop(Policy.Order.FAIR);
        runs(loop, "first");

        GangId rich = host.arrives("rich", 1, HOUR);
        GangId poor = host.arrives(new GangId("zoo", "poor"), 1, HOUR, Budget.UNLIMITED);
        loop.cycle();

        assertThat(host.window(poor).start()).isLessThan(host.window(rich).start());
        assertThat(spent("user")).isEqualTo(new Charge(new Cost(HOUR * 1_000_000), Cost.ZERO, HOUR));
    }

    @Test
    void aNewLeaderKnowsWhatNamespacesHaveSpent() {
        runs(loop(Policy.Order.FAIR), "first");
        host.records.clear();

        PlanningLoop next = loop(Policy.Order.FAIR);
        GangId rich = host.arrives("rich", 1, HOUR);
        GangId poor = host.arrives(new GangId("zoo", "poor"), 1, HOUR, Budget.UNLIMITED);
        next.cycle();

        assertThat(host.window(poor).start()).isLessThan(host.window(rich).start());
    }

    @Test
    void runningGangsCountAsSpent() {
        PlanningLoop loop = loop(Policy.Order.FAIR);
        GangId first = host.arrives("first", 1, HOUR);
        loop.cycle();
        host.passTo(host.window(first).start());
        host.openBarrier(first);
        loop.cycle();

        GangId rich = host.arrives("rich", 1, HOUR);
        GangId poor = host.arrives(new GangId("zoo", "poor"), 1, HOUR, Budget.UNLIMITED);
        loop.cycle();

        assertThat(host.window(poor).start()).isLessThan(host.window(rich).start());
    }

    @Test
    void withoutPricesProcessorTimeCountsAndThePlanSaysSo() {
        host.nodes.clear();
        host.withNode("a", "0");
        PlanningLoop loop = loop(Policy.Order.FAIR);
        runs(loop, "first");

        GangId rich = host.arrives("rich", 1, HOUR);
        GangId poor = host.arrives(new GangId("zoo", "poor"), 1, HOUR, Budget.UNLIMITED);
        loop.cycle();

        assertThat(host.window(poor).start()).isLessThan(host.window(rich).start());
        assertThat(spent("user")).isEqualTo(new Charge(Cost.ZERO, Cost.ZERO, HOUR));
        assertThat(Objects.requireNonNull(loop.latest()).plan().notes())
                .contains("queue.order: fair counts processor time, a pod of any size alike, "
                        + "because no node has a price");
    }

    @Test
    void runsOnNodesWithoutAPriceCount() {
        host.nodes.clear();
        host.withNode("a", "0");
        PlanningLoop loop = loop(Policy.Order.FAIR);
        GangId first = host.arrives("first", 1, HOUR);
        loop.cycle();
        host.passTo(host.window(first).start());
        host.openBarrier(first);
        loop.cycle();

        GangId rich = host.arrives("rich", 1, HOUR);
        GangId poor = host.arrives(new GangId("zoo", "poor"), 1, HOUR, Budget.UNLIMITED);
        loop.cycle();

        assertThat(host.window(poor).start()).isLessThan(host.window(rich).start());
    }

    @Test
    void otherQueuesCountNothingAndKeepNoLedger() {
        PlanningLoop loop = loop(Policy.Order.FIFO);
        runs(loop, "first");

        GangId rich = host.arrives("rich", 1, HOUR);
        GangId poor = host.arrives(new GangId("zoo", "poor"), 1, HOUR, Budget.UNLIMITED);
        loop.cycle();

        assertThat(host.window(rich).start()).isLessThan(host.window(poor).start());
        assertThat(host.ledgers).isEmpty();
    }

    @Test
    void aLedgerThatIsRefusedIsWrittenAgainInEachCycleAndCallsForNoCycle() {
        PlanningLoop loop = loop(Policy.Order.FAIR);
        host.refusesLedgers = true;
        runs(loop, "first");
        host.pods.remove("first-0");
        int written = host.ledgerWrites;

        loop.cycle();
        loop.cycle();

        assertThat(host.ledgerWrites).isEqualTo(written + 2);
        assertThat(host.again).isZero();
        assertThat(host.records).as("not charged yet").isNotEmpty();

        host.refusesLedgers = false;
        loop.cycle();
        loop.cycle();

        assertThat(spent("user")).isEqualTo(new Charge(new Cost(HOUR * 1_000_000), Cost.ZERO, HOUR));
        assertThat(host.records).isEmpty();
    }

    private PlanningLoop loop(Policy.Order order) {
        Policy policy = Policy.EXACT
                .withTurnover(3)
                .withQueue(new Policy.Queue(order, DAY, 0, new HalfLife(DAY), Policy.FairBy.SHARE));
        return host.replica(CurrentSettings.fixed(LoopSettings.EXACT.withPolicy(policy)));
    }

    /** Runs a gang of the namespace {@code user} for an hour. */
    private void runs(PlanningLoop loop, String name) {
        GangId gang = host.arrives(name, 1, HOUR);
        loop.cycle();
        long start = host.window(gang).start();
        host.passTo(start);
        host.openBarrier(gang);
        loop.cycle();
        host.passTo(start + HOUR);
        host.endAt(name + "-0", start + HOUR);
        for (int i = 0; i < 3; i++) {
            loop.cycle();
        }
    }

    private Charge spent(String namespace) {
        return Objects.requireNonNull(host.ledgers.get(namespace)).days().values().stream()
                .reduce(Charge.NOTHING, Charge::plus);
    }
}
