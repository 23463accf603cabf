package io.slotwise.live;

import java.time.Duration;

/**
 * How many pods the control plane takes.
 *
 * @param perPod from its release to the barrier, where others are on their way too; positive
 * @param headStart the longest that a pod may be at the barrier before its start, or on its way there; positive
 * @param mostPerSecond pods that may be bound in one second, positive; a larger gang starts alone
 */
record Throughput(Duration perPod, Duration headStart, int mostPerSecond) {}
