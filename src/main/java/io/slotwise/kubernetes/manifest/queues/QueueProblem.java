package io.slotwise.kubernetes.manifest.queues;

import io.slotwise.core.work.InternalFailure;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Reason;
import org.jspecify.annotations.Nullable;

/**
 * A problem of a queue.
 *
 * @param reason {@link Reason#IGNORED} if the queue is in the tree all the same
 * @param message a sentence without a full stop
 * @param failure the error behind it, or null
 */
public record QueueProblem(
        String queue,
        Reason reason,
        String message,
        @Nullable InternalFailure failure) {
    /** Returns whether the queue is left out of the tree. */
    public boolean isLeftOut() {
        return reason != Reason.IGNORED;
    }
}
