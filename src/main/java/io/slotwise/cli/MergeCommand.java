package io.slotwise.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.config.InvalidInput;
import io.slotwise.experiment.Experiments;
import io.slotwise.experiment.Results;
import io.slotwise.experiment.ShardFile;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Makes the results of one run of those of its shards. */
final class MergeCommand implements Runnable {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Session session;
    private final Experiments experiments;
    private final CommandSpec spec;
    private final PositionalParamSpec files = PositionalParamSpec.builder()
            .type(List.class)
            .auxiliaryTypes(String.class)
            .arity("1..*")
            .paramLabel("FILE")
            .description("What --shard printed, of every shard.")
            .build();

    MergeCommand(Session session, Experiments experiments) {
        this.session = session;
        this.experiments = experiments;
        this.spec = Options.command("merge", this, "Merge the shards of a run into exactly its results.")
                .addPositional(files)
                .addOption(ExperimentFormat.option());
        spec.usageMessage().footer("", "Examples:", "  slotwise merge part-0.json part-1.json part-2.json -o json");
    }

    /** How picocli sees this command. */
    CommandSpec spec() {
        return spec;
    }

    @Override
    public void run() {
        SortedMap<String, List<ShardFile>> shards = new TreeMap<>();
        List<String> names = Objects.requireNonNull(files.getValue());
        for (String file : names) {
            for (JsonNode document : documents(file)) {
                ShardFile shard = shard(file, document);
                shards.computeIfAbsent(shard.experiment(), _ -> new ArrayList<>())
                        .add(shard);
            }
        }
        List<Results> results =
                shards.values().stream().map(parts -> merged(names, parts)).toList();
        ExperimentFormat format = Objects.requireNonNullElse(
                Options.given(spec, ExperimentFormat.OPTION, ExperimentFormat.class), ExperimentFormat.TABLE);
        session.out().print(format.write(results, session.terminal()));
    }

    /** The documents of a file: one, or an array of them. */
    private static List<JsonNode> documents(String file) {
        try {
            JsonNode json = MAPPER.readTree(Files.readString(Path.of(file)));
            List<JsonNode> documents = new ArrayList<>();
            if (json.isArray()) {
                json.forEach(documents::add);
            } else {
                documents.add(json);
            }
            return documents;
        } catch (JsonProcessingException e) {
            throw new InvalidInput("%s:%d:%d: is no JSON (%s)"
                    .formatted(
                            file, e.getLocation().getLineNr(), e.getLocation().getColumnNr(), e.getOriginalMessage()));
        } catch (NoSuchFileException e) {
            throw new InvalidInput("%s: there is no such file; expected what --shard printed".formatted(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ShardFile shard(String file, JsonNode document) {
        if (!ShardFile.isOne(document)) {
            throw new InvalidInput(
                    "%s: is no shard; expected what 'slotwise experiment --shard I/N -o json' printed".formatted(file));
        }
        try {
            return ShardFile.of(document);
        } catch (ShardFile.Unreadable e) {
            throw new InvalidInput("%s: %s".formatted(file, e.getMessage()));
        }
    }

    private Results merged(List<String> names, List<ShardFile> parts) {
        try {
            return ShardFile.merge(parts, experiments);
        } catch (ShardFile.Unreadable e) {
            throw new InvalidInput("%s: %s".formatted(String.join(", ", names), e.getMessage()));
        }
    }
}
