/**
 * What is remembered of a gang between cycles.
 *
 * <p>A {@link io.slotwise.live.record.GangRecord} says in which {@link io.slotwise.live.record.Phase} a gang is, what
 * it asked for ({@link io.slotwise.live.record.RecordedTerms}), its promise, by what right its window has its room
 * ({@link io.slotwise.live.record.WindowOwnership}), what happened before ({@link
 * io.slotwise.live.record.MigrationHistory}, {@link io.slotwise.live.record.LastRefusal}, {@link
 * io.slotwise.live.record.NodeAvoidance}) and with which pods it has started.
 *
 * <p>All are immutable values without a clock; {@code kubernetes.crd} writes them as Reservations and reads them
 * back. What is added here must be empty in records that do not have it.
 */
@NullMarked
package io.slotwise.live.record;

import org.jspecify.annotations.NullMarked;
