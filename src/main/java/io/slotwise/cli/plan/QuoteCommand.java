package io.slotwise.cli.plan;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.cli.console.ExitStatus;
import io.slotwise.cli.console.OutputFormat;
import io.slotwise.cli.remote.ClustersOptions;
import io.slotwise.cli.remote.Remote;
import io.slotwise.cli.remote.RemoteOptions;
import io.slotwise.config.InvalidInput;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.advice.Quoter;
import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.GangKey;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.InvalidField;
import io.slotwise.kubernetes.manifest.inquiry.Inquiry;
import io.slotwise.report.PlanReport.InputNote;
import io.slotwise.report.QuoteReport;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Lists a gang's possible windows and prices: of a running Slotwise, of files, or of a described gang. */
public final class QuoteCommand extends ConsoleCommand implements Callable<Integer> {
    private final ObjectInputs inputs;
    private final RemoteOptions remote;
    private final ClustersOptions clusters;
    private final InquiryOptions inquiry;

    public QuoteCommand(CommandConsole console, Remote.Finder finder) {
        super(console, "quote", "Show a gang's choices between an early start and a low cost.");

        this.remote = new RemoteOptions(spec, finder);
        remote.addToken();
        this.clusters = new ClustersOptions(spec);
        this.inquiry = new InquiryOptions(spec);
        spec.addOption(RemoteOptions.namespace());
        this.inputs = new ObjectInputs(spec, console, "With -f or --cluster: the instant to quote for");
        spec.usageMessage()
                .customSynopsis(
                        "slotwise quote [--server URL] [-o FORMAT] (GANG | --size N) [OPTION...]",
                        "       slotwise quote (-f FILE... | --cluster) (GANG | --size N) [OPTION...]",
                        "       slotwise quote --clusters CONTEXT,... (-f FILE... GANG | --size N) [OPTION...]");
        help(
                spec,
                """
                slotwise quote --size 4 --cpu 2 --memory 4Gi --runtime 1h --budget 3
                slotwise quote research/train
                slotwise quote research/train --queue spare
                slotwise quote -f cluster.yaml -f workload.yaml research/train
                slotwise quote --clusters east,west --size 4 --cpu 2 --runtime 1h
                slotwise quote --clusters east,west -f workload.yaml research/train
                kubectl get nodes,pods -A -o json | slotwise quote -f - train -o json
                """,
                "Lists the windows that the gang could have next to what runs and what is promised, at any budget: "
                        + "each one starts earlier or costs less than every other. While a price falls "
                        + "steadily, only the first and the last second are listed.",
                RemoteOptions.WHERE + " With -f or --cluster none is asked.",
                "With --clusters it lists the windows that no window of another cluster beats in start, end and cost. "
                        + "A cluster without a window is named with the cause.");
    }

    @Override
    public Integer call() {
        Map<String, String> described = inquiry.fields();
        String namespace = given(RemoteOptions.NAMESPACE, String.class);
        if (described != null && namespace != null) {
            described.put(Inquiry.NAMESPACE, namespace);
        }
        Quoted quoted = clusters.areGiven()
                ? ofClusters(described)
                : inputs.areGiven() ? ofFiles(described) : new Quoted(ofServer(described, namespace), List.of());
        QuoteReport report = quoted.report();
        if (inputs.format() != OutputFormat.JSON) {
            report.leftOut().forEach(left -> console.err().println("slotwise: " + left.words("")));
        }
        console.out()
                .print(
                        switch (inputs.format()) {
                            case TABLE -> report.table(console.terminal());
                            case JSON -> report.json(quoted.input());
                            case CSV -> report.csv();
                        });
        if (report.menu().isEmpty() && inputs.format() == OutputFormat.CSV) {
            console.err().print(report.table(console.terminal()));
        }
        return report.menu().isEmpty() ? ExitStatus.FAILED : 0;
    }

    private record Quoted(QuoteReport report, List<InputNote> input) {}

