package io.slotwise.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.runtime.PastRun;
import io.slotwise.core.runtime.RecurringWorkload;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.runtime.RunHistory.WorkloadRun;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceRunHistory;
import io.slotwise.kubernetes.crd.v1alpha1.RunHistories;
import io.slotwise.kubernetes.crd.v1alpha1.RunHistorySpec;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RunHistoryIndexTest {
    private static final RunHistory KNOWN = RunHistory.empty("team")
            .with(List.of(new WorkloadRun(new RecurringWorkload("1-a", "Job/a"), new PastRun(5, "r", 60))), 20)
            .at("8");

    private final NamespaceIndex<NamespaceRunHistory, RunHistory> index = NamespaceIndex.ofRuns();

    @Test
    void anOlderVersionIsIgnoredAndADeletionForgets() {
        index.accept(RunHistories.object(KNOWN));
        index.accept(RunHistories.object(RunHistory.empty("team").at("7")));

        assertThat(index.values()).containsEntry("team", KNOWN);

        index.remove(RunHistories.object(KNOWN.at("9")));
        assertThat(index.values()).isEmpty();
    }

    @Test
    void anUnreadableHistoryIsEmptyAndMayBeReplaced() {
        NamespaceRunHistory broken = RunHistories.object(KNOWN);
        broken.setSpec(new RunHistorySpec(List.of(
                new RunHistorySpec.Series("1-a", "x", List.of(new RunHistorySpec.Run("a", "never", 1, null))))));

        index.accept(broken);

        assertThat(index.values())
                .containsEntry("team", RunHistory.empty("team").at("8"));
    }

    @Test
    void historiesMissingInAListAreGone() {
        index.accept(RunHistories.object(KNOWN));
        index.accept(RunHistories.object(KNOWN.at("12")));

        index.listed(Set.of(), "10");
        assertThat(index.values()).as("it is newer than the list").hasSize(1);

        index.listed(Set.of("team/slotwise"), "20");
        assertThat(index.values()).hasSize(1);

        index.listed(Set.of(), "20");
        assertThat(index.values()).isEmpty();
    }

    @Test
    void anObjectOfAnotherNameIsNoHistory() {
        NamespaceRunHistory other = RunHistories.object(KNOWN);
        other.getMetadata().setName("other");

        index.accept(other);

        assertThat(index.values()).isEmpty();
    }
}
