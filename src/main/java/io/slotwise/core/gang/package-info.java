/**
 * A gang and its request: {@link io.slotwise.core.gang.Gang} with its {@link io.slotwise.core.gang.PodRequest}s, {@link
 * io.slotwise.core.gang.Budget}, {@link io.slotwise.core.gang.Criterion} and {@link
 * io.slotwise.core.gang.NodeConstraint}s. Stateless values; {@code live.record} has the state of a gang. Units are
 * seconds, milli-cores and bytes, and millionths of the currency unit. To add a setting, add a component to {@code
 * Gang} with a default that changes nothing.
 */
@NullMarked
package io.slotwise.core.gang;

import org.jspecify.annotations.NullMarked;
