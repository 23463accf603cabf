package io.slotwise.core.runtime;

import io.slotwise.core.time.Durations;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a gang's runtime.
 *
 * @param prediction from past runs, or null
 * @param stated whether a user states a runtime, which then holds
 */
public record RuntimeSource(
        RecurringWorkload workload, @Nullable Prediction prediction, boolean stated) {
    public Optional<Prediction> predicted() {
        return stated ? Optional.empty() : Optional.ofNullable(prediction);
    }

    public RuntimeSource stated(boolean now) {
        return now == stated ? this : new RuntimeSource(workload, prediction, now);
    }

    /** Returns whether a stated runtime, seconds on a node of performance 1, is far from past runs. */
    public boolean isContradicted(long runtime) {
        return stated && prediction != null && prediction.contradicts(runtime);
    }

    /**
     * Returns a hint if a stated runtime, seconds on such a node, is far from past runs. The remedy is an advice with
     * its window.
     */
    public Optional<String> hint(long runtime) {
        if (prediction == null || !isContradicted(runtime)) {
            return Optional.empty();
        }
        return Optional.of(("Its runtime is stated as %s, but of its last %d runs %s ended within %s, half of them "
                        + "within %s.")
                .formatted(
                        Durations.brief(runtime),
                        prediction.runs(),
                        prediction.percent(),
                        Durations.brief(prediction.within()),
                        Durations.brief(prediction.typical())));
    }
}
