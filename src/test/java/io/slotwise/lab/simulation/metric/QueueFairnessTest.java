package io.slotwise.lab.simulation.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.MachineLoad;
import io.slotwise.lab.simulation.SimulationObserver.Why;
import io.slotwise.lab.simulation.metric.ReplicationOutcome.QueueFigures;
import io.slotwise.lab.simulation.metric.ReplicationOutcome.QueuesFairness;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.JobTerms;
import io.slotwise.lab.workload.Processor;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class QueueFairnessTest {
    private static final MachineLoad LOAD = new MachineLoad(4000, 0, 0);
    private static final Resources CAPACITY = Resources.of(Map.of(Resources.CPU, 4000L));

    private static Job job(String id, String queue, int processors) {
        return new Job(
                id, 0, List.of(new Job.Part(processors, Processor.request(100))), 100, "user", JobTerms.NONE.in(queue));
    }

    private static JobRun run(Job job) {
        return new JobRun(job, 0, 100, 1, 1, 1, new TreeMap<>(), null, JobRun.Before.NOTHING, JobRun.Loss.NOTHING);
    }

    private static Queue queue(String name, int weight, StepFunction guarantee) {
        return new Queue(name, null, weight, Map.of(Resources.CPU, Amount.of(guarantee)), Map.of(), Map.of(), false);
    }

    @Test
    void comparesUseWithEntitlementByWeight() {
        QueueTree tree = QueueTree.of(
                List.of(queue("a", 3, StepFunction.constant(0)), queue("b", 1, StepFunction.constant(0))), CAPACITY);
        QueueFairness fairness = new QueueFairness(tree);
        Job running = job("1", "a", 2);
        Job waiting = job("2", "a", 2);
        Job other = job("3", "b", 1);

        List.of(running, waiting, other).forEach(fairness::submitted);
        fairness.started(run(running));
        fairness.started(run(other));
        fairness.passed(0, LOAD);
        fairness.passed(100, LOAD);

        QueuesFairness figures = fairness.figures();
        assertThat(figures.queues()).extracting(QueueFigures::queue).containsExactly("a", "b");
        assertThat(figures.queues().getFirst().used()).isEqualTo(0.5);
        assertThat(figures.queues().getFirst().entitled()).isEqualTo(0.75);
        assertThat(figures.queues().getFirst().received()).isCloseTo(2.0 / 3, within(1e-9));
        assertThat(figures.queues().getLast()).isEqualTo(new QueueFigures("b", 0.25, 0.25, 1));
        assertThat(figures.worst()).isCloseTo(2.0 / 3, within(1e-9));
        assertThat(figures.jain()).isCloseTo(25.0 / 26, within(1e-9));
    }

    @Test
    void followsGuaranteesOverTimeAndQueuesThatStopWanting() {
        StepFunction day = StepFunction.startingAt(1000).then(50, 3000).build();
        QueueTree tree =
                QueueTree.of(List.of(queue("a", 0, day), queue("b", 0, StepFunction.constant(1000))), CAPACITY);
        QueueFairness fairness = new QueueFairness(tree);
        Job job = job("1", "a", 4);

        fairness.submitted(job);
        fairness.passed(0, LOAD);
        fairness.started(run(job));
        fairness.passed(100, LOAD);
        fairness.ended(run(job));
        fairness.passed(200, LOAD);
        fairness.passed(400, LOAD);

        assertThat(fairness.figures().queues())
                .containsExactly(new QueueFigures("a", 0.25, (50 * 0.25 + 150 * 0.75) / 400, 3000.0 * 100 / 500_000));
    }

    @Test
    void countsAStoppedJobAsWaiting() {
        QueueTree tree = QueueTree.of(List.of(queue("a", 1, StepFunction.constant(0))), CAPACITY);
        QueueFairness fairness = new QueueFairness(tree);
        Job job = job("1", "a", 4);

        fairness.submitted(job);
        fairness.started(run(job));
        fairness.passed(0, LOAD);
        fairness.interrupted(run(job), Why.DISPLACED);
        fairness.passed(100, LOAD);
        fairness.passed(200, LOAD);

        assertThat(fairness.figures().queues()).containsExactly(new QueueFigures("a", 0.5, 1, 0.5));
    }
}
