package io.slotwise.cli;

import io.slotwise.config.PolicyFile;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.ManifestFile;
import io.slotwise.kubernetes.manifest.PriceCatalogue;
import io.slotwise.live.Settings;
import io.slotwise.report.CsvReport;
import io.slotwise.report.Explanation;
import io.slotwise.report.JsonReport;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** What would be planned for the objects of some files; no cluster is touched. */
final class PlanCommand implements Runnable {
    private static final String NOW = "--now";
    private static final String EXPLAIN = "--explain";
    private static final String OUTPUT = "--output";

    private final Session session;
    private final CommandSpec spec;
    private final OptionSpec files = OptionSpec.builder("-f", "--file")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .arity("1")
            .required(true)
            .paramLabel("FILE")
            .description(
                    "Kubernetes objects, YAML or JSON; '-' is standard input. Several may follow, or -f may be repeated.")
            .build();
    private final PositionalParamSpec moreFiles = PositionalParamSpec.builder()
            .type(List.class)
            .auxiliaryTypes(String.class)
            .arity("0..*")
            .hidden(true)
            .build();

    PlanCommand(Session session) {
        this.session = session;
        this.spec = Options.command("plan", this, "Plan the gangs of Kubernetes objects in files.")
                .addOption(files)
                .addPositional(moreFiles)
                .addOption(Options.value(
                                NOW,
                                "INSTANT",
                                "Plan as if it were this instant (RFC 3339, whole seconds). Default: the clock's second.")
                        .type(Long.class)
                        .converters(new Second())
                        .build())
                .addOption(Options.policy())
                .addOption(Options.prices())
                .addOption(Options.value(
                                EXPLAIN,
                                "GANG",
                                "Also tell what was decided about this gang, and why; NAMESPACE/NAME or NAME.")
                        .build())
                .addOption(OptionSpec.builder("-o", OUTPUT)
                        .type(Format.class)
                        .paramLabel("FORMAT")
                        .converters(new FormatConverter())
                        .description("table (default), json or csv.")
                        .build());
        spec.usageMessage()
                .description(
                        "",
                        "Reads nodes and pods, plans a window for every gang that waits, and prints the plan."
                                + " No cluster is touched.",
                        "")
                .footer(
                        "",
                        "Examples:",
                        "  slotwise plan -f cluster.yaml -f workload.yaml --now 2030-01-01T00:00:00Z",
                        "  slotwise plan -f cluster.yaml -f workload.yaml --explain research/train",
                        "  kubectl get nodes,pods -A -o json | slotwise plan -f - -o json");
    }

    /** How picocli sees this command. */
    CommandSpec spec() {
        return spec;
    }

    /** How the plan is printed. */
    enum Format {
        TABLE,
        JSON,
        CSV
    }

    @Override
    public void run() {
        Format format = Objects.requireNonNullElse(Options.given(spec, OUTPUT, Format.class), Format.TABLE);
        String explained = Options.given(spec, EXPLAIN, String.class);
        if (format == Format.CSV && explained != null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--explain (%s) has no place in csv; expected -o table or json".formatted(explained));
        }
        Planning planning = planning();
        List<String> explanation = explained == null ? List.of() : explanation(planning, explained);
        planning.warn(session.err());
        print(planning, explanation, format);
    }

    private Planning planning() {
        Path policy = Options.given(spec, Options.POLICY, Path.class);
        Settings settings = policy == null ? Settings.DEFAULT : PolicyFile.read(policy);
        Path prices = Options.given(spec, Options.PRICES, Path.class);
        PriceCatalogue catalogue = prices == null ? PriceCatalogue.bundled() : PriceCatalogue.read(prices);
        ClusterObjects objects = ManifestFile.read(files(), session.in());
        Long now = Options.given(spec, NOW, Long.class);
        long second = now == null ? session.clock().instant().getEpochSecond() : now;
        return Planning.of(objects, settings, catalogue, second);
    }

    private List<String> files() {
        List<String> first = Objects.requireNonNullElse(files.getValue(), List.of());
        List<String> more = Objects.requireNonNullElse(moreFiles.getValue(), List.of());
        List<String> files = Stream.concat(first.stream(), more.stream()).toList();
        if (files.stream().filter("-"::equals).count() > 1) {
            throw new ParameterException(
                    spec.commandLine(), "Standard input (-) is given twice with -f; expected it at most once");
        }
        return files;
    }

    private void print(Planning planning, List<String> explanation, Format format) {
        PrintWriter out = session.out();
        switch (format) {
            case TABLE -> {
                out.print(planning.table(session.terminal()));
                if (!explanation.isEmpty()) {
                    out.println();
                    explanation.forEach(out::println);
                }
            }
            case JSON -> out.print(JsonReport.write(planning.report(), explanation));
            case CSV -> {
                out.print(CsvReport.write(planning.report()));
                planning.report()
                        .pending()
                        .forEach(gang -> session.err().println("Pending: " + gang.gang() + ": " + gang.reason()));
            }
        }
    }

    private List<String> explanation(Planning planning, String gang) {
        List<GangId> gangs = Explanation.matching(planning.plan(), gang);
        if (gangs.size() == 1) {
            return Explanation.of(planning.plan(), gangs.getFirst());
        }
        List<String> there = (gangs.isEmpty() ? Explanation.gangs(planning.plan()) : gangs)
                .stream().map(GangId::toString).toList();
        throw new ParameterException(
                spec.commandLine(),
                "--explain (%s) names %s gang that waits; expected one of %s"
                        .formatted(
                                gang,
                                gangs.isEmpty() ? "no" : "more than one",
                                there.isEmpty() ? "none, as no gang waits" : String.join(", ", there)));
    }

    /** Reads an instant of whole seconds. */
    static final class Second implements ITypeConverter<Long> {
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
                    "'%s' is no instant; expected whole seconds in RFC 3339 such as 2030-01-01T00:00:00Z"
                            .formatted(value));
        }
    }

    /** Reads a format's name. */
    static final class FormatConverter implements ITypeConverter<Format> {
        @Override
        public Format convert(String value) {
            return Stream.of(Format.values())
                    .filter(format -> format.name().toLowerCase(Locale.ROOT).equals(value))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "'%s' is no output format; expected table, json or csv".formatted(value)));
        }
    }
}
