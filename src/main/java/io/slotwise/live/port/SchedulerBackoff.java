package io.slotwise.live.port;

import java.time.Duration;

/**
 * When kube-scheduler tries a pod again that waits without our gate. A pod that no node passes is tried at every change
 * in the cluster, which for hundreds of them is all that it does. A pod that met an error is tried after a pause that
 * grows up to five seconds ({@code podMaxBackoffSeconds} of the chart), and nothing wakes it sooner. So the pods of a
 * window that is far ahead meet an error, and those of one that is near do not.
 */
public final class SchedulerBackoff {
    /** The longest pause after an error. */
    public static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** A window that begins later than this is far ahead: long enough for the last pause and the launch. */
    public static final Duration FAR = LONGEST_PAUSE.plusSeconds(5);

    /** After this even a pod that has just met an error is tried again: pauses end with whole seconds. */
    public static final Duration AWAKE = LONGEST_PAUSE.plusSeconds(2);

    private SchedulerBackoff() {}
}
