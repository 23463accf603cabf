package io.slotwise.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Charge.Course;
import io.slotwise.core.money.Cost;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ChargeTest {
    private static final GangId GANG = new GangId("user", "g");
    private static final StepFunction FALLING = StepFunction.startingAt(10)
            .then(1100, 4)
            .then(1150, 1)
            .then(5000, 99)
            .build();

    @Test
    void aGangThatRunsAsPlannedIsChargedItsPromise() {
        Window window = window(flat("a", 1000, 60, 7), flat("b", 1000, 120, 3));

        Charge charge = Charge.of(window, PromiseTariff.CONSTANT, ran(1000, Map.of("a", 1060L, "b", 1120L)));

        assertThat(charge).isEqualTo(new Charge(window.cost(), Cost.ZERO, 60 + 120));
    }

    @Test
    void aLateStartDoesNotCostMore() {
        Placement placement = new Placement("a", "n-a", 1000, 1200, new Cost(FALLING.sum(1000, 1200)));
        PromiseTariff tariff = PromiseTariff.of(window(placement), any -> FALLING);

        Charge charge = Charge.of(window(placement), tariff, ran(1007, Map.of("a", 1207L)));

        assertThat(charge).isEqualTo(new Charge(placement.cost(), Cost.ZERO, 200));
    }

    @Test
    void anEarlyEndIsChargedByTheSecond() {
        Window window = window(flat("a", 1000, 60, 7), flat("b", 1000, 120, 3));

        Charge charge = Charge.of(window, PromiseTariff.CONSTANT, ran(1000, Map.of("a", 1013L, "b", 1000L)));

        assertThat(charge).isEqualTo(new Charge(new Cost(13 * 7), Cost.ZERO, 13));
    }

    @Test
    void overrunIsChargedApartPodByPod() {
        Window window = window(flat("a", 1000, 60, 7), flat("b", 1000, 120, 3));

        Charge charge = Charge.of(window, PromiseTariff.CONSTANT, ran(1000, Map.of("a", 1070L, "b", 1020L)));

        assertThat(charge).isEqualTo(new Charge(new Cost(60 * 7 + 20 * 3), new Cost(10 * 7), 70 + 20));
        assertThat(charge.total()).isEqualTo(new Cost(70 * 7 + 20 * 3));
    }

    /** The seconds beyond a pod's planned time are added to their days one by one. */
    @Test
    void eachDayPaysTheSecondsBeyondThePromiseThatRunInIt() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 100; i++) {
            long start = 5 * 86_400 - random.nextLong(50);
            Placement a = new Placement("a", "n-a", start, start + 20, new Cost(20 * random.nextLong(1, 9)));
            Placement b = new Placement("b", "n-b", start, start + 30, new Cost(30 * random.nextLong(1, 9)));
            boolean lockstep = random.nextBoolean();
            long endOfA = start + random.nextLong(200_000);
            long endOfB = start + random.nextLong(200_000);
            long end = Math.max(endOfA, endOfB);
            Map<Long, Long> paid = new TreeMap<>();
            for (long t = start; t < end; t++) {
                long rate = t >= start + 20 && (lockstep || t < endOfA) ? rate(a) : 0;
                rate += t >= start + 30 && (lockstep || t < endOfB) ? rate(b) : 0;
                if (rate > 0) {
                    paid.merge(t / 86_400, rate, Long::sum);
                }
            }
            Overrun overrun = new Overrun(
                    window(a, b),
                    PromiseTariff.CONSTANT,
                    new Course(start, Map.of("a", endOfA, "b", endOfB), end, lockstep));
            Map<Long, Long> charged = new TreeMap<>();
            long until = random.nextLong(4, 9);

            LedgerEntry.Beyond beyond = LedgerEntry.Beyond.NOTHING.going(
                    overrun,
                    until,
                    (day, charge) -> charged.put(day, charge.total().microSecondsPerHour()));
            beyond.held().forEach((day, charge) -> assertThat(day).isGreaterThanOrEqualTo(until));
            beyond.going(
                    overrun,
                    100,
                    (day, charge) -> assertThat(charged.put(day, charge.total().microSecondsPerHour()))
                            .isNull());

            assertThat(charged).isEqualTo(paid);
        }
    }

    private static long rate(Placement placement) {
        return placement.cost().microSecondsPerHour() / (placement.end() - placement.start());
    }

    @Test
    void varyingPricesAreThoseOfThePromisedSecondsAndTheLastContinues() {
        Placement placement = new Placement("a", "n-a", 1000, 1200, new Cost(FALLING.sum(1000, 1200)));
        PromiseTariff tariff = PromiseTariff.of(window(placement), any -> FALLING);

        assertThat(tariff.rates().get(new PromiseTariff.Place("n-a", placement.cost())))
                .isEqualTo(
                        StepFunction.startingAt(10).then(1100, 4).then(1150, 1).build());
        assertThat(tariff.cost(placement, 0)).isEqualTo(Cost.ZERO);
        assertThat(tariff.cost(placement, 120)).isEqualTo(new Cost(1000 + 80));
        assertThat(tariff.cost(placement, 200)).isEqualTo(placement.cost());
        assertThat(tariff.cost(placement, 5000))
                .isEqualTo(new Cost(placement.cost().microSecondsPerHour() + 4800));
    }

    @Test
    void podsOfOneNodeThatAskForDifferentThingsHaveTheirOwnRates() {
        StepFunction twice = FALLING.map(rate -> 2 * rate);
        Placement small = new Placement("a", "n", 1000, 1200, new Cost(FALLING.sum(1000, 1200)));
        Placement large = new Placement("b", "n", 1000, 1200, new Cost(twice.sum(1000, 1200)));

        PromiseTariff tariff = PromiseTariff.of(
                window(small, large), placement -> placement.pod().equals("a") ? FALLING : twice);

        assertThat(tariff.cost(small, 120)).isEqualTo(new Cost(1080));
        assertThat(tariff.cost(large, 120)).isEqualTo(new Cost(2160));
    }

    @Test
    void aPriceThatIsTheSameAllThroughTheWindowNeedsNoTariff() {
        Placement placement = new Placement("a", "n-a", 2000, 2200, new Cost(200));

        assertThat(PromiseTariff.of(window(placement), any -> FALLING)).isEqualTo(PromiseTariff.CONSTANT);
    }

    @Test
    void aLockstepGangIsChargedUntilItsLastPodEnds() {
        Window window = window(flat("a", 1000, 120, 7), flat("b", 1000, 120, 3));

        Charge charge =
                Charge.of(window, PromiseTariff.CONSTANT, new Course(1000, Map.of("a", 1010L, "b", 1100L), 1100, true));

        assertThat(charge).isEqualTo(new Charge(new Cost(100 * 10), Cost.ZERO, 2 * 100));
    }

    @Test
    void aPodWithoutARecordedEndRanUntilTheGangsEnd() {
        Window window = window(flat("a", 1000, 60, 7), flat("b", 1000, 120, 3));

        Charge charge = Charge.of(window, PromiseTariff.CONSTANT, new Course(1000, Map.of("a", 1010L), 1050, false));

        assertThat(charge).isEqualTo(new Charge(new Cost(10 * 7 + 50 * 3), Cost.ZERO, 10 + 50));
    }

    @Test
    void secondBySecondSumsAreTheSame() {
        SplittableRandom random = new SplittableRandom(11);
        for (int i = 0; i < 500; i++) {
            StepFunction.Builder builder = StepFunction.startingAt(random.nextLong(1000));
            for (long at = random.nextLong(50); at < 400; at += 1 + random.nextLong(90)) {
                builder.then(at, random.nextLong(1000));
            }
            StepFunction rate = builder.build();
            long start = random.nextLong(200);
            long end = start + 1 + random.nextLong(200);
            Placement placement = new Placement("a", "n-a", start, end, new Cost(rate.sum(start, end)));
            PromiseTariff tariff = PromiseTariff.of(window(placement), any -> rate);
            long seconds = random.nextLong(300);
            long expected = 0;
            for (long second = 0; second < seconds; second++) {
                expected += rate.at(Math.min(start + second, end - 1));
            }

            assertThat(tariff.cost(placement, seconds)).isEqualTo(new Cost(expected));
        }
    }

    /**
     * Each second costs the price of the pod's size. Within the promise at most the promised amount is charged, and the
     * rest is overrun. Each day pays its part, regardless of the number of resizes.
     */
    @Test
    void aResizedPodPaysForItsSizeInEachSecond() {
        SplittableRandom random = new SplittableRandom(17);
        long start = 86_400 - 15;
        for (int i = 0; i < 300; i++) {
            StepFunction rate = StepFunction.startingAt(4 * random.nextLong(20))
                    .then(start + 10, 4 * random.nextLong(20))
                    .build();
            Window window = window(
                    new Placement("a", "n", start, start + 20, new Cost(rate.sum(start, start + 20))),
                    new Placement("b", "m", start, start + 30, new Cost(rate.sum(start, start + 30))));
            PromiseTariff tariff = PromiseTariff.of(window, any -> rate);
            int ran = random.nextInt(60);
            PodSizes sizes = PodSizes.NONE;
            long quarters = 4;
            long charged = 30 < ran ? rate.sum(start, start + 30) : rate.sum(start, start + ran);
            long last = rate.at(start + 29);
            long[] overruns = new long[2];
            for (int second = 0; second < ran; second++) {
                if (random.nextInt(8) == 0) {
                    quarters = random.nextLong(0, 20);
                    Course soFar = new Course(start, Map.of(), start + second, false, sizes);
                    sizes = PodSizes.after(window, tariff, soFar, new TreeMap<>(Map.of("a", quarters * 250_000)));
                }
                long promised = rate.at(Math.min(start + second, start + 19));
                long inside = second < 20 ? promised * Math.min(quarters, 4) / 4 : 0;
                charged += inside;
                overruns[second < 15 ? 0 : 1] += promised * quarters / 4 - inside + (second < 30 ? 0 : last);
            }
            Course course = new Course(start, Map.of(), start + ran, false, sizes);
            Overrun overrun = new Overrun(window, tariff, course);

            assertThat(Charge.of(window, tariff, course))
                    .isEqualTo(new Charge(new Cost(charged), new Cost(overruns[0] + overruns[1]), 2L * ran));
            assertThat(overrun.between(0, 86_400).overrunCost()).isEqualTo(new Cost(overruns[0]));
            assertThat(overrun.between(86_400, 2 * 86_400).overrunCost()).isEqualTo(new Cost(overruns[1]));
        }
    }

    private static Course ran(long startedAt, Map<String, Long> ends) {
        return new Course(startedAt, ends, startedAt + 100_000, false);
    }

    private static Placement flat(String pod, long start, long seconds, long rate) {
        return new Placement(pod, "n-" + pod, start, start + seconds, new Cost(rate * seconds));
    }

    private static Window window(Placement... places) {
        return Window.of(GANG, places[0].start(), List.of(places));
    }
}
