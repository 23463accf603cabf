package io.slotwise.testing;

import io.slotwise.core.gang.PodRequest;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.JobTerms;
import java.util.List;

/** Jobs without terms and with equal tasks. */
public final class Jobs {
    private Jobs() {}

    public static Job of(String id, long submit, int tasks, PodRequest request, long runtime, String user) {
        return new Job(id, submit, List.of(new Job.Part(tasks, request)), runtime, user, JobTerms.NONE);
    }
}
