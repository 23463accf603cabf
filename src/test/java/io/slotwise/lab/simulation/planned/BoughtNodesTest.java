package io.slotwise.lab.simulation.planned;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.provision.Billing;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.provision.Provisioning.Mode;
import io.slotwise.core.provision.PurchaseQuota;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.work.RandomSource;
import io.slotwise.core.work.Workers;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.NodeSpending;
import io.slotwise.lab.simulation.Scheduler;
import io.slotwise.lab.simulation.Simulation;
import io.slotwise.lab.workload.Job;
import io.slotwise.testing.Jobs;
import io.slotwise.testing.PlanBuilder;
import io.slotwise.testing.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** Simulated clusters that buy nodes, by the planner and by a threshold. */
class BoughtNodesTest {
    private static final long HOUR = 3600;
    private static final Cost UNIT = Cost.of(new Money(1_000_000));

    /** At most this many nodes of a core for a unit an hour, there after a minute. */
    private static NodeOffer offer(int most, long step) {
        return new NodeOffer(
                PlanBuilder.oneCore("small", Money.MICROS_PER_UNIT),
                new Billing(60, 0, step, 0),
                PurchaseQuota.of("small", most),
                0);
    }

    private static Job job(String id, long submit, int tasks, long cpu, long estimate, long runtime) {
        PodRequest request = new PodRequest(
                Resources.of(Map.of(Resources.CPU, cpu, Resources.PODS, 1L)), NodeConstraint.NONE, estimate, false);
        return Jobs.of(id, submit, tasks, request, runtime, "u");
    }

    private static PlannedScheduler planner(List<Node> nodes, int mostNodes, NodeOffer... offers) {
        return planner(nodes, new Provisioning(Mode.BUY, mostNodes, null, 50_000), offers);
    }

    private static PlannedScheduler planner(List<Node> nodes, Provisioning allowed, NodeOffer... offers) {
        Policy policy = Policy.EXACT.withProvisioning(allowed);
        return new PlannedScheduler(
                nodes, List.of(offers), new PlannedClusterRules(policy, 10, 1, 10), Workers.CALLER, RandomSource.NONE);
    }

    private static NodeSpending spending(Scheduler scheduler) {
        return scheduler.spending().orElseThrow();
    }

    @Test
    void thePlannerBuysWhatAJobNeedsAndPaysForAsLongAsItIsKept() {
        PlannedScheduler bySteps = planner(List.of(), 10, offer(5, HOUR));
        PlannedScheduler bySeconds = planner(List.of(), 10, offer(5, 1));
        Job job = job("j", 100, 2, 1000, 1200, 600);

        Recorded recorded = Recorded.of(List.of(job), bySteps);
        Recorded.of(List.of(job), bySeconds);

        assertThat(recorded.run("j").start()).isEqualTo(160);
        assertThat(spending(bySteps)).isEqualTo(new NodeSpending(2, UNIT.plus(UNIT)));
        assertThat(spending(bySeconds)).isEqualTo(new NodeSpending(2, Cost.product(1_000_000, 2 * 660)));
    }

    @Test
    void aNodeWhoseStepIsPaidHoldsTheNextJob() {
        List<Job> jobs = List.of(job("first", 0, 1, 1000, 600, 600), job("second", 1800, 1, 1000, 600, 600));
        PlannedScheduler bySteps = planner(List.of(), 10, offer(5, HOUR));
        PlannedScheduler bySeconds = planner(List.of(), 10, offer(5, 1));

        Recorded paid = Recorded.of(jobs, bySteps);
        Recorded bought = Recorded.of(jobs, bySeconds);

        assertThat(paid.run("second").start()).isEqualTo(1800);
        assertThat(spending(bySteps)).isEqualTo(new NodeSpending(1, UNIT));
        assertThat(bought.run("second").start()).isEqualTo(1860);
        assertThat(spending(bySeconds).nodes()).isEqualTo(2);
    }

    @Test
    void anIdleNodeStaysForAsLongAsThePolicySaysWithinWhatItWasBoughtFor() {
        List<Job> jobs = List.of(job("first", 0, 1, 1000, 3000, 600), job("second", 1000, 1, 1000, 600, 600));
        Provisioning allowed = new Provisioning(Mode.BUY, 10, null, 50_000);
        PlannedScheduler patient = planner(List.of(), allowed.withKeepIdle(600), offer(5, 1));

        Recorded recorded = Recorded.of(jobs, patient);

        assertThat(recorded.run("second").start()).isEqualTo(1000);
        assertThat(spending(patient)).isEqualTo(new NodeSpending(1, Cost.product(1_000_000, 1600)));
    }

