package io.slotwise.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.lab.experiment.Replications.Extent;
import io.slotwise.lab.experiment.Replications.Progress;
import io.slotwise.lab.experiment.catalogue.Experiments;
import io.slotwise.lab.experiment.catalogue.ShardFile;
import io.slotwise.lab.experiment.catalogue.ShardFile.Unreadable;
import io.slotwise.lab.simulation.ReplicationShard;
import io.slotwise.lab.workload.LogFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReplicationsTest {
    private static final Experiments EXPERIMENTS = new Experiments(() -> 0, LogFolder.NONE);
    private static final Experiment CRITERIA = EXPERIMENTS.named("criteria").orElseThrow();
    private static final int RUNS = 7;
    private static final long SEED = 3;

    private static Tally tally(ReplicationShard shard, int threads) {
        return Replications.run(CRITERIA, new Extent(RUNS, SEED, shard), threads, Progress.NONE);
    }

    private static ShardFile shard(int index, int of) {
        ReplicationShard shard = new ReplicationShard(index, of);
        return new ShardFile("criteria", RUNS, SEED, shard, tally(shard, 1));
    }

    /** Copies through text, as between two processes. */
    private static ShardFile copied(ShardFile file) {
        try {
            return ShardFile.of(new ObjectMapper().readTree(file.json().toString()));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void threadsDoNotShowInTheResults() {
        assertThat(tally(ReplicationShard.WHOLE, 3).sums())
                .isEqualTo(tally(ReplicationShard.WHOLE, 1).sums());
    }

    @Test
    void anotherSeedGivesOtherResults() {
        Tally other = Replications.run(CRITERIA, new Extent(RUNS, SEED + 1, ReplicationShard.WHOLE), 1, Progress.NONE);

        assertThat(other.sums()).isNotEqualTo(tally(ReplicationShard.WHOLE, 1).sums());
    }

    @Test
    void shardsMergeIntoExactlyTheResultsOfOneRun() {
        List<ShardFile> shards = List.of(copied(shard(2, 3)), copied(shard(0, 3)), copied(shard(1, 3)));

        assertThat(ShardFile.merge(shards, EXPERIMENTS))
                .isEqualTo(Replications.conclude(CRITERIA, RUNS, SEED, tally(ReplicationShard.WHOLE, 2)));
    }

    @Test
    void incompleteShardsOfARunAreRefused() {
        assertThatThrownBy(() -> ShardFile.merge(List.of(shard(0, 3), shard(1, 3)), EXPERIMENTS))
                .isInstanceOf(Unreadable.class)
                .hasMessage("2/3 of criteria is missing; expected each shard once");
        assertThatThrownBy(() -> ShardFile.merge(List.of(shard(0, 2), shard(0, 2)), EXPERIMENTS))
                .hasMessage("0/2 of criteria is present twice; expected each shard once");
        assertThatThrownBy(() -> ShardFile.merge(List.of(shard(0, 2), shard(1, 3)), EXPERIMENTS))
                .hasMessageContaining("are not of one run");
    }

    @Test
    void progressHearsOfEveryReplication() {
        AtomicInteger most = new AtomicInteger();
        List<Integer> totals = new ArrayList<>();

        Replications.run(CRITERIA, new Extent(RUNS, SEED, new ReplicationShard(1, 2)), 1, (done, of) -> {
            most.accumulateAndGet(done, Math::max);
            totals.add(of);
        });

        assertThat(most).hasValue(3);
        assertThat(totals).hasSize(3).containsOnly(3);
    }
}
