/**
 * How long gangs run that do not say it, told from runs of the same workload.
 *
 * <pre>
 *  runs that ended -> {@link io.slotwise.core.runtime.RunHistory#with} -> {@link
 *  io.slotwise.core.runtime.RuntimePredictor} -> {@link io.slotwise.core.runtime.Prediction}
 * </pre>
 *
 * <p>A history belongs to one namespace, and a prediction is made of one history alone: nothing that one namespace runs
 * shows in what another is told. It is bounded, and adding the same runs again changes nothing, so that a replica that
 * repeats a step after a crash learns nothing twice.
 */
@NullMarked
package io.slotwise.core.runtime;

import org.jspecify.annotations.NullMarked;
