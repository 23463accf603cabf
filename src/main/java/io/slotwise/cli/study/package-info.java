/**
 * Commands that simulate workloads and repeat experiments, as a whole or in shards that {@link
 * io.slotwise.cli.study.MergeCommand} merges.
 */
@NullMarked
package io.slotwise.cli.study;

import org.jspecify.annotations.NullMarked;
