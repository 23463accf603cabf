/**
 * The command line: {@link io.slotwise.cli.Slotwise}, and one class for each command in the packages below. Commands
 * read their input, call the planner and print. They make no decisions.
 *
 * <p>{@code plan} works on files, {@code remote} asks a running Slotwise, {@code study} simulates and repeats
 * experiments, and {@code server} has the commands that start a server. Only {@code serve} and {@code demo} start
 * Quarkus, so that the others answer at once. {@code console} is their common part.
 *
 * <p>Exit status: 0 for success, 1 if the work failed, 2 if the command line or an input is wrong. To add a command,
 * write a class in its package and name it in {@code Slotwise}.
 */
@NullMarked
package io.slotwise.cli;

import org.jspecify.annotations.NullMarked;
