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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** What would be planned for the objects of some files; no cluster is touched. */
@Command(
        name = "plan",
        header = "Plan the gangs of Kubernetes objects in files.",
        description = {
            "",
            "Reads nodes and pods, plans a window for every gang that waits, and prints the plan. No cluster is touched.",
            ""
        },
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  slotwise plan -f cluster.yaml -f workload.yaml --now 2030-01-01T00:00:00Z",
            "  slotwise plan -f cluster.yaml -f workload.yaml --explain research/train",
            "  kubectl get nodes,pods -A -o json | slotwise plan -f - -o json"
        })
final class PlanCommand implements Runnable {
    private final Session session;

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE",
            description =
                    "Kubernetes objects, YAML or JSON; '-' is standard input. Several may follow, or -f may be repeated.")
    List<String> files = List.of();

    @Parameters(hidden = true, description = "More files after the first one.")
    List<String> moreFiles = List.of();

    @Option(
            names = "--now",
            paramLabel = "INSTANT",
            converter = Second.class,
            description = "Plan as if it were this instant (RFC 3339, whole seconds). Default: the clock's second.")
    @Nullable
    Long now;

    @Option(names = "--policy", paramLabel = "FILE", description = "The policy file. Default: every key's default.")
    @Nullable
    Path policy;

    @Option(
            names = "--prices",
            paramLabel = "FILE",
            description = "The price catalogue (CSV). Default: public list prices that come with the program.")
    @Nullable
    Path prices;

    @Option(
            names = "--explain",
            paramLabel = "GANG",
            description = "Also tell what was decided about this gang, and why; NAMESPACE/NAME or NAME.")
    @Nullable
    String explained;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            converter = FormatConverter.class,
            description = "table (default), json or csv.")
    Format format = Format.TABLE;

    PlanCommand(Session session) {
        this.session = session;
    }

    /** How the plan is printed. */
    enum Format {
        TABLE,
        JSON,
        CSV
    }

    @Override
    public void run() {
        if (format == Format.CSV && explained != null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--explain (%s) has no place in csv; expected -o table or json".formatted(explained));
        }
        List<String> allFiles =
                Stream.concat(files.stream(), moreFiles.stream()).toList();
        if (allFiles.stream().filter("-"::equals).count() > 1) {
            throw new ParameterException(
                    spec.commandLine(), "Standard input (-) is given twice with -f; expected it at most once");
        }
        Settings settings = policy == null ? Settings.DEFAULT : PolicyFile.read(policy);
        PriceCatalogue catalogue = prices == null ? PriceCatalogue.bundled() : PriceCatalogue.read(prices);
        ClusterObjects objects = ManifestFile.read(allFiles, session.in());
        long second = now == null ? session.clock().instant().getEpochSecond() : now;
        Planning planning = Planning.of(objects, settings, catalogue, second);
        List<String> explanation = explained == null ? List.of() : explanation(planning, explained);
        planning.warn(session.err());
        print(planning, explanation);
    }

    private void print(Planning planning, List<String> explanation) {
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
