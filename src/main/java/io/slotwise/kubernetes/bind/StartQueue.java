package io.slotwise.kubernetes.bind;

/** Runs what brings bindings with it, in the order in which it is given. */
@FunctionalInterface
public interface StartQueue {
    /**
     * Runs a task before long.
     *
     * @param pods bindings that the task hands on before it returns, about; at least 0
     * @param task what makes the start of a gang durable
     */
    void execute(int pods, Runnable task);
}
