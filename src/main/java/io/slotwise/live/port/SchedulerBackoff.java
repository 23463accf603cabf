package io.slotwise.live.port;

import java.time.Duration;

/**
 * The times at which kube-scheduler retries a waiting pod without a gate. A pod that fits no node is retried at every
 * change in the cluster, which for hundreds of pods takes all of kube-scheduler's time. A pod with an error is retried
 * after a backoff of up to five seconds ({@code podMaxBackoffSeconds} of the chart), and nothing wakes it earlier. So
 * pods of distant windows get an error, and pods of near windows do not.
 */
public final class SchedulerBackoff {
    /** The longest backoff after an error. */
    public static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** A window that begins later than this is distant, which leaves time for the last backoff and the release. */
    public static final Duration FAR = LONGEST_PAUSE.plusSeconds(5);

    /** The time after which every pod with an error has been retried: a backoff ends with a whole second. */
    public static final Duration AWAKE = LONGEST_PAUSE.plusSeconds(2);

    private SchedulerBackoff() {}
}
