/**
 * The command line: {@link io.slotwise.cli.Slotwise}, and one class for each command in the rooms below. Commands
 * read their input, call the planner and print; they decide nothing.
 *
 * <p>{@code plan} works on files, {@code remote} asks a running Slotwise, {@code study} simulates and repeats
 * experiments, {@code server} has the commands that start something (only {@code serve} and {@code demo} start
 * Quarkus, so that the others answer at once), {@code console} is what all of them share.
 *
 * <p>Exit status: 0 done, 1 the work failed, 2 the command line or an input is wrong. To add a command, write a class
 * in its room and name it in {@code Slotwise}.
 */
@NullMarked
package io.slotwise.cli;

import org.jspecify.annotations.NullMarked;
