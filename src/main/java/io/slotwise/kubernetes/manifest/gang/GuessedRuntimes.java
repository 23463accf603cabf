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
 * How long gangs are planned to run that do not say it, and where that comes from. Scratch of one run.
 *
 * <p>Of a gang that waits without a window a prediction stays as it was while the new one is nearly the same: its
 * record says it, and each run that ends would be a write for every gang that waits behind it.
 */
public final class GuessedRuntimes {
    /** A prediction is nearly the same if it differs by less than one part in so many. */
    private static final long NEARLY = 10;

    private final RuntimePredictor predictor;
    private final long longest;
    private final Map<String, RunHistory> histories;
    private final Function<Pod, Resources> requests;
    private final TreeMap<GangId, RuntimeSource> sources = new TreeMap<>();
    /** What the last runs of a namespace tell, worked out once for all of its gangs. */
    private final Map<String, Optional<Prediction>> ofNamespaces = new HashMap<>();

    /**
     * @param longest that is planned, seconds
     * @param histories by namespace
     * @param requests what a pod asks for as it states it
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

    /** What these pods of a gang do again and again; null: it is not known, or nothing is predicted. O(pods). */
    public @Nullable RecurringWorkload workload(GangId gang, List<Pod> pods) {
        return predictor.isOn() ? RepeatedWorkload.of(gang, pods, requests) : null;
    }

    /**
     * What counts for a gang that does not state it.
     *
     * @param workload of the pods that speak for it; null: not known
     * @param before where its runtime came from in the last cycle; null: not known
     * @param defaults where nothing is predicted
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

    /** What the gang says has been read; null: it cannot be. */
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
