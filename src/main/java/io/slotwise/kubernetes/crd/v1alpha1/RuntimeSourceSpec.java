package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.slotwise.core.runtime.Prediction;
import io.slotwise.core.runtime.Prediction.Basis;
import io.slotwise.core.runtime.RecurringWorkload;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.core.text.SafeText;
import org.jspecify.annotations.Nullable;

/**
 * The source of a gang's runtime.
 *
 * @param key the key of the workload in the namespace's RunHistory
 * @param name the name of the workload, for people
 * @param stated whether a user states the runtime; null for no
 * @param prediction null without past runs
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record RuntimeSourceSpec(
        String key,
        String name,
        @Nullable Boolean stated,
        @Nullable PredictionSpec prediction) {
    /**
     * A prediction from past runs.
     *
     * @param runs the number of runs
     * @param typicalSeconds the median runtime
     * @param quantileMillionths the part of the runs that ended within {@code withinSeconds}
     * @param withinSeconds on a node of performance 1
     * @param basis the runs that were used: {@code workload} or {@code namespace}
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record PredictionSpec(
            int runs, long typicalSeconds, int quantileMillionths, long withinSeconds, String basis) {}

    static @Nullable RuntimeSourceSpec of(@Nullable RuntimeSource source) {
        if (source == null) {
            return null;
        }
        Prediction prediction = source.prediction();
        return new RuntimeSourceSpec(
                source.workload().key(),
                source.workload().name(),
                source.stated() ? true : null,
                prediction == null
                        ? null
                        : new PredictionSpec(
                                prediction.runs(),
                                prediction.typical(),
                                prediction.quantile(),
                                prediction.within(),
                                prediction.basis().key()));
    }

    /** Returns the source; null if Slotwise would never write it. An unknown source stops no gang. */
    @Nullable
    RuntimeSource source() {
        try {
            return key == null || name == null
                    ? null
                    : new RuntimeSource(
                            new RecurringWorkload(key, SafeText.line(name)),
                            prediction == null ? null : prediction(prediction),
                            Boolean.TRUE.equals(stated));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static Prediction prediction(PredictionSpec spec) {
        for (Basis basis : Basis.values()) {
            if (basis.key().equals(spec.basis())) {
                return new Prediction(
                        spec.runs(), spec.typicalSeconds(), spec.quantileMillionths(), spec.withinSeconds(), basis);
            }
        }
        throw new IllegalArgumentException("expected workload or namespace");
    }
}
