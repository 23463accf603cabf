/**
 * The state of gangs between cycles.
 *
 * <p>A {@link io.slotwise.live.record.GangRecord} has a gang's {@link io.slotwise.live.record.Phase}, request ({@link
 * io.slotwise.live.record.RecordedTerms}), promise, the right to its room ({@link
 * io.slotwise.live.record.WindowOwnership}), past ({@link io.slotwise.live.record.MigrationHistory}, {@link
 * io.slotwise.live.record.LastRefusal}, {@link io.slotwise.live.record.NodeAvoidance}) and the pods of its start.
 *
 * <p>All are immutable values without a clock; {@code kubernetes.crd} writes them as Reservations and reads them back.
 * A new component must have a default for records that lack it.
 */
@NullMarked
package io.slotwise.live.record;

import org.jspecify.annotations.NullMarked;
