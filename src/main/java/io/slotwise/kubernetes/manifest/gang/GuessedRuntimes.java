package io.slotwise.kubernetes.manifest.gang;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.runtime.Prediction;
import io.slotwise.core.runtime.RecurringWorkload;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.runtime.RuntimePredictor;
import io.slotwise.core.runtime.RuntimeSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The planned runtimes of gangs that state none, and their sources. Used for one intake.
 *
 * <p>A waiting gang without a window keeps its prediction while the new one is nearly the same. The prediction is in
 * its record, so each run that ends would otherwise cause a write for every waiting gang behind it.
 */
public final class GuessedRuntimes {
    /** A prediction is nearly the same if it differs by less than one part in this many. */
    private static final long NEARLY = 10;

    private final RuntimePredictor predictor;
    private final long longest;
    private final Map<String, RunHistory> histories;
    private final Function<Pod, Resources> requests;
    private final TreeMap<GangId, RuntimeSource> sources = new TreeMap<>();
    /** The predictions from the last runs of a namespace, computed once for all of its gangs. */
    private final Map<String, Optional<Prediction>> ofNamespaces = new HashMap<>();

    /**
     * @param longest the longest planned runtime, seconds
     * @param histories the histories by namespace
     * @param requests returns a pod's request as stated
     */
    public GuessedRuntimes(
            RuntimePredictor predictor,
            long longest,
            Map<String, RunHistory> histories,
            Function<Pod, Resources> requests) {
        this.predictor = predictor;
        this.longest = longest;
        this.histories = histories;
        this.requests = requests;
    }

    /** Returns the recurring workload of these pods. Null if it is unknown or predictions are off. O(pods). */
    public @Nullable RecurringWorkload workload(GangId gang, List<Pod> pods) {
        return predictor.isOn() ? RepeatedWorkload.of(gang, pods, requests) : null;
    }

    /**
     * Returns the defaults of a gang with its predicted runtime.
     *
     * @param workload null if unknown
     * @param before the source of its runtime in the last cycle, or null
     * @param defaults the defaults without a prediction
     */
    public GangDefaults usual(
            GangId gang, @Nullable RecurringWorkload workload, @Nullable RuntimeSource before, GangDefaults defaults) {
        if (workload == null) {
            return defaults;
        }
        RunHistory history = histories.getOrDefault(gang.namespace(), RunHistory.empty(gang.namespace()));
        Prediction prediction = predictor
                .ofItsOwn(history, workload)
                .or(() -> ofNamespaces.computeIfAbsent(gang.namespace(), _ -> predictor.ofItsNamespace(history)))
                .orElse(null);
        Prediction knownPrediction = before == null || !before.workload().equals(workload) ? null : before.prediction();
        if (prediction != null && knownPrediction != null && isNearly(prediction, knownPrediction)) {
            prediction = knownPrediction;
        }
        sources.put(gang, new RuntimeSource(workload, prediction, false));
        return prediction == null ? defaults : defaults.withRuntime(Math.min(prediction.within(), longest));
    }

    private static boolean isNearly(Prediction currentPrediction, Prediction knownPrediction) {
        return currentPrediction.basis() == knownPrediction.basis()
                && currentPrediction.quantile() == knownPrediction.quantile()
                && Math.abs(currentPrediction.within() - knownPrediction.within())
                        < Math.ceilDiv(knownPrediction.within(), NEARLY)
                && knownPrediction.runs() >= Math.min(currentPrediction.runs(), RuntimePredictor.ENOUGH);
    }

    /** Notes the gang's terms; null if they cannot be read. */
    public void read(GangId gang, @Nullable AnnotatedGang annotated) {
        if (annotated == null) {
            sources.remove(gang);
        } else {
            sources.computeIfPresent(gang, (_, source) -> source.stated(annotated.statesRuntime()));
        }
    }

    public SortedMap<GangId, RuntimeSource> sources() {
        return sources;
    }
}
