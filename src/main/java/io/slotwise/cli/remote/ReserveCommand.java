package io.slotwise.cli.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommonOptions;
import io.slotwise.config.InvalidInput;
import io.slotwise.kubernetes.kubectl.ClusterAccess;
import io.slotwise.kubernetes.manifest.field.GangKey;
import io.slotwise.kubernetes.manifest.inquiry.ReservationManifest;
import io.slotwise.live.record.GangRecord;
import io.slotwise.web.GangAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;

/** Writes an advance reservation and tells what it was promised. */
public final class ReserveCommand implements Runnable {
    private static final String DASHES = "--";
    private static final String EARLIEST = "--earliest";
    private static final String DRY_RUN = "--dry-run";
    private static final String OUTPUT = "--output";
    private static final List<String> OUTPUTS = List.of("table", "json", "yaml");
    private static final String USUAL_NAMESPACE = "default";
    private static final int LOOKS = 60;
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final CommandConsole session;
    private final Supplier<Cluster> finder;
    private final CommandSpec spec;
    private final PositionalParamSpec name = PositionalParamSpec.builder()
            .type(String.class)
            .index("0")
            .required(true)
            .paramLabel("NAME")
            .description("The name of the reservation, to which gangs refer by slotwise.io/reservation.")
            .build();
    private final OptionSpec resources = OptionSpec.builder("--resource")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .arity("1")
            .splitRegex(",")
            .paramLabel("NAME=AMOUNT,...")
            .description("The resources of one seat, such as cpu=4,memory=8Gi,nvidia.com/gpu=1; may be repeated.")
            .build();

    private final OptionSpec formerResources = OptionSpec.builder("--resources")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .arity("1")
            .splitRegex(",")
            .hidden(true)
            .build();

    /** Where reservations are written. */
    interface Cluster extends AutoCloseable {
        /** The namespace that kubectl works in. */
        String namespace();

        /** Writes one; an IllegalArgumentException tells what the cluster does not accept. */
        void create(ReservationManifest manifest);

        /** What the record says now; null: it is gone. */
        @Nullable
        GangRecord look(String namespace, String name);

        @Override
        void close();
    }

    public ReserveCommand(CommandConsole session) {
        this(session, () -> new Kubeconfig(ClusterAccess.open(null)));
    }

    ReserveCommand(CommandConsole session, Supplier<Cluster> finder) {
        this.session = session;
        this.finder = finder;
        this.spec = CommonOptions.command("reserve", this, "Reserve capacity for a later gang.");
        spec.addPositional(name)
                .addOption(OptionSpec.builder("-n", RemoteOptions.NAMESPACE)
                        .type(String.class)
                        .paramLabel("NAMESPACE")
                        .description("The namespace. Default: kubectl's.")
                        .build())
                .addOption(option("--size", "N", "The number of seats: pods that the reservation has room for.")
                        .required(true)
                        .build())
                .addOption(option("--cpu", "AMOUNT", "The CPU of one seat, such as 500m.")
                        .build())
                .addOption(option("--memory", "AMOUNT", "The memory of one seat, such as 4Gi.")
                        .build())
                .addOption(resources)
                .addOption(formerResources);
        for (GangKey<?> key : GangKey.ALL) {
            GangKey.Option option = key.option();
            if (option != null) {
                spec.addOption(option(DASHES + key.word(), option.label(), option.description())
                        .build());
            }
        }
        spec.addOption(option(
                                DASHES + ReservationManifest.START,
                                "INSTANT",
                                "The exact start (RFC 3339); needs --runtime or --deadline.")
                        .build())
                .addOption(option(EARLIEST, "INSTANT", "").hidden(true).build())
                .addOption(option("--node-selector", "K=V,...", "Labels that the nodes must have.")
                        .build())
                .addOption(OptionSpec.builder(DRY_RUN)
                        .type(boolean.class)
                        .description("Only print the manifest; no cluster is touched.")
                        .build())
                .addOption(OptionSpec.builder("-o", OUTPUT)
                        .type(String.class)
                        .paramLabel("FORMAT")
                        .completionCandidates(OUTPUTS)
                        .description("table (default), json or yaml.")
                        .build());
        spec.usageMessage()
                .description(
                        "",
                        "Creates an advance reservation and waits briefly for its window. The gang that names it "
                                + "in the annotation slotwise.io/reservation starts in that window. A "
                                + "reservation that is "
                                + "deleted, or not used in time, releases its capacity.",
                        "Finds the cluster as kubectl does (KUBECONFIG).",
                        "")
                .footer(
                        "",
                        "Examples:",
                        "  slotwise reserve friday -n research --size 8 --cpu 4 --memory 16Gi --start "
                                + "2030-01-04T09:00:00Z --runtime 6h",
                        "  slotwise reserve demo --size 2 --resource cpu=8,nvidia.com/gpu=1 --runtime 1h "
                                + "--deadline 2030-01-02T00:00:00Z",
                        "  slotwise reserve demo --size 2 --cpu 1 --runtime 1h --dry-run | slotwise plan -f "
                                + "cluster.yaml -f -",
                        "  kubectl delete reservation friday -n research");
    }

