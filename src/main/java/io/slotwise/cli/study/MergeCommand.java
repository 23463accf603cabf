package io.slotwise.cli.study;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.ConsoleCommand;
import io.slotwise.config.InvalidInput;
import io.slotwise.core.money.Currency;
import io.slotwise.lab.experiment.ExperimentResults;
import io.slotwise.lab.experiment.catalogue.Experiments;
import io.slotwise.lab.experiment.catalogue.ShardFile;
import io.slotwise.lab.report.ComparisonReport;
import io.slotwise.lab.simulation.metric.Comparison;
import io.slotwise.report.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Merges the results of shards into those of one run. */
public final class MergeCommand extends ConsoleCommand implements Runnable {

    private final Experiments experiments;
    private final PositionalParamSpec files = words("1..*")
            .required(true)
            .paramLabel("FILE")
            .description("The output of --shard, one file for each shard.")
            .build();

    public MergeCommand(CommandConsole console, Experiments experiments) {
        super(console, "merge", "Merge the shards of a run into the results of the whole run.");

        this.experiments = experiments;
        spec.addPositional(files).addOption(ExperimentFormat.option());
        help(spec, """
            slotwise study experiment combined --shard 0/2 -o json > 0.json
            slotwise study experiment combined --shard 1/2 -o json > 1.json
            slotwise study merge 0.json 1.json
            """);
    }

    @Override
    public void run() {
        List<String> given = Objects.requireNonNull(files.getValue());
        List<Part> parts = given.stream()
                .flatMap(file -> documents(file).stream().map(document -> new Part(file, document)))
                .toList();
        boolean simulated = parts.stream().anyMatch(part -> ComparisonReport.isOne(part.document));
        console.out().print(simulated ? simulation(parts) : experiments(parts));
    }

    private record Part(String file, JsonNode document) {}

    private ExperimentFormat format() {
        return output(spec, ExperimentFormat.TABLE);
    }

    private String experiments(List<Part> parts) {
        SortedMap<String, List<ShardFile>> shards = new TreeMap<>();
        for (Part part : parts) {
            ShardFile shard = shard(part);
            shards.computeIfAbsent(shard.experiment(), _ -> new ArrayList<>()).add(shard);
        }
        List<ExperimentResults> results =
                shards.values().stream().map(some -> merged(names(parts), some)).toList();
        return format().write(results, console.terminal());
    }

    private String simulation(List<Part> parts) {
        Comparison comparison;
        try {
            comparison = Comparison.merged(
                    parts.stream().map(MergeCommand::comparison).toList());
        } catch (IllegalArgumentException e) {
            throw new InvalidInput(
                    "%s: %s; expected all shards of one simulation, each once".formatted(names(parts), e.getMessage()));
        }
        return switch (format()) {
            case TABLE -> ComparisonReport.table(comparison, Currency.NONE, console.terminal());
            case JSON -> ComparisonReport.json(comparison);
            case CSV -> ComparisonReport.csv(comparison);
            case MARKDOWN -> throw wrong("-o markdown does not support simulations; expected -o table, json or csv");
        };
    }

    private static Comparison comparison(Part part) {
        if (!ComparisonReport.isOne(part.document)) {
            throw new InvalidInput(
                    ("%s: is not a shard of a simulation, as others are; expected the output of 'slotwise "
                                    + "simulate --shard I/N -o json'")
                            .formatted(part.file));
        }
        try {
            return ComparisonReport.of(part.document);
        } catch (IllegalArgumentException e) {
            throw new InvalidInput("%s: %s".formatted(part.file, e.getMessage()));
        }
    }

    private static String names(List<Part> parts) {
        return parts.stream().map(Part::file).distinct().collect(Collectors.joining(", "));
    }

    /** Returns the documents of a file: a single one, or an array. */
    private static List<JsonNode> documents(String file) {
        try {
            JsonNode json = JsonObject.MAPPER.readTree(Files.readString(Path.of(file)));
            List<JsonNode> documents = new ArrayList<>();
            if (json.isArray()) {
                json.forEach(documents::add);
            } else {
                documents.add(json);
            }
            return documents;
        } catch (JsonProcessingException e) {
            throw new InvalidInput("%s:%d:%d: is not JSON (%s)"
                    .formatted(
                            file, e.getLocation().getLineNr(), e.getLocation().getColumnNr(), e.getOriginalMessage()));
        } catch (NoSuchFileException e) {
            throw new InvalidInput("%s: no such file; expected the output of --shard".formatted(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ShardFile shard(Part part) {
        if (!ShardFile.isOne(part.document)) {
            throw new InvalidInput(
                    "%s: is not a shard; expected the output of --shard I/N -o json".formatted(part.file));
        }
        try {
            return ShardFile.of(part.document);
        } catch (ShardFile.Unreadable e) {
            throw new InvalidInput("%s: %s".formatted(part.file, e.getMessage()));
        }
    }

    private ExperimentResults merged(String names, List<ShardFile> shards) {
        try {
            return ShardFile.merge(shards, experiments);
        } catch (ShardFile.Unreadable e) {
            throw new InvalidInput("%s: %s".formatted(names, e.getMessage()));
        }
    }
}
