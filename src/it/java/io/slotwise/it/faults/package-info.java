/**
 * Faults by a seed on the real control plane: {@link io.slotwise.it.faults.FaultPlan} says what happens when, {@link
 * io.slotwise.it.faults.Injector} does it, and {@link io.slotwise.it.faults.FaultChecker} judges the run by the API
 * server's audit log and by what was done, without any code or figure of the program.
 */
@NullMarked
package io.slotwise.it.faults;

import org.jspecify.annotations.NullMarked;
