/**
 * The common part of all commands, which depends on none of them. {@link io.slotwise.cli.console.CommandConsole} is the
 * environment of one run, {@link io.slotwise.cli.console.CommonOptions} the common options, {@link
 * io.slotwise.cli.console.OutputFormat} the output format, and {@link io.slotwise.cli.console.ExitStatus} the exit
 * status.
 */
@NullMarked
package io.slotwise.cli.console;

import org.jspecify.annotations.NullMarked;