    private Quoted ofFiles(@Nullable Map<String, String> described) {
        List<String> words = inputs.words();
        if (words.isEmpty() && described == null) {
            throw wrong("No gang is named; expected NAMESPACE/NAME or NAME");
        }
        IntakeResult result = inputs.taken(described == null ? words.subList(0, words.size() - 1) : words);
        Snapshot snapshot = result.snapshot();
        Gang gang = asked(described, snapshot);
        QuoteReport report = QuoteReport.of(
                snapshot.now(),
                gang,
                new Quoter(inputs.settings().policy()).quote(snapshot, gang),
                inputs.settings().currency());
        FilePlan.warn(result, console.err());
        return new Quoted(report, FilePlan.notes(result));
    }

    private Quoted ofClusters(@Nullable Map<String, String> described) {
        clusters.excludes(List.of(RemoteOptions.SERVER, RemoteOptions.TOKEN_FILE));
        clusters.excludes(ObjectInputs.OF_ONE_CLUSTER);
        List<String> words = inputs.words();
        if (inputs.areGiven() ? described != null || words.isEmpty() : described == null || !words.isEmpty()) {
            throw wrong("No gang to quote in several clusters is given; expected --size N and what its pods ask for, "
                    + "or -f FILE and NAMESPACE/GANG");
        }
        List<InputNote> notes = List.of();
        Map<String, String> fields = described;
        if (fields == null) {
            IntakeResult result = inputs.taken(words.subList(0, words.size() - 1));
            fields = fields(result.snapshot());
            List<IntakeWarning> warnings = FilePlan.concerns(result);
            FilePlan.warn(warnings, console.err());
            notes = FilePlan.notes(warnings);
        }
        return new Quoted(
                clusters.quotes(inputs.kubeconfig(), List.of(fields))
                        .getFirst()
                        .menu(
                                console.clock().instant().getEpochSecond(),
                                Inquiry.id(fields).toString()),
                notes);
    }

    /** Returns the description of the named gang. */
    private Map<String, String> fields(Snapshot snapshot) {
        try {
            Map<String, String> fields = inputs.inquiry(snapshot)
                    .fields(gang(snapshot, inputs.words().getLast()));
            String queue = inquiry.queue();
            if (queue != null) {
                fields.put(Inquiry.QUEUE, queue);
            }
            return fields;
        } catch (InvalidField e) {
            throw new InvalidInput(String.valueOf(e.getMessage()));
        }
    }

    private Gang asked(@Nullable Map<String, String> described, Snapshot snapshot) {
        try {
            return described == null
                    ? Inquiry.inQueue(gang(snapshot, inputs.words().getLast()), inquiry.queue(), snapshot.queues())
                    : Inquiry.withQueues(inputs.inquiry(snapshot).gang(described, snapshot.now()), snapshot.queues());
        } catch (IllegalArgumentException e) {
            throw new InvalidInput(String.valueOf(e.getMessage()));
        }
    }

    private QuoteReport ofServer(@Nullable Map<String, String> described, @Nullable String namespace) {
        List<String> words = inputs.words();
        if (described == null ? words.size() != 1 : !words.isEmpty()) {
            throw wrong("No gang to quote is given; expected NAMESPACE/GANG, or --size N and what its pods ask "
                    + "for, or -f FILE");
        }
        try (Remote remoteSlotwise = remote.open()) {
            return described == null
                    ? RemoteOptions.quote(
                            remoteSlotwise, "gang=" + name(words.getFirst(), namespace, remoteSlotwise) + inQueue())
                    : RemoteOptions.quote(remoteSlotwise, described);
        } catch (IOException e) {
            throw new Unreachable("the server that answered is not Slotwise: " + e.getMessage());
        }
    }

    private String inQueue() {
        String queue = inquiry.queue();
        return queue == null ? "" : "&" + Inquiry.QUEUE + "=" + URLEncoder.encode(queue, StandardCharsets.UTF_8);
    }

