/**
 * The command line: {@link io.slotwise.cli.Slotwise} and one class for each command. Commands read their input, call the planner and
 * print; they decide nothing. Only {@code serve} and {@code demo} start Quarkus, so that the others answer at once.
 *
 * <p>Exit status: 0 done, 1 the work failed, 2 the command line or an input is wrong.
 */
@NullMarked
package io.slotwise.cli;

import org.jspecify.annotations.NullMarked;
