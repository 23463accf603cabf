package io.slotwise.cli.study;

import io.slotwise.cli.console.CommonOptions;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The output formats of a study. */
enum StudyFormat {
    TABLE,
    JSON,
    CSV,
    /** A single page with charts, without external resources. */
    HTML;

    static OptionSpec option(StudyFormat... formats) {
        List<StudyFormat> known = List.of(formats);
        return CommonOptions.output(StudyFormat.class, known, CommonOptions.listed(known) + ". Default: table.");
    }

    static StudyFormat of(CommandSpec spec) {
        return CommonOptions.output(spec, TABLE);
    }
}
