package io.slotwise.kubernetes.bind;

/** Runs writes that lead to bindings, in order. */
@FunctionalInterface
public interface StartQueue {
    /**
     * Runs a task soon.
     *
     * @param pods approximate number of bindings that the task submits before it returns, at least 0
     * @param task makes the start of a gang durable
     */
    void execute(int pods, Runnable task);
}
