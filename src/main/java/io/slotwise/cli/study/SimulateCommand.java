package io.slotwise.cli.study;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.cli.console.ExitStatus;
import io.slotwise.cli.console.GracefulStop;
import io.slotwise.cli.study.SimulationStudy.Answer;
import io.slotwise.core.money.Currency;
import io.slotwise.lab.report.ComparisonReport;
import io.slotwise.lab.report.SimulationPage;
import io.slotwise.lab.report.StartsReport;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.SimulationObserver;
import io.slotwise.lab.simulation.metric.Comparison;
import io.slotwise.lab.simulation.metric.ReplicationOutcome;
import io.slotwise.lab.workload.Job;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;

/** Runs a workload through virtual time under one or more policies. */
public final class SimulateCommand extends ConsoleCommand implements Callable<Integer> {
    private static final String POLICIES = "--policy";
    private static final String STARTS = "--starts";

    private final StudyOptions options;
    private final OptionSpec policies = OptionSpec.builder(POLICIES)
            .type(List.class)
            .auxiliaryTypes(SimulatedPolicy.class)
            .converters((ITypeConverter<SimulatedPolicy>) SimulatedPolicy::of)
            .splitRegex(",")
            .arity("1..*")
            .required(true)
            .paramLabel("POLICY")
            .description("%s, preset:NAME (a preset of policy files), or a policy file; several may follow."
                    .formatted(String.join(", ", SimulatedPolicy.names())))
            .build();

    public SimulateCommand(CommandConsole console) {
        super(console, "simulate", "Run a workload through virtual time under one or several policies.");

        this.options = new StudyOptions(spec, console, true);
        options.addReplications();
        spec.addOption(policies)
                .addOption(file(STARTS, "FILE", "Also write job_id,submit,start,end; needs one policy and one run."))
                .addOption(StudyFormat.option(StudyFormat.values()));
        help(
                spec,
                """
                slotwise study simulate --workload KTH-SP2.swf.gz --policy fcfs easy conservative
                slotwise study simulate --workload KTH-SP2.swf.gz --policy easy --starts starts.csv
                slotwise study simulate --workload pods.csv --nodes nodes.csv --policy slotwise -o html > report.html
                slotwise study simulate --workload SDSC-SP2.swf.gz --priorities 1=30,2=20 --policy slotwise --processors-per-node 128
                slotwise study simulate --workload lublin:machine=64,jobs=500 --draw-users --policy slotwise amp --runs 10
                """,
                "Runs the jobs of a log, a trace or a model on a machine of whole processors or on "
                        + "priced nodes, and reports how each policy served them. No cluster is touched.");
    }

    @Override
    public Integer call() throws IOException {
        SimulationStudy study = options.study(policies.getValue(), 1);
        Path starts = given(STARTS, Path.class);
        if (starts != null && study.size() != 1) {
            throw wrong("--starts (%s) needs one simulation, and there are %d; expected one policy and one run"
                    .formatted(starts, study.size()));
        }
        try (GracefulStop stop = new GracefulStop()) {
            Answer answer = run(study, starts, stop);
            warn(answer.comparison());
            print(answer, study.currency());
            console.out().flush();
            return answer.comparison().complete() ? 0 : ExitStatus.FAILED;
        }
    }

    private Answer run(SimulationStudy study, @Nullable Path starts, GracefulStop stop) throws IOException {
        List<SimulationObserver> watching = new ArrayList<>();
        try (ProgressBar progress = progress(study);
                StartsReport report = starts == null ? null : new StartsReport(Files.newBufferedWriter(starts))) {
            if (progress != null) {
                watching.add(progress);
            }
            if (report != null) {
                watching.add(report);
            }
            return study.answer(watching, stop::asked);
        }
    }

    private @Nullable ProgressBar progress(SimulationStudy study) {
        if (!CommandConsole.onTerminal()) {
            return null;
        }
        try (Stream<Job> jobs = study.workload().jobs()) {
            return new ProgressBar(console.err(), jobs.count() * study.size());
        }
    }

    private void warn(Comparison.Result result, ToLongFunction<ReplicationOutcome.Jobs> count, String what) {
        long jobs = result.outcomes().stream()
                .map(ReplicationOutcome::jobs)
                .mapToLong(count)
                .sum();
        if (jobs > 0) {
            console.err().println("Warning: %d jobs ".formatted(jobs) + what.formatted(result.policy()));
        }
    }

    private void warn(Comparison comparison) {
        for (Comparison.Result result : comparison.results()) {
            warn(
                    result,
                    ReplicationOutcome.Jobs::refused,
                    "were refused under %s: larger than the machine, or longer than the horizon");
            if (comparison.complete()) {
                warn(
                        result,
                        ReplicationOutcome.Jobs::left,
                        "never started under %s: no window within their budget or by their deadline");
            }
        }
        if (!comparison.complete()) {
            console.err().println("Warning: stopped before the end; the result is partial");
        }
    }

    private void print(Answer answer, Currency currency) {
        console.out()
                .print(
                        switch (StudyFormat.of(spec)) {
                            case TABLE -> ComparisonReport.table(answer.comparison(), currency, console.terminal());
                            case JSON -> ComparisonReport.json(answer.comparison());
                            case CSV -> ComparisonReport.csv(answer.comparison());
                            case HTML -> SimulationPage.write(answer.comparison(), answer.histories(), currency);
                        });
    }

    /** A progress bar of finished jobs, for several simulations at once. */
    private static final class ProgressBar implements SimulationObserver, AutoCloseable {
        private static final int WIDTH = 40;
        private static final long BETWEEN_NANOS = 200_000_000;

        private final PrintWriter screen;
        private final long jobs;
        private final AtomicLong done = new AtomicLong();
        private final AtomicLong drawnAt = new AtomicLong(System.nanoTime());
        private volatile boolean drawn;

        ProgressBar(PrintWriter screen, long jobs) {
            this.screen = screen;
            this.jobs = Math.max(1, jobs);
        }

        @Override
        public void ended(JobRun run) {
            advance();
        }

        @Override
        public void refused(Job job) {
            advance();
        }

        private void advance() {
            long now = done.incrementAndGet();
            long last = drawnAt.get();
            long time = System.nanoTime();
            if (time - last >= BETWEEN_NANOS && drawnAt.compareAndSet(last, time)) {
                drawn = true;
                int full = (int) Math.min(WIDTH, now * WIDTH / jobs);
                screen.print("\r[%s%s] %d of %d jobs".formatted("#".repeat(full), ".".repeat(WIDTH - full), now, jobs));
                screen.flush();
            }
        }

        @Override
        public void close() {
            if (drawn) {
                screen.print("\r\u001b[K");
                screen.flush();
            }
        }
    }
}
