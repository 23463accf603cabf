/**
 * Commands that start a server: {@link io.slotwise.cli.server.ServeCommand} in a cluster and {@link
 * io.slotwise.cli.server.DemoCommand} on this machine. Both use {@link io.slotwise.cli.server.Server}, so that only
 * they load Quarkus.
 */
@NullMarked
package io.slotwise.cli.server;

import org.jspecify.annotations.NullMarked;
