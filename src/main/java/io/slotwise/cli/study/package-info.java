/**
 * Commands that simulate workloads and repeat experiments, whole or in shards that {@link
 * io.slotwise.cli.study.MergeCommand} puts together.
 */
@NullMarked
package io.slotwise.cli.study;

import org.jspecify.annotations.NullMarked;
