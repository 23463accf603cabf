/**
 * Predicted runtimes of gangs that do not state one, from runs of the same workload.
 * <pre>
 *  ended runs -> {@link io.slotwise.core.runtime.RunHistory#with} -> {@link
 *  io.slotwise.core.runtime.RuntimePredictor} -> {@link io.slotwise.core.runtime.Prediction}
 * </pre>
 *
 * <p>A history belongs to one namespace, and a prediction uses one history alone, so no namespace learns about the runs
 * of another. A history is bounded, and adding the same runs again changes nothing, so a replica that repeats a step
 * after a crash learns nothing twice.
 */
@NullMarked
package io.slotwise.core.runtime;

import org.jspecify.annotations.NullMarked;
