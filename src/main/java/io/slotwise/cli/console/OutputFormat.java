package io.slotwise.cli.console;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The output formats. */
public enum OutputFormat {
    TABLE,
    JSON,
    CSV;

    public static OptionSpec option() {
        return CommonOptions.output(OutputFormat.class, List.of(values()), "table (default), json or csv.");
    }

    public static OutputFormat of(CommandSpec spec) {
        return CommonOptions.output(spec, TABLE);
    }
}
