/**
 * This replica's writes to the cluster: Reservations, Ledgers, events, the release of pods that go through
 * kube-scheduler, and evictions. Bindings are in {@link io.slotwise.kubernetes.bind}.
 *
 * <p>A gang's record is created with its whole specification. Later writes replace the specification or the status,
 * each with the version that was read, so that the second of two writers is refused. Every answer is added to the index
 * at once.
 */
@NullMarked
package io.slotwise.kubernetes.publish;

import org.jspecify.annotations.NullMarked;
