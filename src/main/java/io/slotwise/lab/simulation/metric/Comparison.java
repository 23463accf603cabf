package io.slotwise.lab.simulation.metric;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One workload on one machine under several policies, each in several replications with seeds one after the other.
 *
 * @param workload its name
 * @param machine in words
 * @param seed of the first replication
 * @param runs how many replications there are in all
 * @param shard which part of them this is, from 0
 * @param shards into how many parts they are cut
 * @param results in the order in which the policies were asked for
 */
public record Comparison(
        String workload, String machine, long seed, int runs, int shard, int shards, List<Result> results) {
    public Comparison {
        results = List.copyOf(results);
    }

    /**
     * A policy and what came of it.
     *
     * @param policy its name
     * @param outcomes by replication
     */
    public record Result(String policy, List<ReplicationOutcome> outcomes) {
        public Result {
            outcomes = outcomes.stream()
                    .sorted(Comparator.comparingInt(ReplicationOutcome::run))
                    .toList();
        }

        /** Every measure over all replications. */
        public List<PolicyMeasure> figures() {
            return ReplicatedMeasure.of(outcomes).stream()
                    .map(measure -> measure.figure(outcomes))
                    .filter(Objects::nonNull)
                    .toList();
        }
    }

    /** Whether every replication ran until nothing was left to happen. */
    public boolean complete() {
        return results.stream().flatMap(result -> result.outcomes().stream()).allMatch(ReplicationOutcome::complete);
    }

    /** The names of the measures that at least one of the policies has, in the order in which they are told. */
    public List<String> metrics() {
        Set<String> known = new HashSet<>();
        results.forEach(result -> result.figures().forEach(figure -> known.add(figure.metric())));
        return ReplicatedMeasure.of(results.stream()
                        .flatMap(result -> result.outcomes().stream())
                        .toList())
                .stream()
                .map(ReplicatedMeasure::metric)
                .filter(known::contains)
                .toList();
    }

    /**
     * Puts the parts of one comparison together: exactly what it would have been in one piece.
     *
     * @throws IllegalArgumentException if they are not all the parts of one comparison, each once
     */
    public static Comparison merged(List<Comparison> parts) {
        Comparison first = parts.getFirst();
        SortedMap<Integer, Comparison> byShard = new TreeMap<>();
        for (Comparison part : parts) {
            if (!part.whole().equals(first.whole())) {
                throw new IllegalArgumentException(
                        "they are of different simulations: %s and %s".formatted(first.describe(), part.describe()));
            }
            if (byShard.put(part.shard, part) != null) {
                throw new IllegalArgumentException("shard %d/%d appears twice".formatted(part.shard, part.shards));
            }
        }
        for (int shard = 0; shard < first.shards; shard++) {
            if (!byShard.containsKey(shard)) {
                throw new IllegalArgumentException("shard %d/%d is missing".formatted(shard, first.shards));
            }
        }
        return first.whole(first.results.stream()
                .map(result -> new Result(result.policy, outcomes(result.policy, byShard)))
                .toList());
    }

    private static List<ReplicationOutcome> outcomes(String policy, Map<Integer, Comparison> parts) {
        List<ReplicationOutcome> outcomes = new ArrayList<>();
        for (Comparison part : parts.values()) {
            part.results.stream()
                    .filter(result -> result.policy.equals(policy))
                    .forEach(result -> outcomes.addAll(result.outcomes));
        }
        return outcomes;
    }

    private Comparison whole(List<Result> all) {
        return new Comparison(workload, machine, seed, runs, 0, 1, all);
    }

    /** What all parts have in common. */
    private record Whole(String workload, String machine, long seed, int runs, int shards, List<String> policies) {}

    private Whole whole() {
        return new Whole(
                workload,
                machine,
                seed,
                runs,
                shards,
                results.stream().map(Result::policy).toList());
    }

    private String describe() {
        return "%s on %s, seed %d, %d runs in %d shards under %s"
                .formatted(workload, machine, seed, runs, shards, String.join(", ", whole().policies()));
    }
}
