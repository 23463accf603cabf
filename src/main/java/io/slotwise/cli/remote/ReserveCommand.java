package io.slotwise.cli.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.config.InvalidInput;
import io.slotwise.kubernetes.kubectl.ClusterAccess;
import io.slotwise.kubernetes.kubectl.KubectlCluster;
import io.slotwise.kubernetes.manifest.field.GangKey;
import io.slotwise.kubernetes.manifest.inquiry.ReservationManifest;
import io.slotwise.live.record.GangRecord;
import io.slotwise.report.JsonObject;
import io.slotwise.web.GangAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Writes an advance reservation and shows its promise. */
public final class ReserveCommand extends ConsoleCommand implements Runnable {
    private static final String DASHES = "--";
    private static final String DRY_RUN = "--dry-run";
    private static final String OUTPUT = "--output";
    private static final List<String> OUTPUTS = List.of("table", "json", "yaml");
    private static final String USUAL_NAMESPACE = "default";
    private static final int LOOKS = 60;
    private static final Duration PAUSE = Duration.ofMillis(250);

    private final Supplier<KubectlCluster> kubectlCluster;
    private final PositionalParamSpec name = word(
                    "NAME", "The name of the reservation, to which gangs refer by slotwise.io/reservation.")
            .build();
    private final OptionSpec resources = list(
                    "--resource",
                    "NAME=AMOUNT,...",
                    "The resources of one seat, such as cpu=4,memory=8Gi,nvidia.com/gpu=1; may be repeated.")
            .splitRegex(",")
            .build();

    public ReserveCommand(CommandConsole console) {
        this(console, () -> ClusterAccess.open(null));
    }

    ReserveCommand(CommandConsole console, Supplier<KubectlCluster> cluster) {
        super(console, "reserve", "Reserve capacity for a later gang.");

        this.kubectlCluster = cluster;
        spec.addPositional(name)
                .addOption(RemoteOptions.namespace("The namespace. Default: kubectl's."))
                .addOption(value("--size", "N", "The number of seats: pods that the reservation has room for.")
                        .required(true)
                        .build())
                .addOption(text("--cpu", "AMOUNT", "The CPU of one seat, such as 500m."))
                .addOption(text("--memory", "AMOUNT", "The memory of one seat, such as 4Gi."))
                .addOption(resources);
        for (GangKey<?> key : GangKey.ALL) {
            GangKey.Option option = key.option();
            if (option != null) {
                spec.addOption(text(DASHES + key.word(), option.label(), option.description()));
            }
        }
        spec.addOption(text(
                        DASHES + ReservationManifest.START,
                        "INSTANT",
                        "The exact start (RFC 3339); needs --runtime or --deadline."))
                .addOption(text("--node-selector", "K=V,...", "Labels that the nodes must have."))
                .addOption(flag(DRY_RUN, "Only print the manifest; no cluster is touched."))
                .addOption(OptionSpec.builder("-o", OUTPUT)
                        .type(String.class)
                        .paramLabel("FORMAT")
                        .completionCandidates(OUTPUTS)
                        .description("table (default), json or yaml.")
                        .build());
        help(
                spec,
                """
                slotwise reserve friday -n research --size 8 --cpu 4 --memory 16Gi --start 2030-01-04T09:00:00Z --runtime 6h
                slotwise reserve demo --size 2 --resource cpu=8,nvidia.com/gpu=1 --runtime 1h --deadline 2030-01-02T00:00:00Z
                slotwise reserve demo --size 2 --cpu 1 --runtime 1h --dry-run | slotwise plan -f cluster.yaml -f -
                kubectl delete reservation friday -n research
                """,
                "Creates an advance reservation and waits briefly for its window. The gang that names it in the "
                        + "annotation slotwise.io/reservation starts in that window. A reservation that is "
                        + "deleted, or not used in time, releases its capacity.",
                "Finds the cluster as kubectl does (KUBECONFIG).");
    }

