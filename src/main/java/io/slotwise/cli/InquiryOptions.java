package io.slotwise.cli;

import io.slotwise.kubernetes.manifest.Inquiry;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** The options that describe a gang that has not been made. */
final class InquiryOptions {
    private static final String DASHES = "--";
    private static final List<String> AMOUNTS = List.of("cpu", "memory");
    private static final Map<String, String> HELP = Map.ofEntries(
            Map.entry("runtime", "The runtime of a pod on a node of performance 1, such as 1h30m."),
            Map.entry("budget", "The maximum cost of the whole gang."),
            Map.entry("max-price", "The maximum price per hour and pod."),
            Map.entry("price-limit", "What max-price limits: total or slot."),
            Map.entry("criterion", "start, finish, runtime, cost, processor-time, energy or value."),
            Map.entry("value-of-time", "The value of ending the gang an hour earlier."),
            Map.entry("earliest-start", "The earliest start (RFC 3339)."),
            Map.entry("deadline", "The latest end (RFC 3339)."),
            Map.entry("topology", "The key of a node label: all pods run on nodes with the same value of it."),
            Map.entry("max-per-node", "The maximum number of pods on one node."),
            Map.entry("lockstep", "true: every pod stays until the slowest ends."));

    private final CommandSpec spec;
    private final OptionSpec others = OptionSpec.builder("--resource")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .arity("1")
            .splitRegex(",")
            .paramLabel("NAME=AMOUNT,...")
            .description("Another resource request of one pod, such as nvidia.com/gpu=1; may be repeated.")
            .build();

    /** Adds the options to a command. */
    InquiryOptions(CommandSpec spec) {
        this.spec = spec;
        spec.addOption(Options.value(
                        option(Inquiry.SIZE),
                        "N",
                        "The number of pods of a gang that you describe instead of naming GANG.")
                .build());
        spec.addOption(Options.value(option("cpu"), "AMOUNT", "The CPU request of one pod, such as 500m.")
                .build());
        spec.addOption(Options.value(option("memory"), "AMOUNT", "The memory request of one pod, such as 4Gi.")
                .build());
        spec.addOption(others);
        spec.addOption(Options.value(option(Inquiry.NODE_SELECTOR), "K=V,...", "Labels that the nodes must have.")
                .build());
        for (String term : Inquiry.TERMS) {
            spec.addOption(Options.value(option(term), "VALUE", Objects.requireNonNull(HELP.get(term), term))
                    .build());
        }
    }

    private static String option(String name) {
        return DASHES + name;
    }

    /** The described gang, field by field; null: none is described. */
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
        return fields.isEmpty() ? null : fields;
    }

    private void put(Map<String, String> fields, String name) {
        String value = Options.given(spec, option(name), String.class);
        if (value != null) {
            fields.put(name, value);
        }
    }
}
