package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.slotwise.core.text.SafeText;
import java.util.Map;
import java.util.Set;

/**
 * The progress of a Job: pods of finished indexes and completions are not recreated.
 *
 * <p>Source: Kubernetes 1.37, pkg/controller/job/job_controller.go (manageJob) and indexed_job_utils.go.
 */
final class JobProgress {
    static final Set<String> FIELDS = Set.of("succeeded", "completedIndexes", "failedIndexes");

    private JobProgress() {}

    /**
     * Returns how many of {@code size} pods that start together the Job will not create again; 0 if its status does not
     * tell. A Job without {@code completions} creates no pod after one has succeeded. O(length of the status).
     */
    static EndedPods ended(int size, GenericKubernetesResource job) {
        ObjectPart specPart = ObjectPart.spec(job);
        ObjectPart statusPart = ObjectPart.of(job).at("status");
        if (FIELDS.stream().allMatch(field -> statusPart.get(field) == null)) {
            return EndedPods.NONE;
        }
        long parallelism = specPart.count("parallelism", 1);
        long completions = specPart.count("completions", parallelism);
        long done = "Indexed".equals(specPart.get("completionMode"))
                ? indexes(statusPart, completions)
                : statusPart.count("succeeded", 0);
        long left = Math.min(parallelism, Math.max(0, completions - done));
        int ended = (int) Math.max(0, Math.min(size, Math.min(parallelism, completions)) - left);
        return new EndedPods(Map.of(job.getMetadata().getName(), ended), Set.of());
    }

    /** Counts the indexes of both lists, which are disjoint. */
    private static long indexes(ObjectPart statusPart, long completions) {
        return count(statusPart, "completedIndexes", completions) + count(statusPart, "failedIndexes", completions);
    }

    /** Returns the number of indexes below {@code completions} in a list such as {@code 0,2-5}. */
    private static long count(ObjectPart statusPart, String field, long completions) {
        String text = statusPart.get(field) == null ? "" : String.valueOf(statusPart.get(field));
        long count = 0;
        for (String range : text.isBlank() ? new String[0] : text.split(",", -1)) {
            int dash = range.indexOf('-', 1);
            try {
                long first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
                long last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
                count += Math.max(0, Math.min(last + 1, completions) - Math.max(first, 0));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "`%s` (%s) of %s is not valid: expected indexes such as 0,2-5"
                                .formatted(field, SafeText.value(text), AnnotationParsing.name(statusPart.object())),
                        e);
            }
        }
        return count;
    }
}
