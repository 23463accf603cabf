/**
 * The papers' experiments, repeated with the classes that plan a cluster.
 *
 * <p>An {@link io.slotwise.lab.experiment.Experiment} has many independent replications. {@link
 * io.slotwise.lab.experiment.Replications} gives each a seed, and the replication adds its observations to a {@link
 * io.slotwise.lab.experiment.Tally}. From the whole tally the experiment concludes {@link
 * io.slotwise.lab.experiment.Figure}s, its numbers next to the paper's, and {@link
 * io.slotwise.lab.experiment.Finding}s, with a verdict on the paper's statements. Each paper has a package below.
 *
 * <p>Invariant: tallies are exact sums, so the results do not depend on the number of threads and shards. {@link
 * io.slotwise.lab.experiment.catalogue.ShardFile}s of all shards merge into exactly the results of one run. Only
 * measured times differ from run to run.
 *
 * <p>To add an experiment, write a class in its paper's package and name it in {@link
 * io.slotwise.lab.experiment.catalogue.Experiments}.
 */
@NullMarked
package io.slotwise.lab.experiment;

import org.jspecify.annotations.NullMarked;
