package io.slotwise.cli.study;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.cli.console.ExitStatus;
import io.slotwise.cli.plan.ObjectInputs;
import io.slotwise.kubernetes.manifest.queues.PeerQueues;
import io.slotwise.lab.manifest.ManifestWriter;
import io.slotwise.lab.workload.Workload;
import io.slotwise.lab.workload.swf.SwfWriter;
import io.slotwise.lab.workload.traces.PodsCsvWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import picocli.CommandLine.TypeConversionException;

/** Writes a workload in another format. */
public final class ConvertCommand extends ConsoleCommand implements Callable<Integer> {
    private static final String FROM = "--from";
    private static final String TO = "--to";
    private static final String OUTPUT = "--output";
    private static final String EPOCH = "--epoch";
    private static final String COMPRESSED = ".gz";
    private static final int BUFFER = 1 << 16;

    private final WorkloadOptions options;

    public ConvertCommand(CommandConsole console) {
        super(console, "convert", "Write a workload in another format.");

        this.options = new WorkloadOptions(spec, console, FROM, true);
        spec.addOption(value(
                                TO,
                                "FORMAT",
                                "swf, pods-csv, manifests (Kubernetes objects), or queues "
                                        + "(of Kueue, Volcano or YuniKorn, as Queue objects).")
                        .type(Target.class)
                        .converters(Target::of)
                        .required(true)
                        .build())
                .addOption(value(
                                OUTPUT,
                                "FILE",
                                "The file to write, compressed if its name ends in .gz. Default: standard output.")
                        .names("-o", OUTPUT)
                        .type(Path.class)
                        .build())
                .addOption(read(
                        value(
                                EPOCH,
                                "INSTANT",
                                "For manifests: the instant of the workload's second 0 (RFC 3339). Default: "
                                        + "1970-01-01T00:00:00Z."),
                        Long.class,
                        ObjectInputs::second));
        help(
                spec,
                """
                slotwise study convert --from kth.swf.gz --to manifests -o kth.yaml
                slotwise study convert --from openb_pod_list_default.csv --to swf -o openb.swf
                slotwise study convert --from lublin:machine=256,jobs=5000,seed=42 --to swf -o lublin.swf.gz
                slotwise study convert --from philly_week.csv --estimates 72h --to manifests -o philly.yaml
                slotwise study convert --from kueue.yaml --to queues -o queues.yaml
                """,
                "Reads jobs from a log, or draws them from a model, and writes them in another format. "
                        + "Jobs that are left out, lines that are skipped and fields that are not translated are "
                        + "reported on standard error.");
    }

    @Override
    public Integer call() {
        Content content = content();
        Path file = given(OUTPUT, Path.class);
        try {
            if (file == null) {
                content.write(console.out());
            } else {
                write(content, file);
            }
            return 0;
        } catch (IOException e) {
            console.err()
                    .println("slotwise: %s: cannot be written (%s); expected a place for a new file"
                            .formatted(file == null ? "standard output" : file, e));
            return ExitStatus.FAILED;
        }
    }

    /** The content of the file to write. */
    @FunctionalInterface
    private interface Content {
        void write(Writer out) throws IOException;
    }

    private static void write(Content content, Path file) throws IOException {
        try (OutputStream bytes = Files.newOutputStream(file);
                Writer out = new OutputStreamWriter(
                        file.toString().endsWith(COMPRESSED) ? new GZIPOutputStream(bytes, BUFFER) : bytes,
                        StandardCharsets.UTF_8)) {
            content.write(out);
        }
    }

    private Content content() {
        Target target = Objects.requireNonNull(given(TO, Target.class));
        if (target == Target.QUEUES) {
            PeerQueues queues = QueueConversion.read(Objects.requireNonNull(given(FROM, String.class)), console.in());
            queues.notes().forEach(note -> console.err().println("Warning: " + note.message()));
            return out -> out.write(queues.yaml());
        }
        Workload workload = options.workload();
        return out -> write(workload, target, out);
    }

    private void write(Workload workload, Target target, Writer out) throws IOException {
        switch (target) {
            case SWF -> SwfWriter.write(workload, out);
            case PODS_CSV -> PodsCsvWriter.write(workload, out);
            case MANIFESTS -> {
                ManifestWriter.write(workload, given(EPOCH, Long.class, 0L), out)
                        .ifPresent(remark -> console.err().println("Warning: " + remark));
            }
            case QUEUES -> throw new IllegalArgumentException("A workload has no queues to write.");
        }
    }

    private enum Target {
        SWF,
        PODS_CSV,
        MANIFESTS,
        QUEUES;

        static Target of(String value) {
            return Stream.of(values())
                    .filter(target -> target.name()
                            .toLowerCase(Locale.ROOT)
                            .replace('_', '-')
                            .equals(value))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "'%s' is not a format to write; expected swf, pods-csv, manifests or queues"
                                    .formatted(value)));
        }
    }
}
