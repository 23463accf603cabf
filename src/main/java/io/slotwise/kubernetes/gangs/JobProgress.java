package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.slotwise.core.text.SafeText;
import java.util.BitSet;
import java.util.Map;
import java.util.Set;

/**
 * How far a Job has come: the pods of indexes and of completions that are done are not made again.
 *
 * <p>Source: Kubernetes 1.37, pkg/controller/job/job_controller.go (manageJob) and indexed_job_utils.go.
 */
final class JobProgress {
    /** What the status of a Job says of it. */
    static final Set<String> FIELDS = Set.of("succeeded", "completedIndexes", "failedIndexes");

    private JobProgress() {}

    /**
     * How many pods a Job still runs at a time. Of a Job without {@code completions} none is made once one has
     * succeeded. O(its completions).
     */
    static long left(GenericKubernetesResource job) {
        Map<?, ?> spec = AnnotationParsing.spec(job);
        Map<?, ?> status = AnnotationParsing.fields(job, job.getAdditionalProperties(), "status");
        long parallelism = AnnotationParsing.count(job, spec, "parallelism", 1);
        long completions = AnnotationParsing.count(job, spec, "completions", parallelism);
        long done = "Indexed".equals(spec.get("completionMode"))
                ? indexes(job, status, completions)
                : AnnotationParsing.count(job, status, "succeeded", 0);
        return Math.min(parallelism, Math.max(0, completions - done));
    }

    private static long indexes(GenericKubernetesResource job, Map<?, ?> status, long completions) {
        BitSet done = new BitSet();
        add(done, job, status, "completedIndexes", completions);
        add(done, job, status, "failedIndexes", completions);
        return done.cardinality();
    }

    private static void add(
            BitSet done, GenericKubernetesResource job, Map<?, ?> status, String field, long completions) {
        String text = status.get(field) == null ? "" : String.valueOf(status.get(field));
        for (String range : text.isBlank() ? new String[0] : text.split(",", -1)) {
            int dash = range.indexOf('-', 1);
            try {
                int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
                int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
                done.set(first, (int) Math.max(first, Math.min(last + 1L, completions)));
            } catch (NumberFormatException | IndexOutOfBoundsException e) {
                throw new IllegalArgumentException(
                        "`%s` (%s) of %s is not valid: expected indexes such as 0,2-5"
                                .formatted(field, SafeText.value(text), AnnotationParsing.name(job)),
                        e);
            }
        }
    }
}
