package io.slotwise.core.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SpeculativeQueueTest {
    private static final Workers STREAM = new Workers() {
        @Override
        public <T, R> List<R> each(List<T> parts, Function<T, R> work) {
            return parts.parallelStream().map(work).toList();
        }
    };

    /** A desk where each member wants the first free number of its own list. */
    private static final class Numbers implements SpeculativeQueue.Desk<List<Integer>, Optional<Integer>> {
        private final Set<Integer> taken = new HashSet<>();
        private final List<Optional<Integer>> given = new ArrayList<>();
        private int most = Integer.MAX_VALUE;

        @Override
        public Optional<Integer> propose(List<Integer> wishes) {
            return wishes.stream().filter(wish -> !taken.contains(wish)).findFirst();
        }

        @Override
        public boolean holds(List<Integer> wishes, Optional<Integer> number) {
            return number.isEmpty() || !taken.contains(number.get());
        }

        @Override
        public void accept(List<Integer> wishes, Optional<Integer> number) {
            number.ifPresent(taken::add);
            given.add(number);
        }

        @Override
        public boolean goesOn() {
            return given.size() < most;
        }
    }

    private static List<List<Integer>> queue(RandomGenerator random) {
        int numbers = 1 + random.nextInt(40);
        return IntStream.range(0, random.nextInt(50))
                .mapToObj(
                        i -> random.ints(random.nextInt(6), 0, numbers).boxed().toList())
                .toList();
    }

    @Test
    void theAnswersAreThoseOfAskingOneAfterTheOther() {
        for (int seed = 0; seed < 500; seed++) {
            List<List<Integer>> queue =
                    queue(RandomGeneratorFactory.of("L64X128MixRandom").create(seed));
            Numbers inTurn = new Numbers();
            queue.forEach(wishes -> inTurn.accept(wishes, inTurn.propose(wishes)));

            Numbers caller = new Numbers();
            new SpeculativeQueue<>(Workers.CALLER, caller).serve(queue);
            Numbers several = new Numbers();
            new SpeculativeQueue<>(STREAM, several).serve(queue);

            assertThat(caller.given).as("seed %d", seed).isEqualTo(inTurn.given);
            assertThat(several.given).as("seed %d", seed).isEqualTo(inTurn.given);
        }
    }

    @Test
    void repeatedProposalsRunInParallelWhileAnyIsMissing() {
        List<Integer> together = new ArrayList<>();
        Workers counting = new Workers() {
            @Override
            public <T, R> List<R> each(List<T> parts, Function<T, R> work) {
                together.add(parts.size());
                return Workers.CALLER.each(parts, work);
            }
        };
        List<List<Integer>> queue = IntStream.range(0, 500)
                .mapToObj(i -> i % 8 == 7 ? List.of(i - 1, 1000 + i) : List.of(i))
                .toList();

        new SpeculativeQueue<>(counting, new Numbers()).serve(queue);

        long alone = together.stream().filter(size -> size == 1).count();
        assertThat(together).hasSizeGreaterThan(10);
        assertThat(alone).isLessThanOrEqualTo(2);
    }

    @Test
    void endsWhenTheDeskDoes() {
        Numbers numbers = new Numbers();
        numbers.most = 3;
        List<List<Integer>> queue = IntStream.range(0, 100).mapToObj(List::of).toList();

        new SpeculativeQueue<>(Workers.CALLER, numbers).serve(queue);

        assertThat(numbers.given).hasSizeBetween(3, 6);
    }
}
