/**
 * The papers' experiments, repeated on the classes that plan a cluster.
 *
 * <p>An {@link io.slotwise.lab.experiment.Experiment} is many independent replications: {@link
 * io.slotwise.lab.experiment.Replications} gives each a seed of its own, and the replication adds what it observes to a
 * {@link io.slotwise.lab.experiment.Tally}. From the tally of all of them the experiment concludes {@link
 * io.slotwise.lab.experiment.Figure}s, the paper's numbers beside ours, and {@link
 * io.slotwise.lab.experiment.Finding}s:
 * whether what the paper says holds here too. Each paper has a room below.
 *
 * <p>Invariant: a tally keeps exact sums, so that the results are the same whatever the number of threads and of
 * shards, and a {@link io.slotwise.lab.experiment.catalogue.ShardFile} of each merges into exactly the results of one
 * run. Times that a clock measures are the exception: they differ from run to run.
 *
 * <p>To add an experiment, write a class in its paper's room and name it in {@link
 * io.slotwise.lab.experiment.catalogue.Experiments}.
 */
@NullMarked
package io.slotwise.lab.experiment;

import org.jspecify.annotations.NullMarked;
