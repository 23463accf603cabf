package io.slotwise.cli.study;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.core.money.PlainDigits;
import io.slotwise.core.text.Suggestion;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentResults;
import io.slotwise.lab.experiment.Replications;
import io.slotwise.lab.experiment.Replications.Extent;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.catalogue.Experiments;
import io.slotwise.lab.experiment.catalogue.ShardFile;
import io.slotwise.lab.report.ExperimentReport;
import io.slotwise.lab.simulation.ReplicationShard;
import io.slotwise.lab.workload.LogFolder;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.TypeConversionException;

/** Repeats the papers' experiments. */
public final class ExperimentCommand extends ConsoleCommand implements Runnable {
    private static final String ALL = "--all";
    private static final String DATA = "--data";
    private static final String RUNS = "--runs";
    private static final String SEED = "--seed";
    private static final String JOBS = "--jobs";
    private static final String SHARD = "--shard";
    private static final long USUAL_SEED = 1;

    private final Function<LogFolder, Experiments> available;
    private Experiments experiments;
    private final PositionalParamSpec names = words("0..*")
            .paramLabel("NAME")
            .description("The experiment. Default: list all experiments.")
            .build();

    public ExperimentCommand(CommandConsole console, Function<LogFolder, Experiments> available) {
        super(console, "experiment", "Repeat a paper's experiment and show its numbers next to ours.");

        this.available = available;
        this.experiments = available.apply(LogFolder.NONE);
        spec.addPositional(names)
                .addOption(flag(ALL, "All experiments."))
                .addOption(positive(RUNS, "N", "The number of independent replications. Default: the paper's."))
                .addOption(value(SEED, "S", "The random seed. Default: " + USUAL_SEED + ".")
                        .type(Long.class)
                        .build())
                .addOption(positive(
                        JOBS,
                        "THREADS",
                        "The number of threads. Results do not depend on it, except measured times, which use "
                                + "one thread. Default: the machine's processors."))
                .addOption(read(
                        value(
                                SHARD,
                                "I/N",
                                "Run only part I (from 0) of N; 'slotwise study merge' combines all parts into the "
                                        + "results of one run. Needs -o json."),
                        ReplicationShard.class,
                        StudyOptions::shard))
                .addOption(value(
                                DATA,
                                "FOLDER",
                                "The folder of the logs that some experiments replay. Default: the environment "
                                        + "variable SLOTWISE_DATA.")
                        .type(Path.class)
                        .defaultValue("${env:SLOTWISE_DATA}")
                        .build())
                .addOption(ExperimentFormat.option());
        help(spec, """
            slotwise study experiment
            slotwise study experiment criteria --runs 500
            slotwise study experiment --all --runs 200 -o markdown
            slotwise study experiment combined --shard 0/3 -o json > part-0.json
            """);
    }

    private static OptionSpec positive(String name, String label, String description) {
        return read(value(name, label, description), Integer.class, value -> positive(value));
    }

    private static Integer positive(String value) {
        try {
            int number = Integer.parseInt(PlainDigits.of(value));
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw notPositive(value);
        }
        throw notPositive(value);
    }

    private static TypeConversionException notPositive(String value) {
        return new TypeConversionException("'%s' is not a positive whole number".formatted(value));
    }

    @Override
    public void run() {
        experiments = available.apply(new LogFolder(spec.findOption(DATA).getValue()));
        List<Experiment> chosen = chosen();
        ExperimentFormat format = output(spec, ExperimentFormat.TABLE);
        ReplicationShard shard = given(SHARD, ReplicationShard.class);
        if (chosen.isEmpty()) {
            list(format);
        } else if (shard == null) {
            List<ExperimentResults> results = new ArrayList<>();
            for (Experiment experiment : chosen) {
                Extent extent = extent(experiment, ReplicationShard.WHOLE);
                Tally tally = replicate(experiment, extent);
                results.add(Replications.conclude(experiment, extent.runs(), extent.seed(), tally));
            }
            console.out().print(format.write(results, console.terminal()));
        } else {
            part(chosen, shard, format);
        }
    }

