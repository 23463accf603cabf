package io.slotwise.core.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.backfill.WindowShift;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.search.WindowSearch;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** Proves that a check for room, which reserves nothing, answers as a reservation would. */
class WindowRoomTest {
    @Test
    void aCheckForRoomAgreesWithAReservation() {
        int fits = 0;
        int fitsNot = 0;
        for (int seed = 0; seed < 3000; seed++) {
            Situation situation = new Situation(seed);
            Window window = situation.window.orElse(null);
            if (window != null) {
                situation.others(situation.random.nextInt(4));
                int changes = (int) situation.timeline.changes();
                boolean told = window.fits(situation.timeline, situation.gang);
                boolean changed = situation.timeline.changes() > changes;

                window.occupy(situation.timeline, situation.gang);
                assertThat(told).as("seed %d", seed).isEqualTo(situation.holdsAll(window));
                assertThat(changed && situation.gang.isUniform())
                        .as("seed %d", seed)
                        .isFalse();
                fits += told ? 1 : 0;
                fitsNot += told ? 0 : 1;
            }
        }
        assertThat(fits).isGreaterThan(200);
        assertThat(fitsNot).isGreaterThan(50);
    }

    @Test
    void distinguishesWindowsThatCanMoveEarlierOnTheirNodes() {
        int moved = 0;
        int told = 0;
        for (int seed = 0; seed < 3000; seed++) {
            Situation situation = new Situation(seed);
            situation.others(2);
            Window window = situation.best().orElse(null);
            if (window != null) {
                situation.leave(1);
                SlotTerms terms = situation.terms;
                window.occupy(situation.timeline, situation.gang);
                WindowShift shift = new WindowShift(situation.timeline, SearchObserver.NONE);
                boolean may = shift.mayBeEarlier(situation.gang, window, terms);
                window.vacate(situation.timeline, situation.gang);
                Window earlier = shift.earlier(situation.gang, window, () -> situation.eligibility, terms);
                assertThat(may || earlier.equals(window)).as("seed %d", seed).isTrue();
                moved += earlier.equals(window) ? 0 : 1;
                told += may ? 0 : 1;
            }
        }
        assertThat(moved).isGreaterThan(20);
        assertThat(told).isGreaterThan(200);
    }

    /** A cluster with a gang and its window. */
    private static final class Situation {
        private final RandomGenerator random;
        private final RandomClusters clusters;
        private final Timeline timeline;
        private final Gang gang;
        private final List<Eligibility> eligibility;
        private final SlotTerms terms;
        private final Optional<Window> window;
        private final List<Runnable> taken = new ArrayList<>();

        Situation(int seed) {
            this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            this.clusters = new RandomClusters(random);
            this.timeline = new Timeline(clusters.cluster(5), RandomClusters.NOW, random.nextInt(3));
            this.gang = seed % 3 == 0 ? clusters.mixedGang("g", Criterion.START) : clusters.gang("g", Criterion.START);
            this.eligibility = eligible(gang);
            this.terms = SlotTerms.of(gang, RandomClusters.NOW, RandomClusters.NOW + RandomClusters.SPAN);
            this.window = best();
        }

        private List<Eligibility> eligible(Gang of) {
            return of.shapes().stream()
                    .map(shape -> new Eligibility(Eligibility.Kind.of(of, shape.request()), timeline, false))
                    .toList();
        }

        Optional<Window> best() {
            return new WindowSearch(gang, eligibility)
                    .best(Criterion.START, terms, gang.budget().limit());
        }

        /** Returns whether the nodes of a window hold everything on them during the window, whose room is reserved. */
        boolean holdsAll(Window of) {
            return of.placements().stream()
                    .allMatch(placement -> Objects.requireNonNull(timeline.node(placement.node()))
                            .holds(
                                    gang.requestOf(placement.pod()).resources(),
                                    new Interval(placement.start(), placement.end())));
        }

        /** Lets others take their best windows. */
        void others(int count) {
            for (int i = 0; i < count; i++) {
                Gang other = clusters.gang("other" + i, Criterion.START);
                SlotTerms within = SlotTerms.of(other, RandomClusters.NOW, RandomClusters.NOW + RandomClusters.SPAN);
                new WindowSearch(other, eligible(other))
                        .best(Criterion.START, within, other.budget().limit())
                        .ifPresent(takes -> {
                            takes.occupy(timeline, other);
                            taken.add(() -> takes.vacate(timeline, other));
                        });
            }
        }

        /** Lets the first of the others leave. */
        void leave(int count) {
            taken.stream().limit(count).forEach(Runnable::run);
        }
    }
}
