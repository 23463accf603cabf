/**
 * What the loop needs of its host: ports, and the values that go through them.
 *
 * <p>{@link io.slotwise.live.port.ClusterView} is the cluster as it was seen, {@link
 * io.slotwise.live.port.RecordStore}, {@link io.slotwise.live.port.LedgerStore} and {@link
 * io.slotwise.live.port.RunHistoryStore} keep records, {@link io.slotwise.live.port.DirectStarter} and {@link
 * io.slotwise.live.port.PodReleaser} bring pods to their nodes, {@link io.slotwise.live.port.EventRecorder} tells
 * people and {@link io.slotwise.live.port.MetricsRecorder} counts.
 *
 * <p>The cluster ({@code kubernetes}), the demo and the tests' host each implement them. A port asks for the least
 * that it needs and says which errors it throws.
 */
@NullMarked
package io.slotwise.live.port;

import org.jspecify.annotations.NullMarked;
