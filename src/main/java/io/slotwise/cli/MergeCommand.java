package io.slotwise.cli;

import io.slotwise.report.ComparisonReport;
import io.slotwise.simulation.metric.Comparison;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;

/** Puts the shards of one simulation together. */
final class MergeCommand implements Runnable {
    private static final String OUTPUT = "--output";

    private final Session session;
    private final CommandSpec spec;
    private final PositionalParamSpec files = PositionalParamSpec.builder()
            .type(List.class)
            .auxiliaryTypes(Path.class)
            .arity("1..*")
            .required(true)
            .paramLabel("FILE")
            .description("What every shard printed with -o json.")
            .build();

    MergeCommand(Session session) {
        this.session = session;
        this.spec = Options.command("merge", this, "Put the shards of one simulation together.")
                .addPositional(files)
                .addOption(OptionSpec.builder("-o", OUTPUT)
                        .type(Format.class)
                        .paramLabel("FORMAT")
                        .converters(new Format.Converter())
                        .description("table (default), json or csv.")
                        .build());
        spec.usageMessage()
                .description(
                        "",
                        "The result is exactly that of one run of all replications. Every shard must be there, once.",
                        "")
                .footer(
                        "",
                        "Examples:",
                        "  slotwise simulate ... --runs 8 --shard 1/2 -o json > 1.json",
                        "  slotwise simulate ... --runs 8 --shard 2/2 -o json > 2.json",
                        "  slotwise merge 1.json 2.json");
    }

    /** How picocli sees this command. */
    CommandSpec spec() {
        return spec;
    }

    @Override
    public void run() {
        List<Path> given = files.getValue();
        List<Comparison> parts = given.stream().map(this::read).toList();
        Comparison whole;
        try {
            whole = Comparison.merged(parts);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    "The files cannot be merged: %s; expected all shards of one simulation, each once"
                            .formatted(e.getMessage()));
        }
        session.out()
                .print(
                        switch (Objects.requireNonNullElse(Options.given(spec, OUTPUT, Format.class), Format.TABLE)) {
                            case TABLE -> ComparisonReport.table(whole, session.terminal());
                            case JSON -> ComparisonReport.json(whole);
                            case CSV -> ComparisonReport.csv(whole);
                        });
    }

    private Comparison read(Path file) {
        try {
            return ComparisonReport.read(Files.readString(file));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "%s: %s".formatted(file, e.getMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