    @Override
    public void run() {
        String format = Objects.requireNonNullElse(given(OUTPUT, String.class), OUTPUTS.getFirst());
        if (!OUTPUTS.contains(format)) {
            throw wrong("'%s' is not an output format; expected table, json or yaml".formatted(format));
        }
        String namespace = given(RemoteOptions.NAMESPACE, String.class);
        if (has(DRY_RUN)) {
            ReservationManifest manifest = manifest(Objects.requireNonNullElse(namespace, USUAL_NAMESPACE));
            console.out().print(format.equals("json") ? manifest.json() : manifest.yaml());
            return;
        }
        try (KubectlCluster cluster = kubectlCluster.get()) {
            reserve(cluster, Objects.requireNonNullElse(namespace, cluster.namespace()), format);
        }
    }

    private void reserve(KubectlCluster cluster, String namespace, String format) {
        ReservationManifest manifest = manifest(namespace);
        try {
            cluster.create(manifest.reservation());
        } catch (IllegalArgumentException e) {
            throw new InvalidInput(String.valueOf(e.getMessage()));
        }
        GangRecord record = answered(cluster, namespace);
        if (record == null) {
            console.err()
                    .println("slotwise: reservation %s/%s is created, but Slotwise has not planned it yet"
                            .formatted(namespace, name.getValue()));
        }
        if (format.equals("yaml")) {
            console.out().print(manifest.yaml());
        } else if (record != null) {
            console.out().print(format.equals("json") ? json(record) : why(record));
        }
    }

    private ReservationManifest manifest(String namespace) {
        try {
            return ReservationManifest.of(
                    namespace,
                    Objects.requireNonNull(name.getValue(), "NAME"),
                    words(),
                    console.clock().instant().getEpochSecond());
        } catch (IllegalArgumentException e) {
            throw new InvalidInput(String.valueOf(e.getMessage()));
        }
    }

    private ReservationManifest.Words words() {
        Map<String, String> seat = new TreeMap<>();
        for (String resource : List.of("cpu", "memory")) {
            String amount = given("--" + resource, String.class);
            if (amount != null) {
                seat.put(resource, amount);
            }
        }
        List<String> more = Objects.requireNonNullElse(resources.getValue(), List.of());
        seat.putAll(pairs("--resource", more, "NAME=AMOUNT such as nvidia.com/gpu=1"));
        String selector = given("--node-selector", String.class);
        return new ReservationManifest.Words(
                terms(),
                seat,
                pairs(
                        "--node-selector",
                        selector == null ? List.of() : List.of(selector.split(",", -1)),
                        "KEY=VALUE, separated by commas"));
    }

    private Map<String, String> terms() {
        Map<String, String> terms = new TreeMap<>();
        Stream.concat(
                        Stream.of(ReservationManifest.SIZE, ReservationManifest.START),
                        GangKey.reserved().map(GangKey::word))
                .forEach(word -> {
                    String text = given(DASHES + word, String.class);
                    if (text != null) {
                        terms.put(word, text);
                    }
                });
        return terms;
    }

    private Map<String, String> pairs(String option, List<String> items, String expected) {
        Map<String, String> pairs = new TreeMap<>();
        for (String item : items) {
            int sign = item.indexOf('=');
            if (sign <= 0 || sign == item.length() - 1) {
                throw wrong("%s (%s) is not valid; expected %s".formatted(option, item, expected));
            }
            pairs.put(item.substring(0, sign), item.substring(sign + 1));
        }
        return pairs;
    }

    /** Returns the record once a replica has planned it. Null if none does for a while. */
    private @Nullable GangRecord answered(KubectlCluster cluster, String namespace) {
        for (int looks = 0; looks < LOOKS; looks++) {
            GangRecord record = cluster.record(namespace, Objects.requireNonNull(name.getValue(), "NAME"));
            if (record != null && !record.plannedAspect().message().isEmpty()) {
                return record;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return null;
    }

    private String why(GangRecord record) {
        return WhyText.of(GangAnswer.of(record), console.terminal());
    }

    private static String json(GangRecord record) {
        try {
            return JsonObject.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(GangAnswer.of(record)) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("An answer must have a JSON form.", e);
        }
    }
}
