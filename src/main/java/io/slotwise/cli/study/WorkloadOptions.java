package io.slotwise.cli.study;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommonOptions;
import io.slotwise.core.time.Durations;
import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.Workload;
import io.slotwise.lab.workload.estimate.EstimateTemplate;
import io.slotwise.lab.workload.estimate.TsafrirEstimates;
import io.slotwise.lab.workload.format.WorkloadFile;
import io.slotwise.lab.workload.format.WorkloadFormat;
import io.slotwise.random.SeededRandom;
import java.util.Objects;
import java.util.OptionalInt;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/**
 * The options of commands that read a workload: which one, its format, its machine, how strictly, with whose estimates.
 */
final class WorkloadOptions {
    private static final String FORMAT = "--format";
    private static final String MACHINE = "--machine";
    private static final String LENIENT = "--lenient";
    private static final String ESTIMATES = "--estimates";
    private static final String SEED = "--seed";
    private static final long USUAL_SEED = 1;

    private final CommandSpec spec;
    private final CommandConsole session;
    private final String location;

    /**
     * Adds the options to a command.
     *
     * @param location the name of the one that says which workload
     * @param required whether there must be one
     */
    WorkloadOptions(CommandSpec spec, CommandConsole session, String location, boolean required) {
        this.spec = spec;
        this.session = session;
        this.location = location;
        spec.addOption(CommonOptions.value(
                                location,
                                "FILE",
                                "The workload, plain or gzip; '-' is standard "
                                        + "input, lublin:KEY=VALUE,... a model's jobs.")
                        .required(required)
                        .build())
                .addOption(CommonOptions.value(
                                FORMAT,
                                "FORMAT",
                                WorkloadFormat.keys() + ". Default: by the file's name, else by its first line.")
                        .type(WorkloadFormat.class)
                        .converters(new FormatName())
                        .build())
                .addOption(CommonOptions.value(
                                MACHINE,
                                "N",
                                "The number of processors, overriding the workload's; wider jobs are left out.")
                        .type(Integer.class)
                        .build())
                .addOption(OptionSpec.builder(LENIENT)
                        .type(boolean.class)
                        .description("Skip and count lines that cannot be parsed. Default: stop at the first one.")
                        .build())
                .addOption(CommonOptions.value(
                                ESTIMATES,
                                "MAX",
                                "Replace the users' estimates by random ones of at most this duration "
                                        + "(Tsafrir's model), " + "such as 36h.")
                        .type(Long.class)
                        .converters(new LongestEstimate())
                        .build())
                .addOption(CommonOptions.value(SEED, "S", "The random seed. Default: " + USUAL_SEED + ".")
                        .type(Long.class)
                        .build());
    }

    /** The workload; what a person should know of it has been said. */
    Workload workload() {
        return workload(false);
    }

    /**
     * The same.
     *
     * @param preceding whether jobs wait for the end of those that the log says precede them
     */
    Workload workload(boolean preceding) {
        Integer machine = CommonOptions.given(spec, MACHINE, Integer.class);
        if (machine != null && machine <= 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--machine (%d) is not a size; expected a positive whole number".formatted(machine));
        }
        LogOptions options = new LogOptions(
                spec.commandLine().getParseResult().hasMatchedOption(LENIENT),
                machine == null ? OptionalInt.empty() : OptionalInt.of(machine),
                preceding);
        Workload workload = WorkloadFile.open(
                Objects.requireNonNull(CommonOptions.given(spec, location, String.class)),
                CommonOptions.given(spec, FORMAT, WorkloadFormat.class),
                options,
                session.in());
        workload.remarks().forEach(remark -> session.err().println("Warning: " + remark));
        return estimated(workload);
    }

    private Workload estimated(Workload workload) {
        Long longest = CommonOptions.given(spec, ESTIMATES, Long.class);
        if (longest == null) {
            return workload;
        }
        Long seed = CommonOptions.given(spec, SEED, Long.class);
        return TsafrirEstimates.of(
                workload,
                longest,
                EstimateTemplate.SDSC,
                SeededRandom.L64X128.seeded(seed == null ? USUAL_SEED : seed));
    }

    private static final class FormatName implements ITypeConverter<WorkloadFormat> {
        @Override
        public WorkloadFormat convert(String value) {
            return WorkloadFormat.of(value)
                    .orElseThrow(() -> new TypeConversionException(
                            "'%s' is not a workload format; expected %s".formatted(value, WorkloadFormat.keys())));
        }
    }

    private static final class LongestEstimate implements ITypeConverter<Long> {
        @Override
        public Long convert(String value) {
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
}
