package io.slotwise.cli.console;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/**
 * The description of options, the common ones, and access to the given values. Commands are described to picocli in
 * code instead of annotations: reading annotations by reflection is most of the time of a short command.
 */
public abstract class CommonOptions {
    public static final String POLICY = "--policy";
    public static final String PRICES = "--prices";
    public static final int LAST_PORT = 65_535;
    private static final String OUTPUT = "--output";

    protected final CommandSpec spec;

    /** Creates the options of a command that is described elsewhere. */
    protected CommonOptions(CommandSpec spec) {
        this.spec = spec;
    }

    /** Creates the options of a command that is this object. */
    @SuppressWarnings("this-escape")
    CommonOptions(String name, String header) {
        this.spec = command(name, this, header);
    }

    /** Returns a command with help, run by a Runnable or a Callable of its exit status; null for subcommands only. */
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

    /** Sets the paragraphs of a command's help, and its examples, one per line. */
    public static void help(CommandSpec spec, String examples, String... paragraphs) {
        if (paragraphs.length > 0) {
            spec.usageMessage()
                    .description(Stream.of(Stream.of(""), Stream.of(paragraphs), Stream.of(""))
                            .flatMap(lines -> lines)
                            .toArray(String[]::new));
        }
        spec.usageMessage()
                .footer(Stream.concat(
                                Stream.of("", "Examples:"), examples.lines().map("  "::concat))
                        .toArray(String[]::new));
    }

    /** Returns an option with a value that the help calls {@code label}. */
    public static OptionSpec.Builder value(String name, String label, String description) {
        return OptionSpec.builder(name).type(String.class).paramLabel(label).description(description);
    }

    public static OptionSpec text(String name, String label, String description) {
        return value(name, label, description).build();
    }

    public static OptionSpec number(String name, String label, String description) {
        return value(name, label, description).type(Integer.class).build();
    }

    public static OptionSpec file(String name, String label, String description) {
        return value(name, label, description).type(Path.class).build();
    }

    /** Returns an option whose value is parsed by {@code read}. */
    public static <T> OptionSpec read(OptionSpec.Builder builder, Class<T> type, ITypeConverter<T> read) {
        return builder.type(type).converters(read).build();
    }

    public static OptionSpec flag(String name, String description) {
        return OptionSpec.builder(name)
                .type(boolean.class)
                .description(description)
                .build();
    }

    /** Returns an option that may be repeated, with one value each time. */
    public static OptionSpec.Builder list(String name, String label, String description) {
        return value(name, label, description)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("1");
    }

    public static PositionalParamSpec.Builder word(String label, String description) {
        return PositionalParamSpec.builder()
                .type(String.class)
                .index("0")
                .required(true)
                .paramLabel(label)
                .description(description);
    }

    /** Returns positional parameters, as many as {@code arity} says. */
    public static PositionalParamSpec.Builder words(String arity) {
        return PositionalParamSpec.builder()
                .type(List.class)
                .auxiliaryTypes(String.class)
                .index("0..*")
                .arity(arity);
    }

    /** Returns the option that selects one of these output formats. */
    public static <E extends Enum<E>> OptionSpec output(Class<E> type, List<E> formats, String description) {
        return choice(
                OptionSpec.builder("-o", OUTPUT)
                        .paramLabel("FORMAT")
                        .completionCandidates(
                                formats.stream().map(CommonOptions::word).toList())
                        .description(description),
                type,
                formats,
                "an output format");
    }

    /** Returns an option whose value is the name of one of {@code values}; {@code what} says what they are. */
    public static <E extends Enum<E>> OptionSpec choice(
            OptionSpec.Builder builder, Class<E> type, List<E> values, String what) {
        return read(
                builder,
                type,
                value -> values.stream()
                        .filter(known -> word(known).equals(value))
                        .findFirst()
                        .orElseThrow(() -> new TypeConversionException(
                                "'%s' is not %s; expected %s".formatted(value, what, listed(values)))));
    }

    /** Returns the value of the option {@link #output}, or {@code usual}. */
    public static <E extends Enum<E>> E output(CommandSpec spec, E usual) {
        return given(spec, OUTPUT, usual.getDeclaringClass(), usual);
    }

    /** Returns the names of these values, such as {@code table, json or csv}. */
    public static <E extends Enum<E>> String listed(List<E> values) {
        return values.stream()
                        .limit(values.size() - 1L)
                        .map(CommonOptions::word)
                        .collect(Collectors.joining(", "))
                + " or "
                + word(values.getLast());
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static OptionSpec policy() {
        return file(POLICY, "FILE", "The policy file. Default: every key's default.");
    }

    public static OptionSpec prices() {
        return file(
                PRICES, "FILE", "The price catalogue (CSV). Default: public list prices that come with the program.");
    }

    /** Returns the given value of an option, or null. */
    public static <T> @Nullable T given(CommandSpec spec, String option, Class<T> type) {
        Object value = spec.commandLine().getParseResult().matchedOptionValue(option, null);
        return value == null ? null : type.cast(value);
    }

    /** Returns the given value of an option, or {@code usual}. */
    public static <T> T given(CommandSpec spec, String option, Class<T> type, T usual) {
        return Objects.requireNonNullElse(given(spec, option, type), usual);
    }

    protected final <T> @Nullable T given(String option, Class<T> type) {
        return given(spec, option, type);
    }

    protected final <T> T given(String option, Class<T> type, T usual) {
        return given(spec, option, type, usual);
    }

    protected final boolean has(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    protected final ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Returns the given port, or {@code usual}. */
    protected final @Nullable Integer port(String option, @Nullable Integer usual) {
        Integer port = given(option, Integer.class);
        if (port != null && (port < 0 || port > LAST_PORT)) {
            throw wrong("%s (%d) is not a port; expected 0 to %d".formatted(option, port, LAST_PORT));
        }
        return port == null ? usual : port;
    }

    /** Returns the given whole number within these bounds, or {@code usual}. */
    protected final int within(String option, int usual, int least, int most) {
        Integer value = given(option, Integer.class);
        if (value != null && (value < least || value > most)) {
            throw wrong("%s (%d) is out of range; expected %d to %d".formatted(option, value, least, most));
        }
        return value == null ? usual : value;
    }
}
