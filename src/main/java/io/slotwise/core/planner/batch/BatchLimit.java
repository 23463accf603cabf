package io.slotwise.core.planner.batch;

import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.window.Window;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;

/**
 * The policy's limit on the batch, and how much of it is used.
 *
 * <p>A figure on cost or processor time holds for all windows of the plan, including promises and backfilled windows.
 * Sub-batches get it in turn. Each may use the share of the gangs up to it minus the use so far, or more if the
 * sub-batch could not be planned otherwise and the figure has enough left. Unused limit is passed on. A figure on the
 * average utility allows each gang the same amount, and unused amounts are passed on too. The limit {@code auto} is the
 * average level of the alternatives of a sub-batch, and holds for that sub-batch alone.
 */
public final class BatchLimit {
    private final Limit limit;
    private final int gangs;
    private int seen;
    private int planned;
    private BigInteger used = BigInteger.ZERO;

    /** An unused limit; {@code gangs} counts the gangs of all sub-batches. */
    public BatchLimit(Limit limit, int gangs) {
        this.limit = limit;
        this.gangs = gangs;
    }

    Measure measure() {
        return limit.measure();
    }

    boolean isLimited() {
        return limit.measure() != Measure.NOTHING;
    }

    /** Returns whether a figure also limits windows that have no alternatives to compare with. */
    public boolean holdsForAll() {
        return limit.figure().isPresent() && (measure() == Measure.COST || measure() == Measure.PROCESSOR_TIME);
    }

    BigInteger each(BatchCandidate candidate) {
        if (limit.figure().isEmpty()) {
            return BigInteger.valueOf(candidate.average());
        }
        return measure() == Measure.AVERAGE_UTILITY
                ? BigInteger.valueOf(limit.figure().getAsLong())
                : BigInteger.ZERO;
    }

    /** Returns the most that a sub-batch may weigh besides the {@code reserved} weight of later promises. */
    BigInteger most(List<BatchCandidate> batch, BigInteger reserved) {
        BigInteger own = batch.stream().map(this::each).reduce(BigInteger.ZERO, BigInteger::add);
        if (limit.figure().isEmpty()) {
            return own;
        }
        BigInteger whole = measure() == Measure.AVERAGE_UTILITY
                ? own.add(BigInteger.valueOf(limit.figure().getAsLong()).multiply(BigInteger.valueOf(planned)))
                : BigInteger.valueOf(limit.figure().getAsLong()).subtract(reserved);
        return whole.subtract(used);
    }

    /** Returns the share of a sub-batch of {@code of} gangs, including those left out, in {@link #most}. */
    BigInteger share(int of, BigInteger most) {
        if (!holdsForAll() || gangs == 0) {
            return most;
        }
        return BigInteger.valueOf(limit.figure().getAsLong())
                .multiply(BigInteger.valueOf((long) seen + of))
                .divide(BigInteger.valueOf(gangs))
                .subtract(used)
                .min(most);
    }

    /** Notes that {@code withWindow} gangs of a sub-batch of {@code of} were planned, with this weight. */
    void use(int of, int withWindow, BigInteger weight) {
        seen += of;
        planned += withWindow;
        used = used.add(weight);
    }

    /** Returns what a window counts towards a figure that holds for the whole plan. */
    public BigInteger weight(Window window) {
        return BigInteger.valueOf(BatchCandidate.weight(measure(), window));
    }

    public boolean admits(BigInteger given, Window window) {
        return given.add(weight(window))
                        .compareTo(BigInteger.valueOf(limit.figure().orElse(Long.MAX_VALUE)))
                <= 0;
    }

    Refusal refusal(BigInteger given, Window window) {
        BigInteger needed = given.add(weight(window));
        return new Refusal.BatchLimit(
                name(),
                words(needed, 1),
                words(BigInteger.valueOf(limit.figure().orElse(0)), 1),
                words(needed, 1));
    }

    String name() {
        return switch (measure()) {
            case COST, NOTHING -> "cost";
            case PROCESSOR_TIME -> "processor time";
            case AVERAGE_UTILITY -> "average loss of utility";
        };
    }

    /** Formats a weight of {@code of} gangs in the unit that admins write. */
    String words(BigInteger weight, int of) {
        return switch (measure()) {
            case COST, NOTHING ->
                new Cost(weight.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact())
                        .roundedUp()
                        .brief();
            case PROCESSOR_TIME -> weight + " s";
            case AVERAGE_UTILITY -> percent(weight, of);
        };
    }

    /** Formats the mean of millionths summed over gangs in percent, rounded up to the fourth decimal. */
    static String percent(BigInteger millionths, int of) {
        return new BigDecimal(millionths)
                        .divide(BigDecimal.valueOf(10_000L * Math.max(1, of)), 4, RoundingMode.CEILING)
                        .stripTrailingZeros()
                        .toPlainString()
                + " %";
    }
}
