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
 * Where the runtime of a gang comes from.
 *
 * @param key of the workload in the namespace's RunHistory
 * @param name of the workload, for people
 * @param stated whether a user states the runtime; null: no
 * @param prediction what past runs say; null: nothing
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record RuntimeSourceSpec(
        String key,
        String name,
        @Nullable Boolean stated,
        @Nullable PredictionSpec prediction) {
    /**
     * What past runs say.
     *
     * @param runs how many
     * @param typicalSeconds half of them were no longer
     * @param quantileMillionths the part of them that ended within {@code withinSeconds}
     * @param withinSeconds see there, on a node of performance 1
     * @param basis whose runs they are: {@code workload} or {@code namespace}
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

    /**
     * What it says; null if that is nothing that Slotwise writes: then it is not known where the runtime comes from,
     * and that stops no gang.
     */
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
