package io.slotwise.cli.plan;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommonOptions;
import io.slotwise.cli.console.OutputFormat;
import io.slotwise.config.PolicyFile;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
 * The options of commands that look at objects in files: the files, the instant, the policy, the prices, the output's
 * format.
 */
public final class ObjectInputs {
    private static final String NOW = "--now";
    private static final String SCHEDULER_NAME = "--scheduler-name";

    private final CommandSpec spec;
    private final CommandConsole session;
    private final OptionSpec files;
    private final PositionalParamSpec others = PositionalParamSpec.builder()
            .type(List.class)
            .auxiliaryTypes(String.class)
            .arity("0..*")
            .hidden(true)
            .build();

    private @Nullable LoopSettings settings;

    /** Adds the options to a command; {@code now} says what the instant is for. */
    ObjectInputs(CommandSpec spec, CommandConsole session, String now) {
        this(spec, session, now, true, OutputFormat.option());
    }

    private ObjectInputs(CommandSpec spec, CommandConsole session, String now, boolean required, OptionSpec output) {
        this.spec = spec;
        this.session = session;
        this.files = OptionSpec.builder("-f", "--file")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("1")
                .required(required)
                .paramLabel("FILE")
                .description("Kubernetes objects, YAML or JSON; '-' is standard input. Several may follow, or -f may "
                        + "be repeated.")
                .build();
        spec.addOption(files)
                .addPositional(others)
                .addOption(CommonOptions.value(NOW, "INSTANT", now + " (RFC 3339, whole seconds). Default: now.")
                        .type(Long.class)
                        .converters(new Second())
                        .build())
                .addOption(OptionSpec.builder(SCHEDULER_NAME)
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .arity("1")
                        .paramLabel("NAME")
                        .description("With -f: also plan waiting pods of this scheduler, such as default-scheduler or "
                                + "volcano; may be repeated.")
                        .build())
                .addOption(CommonOptions.policy())
                .addOption(CommonOptions.prices())
                .addOption(output);
    }

    /** Adds the options to a command that can do without files. */
    static ObjectInputs ofFilesOrElse(CommandSpec spec, CommandConsole session, String now) {
        return new ObjectInputs(spec, session, now, false, OutputFormat.option());
    }

    /** The same for a command that has output formats of its own. */
    public static ObjectInputs ofFilesOrElse(CommandSpec spec, CommandConsole session, String now, OptionSpec output) {
        return new ObjectInputs(spec, session, now, false, output);
    }

    /** Whether any file is given. */
    public boolean hasFiles() {
        return files.getValue() != null;
    }

    OutputFormat format() {
        return OutputFormat.of(spec);
    }

    /** Of the policy, which is read once: it may come from a pipe. */
    public LoopSettings settings() {
        if (settings == null) {
            Path policy = CommonOptions.given(spec, CommonOptions.POLICY, Path.class);
            settings = policy == null ? LoopSettings.DEFAULT : PolicyFile.read(policy);
        }
        return settings;
    }

    /** The words that follow, in their order. */
    List<String> words() {
        return Objects.requireNonNullElse(others.getValue(), List.of());
    }

    /** What the objects of all files make; the words that follow are files too. */
    public IntakeResult taken() {
        return taken(words());
    }

    /** What the objects of the files make, those with these names among them. */
    IntakeResult taken(List<String> moreFiles) {
        List<String> first = Objects.requireNonNullElse(files.getValue(), List.of());
        List<String> all = Stream.concat(first.stream(), moreFiles.stream()).toList();
        if (all.stream().filter("-"::equals).count() > 1) {
            throw new ParameterException(
                    spec.commandLine(), "Standard input (-) is given twice with -f; expected it at most once");
        }
        Path prices = CommonOptions.given(spec, CommonOptions.PRICES, Path.class);
        PriceCatalogue catalogue = prices == null ? PriceCatalogue.bundled() : PriceCatalogue.read(prices);
        Long now = CommonOptions.given(spec, NOW, Long.class);
        long second = now == null ? session.clock().instant().getEpochSecond() : now;
        List<?> schedulers =
                Objects.requireNonNullElse(CommonOptions.given(spec, SCHEDULER_NAME, List.class), List.of());
        Set<String> tried = schedulers.stream().map(String::valueOf).collect(Collectors.toSet());
        return new Intake(settings(), catalogue, PodFilter.FILES.trying(tried))
                .take(ManifestFile.read(all, session.in()), Map.of(), second);
    }

    /** Reads an instant of whole seconds. */
    public static final class Second implements ITypeConverter<Long> {
        @Override
        public Long convert(String value) {
            try {
                OffsetDateTime time = OffsetDateTime.parse(value);
                if (time.getNano() == 0) {
                    return time.toEpochSecond();
                }
            } catch (DateTimeException e) {
                throw unreadable(value);
            }
            throw unreadable(value);
        }

        private static TypeConversionException unreadable(String value) {
            return new TypeConversionException(
                    "'%s' is not an instant; expected whole seconds in RFC 3339 such as 2030-01-01T00:00:00Z"
                            .formatted(value));
        }
    }
}