    @Test
    void theThresholdBuysAtTheNextLookAndKeepsANodeForTenMinutesAfterItsLastPod() {
        ThresholdAutoscaler scheduler = new ThresholdAutoscaler(List.of(), List.of(offer(5, 1)));

        Recorded recorded = Recorded.of(List.of(job("j", 101, 2, 500, 1200, 600)), scheduler);

        // One node for both pods, bought at 110, ready at 170, empty at 770 and given up at 1,370.
        assertThat(recorded.run("j").start()).isEqualTo(170);
        assertThat(recorded.run("j").deal()).isNull();
        assertThat(spending(scheduler)).isEqualTo(new NodeSpending(1, Cost.product(1_000_000, 1370 - 110)));
    }

    @Test
    void theThresholdChoosesTheOfferThatIsUsedBest() {
        NodeOffer large = new NodeOffer(
                PlanBuilder.cores("large", 4, 2_000_000), new Billing(60, 0, 1, 0), PurchaseQuota.of("large", 5), 0);
        ThresholdAutoscaler one = new ThresholdAutoscaler(List.of(), List.of(large, offer(5, 1)));
        ThresholdAutoscaler four = new ThresholdAutoscaler(List.of(), List.of(large, offer(3, 1)));

        Recorded.of(List.of(job("j", 0, 1, 1000, 600, 600)), one);
        Recorded.of(List.of(job("j", 0, 4, 1000, 600, 600)), four);

        assertThat(spending(one).cost()).isEqualTo(Cost.product(1_000_000, 660 + 600));
        assertThat(spending(four)).isEqualTo(new NodeSpending(1, Cost.product(2_000_000, 660 + 600)));
    }

    @Test
    void withoutOffersAJobThatIsTooLargeIsRefusedAndNothingIsSpent() {
        List<Node> nodes = List.of(PlanBuilder.oneCore("n", 1));
        ThresholdAutoscaler fixed = new ThresholdAutoscaler(nodes, List.of());

        Recorded recorded =
                Recorded.of(List.of(job("large", 0, 2, 1000, 60, 60), job("small", 1, 1, 1000, 60, 60)), fixed);

        assertThat(recorded.refusals())
                .singleElement()
                .satisfies(job -> assertThat(job.id()).isEqualTo("large"));
        assertThat(recorded.run("small").start()).isEqualTo(1);
        assertThat(fixed.spending()).isEmpty();
    }

    @Test
    void aJobThatFitsOnlyOnTheLargerNodesOfTheLimitIsNotRefused() {
        PurchaseQuota quota = PurchaseQuota.of("shared", 2);
        NodeOffer large = new NodeOffer(PlanBuilder.cores("large", 4, 2_000_000), new Billing(60, 0, 1, 0), quota, 0);
        NodeOffer small =
                new NodeOffer(PlanBuilder.oneCore("small", Money.MICROS_PER_UNIT), new Billing(60, 0, 1, 0), quota, 0);
        Job job = job("j", 0, 8, 1000, 600, 600);

        Recorded underThePolicy = Recorded.of(List.of(job), planner(List.of(), 2, offer(5, 1), large));
        Recorded underTheQuota = Recorded.of(List.of(job), planner(List.of(), 10, small, large));

        assertThat(underThePolicy.refusals()).isEmpty();
        assertThat(underThePolicy.run("j").start()).isEqualTo(60);
        assertThat(underTheQuota.refusals()).isEmpty();
        assertThat(underTheQuota.run("j").start()).isEqualTo(60);
    }

    @Test
    void allJobsRunWithinTheLimitsAndWhatIsBookedFitsTheNodesUnderBoth() {
        for (int seed = 0; seed < 10; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            List<Job> jobs = new ArrayList<>();
            long submit = 0;
            for (int i = 0; i < 40; i++) {
                submit += random.nextLong(400);
                long runtime = 60 + random.nextLong(4000);
                jobs.add(job(
                        "j" + i,
                        submit,
                        1 + random.nextInt(3),
                        250L * (1 + random.nextInt(4)),
                        runtime * (1 + random.nextInt(3)),
                        runtime));
            }
            List<Node> nodes = List.of(PlanBuilder.oneCore("n", 500_000));
            for (Scheduler scheduler : List.of(
                    planner(nodes, 4, offer(4, random.nextBoolean() ? 1 : HOUR)),
                    new ThresholdAutoscaler(nodes, List.of(offer(4, 1))))) {
                Recorded recorded = Recorded.of(jobs, scheduler);

                assertThat(recorded.ending()).as("seed %d", seed).isEqualTo(new Simulation.Ending(true, 0, 0));
                assertThat(recorded.runs()).hasSize(40);
                assertThat(recorded.mostTaken()).isLessThanOrEqualTo(5000);
                assertThat(spending(scheduler).nodes()).isPositive();
                for (JobRun run : recorded.runs()) {
                    if (run.deal() != null) {
                        assertThat(Objects.requireNonNull(run.deal()).broken())
                                .as("seed %d", seed)
                                .isEmpty();
                    }
                }
            }
        }
    }
}
