package io.slotwise.kubernetes.watch;

import io.slotwise.core.runtime.RunHistory;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceRunHistory;
import io.slotwise.kubernetes.crd.v1alpha1.RunHistories;
import java.util.SortedMap;

/**
 * The newest known past runs of namespaces. One that cannot be read says nothing, and is replaced when the next run of
 * its namespace ends: no reader waits for it.
 */
public final class RunHistoryIndex extends NamespaceIndex<NamespaceRunHistory, RunHistory> {
    public RunHistoryIndex() {
        super(
                "run history",
                "runtimes of this namespace are not predicted until another run ends there and replaces it",
                RunHistories::history);
    }

    /** All of them, by namespace. */
    public SortedMap<String, RunHistory> histories() {
        SortedMap<String, RunHistory> histories = readable();
        histories.putAll(unreadable(
                (namespace, version, _) -> RunHistory.empty(namespace).at(version)));
        return histories;
    }
}
