package io.slotwise.kubernetes.manifest.queues;

import io.slotwise.core.work.InternalFailure;
import org.jspecify.annotations.Nullable;

/**
 * A problem of a queue.
 *
 * @param reason a word for programs, such as {@code MissingParent}
 * @param message a sentence without a full stop
 * @param failure the error behind it, or null
 */
public record QueueProblem(
        String queue,
        String reason,
        String message,
        @Nullable InternalFailure failure) {
    /** Stands for two queues of one namespace, of which the later one is in the tree without that namespace. */
    public static final String NAMESPACE_TAKEN = "NamespaceTaken";

    /** Returns whether the queue is left out of the tree. */
    public boolean isLeftOut() {
        return !reason.equals(NAMESPACE_TAKEN);
    }
}
