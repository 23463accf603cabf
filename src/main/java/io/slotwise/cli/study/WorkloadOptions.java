package io.slotwise.cli.study;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommonOptions;
import io.slotwise.core.time.Durations;
import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.Workload;
import io.slotwise.lab.workload.estimate.TsafrirEstimates;
import io.slotwise.lab.workload.format.WorkloadFile;
import io.slotwise.lab.workload.format.WorkloadFormat;
import io.slotwise.random.SeededRandom;
import java.util.Objects;
import java.util.OptionalInt;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/** The options of commands that read a workload: its name, format, machine, estimates and strictness. */
final class WorkloadOptions extends CommonOptions {
    private static final String FORMAT = "--format";
    private static final String MACHINE = "--machine";
    private static final String LENIENT = "--lenient";
    private static final String ESTIMATES = "--estimates";
    private static final String SEED = "--seed";
    private static final long USUAL_SEED = 1;

    private final CommandConsole console;
    private final String location;

    /** Adds the options to a command; {@code required} tells whether a workload is needed. */
    WorkloadOptions(CommandSpec spec, CommandConsole console, String location, boolean required) {
        super(spec);
        this.console = console;
        this.location = location;
        spec.addOption(value(
                                location,
                                "FILE",
                                "The workload, plain or gzip; '-' is standard "
                                        + "input, lublin:KEY=VALUE,... a model's jobs.")
                        .required(required)
                        .build())
                .addOption(read(
                        value(
                                FORMAT,
                                "FORMAT",
                                WorkloadFormat.keys() + ". Default: by the file's name, else by its first line."),
                        WorkloadFormat.class,
                        WorkloadOptions::format))
                .addOption(number(
                        MACHINE, "N", "The number of processors, overriding the workload's; wider jobs are left out."))
                .addOption(flag(LENIENT, "Skip and count lines that cannot be parsed. Default: stop at the first one."))
                .addOption(read(
                        value(
                                ESTIMATES,
                                "MAX",
                                "Replace the users' estimates by random ones of at most this duration (Tsafrir's "
                                        + "model), such as 36h."),
                        Long.class,
                        WorkloadOptions::longest))
                .addOption(value(SEED, "S", "The random seed. Default: " + USUAL_SEED + ".")
                        .type(Long.class)
                        .build());
    }

    /** Returns the workload, after printing its remarks. */
    Workload workload() {
        return workload(false);
    }

    /** Returns the workload; {@code preceding} tells whether jobs wait for the jobs that precede them in the log. */
    Workload workload(boolean preceding) {
        Integer machine = given(MACHINE, Integer.class);
        if (machine != null && machine <= 0) {
            throw wrong("--machine (%d) is not a size; expected a positive whole number".formatted(machine));
        }
        LogOptions options = new LogOptions(
                has(LENIENT), machine == null ? OptionalInt.empty() : OptionalInt.of(machine), preceding);
        Workload workload = WorkloadFile.open(
                Objects.requireNonNull(given(location, String.class)),
                given(FORMAT, WorkloadFormat.class),
                options,
                console.in());
        workload.remarks().forEach(remark -> console.err().println("Warning: " + remark));
        return estimated(workload);
    }

    private Workload estimated(Workload workload) {
        Long longest = given(ESTIMATES, Long.class);
        if (longest == null) {
            return workload;
        }
        Long seed = given(SEED, Long.class);
        return TsafrirEstimates.of(workload, longest, SeededRandom.L64X128.seeded(seed == null ? USUAL_SEED : seed));
    }

    private static WorkloadFormat format(String value) {
        return WorkloadFormat.of(value)
                .orElseThrow(() -> new TypeConversionException(
                        "'%s' is not a workload format; expected %s".formatted(value, WorkloadFormat.keys())));
    }

    private static Long longest(String value) {
        long longest;
        try {
            longest = Durations.parse(value);
        } catch (IllegalArgumentException e) {
            throw unreadable(value, String.valueOf(e.getMessage()));
        }
        if (longest < TsafrirEstimates.SHORTEST_MAXIMUM) {
            throw unreadable(value, "expected at least " + Durations.brief(TsafrirEstimates.SHORTEST_MAXIMUM));
        }
        return longest;
    }

    private static TypeConversionException unreadable(String value, String expected) {
        return new TypeConversionException("'%s' is not a maximum estimate; %s".formatted(value, expected));
    }
}
