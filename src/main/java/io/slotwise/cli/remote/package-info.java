/**
 * Commands that call a running Slotwise or its cluster.
 *
 * <p>{@link io.slotwise.cli.remote.RemoteOptions} finds a {@link io.slotwise.cli.remote.Remote}: an address ({@link
 * io.slotwise.cli.remote.HttpRemote}) or kubectl's cluster ({@link
 * io.slotwise.cli.remote.RemoteOptions.KubeconfigRemote}). {@link io.slotwise.cli.remote.ListedGangs} is the common
 * part of commands that list gangs. {@link io.slotwise.cli.remote.ClustersOptions} asks several clusters at the same
 * time. Answers are values of {@code web}, printed by {@code report}.
 */
@NullMarked
package io.slotwise.cli.remote;

import org.jspecify.annotations.NullMarked;
