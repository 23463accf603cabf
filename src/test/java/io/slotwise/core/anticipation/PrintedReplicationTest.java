package io.slotwise.core.anticipation;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.anticipation.Distance.Form;
import io.slotwise.core.anticipation.PrintedReplication.Runs;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import io.slotwise.lab.workload.paper.PaperEnvironment;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The paper's listing, compared with Slotwise's replication, which considers more windows. */
class PrintedReplicationTest {
    private static final Distance DISTANCE =
            new Distance(Form.GEOMETRIC, Set.of(Criterion.COST, Criterion.PROCESSOR_TIME));

    @Test
    void findsANearWindowButNoneNearerThanTheReplication() {
        int farther = 0;
        for (int seed = 0; seed < 30; seed++) {
            PaperEnvironment paper = PaperEnvironment.of(40, PaperEnvironment.INTERVAL, seed);
            Gang job = PaperEnvironment.job(Criterion.COST);
            WindowSearch search = new WindowSearch(job, paper.eligibility(job));
            SlotTerms terms = paper.terms(job);
            Window reference =
                    search.best(Criterion.RUNTIME, terms, job.budget().limit()).orElseThrow();
            Follower follower = new Follower(job, search, terms, Reference.to(reference, job, 0));

            List<Window> printed = Stream.of(Runs.values())
                    .map(runs -> new PrintedReplication(DISTANCE, runs)
                            .closest(follower)
                            .orElseThrow())
                    .toList();
            Window ours = new Replication(DISTANCE).closest(follower).orElseThrow();

            for (Window window : printed) {
                assertThat(window.placements()).hasSize(job.size());
                assertThat(distance(window, follower)).as("seed %d", seed).isBetween(distance(ours, follower), 0.6);
                farther += distance(window, follower) > distance(ours, follower) ? 1 : 0;
            }
            assertThat(printed.getLast().cost())
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(job.budget().limit());
        }
        assertThat(farther).isPositive();
    }

    @Test
    void doesNotLookAtTheBudget() {
        PaperEnvironment paper = PaperEnvironment.of(40, PaperEnvironment.INTERVAL, 5);
        Gang rich = PaperEnvironment.job(Criterion.RUNTIME);
        Eligibility nodes = paper.eligibility(rich);
        WindowSearch search = new WindowSearch(rich, nodes);
        SlotTerms terms = paper.terms(rich);
        Window fast =
                search.best(Criterion.RUNTIME, terms, rich.budget().limit()).orElseThrow();
        Window cheap = search.best(Criterion.COST, terms, rich.budget().limit()).orElseThrow();
        Gang poor = rich.paying(new Budget(cheap.cost().roundedUp(), null));

        Window window = new PrintedReplication(DISTANCE, Runs.CHEAPER_FIRST)
                .closest(new Follower(poor, new WindowSearch(poor, nodes), terms, Reference.to(fast, poor, 0)))
                .orElseThrow();

        assertThat(window.cost()).isGreaterThan(poor.budget().limit());
    }

    private static double distance(Window window, Follower follower) {
        return DISTANCE.between(WindowFigures.of(window, follower.gang()), follower.reference());
    }
}