    private void part(List<Experiment> chosen, ReplicationShard shard, ExperimentFormat format) {
        if (format != ExperimentFormat.JSON) {
            throw wrong("--shard (%s) supports JSON only; expected -o json".formatted(shard));
        }
        List<String> documents = new ArrayList<>();
        for (Experiment experiment : chosen) {
            Extent extent = extent(experiment, shard);
            Tally tally = replicate(experiment, extent);
            documents.add(new ShardFile(experiment.profile().name(), extent.runs(), extent.seed(), shard, tally)
                            .json()
                            .toPrettyString()
                    + "\n");
        }
        console.out().print(ExperimentFormat.array(documents));
    }

    private void list(ExperimentFormat format) {
        if (format != ExperimentFormat.TABLE) {
            throw wrong("No experiment is named; expected a NAME or --all with -o");
        }
        console.out()
                .print(ExperimentReport.list(
                        experiments.all().stream().map(Experiment::profile).toList(), console.terminal()));
    }

    private List<Experiment> chosen() {
        List<String> words = Objects.requireNonNullElse(names.getValue(), List.of());
        if (has(ALL)) {
            if (!words.isEmpty()) {
                throw wrong("--all runs all experiments; expected no NAME (%s) with it".formatted(words.getFirst()));
            }
            return experiments.all().stream().filter(this::canRun).toList();
        }
        return words.stream().distinct().map(this::named).toList();
    }

    private boolean canRun(Experiment experiment) {
        Optional<String> missing = experiment.missing();
        missing.ifPresent(what -> console.err()
                .println("Skipped: %s: %s".formatted(experiment.profile().name(), what)));
        return missing.isEmpty();
    }

    private Experiment named(String name) {
        Experiment experiment = experiments
                .named(name)
                .orElseThrow(() -> wrong("There is no experiment '%s'; expected %s%s"
                        .formatted(
                                name,
                                Suggestion.nearest(name, all())
                                        .map(near -> "'" + near + "' perhaps, or another of ")
                                        .orElse("one of "),
                                String.join(", ", all()))));
        experiment.missing().ifPresent(what -> {
            throw wrong("%s: %s".formatted(name, what));
        });
        return experiment;
    }

    private List<String> all() {
        return experiments.all().stream()
                .map(experiment -> experiment.profile().name())
                .toList();
    }

    private Extent extent(Experiment experiment, ReplicationShard shard) {
        int runs = experiment.isRandom()
                ? given(RUNS, Integer.class, experiment.profile().runs())
                : 1;
        return new Extent(runs, given(SEED, Long.class, USUAL_SEED), shard);
    }

    private Tally replicate(Experiment experiment, Extent extent) {
        int threads = given(JOBS, Integer.class, Runtime.getRuntime().availableProcessors());
        try (ProgressLine line = ProgressLine.of(console, experiment.profile().name())) {
            return Replications.run(experiment, extent, threads, line::show);
        }
    }

    /** A progress line on a terminal, which disappears at the end. */
    private static final class ProgressLine implements AutoCloseable {
        private static final int STEPS = 100;

        private final @Nullable PrintWriter terminal;
        private final String name;
        private int shown = -1;

        private ProgressLine(@Nullable PrintWriter terminal, String name) {
            this.terminal = terminal;
            this.name = name;
        }

        static ProgressLine of(CommandConsole console, String name) {
            return new ProgressLine(CommandConsole.onTerminal() ? console.err() : null, name);
        }

        /** Shows the progress, from any thread. */
        synchronized void show(int done, int of) {
            int step = (int) ((long) done * STEPS / of);
            if (terminal != null && step > shown) {
                shown = step;
                terminal.print("\r%s: %d of %d".formatted(name, done, of));
                terminal.flush();
            }
        }

        @Override
        public synchronized void close() {
            if (terminal != null && shown >= 0) {
                terminal.print("\r\u001b[K");
                terminal.flush();
            }
        }
    }
}
