package io.slotwise.it.load;

import io.slotwise.it.load.Trial.Measured;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A scheduler's figures divided by those of kube-scheduler, alone or with its own gangs, in the same run.
 *
 * @param bound pods per second, from the start of work to the last binding
 * @param written the same until everything is written
 * @param all the same from the beginning to the last binding
 * @param server the API server's processor time a pod
 */
record Ratio(double bound, double written, double all, double server) {

    static Ratio of(Measured slotwise, Measured other) {
        Outcome one = slotwise.outcome();
        Outcome two = other.outcome();
        return new Ratio(
                one.podsPerSecond() / two.podsPerSecond(),
                one.podsWrittenPerSecond() / two.podsWrittenPerSecond(),
                one.podsPerSecondOfAll() / two.podsPerSecondOfAll(),
                slotwise.cost().serverMillisPerPod(one.pods()) / other.cost().serverMillisPerPod(two.pods()));
    }

    /** The worst of each: the fewest pods, the most processor time. */
    static Ratio worst(List<Ratio> ratios) {
        return new Ratio(
                least(ratios, Ratio::bound),
                least(ratios, Ratio::written),
                least(ratios, Ratio::all),
                ratios.stream().mapToDouble(Ratio::server).max().orElse(Double.NaN));
    }

    private static double least(List<Ratio> ratios, ToDoubleFunction<Ratio> of) {
        return ratios.stream().mapToDouble(of).min().orElse(Double.NaN);
    }
}
