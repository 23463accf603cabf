package io.slotwise.kubernetes.manifest;

/**
 * Which pods are ours to plan.
 *
 * @param schedulerName pods that name this scheduler
 * @param annotated pods of any scheduler, too, if they state a gang or a runtime; nodes may leave out what a kubelet reports
 */
public record Candidates(String schedulerName, boolean annotated) {
    /** In a cluster: pods of our own scheduler. */
    public static final Candidates CLUSTER = new Candidates("slotwise", false);
    /** In files: also what is written for us without naming our scheduler. */
    public static final Candidates FILES = new Candidates("slotwise", true);
}
