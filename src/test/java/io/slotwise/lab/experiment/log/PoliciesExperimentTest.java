package io.slotwise.lab.experiment.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.lab.experiment.ExperimentRun;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Replications;
import io.slotwise.lab.experiment.Replications.Extent;
import io.slotwise.lab.experiment.Replications.Progress;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.log.PoliciesExperiment.LogPart;
import io.slotwise.lab.experiment.log.PoliciesExperiment.PolicyGrid;
import io.slotwise.lab.experiment.log.PoliciesExperiment.PolicyGrid.PolicyCandidate;
import io.slotwise.lab.simulation.ReplicationShard;
import io.slotwise.lab.workload.LogFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoliciesExperimentTest {
    private static final ReplayedLog TINY = new ReplayedLog("tiny", "tiny.swf", 4, 1);
    private static final String HELD_OUT = "tiny, held out";
    private static final PolicyCandidate STRICT =
            PolicyGrid.planned("strict", PolicyGrid.USUAL.withSlack(PromiseSlack.NONE));
    private static final PolicyCandidate LOOSE = PolicyGrid.planned("loose", PolicyGrid.USUAL);
    private static final PolicyCandidate FREE = PolicyGrid.planned(
            "free", PolicyGrid.USUAL.withReplan(Policy.Replan.FREE).withReplanGain(0));

    /** Again and again, a job has the machine for 1000 s while jobs of 900 s and 100 s wait. */
    private static PoliciesExperiment threes(Path folder, List<PolicyCandidate> policies) throws IOException {
        return again(folder, new int[][] {{4, 1000}, {4, 900}, {4, 100}}, policies);
    }

    /** Three jobs with these processors and seconds, a second apart, again and again. */
    private static PoliciesExperiment again(Path folder, int[][] jobs, List<PolicyCandidate> policies)
            throws IOException {
        StringBuilder log = new StringBuilder("; MaxProcs: 4\n");
        for (int i = 0; i < 6 * jobs.length; i++) {
            int[] job = jobs[i % jobs.length];
            log.append("%d %d 0 %d %d -1 -1 %d %d -1 1 7 1 3 1 -1 -1 -1\n"
                    .formatted(i + 1, i / jobs.length * 10_000 + i % jobs.length, job[1], job[0], job[0], job[1]));
        }
        Files.writeString(folder.resolve("tiny.swf"), log);
        return new PoliciesExperiment(
                new LogFolder(folder), List.of(new LogPart(TINY, 9, 9)), PolicyGrid.disciplines(), policies);
    }

    @Test
    void theBestPolicyOfTheTrainingIsJudgedOnHeldOutData(@TempDir Path folder) throws IOException {
        ExperimentRun run = ExperimentRun.of(threes(folder, List.of(STRICT, LOOSE)), 1);

        // The waits are 0, 999 and 1898 s. With the chart's turnover of 5 s after each job and the short one first,
        // they are 0, 1003 and 1109 s.
        assertThat(run.value("easy-sjbf", HELD_OUT, PoliciesExperiment.WAIT))
                .isEqualTo((999 + 1898) / 3.0, Offset.offset(1.0));
        assertThat(run.value("strict", HELD_OUT, PoliciesExperiment.WAIT))
                .isEqualTo((1004 + 1908) / 3.0, Offset.offset(1.0));
        assertThat(run.value("loose", HELD_OUT, PoliciesExperiment.WAIT))
                .isEqualTo((1003 + 1109) / 3.0, Offset.offset(1.0));
        assertThat(run.value("loose", HELD_OUT, PoliciesExperiment.KEPT)).isEqualTo(100);
        assertThat(run.verdict("the best of the policies that keep every promise"))
                .isEqualTo(Verdict.YES);
        assertThat(run.verdict("jobs wait no longer under the best")).isEqualTo(Verdict.YES);
        assertThat(run.verdict("and slow down no more")).isEqualTo(Verdict.YES);
        assertThat(run.verdict("it keeps every promise")).isEqualTo(Verdict.YES);
        assertThat(run.verdict("its slack is at most two fifths")).isEqualTo(Verdict.YES);
    }

    @Test
    void aPolicyThatLosesIsSaidToLose(@TempDir Path folder) throws IOException {
        ExperimentRun run = ExperimentRun.of(threes(folder, List.of(STRICT)), 1);

        assertThat(run.verdict("the best of the policies that keep every promise"))
                .isEqualTo(Verdict.NO);
        assertThat(run.verdict("jobs wait no longer under the best")).isEqualTo(Verdict.YES);
        assertThat(run.value("strict", HELD_OUT, PoliciesExperiment.SLACK)).isZero();
    }

    @Test
    void aPolicyThatBreaksPromisesCannotWin(@TempDir Path folder) throws IOException {
        PolicyCandidate passing = PolicyGrid.planned(
                "passing",
                PolicyGrid.USUAL
                        .withReplan(Policy.Replan.FREE)
                        .withQueue(PolicyGrid.USUAL.queue().by(Policy.Order.AFCFS)));
        // The second needs the whole machine and is promised the end of the first. The third fits next to the first,
        // but runs longer.
        int[][] jobs = {{2, 1000}, {4, 100}, {2, 2000}};
        ExperimentRun run = ExperimentRun.of(again(folder, jobs, List.of(passing)), 1);

        assertThat(run.value("passing", HELD_OUT, PoliciesExperiment.KEPT)).isLessThan(100);
        assertThat(run.verdict("a policy keeps every promise")).isEqualTo(Verdict.NO);
    }

    @Test
    void shardsAddUpToTheWhole(@TempDir Path folder) throws IOException {
        PoliciesExperiment experiment = threes(folder, List.of(STRICT, LOOSE, FREE));
        Tally whole = Replications.run(experiment, new Extent(1, 1, ReplicationShard.WHOLE), 2, Progress.NONE);
        Tally parts = new Tally();
        int empty = 0;
        for (int shard = 0; shard < 5; shard++) {
            Tally part =
                    Replications.run(experiment, new Extent(1, 1, new ReplicationShard(shard, 5)), 1, Progress.NONE);
            empty += part.sums().isEmpty() ? 1 : 0;
            parts.add(part);
        }

        assertThat(empty).isZero();
        assertThat(parts.sums()).isEqualTo(whole.sums());
        assertThat(Replications.conclude(experiment, 1, 1, parts))
                .isEqualTo(Replications.conclude(experiment, 1, 1, whole));
    }

    @Test
    void withoutALogTheExperimentSaysWhatItNeeds() {
        assertThat(new PoliciesExperiment(LogFolder.NONE).missing())
                .hasValueSatisfying(what -> assertThat(what)
                        .contains("expected --data FOLDER with one of SDSC-SP2")
                        .contains("CEA-Curie"));
    }
}
