package io.slotwise.lab.simulation.processors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slotwise.core.time.StepFunction;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.Scheduler;
import io.slotwise.lab.simulation.Simulation;
import io.slotwise.lab.simulation.SimulationObserver;
import io.slotwise.lab.simulation.processors.Easy.Scan;
import io.slotwise.lab.workload.Job;
import io.slotwise.testing.OracleStarts;
import io.slotwise.testing.SharedData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OracleStartsTest {
    @Test
    void everyStartOfEveryMicroCaseIsTheOraclesOwn() throws IOException {
        List<OracleStarts.Case> cases = OracleStarts.micro(file("micro_cases.jsonl"));

        assertThat(cases).hasSize(300).allSatisfy(OracleStartsTest::everyStartIsTheOraclesOwn);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sdsc-sp2-first4606",
                "kth-sp2-first5000",
                "nasa-ipsc-x1667load",
                "lublin-256-first5000",
            })
    void everyStartOfALogIsTheOraclesOwn(String log) throws IOException {
        everyStartIsTheOraclesOwn(OracleStarts.log(file(log + ".oracle.csv.gz")));
    }

    private static Path file(String name) {
        Optional<Path> file = SharedData.file("oracle/" + name);
        assumeTrue(file.isPresent(), "the exact starts (oracle/" + name + ") are not here");
        return file.orElseThrow();
    }

    private static void everyStartIsTheOraclesOwn(OracleStarts.Case log) {
        check(log, "fcfs", Fcfs::new, job -> job);
        check(log, "easy", processors -> new Easy(processors, Scan.ARRIVAL), job -> job);
        check(log, "easy_sjbf", processors -> new Easy(processors, Scan.SHORTEST_ESTIMATE), job -> job);
        check(
                log,
                "easy_perfect_est",
                processors -> new Easy(processors, Scan.ARRIVAL),
                job -> job.estimated(job.runtime()));
        check(log, "conservative", Conservative::new, job -> job);
    }

    private static void check(
            OracleStarts.Case log,
            String policy,
            Function<ProcessorMachine, Scheduler> discipline,
            Function<Job, Job> known) {
        Map<String, Long> starts = new HashMap<>();
        SimulationObserver noting = new SimulationObserver() {
            @Override
            public void started(JobRun run) {
                starts.put(run.job().id(), run.start());
            }
        };

        Simulation.Ending ending = new Simulation(
                        log.jobs().stream().map(known).iterator(),
                        List.of(),
                        discipline.apply(new ProcessorMachine(log.processors(), StepFunction.constant(0))),
                        noting)
                .run(() -> false);

        assertThat(ending).isEqualTo(new Simulation.Ending(true, 0, 0));
        assertThat(log.jobs().stream().map(job -> starts.get(job.id())).toList())
                .as("%s under %s", log, policy)
                .isEqualTo(log.starts(policy));
    }
}
