package io.slotwise.core.planner.preemption;

import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.money.Cost;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Random gangs that block each other in a few rooms, compared with all subsets of them. */
class MinimumLossSetTest {
    /** Rooms of which one must be cleared. All gangs of that room must go. */
    private record Case(List<DisplacementLoss> losses, List<BitSet> rooms, List<Integer> budgets, int most) {
        boolean suffices(BitSet set) {
            return rooms.stream().anyMatch(room -> {
                BitSet left = (BitSet) room.clone();
                left.andNot(set);
                return left.isEmpty();
            });
        }

        boolean allowed(BitSet set) {
            return set.stream().map(budgets::get).sum() <= most;
        }

        MinimumLossSet search() {
            return new MinimumLossSet(losses, this::allowed, this::suffices);
        }

        DisplacementLoss loss(BitSet set) {
            return set.stream().mapToObj(losses::get).reduce(DisplacementLoss.NONE, DisplacementLoss::plus);
        }
    }

    private static Case random(int seed, int gangs, int most) {
        RandomGenerator random = seeded(seed);
        List<DisplacementLoss> losses = new ArrayList<>();
        List<Integer> budgets = new ArrayList<>();
        for (int i = 0; i < gangs; i++) {
            boolean anew = random.nextInt(4) == 0;
            losses.add(new DisplacementLoss(
                    anew,
                    new Cost(anew ? random.nextLong(3) : 0),
                    random.nextLong(4),
                    random.nextInt(2),
                    1 + random.nextInt(3),
                    0));
            budgets.add(random.nextInt(3));
        }
        losses.sort(null);
        List<BitSet> rooms = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            BitSet room = new BitSet();
            IntStream.range(0, gangs).filter(_ -> random.nextInt(gangs) < 4).forEach(room::set);
            room.set(random.nextInt(gangs));
            rooms.add(room);
        }
        return new Case(losses, rooms, budgets, most);
    }

    private static Optional<BitSet> best(Case one) {
        int gangs = one.losses().size();
        BitSet best = null;
        for (long members = 0; members < 1L << gangs; members++) {
            BitSet set = BitSet.valueOf(new long[] {members});
            if (one.suffices(set) && one.allowed(set) && (best == null || isBetter(one, set, best))) {
                best = set;
            }
        }
        return Optional.ofNullable(best);
    }

    /** Returns whether the loss is less, or as large and the set has the first gang in which the two differ. */
    private static boolean isBetter(Case one, BitSet set, BitSet than) {
        int order = one.loss(set).compareTo(one.loss(than));
        BitSet differing = (BitSet) set.clone();
        differing.xor(than);
        return order < 0 || (order == 0 && set.get(differing.nextSetBit(0)));
    }

    @Test
    void theSetIsTheBestOfAllSubsets() {
        int found = 0;
        int none = 0;
        for (int seed = 0; seed < 800; seed++) {
            Case one = random(seed, 1 + seed % MinimumLossSet.EXACT, 3);

            MinimumLossSet search = one.search();
            Optional<BitSet> set = search.find();

            assertThat(search.bounded()).isFalse();
            assertThat(set).as("seed %d", seed).isEqualTo(best(one));
            found += set.isPresent() ? 1 : 0;
            none += set.isPresent() ? 0 : 1;
        }
        assertThat(found).isGreaterThan(300);
        assertThat(none).isGreaterThan(50);
    }

    @Test
    void aLargeSetHasNoGangThatCouldStayAndNoHigherMaximumThanNeeded() {
        int better = 0;
        for (int seed = 0; seed < 200; seed++) {
            Case one = random(seed, MinimumLossSet.EXACT + 1 + seed % 5, Integer.MAX_VALUE);

            MinimumLossSet search = one.search();
            BitSet set = search.find().orElseThrow();
            BitSet best = best(one).orElseThrow();

            assertThat(search.bounded()).isTrue();
            assertThat(one.suffices(set)).isTrue();
            assertThat(dearest(one, set)).as("seed %d", seed).isLessThanOrEqualTo(dearest(one, best));
            assertThat(set.stream().mapToObj(gang -> without(set, gang))).noneMatch(one::suffices);
            better += one.loss(best).compareTo(one.loss(set)) < 0 ? 1 : 0;
        }
        // 25 of these 200.
        assertThat(better).isLessThan(40);
    }

    @Test
    void hundredsOfGangsAreSparedInBlocks() {
        BitSet needed = new BitSet();
        IntStream.range(0, 15).map(i -> 20 * i + 7).forEach(needed::set);
        List<DisplacementLoss> losses = IntStream.range(0, 300)
                .mapToObj(i -> new DisplacementLoss(false, Cost.ZERO, i, 0, 1, 0))
                .toList();
        int[] questions = new int[1];
        Predicate<BitSet> suffices = set -> {
            questions[0]++;
            BitSet left = (BitSet) needed.clone();
            left.andNot(set);
            return left.isEmpty();
        };

        assertThat(new MinimumLossSet(losses, _ -> true, suffices).find()).contains(needed);
        assertThat(questions[0]).isLessThan(400);
    }

    private static DisplacementLoss dearest(Case one, BitSet set) {
        return one.losses().get(set.length() - 1);
    }

    private static BitSet without(BitSet set, int gang) {
        BitSet others = (BitSet) set.clone();
        others.clear(gang);
        return others;
    }
}
