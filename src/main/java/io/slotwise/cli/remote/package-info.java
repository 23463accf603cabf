/**
 * Commands that ask a running Slotwise or its cluster.
 *
 * <p>{@link io.slotwise.cli.remote.RemoteOptions} finds a {@link io.slotwise.cli.remote.Remote}: an address ({@link
 * io.slotwise.cli.remote.HttpRemote}) or the cluster that kubectl would talk to ({@link
 * io.slotwise.cli.remote.RemoteOptions.KubeconfigRemote}). {@link io.slotwise.cli.remote.ListedGangs} is what the
 * commands share that list gangs. Answers come as values of {@code web} and are printed by {@code report}.
 */
@NullMarked
package io.slotwise.cli.remote;

import org.jspecify.annotations.NullMarked;
