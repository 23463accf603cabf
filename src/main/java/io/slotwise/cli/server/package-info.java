/**
 * Commands that start something: {@link io.slotwise.cli.server.ServeCommand} in a cluster, {@link
 * io.slotwise.cli.server.DemoCommand} on this machine, both through {@link io.slotwise.cli.server.Server}, so that
 * Quarkus is loaded only by them.
 */
@NullMarked
package io.slotwise.cli.server;

import org.jspecify.annotations.NullMarked;
