package io.slotwise.cli.console;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options that several commands have, and how a command reads what was given. Commands are described to picocli in
 * code rather than by annotations: reading annotations by reflection is most of the time that a short command takes.
 */
public final class CommonOptions {
    public static final String POLICY = "--policy";
    public static final String PRICES = "--prices";

    public static final int LAST_PORT = 65_535;

    private CommonOptions() {}

    /**
     * A command of this name with an option for help, run by {@code command}, a Runnable or a Callable of its exit
     * status; null: it only has subcommands.
     */
    public static CommandSpec command(String name, @Nullable Object command, String header) {
        CommandSpec spec = CommandSpec.wrapWithoutInspection(command)
                .name(name)
                .addOption(OptionSpec.builder("-h", "--help")
                        .type(boolean.class)
                        .usageHelp(true)
                        .description("Show this help.")
                        .build());
        spec.usageMessage().header(header).sortOptions(false);
        return spec;
    }

    /** An option with a value that it shows as {@code label}. */
    public static OptionSpec.Builder value(String name, String label, String description) {
        return OptionSpec.builder(name).type(String.class).paramLabel(label).description(description);
    }

    public static OptionSpec policy() {
        return value(POLICY, "FILE", "The policy file. Default: every key's default.")
                .type(Path.class)
                .build();
    }

    public static OptionSpec prices() {
        return value(
                        PRICES,
                        "FILE",
                        "The price catalogue (CSV). Default: public list prices that come with the program.")
                .type(Path.class)
                .build();
    }

    /** The value that the command line gives to an option of this type; null if it gives none. */
    public static <T> @Nullable T given(CommandSpec spec, String option, Class<T> type) {
        Object value = spec.commandLine().getParseResult().matchedOptionValue(option, null);
        return value == null ? null : type.cast(value);
    }
}