    private static String name(String word, @Nullable String given, Remote remote) {
        String namespace = given == null ? remote.namespace() : given;
        return URLEncoder.encode(
                word.indexOf('/') >= 0 || namespace == null ? word : namespace + "/" + word, StandardCharsets.UTF_8);
    }

    private Gang gang(Snapshot snapshot, String name) {
        List<Gang> gangs = snapshot.requests().stream().map(Request::gang).toList();
        List<Gang> named = gangs.stream()
                .filter(gang ->
                        gang.id().toString().equals(name) || gang.id().name().equals(name))
                .toList();
        if (named.size() == 1) {
            return named.getFirst();
        }
        for (Pending pending : snapshot.held()) {
            if (pending.gang().toString().equals(name) || pending.gang().name().equals(name)) {
                throw wrong("The gang (%s) cannot be quoted: %s"
                        .formatted(pending.gang(), pending.refusal().message()));
            }
        }
        List<String> expected = Stream.of(named.isEmpty() ? gangs : named)
                .flatMap(List::stream)
                .map(gang -> gang.id().toString())
                .sorted()
                .toList();
        throw wrong("The gang (%s) names %s that waits; expected one of %s"
                .formatted(
                        name,
                        named.isEmpty() ? "none" : "more than one",
                        expected.isEmpty() ? "none, as no gang waits" : String.join(", ", expected)));
    }

    private static final class InquiryOptions {
        private static final String DASHES = "--";
        private static final List<String> AMOUNTS = List.of("cpu", "memory");

        private final CommandSpec spec;
        private final OptionSpec others = list(
                        "--resource",
                        "NAME=AMOUNT,...",
                        "Another resource request of one pod, such as nvidia.com/gpu=1; may be repeated.")
                .splitRegex(",")
                .build();

        InquiryOptions(CommandSpec spec) {
            this.spec = spec;
            spec.addOption(text(
                    option(Inquiry.SIZE),
                    "N",
                    "The number of pods of a gang that you describe instead of naming GANG."));
            spec.addOption(text(option("cpu"), "AMOUNT", "The CPU request of one pod, such as 500m."));
            spec.addOption(text(option("memory"), "AMOUNT", "The memory request of one pod, such as 4Gi."));
            spec.addOption(others);
            spec.addOption(text(option(Inquiry.NODE_SELECTOR), "K=V,...", "Labels that the nodes must have."));
            for (GangKey<?> key : GangKey.ALL) {
                String question = key.question();
                if (question != null) {
                    spec.addOption(text(option(key.word()), "VALUE", question));
                }
            }
        }

        private static String option(String name) {
            return DASHES + name;
        }

        /** Returns the name of another queue for the gang, or null. */
        @Nullable
        String queue() {
            return given(spec, option(Inquiry.QUEUE), String.class);
        }

        /** Returns the described gang, field by field, or null. A queue alone describes none. */
        @Nullable
        Map<String, String> fields() {
            Map<String, String> fields = new TreeMap<>();
            put(fields, Inquiry.SIZE);
            put(fields, Inquiry.NODE_SELECTOR);
            AMOUNTS.forEach(name -> put(fields, name));
            Inquiry.TERMS.forEach(name -> put(fields, name));
            List<String> resources = Objects.requireNonNullElse(others.getValue(), List.of());
            for (String resource : resources) {
                int sign = resource.indexOf('=');
                if (sign <= 0 || sign == resource.length() - 1) {
                    throw new ParameterException(
                            spec.commandLine(),
                            "--resource (%s) is not an amount; expected NAME=AMOUNT such as nvidia.com/gpu=1"
                                    .formatted(resource));
                }
                fields.put(resource.substring(0, sign), resource.substring(sign + 1));
            }
            return fields.isEmpty() || fields.keySet().equals(Set.of(Inquiry.QUEUE)) ? null : fields;
        }

        private void put(Map<String, String> fields, String name) {
            String value = given(spec, option(name), String.class);
            if (value != null) {
                fields.put(name, value);
            }
        }
    }
}
