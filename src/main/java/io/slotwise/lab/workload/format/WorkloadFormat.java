package io.slotwise.lab.workload.format;

import io.slotwise.core.text.Keyed;
import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.Workload;
import io.slotwise.lab.workload.log.Lines;
import io.slotwise.lab.workload.log.Lines.Line;
import io.slotwise.lab.workload.log.LogWorkload;
import io.slotwise.lab.workload.log.MalformedWorkload;
import io.slotwise.lab.workload.log.TextSource;
import io.slotwise.lab.workload.lublin.LublinWorkload;
import io.slotwise.lab.workload.swf.SwfReader;
import io.slotwise.lab.workload.traces.MetacentrumReader;
import io.slotwise.lab.workload.traces.PhillyReader;
import io.slotwise.lab.workload.traces.PodsCsvReader;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** The formats of workloads, each with its reader. */
public enum WorkloadFormat implements Keyed {
    /** The standard workload format. */
    SWF,
    /** The extension of the standard workload format with the request of each node. */
    METACENTRUM,
    /** Pods of a Kubernetes cluster. */
    PODS_CSV,
    /** Training jobs of a GPU cluster. */
    PHILLY,
    /** Parameters of the model of Lublin and Feitelson. */
    LUBLIN;

    private static final int SWF_COLUMNS = 18;
    private static final int METACENTRUM_COLUMNS = 21;

    public static Optional<WorkloadFormat> of(String key) {
        return Arrays.stream(values())
                .filter(format -> format.key().equals(key))
                .findFirst();
    }

    public static String keys() {
        List<String> keys = Arrays.stream(values()).map(WorkloadFormat::key).toList();
        return String.join(", ", keys.subList(0, keys.size() - 1)) + " or " + keys.getLast();
    }

    public Workload open(TextSource source, LogOptions options) {
        OptionalInt machine = options.processors();
        return switch (this) {
            case SWF -> LogWorkload.open(source, options, () -> new SwfReader(machine, options.preceding()));
            case METACENTRUM -> LogWorkload.open(source, options, () -> new MetacentrumReader(machine));
            case PODS_CSV -> LogWorkload.open(source, options, () -> new PodsCsvReader(machine));
            case PHILLY -> LogWorkload.open(source, options, () -> new PhillyReader(machine));
            case LUBLIN -> LublinWorkload.read(source, options);
        };
    }

    /** Detects the format by the name of the text, with or without {@code .gz}, or else by its first line. */
    static WorkloadFormat detect(TextSource source) {
        String name = source.name().toLowerCase(Locale.ROOT).replaceFirst("\\.gz$", "");
        if (name.endsWith(".swf")) {
            return SWF;
        }
        if (name.endsWith(".mwf")) {
            return METACENTRUM;
        }
        if (name.endsWith(".lublin")) {
            return LUBLIN;
        }
        try (Lines lines = new Lines(source)) {
            Line line = lines.next();
            while (line != null && line.isBlank()) {
                line = lines.next();
            }
            return Optional.ofNullable(line)
                    .flatMap(WorkloadFormat::ofFirstLine)
                    .orElseThrow(() -> new MalformedWorkload(
                            source.name(), "neither its name nor its first line tells the format; expected " + keys()));
        }
    }

    private static Optional<WorkloadFormat> ofFirstLine(Line line) {
        if (line.text().startsWith(";")) {
            return Optional.of(SWF);
        }
        List<String> names =
                Arrays.stream(line.text().split(",", -1)).map(String::strip).toList();
        if (names.contains("cpu_milli") && names.contains("creation_time")) {
            return Optional.of(PODS_CSV);
        }
        if (names.contains("job_id") && (names.contains("num_gpus") || names.contains("num_gpu"))) {
            return Optional.of(PHILLY);
        }
        return switch (SwfReader.columns(line).size()) {
            case SWF_COLUMNS -> Optional.of(SWF);
            case METACENTRUM_COLUMNS -> Optional.of(METACENTRUM);
            default -> Optional.empty();
        };
    }
}