    private static OptionSpec.Builder option(String option, String label, String description) {
        return CommonOptions.value(option, label, description);
    }

    /** How picocli sees this command. */
    public CommandSpec spec() {
        return spec;
    }

    @Override
    public void run() {
        String format = Objects.requireNonNullElse(CommonOptions.given(spec, OUTPUT, String.class), OUTPUTS.getFirst());
        if (!OUTPUTS.contains(format)) {
            throw new ParameterException(
                    spec.commandLine(), "'%s' is not an output format; expected table, json or yaml".formatted(format));
        }
        String namespace = CommonOptions.given(spec, RemoteOptions.NAMESPACE, String.class);
        if (spec.commandLine().getParseResult().hasMatchedOption(DRY_RUN)) {
            ReservationManifest manifest = manifest(Objects.requireNonNullElse(namespace, USUAL_NAMESPACE));
            session.out().print(format.equals("json") ? manifest.json() : manifest.yaml());
            return;
        }
        try (Cluster cluster = finder.get()) {
            reserve(cluster, Objects.requireNonNullElse(namespace, cluster.namespace()), format);
        }
    }

    private void reserve(Cluster cluster, String namespace, String format) {
        ReservationManifest manifest = manifest(namespace);
        try {
            cluster.create(manifest);
        } catch (IllegalArgumentException e) {
            throw new InvalidInput(String.valueOf(e.getMessage()));
        }
        GangRecord standing = answered(cluster, namespace);
        if (standing == null) {
            session.err()
                    .println("slotwise: reservation %s/%s is created, but Slotwise has not planned it yet"
                            .formatted(namespace, name.getValue()));
        }
        if (format.equals("yaml")) {
            session.out().print(manifest.yaml());
        } else if (standing != null) {
            session.out().print(format.equals("json") ? json(standing) : text(standing));
        }
    }

    private ReservationManifest manifest(String namespace) {
        try {
            return ReservationManifest.of(
                    namespace,
                    Objects.requireNonNull(name.getValue(), "NAME"),
                    words(),
                    session.clock().instant().getEpochSecond());
        } catch (IllegalArgumentException e) {
            throw new InvalidInput(String.valueOf(e.getMessage()));
        }
    }

    private ReservationManifest.Words words() {
        Map<String, String> seat = new TreeMap<>();
        for (String resource : List.of("cpu", "memory")) {
            String amount = given("--" + resource);
            if (amount != null) {
                seat.put(resource, amount);
            }
        }
        List<String> more = new ArrayList<>(Objects.requireNonNullElse(resources.getValue(), List.of()));
        List<String> former = Objects.requireNonNullElse(formerResources.getValue(), List.of());
        more.addAll(former);
        seat.putAll(pairs("--resource", more, "NAME=AMOUNT such as nvidia.com/gpu=1"));
        String selector = given("--node-selector");
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
        String earliest = given(EARLIEST);
        if (earliest != null) {
            terms.put("earliest-start", earliest);
        }
        Stream.concat(
                        Stream.of(ReservationManifest.SIZE, ReservationManifest.START),
                        GangKey.reserved().map(GangKey::word))
                .forEach(word -> {
                    String text = given(DASHES + word);
                    if (text != null) {
                        terms.put(word, text);
                    }
                });
        return terms;
    }

    private @Nullable String given(String option) {
        return CommonOptions.given(spec, option, String.class);
    }

    private Map<String, String> pairs(String option, List<String> items, String expected) {
        Map<String, String> pairs = new TreeMap<>();
        for (String item : items) {
            int sign = item.indexOf('=');
            if (sign <= 0 || sign == item.length() - 1) {
                throw new ParameterException(
                        spec.commandLine(), "%s (%s) is not valid; expected %s".formatted(option, item, expected));
            }
            pairs.put(item.substring(0, sign), item.substring(sign + 1));
        }
        return pairs;
    }

    /** What the record says as soon as a replica has planned it; null: no replica has for a while. */
    private @Nullable GangRecord answered(Cluster cluster, String namespace) {
        for (int looks = 0; looks < LOOKS; looks++) {
            GangRecord standing = cluster.look(namespace, Objects.requireNonNull(name.getValue(), "NAME"));
            if (standing != null && !standing.planned().message().isEmpty()) {
                return standing;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return null;
    }

    private String text(GangRecord standing) {
        return WhyText.of(GangAnswer.of(standing), session.terminal());
    }

    private static String json(GangRecord standing) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(GangAnswer.of(standing)) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("An answer must have a JSON form.", e);
        }
    }

    /** The cluster that kubectl would talk to. */
    private record Kubeconfig(ClusterAccess access) implements Cluster {
        @Override
        public String namespace() {
            return access.namespace();
        }

        @Override
        public void create(ReservationManifest manifest) {
            access.create(manifest.reservation());
        }

        @Override
        public @Nullable GangRecord look(String namespace, String name) {
            return access.standing(namespace, name);
        }

        @Override
        public void close() {
            access.close();
        }
    }
}
