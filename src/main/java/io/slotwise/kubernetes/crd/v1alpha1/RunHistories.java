package io.slotwise.kubernetes.crd.v1alpha1;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.slotwise.core.runtime.PastRun;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Converts between a namespace's run history and its object. */
public final class RunHistories {
    private RunHistories() {}

    /**
     * Reads an object.
     *
     * @throws IllegalArgumentException if Slotwise would never write it
     */
    public static RunHistory history(NamespaceRunHistory history) {
        RunHistorySpec spec = history.getSpec();
        String version = history.getMetadata().getResourceVersion();
        if (spec == null) {
            throw new IllegalArgumentException("expected a spec");
        }
        if (!NamespaceRunHistory.NAME.equals(history.getMetadata().getName())) {
            throw new IllegalArgumentException("expected the name " + NamespaceRunHistory.NAME);
        }
        TreeMap<String, RunHistory.Series> workloads = new TreeMap<>();
        for (RunHistorySpec.Series series : spec.workloads()) {
            if (!SafeText.isPlain(series.key(), Integer.MAX_VALUE)
                    || workloads.put(series.key(), series(series)) != null) {
                throw new IllegalArgumentException(
                        "the key (%s) is not valid: expected visible characters, each key once"
                                .formatted(SafeText.value(series.key())));
            }
        }
        return new RunHistory(history.getMetadata().getNamespace(), version == null ? "" : version, workloads);
    }

    private static RunHistory.Series series(RunHistorySpec.Series series) {
        List<PastRun> runs = new ArrayList<>();
        for (RunHistorySpec.Run run : series.runs()) {
            if (run.id() == null || run.endedAt() == null) {
                throw new IllegalArgumentException("a run of workload %s has no id or no end: expected both"
                        .formatted(SafeText.value(series.key())));
            }
            runs.add(new PastRun(
                    RecordTime.second(run.endedAt()),
                    run.id(),
                    run.seconds(),
                    run.planned() == null ? 0 : run.planned()));
        }
        return new RunHistory.Series(SafeText.line(series.name() == null ? "" : series.name()), runs);
    }

    /** Returns the object of a history, with the version that the history was read from, if any. */
    public static NamespaceRunHistory object(RunHistory history) {
        NamespaceRunHistory runHistory = new NamespaceRunHistory();
        ObjectMetaBuilder meta =
                new ObjectMetaBuilder().withName(NamespaceRunHistory.NAME).withNamespace(history.namespace());
        if (!history.version().isEmpty()) {
            meta.withResourceVersion(history.version());
        }
        runHistory.setMetadata(meta.build());
        List<RunHistorySpec.Series> workloads = new ArrayList<>();
        history.workloads()
                .forEach((key, series) -> workloads.add(new RunHistorySpec.Series(
                        key,
                        series.name(),
                        series.runs().stream()
                                .map(run -> new RunHistorySpec.Run(
                                        run.id(),
                                        Reservations.instant(run.endedAt()),
                                        run.seconds(),
                                        run.planned() == 0 ? null : run.planned()))
                                .toList())));
        runHistory.setSpec(new RunHistorySpec(workloads));
        return runHistory;
    }
}
