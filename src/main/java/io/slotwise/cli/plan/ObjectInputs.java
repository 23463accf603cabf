package io.slotwise.cli.plan;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommonOptions;
import io.slotwise.cli.console.OutputFormat;
import io.slotwise.config.InvalidInput;
import io.slotwise.config.PolicyFile;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.kubernetes.kubectl.ClusterListing;
import io.slotwise.kubernetes.kubectl.KubeconfigClient;
import io.slotwise.kubernetes.kubectl.ReleaseConfiguration;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.inquiry.Inquiry;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.kubernetes.watch.ReadCluster;
import io.slotwise.live.settings.LoopSettings;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.TypeConversionException;

/** The options of commands that read objects: files or cluster, instant, policy, prices and format. */
public final class ObjectInputs extends CommonOptions {
    private static final String NOW = "--now";
    private static final String SCHEDULER_NAME = "--scheduler-name";
    private static final String CLUSTER = "--cluster";
    private static final String CONTEXT = "--context";
    private static final String KUBECONFIG = "--kubeconfig";
    private static final String AS_IF_ALL = "--as-if-all";

    /** The options that say which single cluster counts, at which time and prices. */
    static final List<String> OF_ONE_CLUSTER = List.of(CLUSTER, CONTEXT, NOW, PRICES);

    private final CommandConsole console;
    private final OptionSpec files;
    private final PositionalParamSpec others = words("0..*").hidden(true).build();

    private @Nullable LoopSettings settings;
    private @Nullable ClusterListing listing;
    private boolean allSchedulers;

    ObjectInputs(CommandSpec spec, CommandConsole console, String now) {
        this(spec, console, now, OutputFormat.option());
    }

    public ObjectInputs(CommandSpec spec, CommandConsole console, String now, OptionSpec output) {
        super(spec);
        this.console = console;
        this.files = list(
                        "--file",
                        "FILE",
                        "Kubernetes objects, YAML or JSON; '-' is standard input. Several may follow, or -f may be "
                                + "repeated.")
                .names("-f", "--file")
                .build();
        spec.addOption(files)
                .addPositional(others)
                .addOption(flag(
                        CLUSTER,
                        "Plan what the cluster would that kubectl uses: its pods, nodes, promises and budgets, by the "
                                + "policy of the release that runs there. Nothing is written."))
                .addOption(text(CONTEXT, "NAME", "With --cluster: the kubeconfig's context."))
                .addOption(
                        file(KUBECONFIG, "FILE", "With --cluster or --clusters: the kubeconfig. Default: kubectl's."))
                .addOption(flag(
                        AS_IF_ALL, "Also plan the waiting pods of every scheduler, to see what Slotwise would do."))
                .addOption(read(
                        value(NOW, "INSTANT", now + " (RFC 3339, whole seconds). Default: now."),
                        Long.class,
                        ObjectInputs::second))
                .addOption(list(
                                SCHEDULER_NAME,
                                "NAME",
                                "Also plan waiting pods of this scheduler, such as default-scheduler or "
                                        + "volcano; may be repeated.")
                        .build())
                .addOption(policy())
                .addOption(prices())
                .addOption(output);
    }

    /** Returns the given kubeconfig; null for kubectl's. */
    @Nullable
    Path kubeconfig() {
        return given(KUBECONFIG, Path.class);
    }

    public boolean areGiven() {
        return files.getValue() != null || has(CLUSTER);
    }

    OutputFormat format() {
        return OutputFormat.of(spec);
    }

    /** Returns the settings of the policy, which is read once because it may come from a pipe. */
    public LoopSettings settings() {
        if (settings == null) {
            Path policy = given(POLICY, Path.class);
            settings = policy == null ? ofRelease() : PolicyFile.read(policy);
        }
        return settings;
    }

    /** Returns what reads and writes descriptions of gangs, by the policy and the topology levels of the objects. */
    Inquiry inquiry(Snapshot snapshot) {
        return new Inquiry(settings().withTopology(snapshot.levels()));
    }

    private LoopSettings ofRelease() {
        ReleaseConfiguration release = listed().release();
        return release.policy() == null
                ? LoopSettings.DEFAULT
                : PolicyFile.read(new StringReader(release.policy()), release.place());
    }

    /** Returns the objects of the selected cluster; none if no cluster is selected. */
    private ClusterListing listed() {
        if (listing == null) {
            listing = has(CLUSTER) ? list() : ClusterListing.NONE;
        }
        return listing;
    }

    private ClusterListing list() {
        try (KubeconfigClient kubeconfig = KubeconfigClient.asking(given(CONTEXT, String.class), kubeconfig())) {
            return ClusterListing.of(kubeconfig.client());
        } catch (IllegalArgumentException e) {
            throw new InvalidInput(String.valueOf(e.getMessage()));
        }
    }

    List<String> words() {
        return Objects.requireNonNullElse(others.getValue(), List.of());
    }

    public IntakeResult taken() {
        return taken(words());
    }

    /** Removes the options that select schedulers, and makes an input with the waiting pods of all. */
    void readAllSchedulers() {
        for (String option : List.of(AS_IF_ALL, SCHEDULER_NAME)) {
            spec.remove(spec.findOption(option));
        }
        allSchedulers = true;
    }

    IntakeResult taken(List<String> moreFiles) {
        List<String> first = Objects.requireNonNullElse(files.getValue(), List.of());
        List<String> all = Stream.concat(first.stream(), moreFiles.stream()).toList();
        if (all.stream().filter("-"::equals).count() > 1) {
            throw wrong("Standard input (-) is given twice with -f; expected it at most once");
        }
        if (!areGiven()) {
            throw wrong("No objects are given; expected --file FILE or --cluster");
        }
        Long now = given(NOW, Long.class);
        ClusterListing cluster = listed();
        ClusterObjects objects = ManifestFile.read(cluster.texts(), all, console.in());
        return new ReadCluster(new Intake(settings(), catalogue(), candidates()), objects)
                .planned(settings(), now == null ? console.clock().instant().getEpochSecond() : now)
                .warning(cluster.problems());
    }

    private PriceCatalogue catalogue() {
        Path file = given(PRICES, Path.class);
        String ofRelease = listed().release().prices();
        if (file != null) {
            return PriceCatalogue.read(file);
        }
        return ofRelease == null
                ? PriceCatalogue.bundled()
                : PriceCatalogue.read(
                        new StringReader(ofRelease), listed().release().place());
    }

    private PodFilter candidates() {
        PodFilter filter = has(CLUSTER) ? listed().release().filter() : PodFilter.FILES;
        if (allSchedulers || has(AS_IF_ALL)) {
            return filter.trying(Set.of(PodFilter.EVERY));
        }
        List<?> named = Objects.requireNonNullElse(given(SCHEDULER_NAME, List.class), List.of());
        return filter.trying(named.stream().map(String::valueOf).collect(Collectors.toSet()));
    }

    public static Long second(String value) {
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
