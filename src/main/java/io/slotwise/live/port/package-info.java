/**
 * The ports through which the loop uses its host, and the values that they exchange.
 *
 * <p>{@link io.slotwise.live.port.ClusterView} shows the cluster. {@link io.slotwise.live.port.RecordStore}, {@link
 * io.slotwise.live.port.LedgerStore} and {@link io.slotwise.live.port.RunHistoryStore} store records. {@link
 * io.slotwise.live.port.DirectStarter} and {@link io.slotwise.live.port.PodReleaser} bring pods to their nodes. {@link
 * io.slotwise.live.port.EventRecorder} informs users, and {@link io.slotwise.live.port.MetricsRecorder} counts.
 *
 * <p>The cluster ({@code kubernetes}), the demo and the tests' host each implement them. A port requires as little as
 * possible and documents the errors that it throws.
 */
@NullMarked
package io.slotwise.live.port;

import org.jspecify.annotations.NullMarked;
