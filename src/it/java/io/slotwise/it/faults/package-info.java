/**
 * Random faults on the real control plane. {@link io.slotwise.it.faults.FaultPlan} determines what happens when, and
 * {@link io.slotwise.it.faults.Injector} does it. {@link io.slotwise.it.faults.FaultChecker} judges the run by the API
 * server's audit log and the record of faults, without any code or figure of the program.
 */
@NullMarked
package io.slotwise.it.faults;

import org.jspecify.annotations.NullMarked;
