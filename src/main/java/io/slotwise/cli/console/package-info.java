/**
 * What all commands share: {@link io.slotwise.cli.console.CommandConsole} surrounds one run of the program, {@link
 * io.slotwise.cli.console.CommonOptions} are the options that several have, {@link
 * io.slotwise.cli.console.OutputFormat} is how an answer is printed, {@link io.slotwise.cli.console.ExitStatus} what
 * a command ends with. Uses no command.
 */
@NullMarked
package io.slotwise.cli.console;

import org.jspecify.annotations.NullMarked;
