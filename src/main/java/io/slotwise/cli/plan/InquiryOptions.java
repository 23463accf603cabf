package io.slotwise.cli.plan;

import io.slotwise.cli.console.CommonOptions;
import io.slotwise.kubernetes.manifest.field.GangKey;
import io.slotwise.kubernetes.manifest.inquiry.Inquiry;
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
        spec.addOption(CommonOptions.value(
                        option(Inquiry.SIZE),
                        "N",
                        "The number of pods of a gang that you describe instead of naming GANG.")
                .build());
        spec.addOption(CommonOptions.value(option("cpu"), "AMOUNT", "The CPU request of one pod, such as 500m.")
                .build());
        spec.addOption(CommonOptions.value(option("memory"), "AMOUNT", "The memory request of one pod, such as 4Gi.")
                .build());
        spec.addOption(others);
        spec.addOption(CommonOptions.value(option(Inquiry.NODE_SELECTOR), "K=V,...", "Labels that the nodes must have.")
                .build());
        for (GangKey<?> key : GangKey.ALL) {
            String question = key.question();
            if (question != null) {
                spec.addOption(CommonOptions.value(option(key.word()), "VALUE", question)
                        .build());
            }
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
        String value = CommonOptions.given(spec, option(name), String.class);
        if (value != null) {
            fields.put(name, value);
        }
    }
}
