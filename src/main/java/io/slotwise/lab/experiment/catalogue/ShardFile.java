package io.slotwise.lab.experiment.catalogue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slotwise.lab.experiment.ExactSum;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentResults;
import io.slotwise.lab.experiment.Point;
import io.slotwise.lab.experiment.Replications;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.simulation.ReplicationShard;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * The exact sums of one shard, with a JSON form: {@code {"experiment","runs","seed","shard","sums"}}, in which each of
 * the sums is {@code {"series","x","metric","count","total","squares"}}. Totals and squares are decimal numerals in
 * strings.
 */
public record ShardFile(String experiment, int runs, long seed, ReplicationShard shard, Tally tally) {
    private static final String SUMS = "sums";

    /** A file with invalid content. */
    public static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unreadable(String message) {
            super(message);
        }
    }

    public static boolean isOne(JsonNode document) {
        return document.has("experiment") && document.has(SUMS);
    }

    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("experiment", experiment).put("runs", runs).put("seed", seed).put("shard", shard.toString());
        ArrayNode sums = json.putArray(SUMS);
        tally.sums()
                .forEach((point, sum) -> sums.addObject()
                        .put("series", point.series())
                        .put("x", point.x())
                        .put("metric", point.metric())
                        .put("count", sum.count())
                        .put("total", sum.total().toString())
                        .put("squares", sum.squares().toString()));
        return json;
    }

    /** Reads a document. Unreadable if a member is missing or invalid. */
    public static ShardFile of(JsonNode json) {
        Tally tally = new Tally();
        for (JsonNode sum : json.path(SUMS)) {
            tally.add(
                    new Point(text(sum, "series"), text(sum, "x"), text(sum, "metric")),
                    new ExactSum(whole(sum, "count").longValueExact(), whole(sum, "total"), whole(sum, "squares")));
        }
        try {
            return new ShardFile(
                    text(json, "experiment"),
                    whole(json, "runs").intValueExact(),
                    whole(json, "seed").longValueExact(),
                    ReplicationShard.parse(text(json, "shard")),
                    tally);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new Unreadable(Objects.requireNonNullElse(e.getMessage(), e.toString()));
        }
    }

    private static String text(JsonNode json, String member) {
        JsonNode value = json.path(member);
        if (!value.isTextual()) {
            throw new Unreadable("\"%s\" (%s) must be a string".formatted(member, value));
        }
        return value.textValue();
    }

    private static BigInteger whole(JsonNode json, String member) {
        try {
            return new BigInteger(json.path(member).asText());
        } catch (NumberFormatException e) {
            throw new Unreadable("\"%s\" (%s) must be a whole number".formatted(member, json.path(member)));
        }
    }

    /** Merges all shards of one experiment, each given once, into exactly the results of one run. */
    public static ExperimentResults merge(List<ShardFile> shards, Experiments experiments) {
        ShardFile first = shards.getFirst();
        Experiment experiment = experiments
                .named(first.experiment())
                .orElseThrow(() -> new Unreadable("there is no experiment '%s'".formatted(first.experiment())));
        Tally tally = new Tally();
        List<ShardFile> sorted = shards.stream()
                .sorted(Comparator.comparingInt(file -> file.shard().index()))
                .toList();
        for (int i = 0; i < sorted.size(); i++) {
            ShardFile file = sorted.get(i);
            if (!file.belongsTo(first)) {
                throw new Unreadable("%s and %s are not of one run".formatted(file.name(), first.name()));
            }
            if (file.shard().index() != i) {
                throw new Unreadable("%s of %s is %s; expected each shard once"
                        .formatted(
                                new ReplicationShard(
                                        Math.min(i, file.shard().index()),
                                        first.shard().of()),
                                first.experiment(),
                                file.shard().index() < i ? "present twice" : "missing"));
            }
            tally.add(file.tally());
        }
        if (sorted.size() < first.shard().of()) {
            throw new Unreadable("%s of %s is missing; expected each shard once"
                    .formatted(new ReplicationShard(sorted.size(), first.shard().of()), first.experiment()));
        }
        return Replications.conclude(experiment, first.runs(), first.seed(), tally);
    }

    private boolean belongsTo(ShardFile other) {
        return experiment.equals(other.experiment)
                && runs == other.runs
                && seed == other.seed
                && shard.of() == other.shard.of();
    }

    private String name() {
        return "shard %s of %s (runs %d, seed %d)".formatted(shard, experiment, runs, seed);
    }
}
