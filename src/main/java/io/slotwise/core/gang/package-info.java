/**
 * A gang and what it asks for: {@link io.slotwise.core.gang.Gang} with its {@link io.slotwise.core.gang.PodRequest}s,
 * {@link io.slotwise.core.gang.Budget}, {@link io.slotwise.core.gang.Criterion} and {@link
 * io.slotwise.core.gang.NodeConstraint}s. Values without a state: where a gang stands is {@code live.record}.
 * Seconds, milli-cores and bytes, millionths of the currency unit. A new wish is a component of {@code Gang} with a
 * default that changes nothing.
 */
@NullMarked
package io.slotwise.core.gang;

import org.jspecify.annotations.NullMarked;
