package io.slotwise.lab.workload.paper;

import java.util.random.RandomGenerator;

/**
 * The arrivals and sizes of jobs at the five clusters of DAS-2: gaps of a Weibull distribution, and sizes that prefer
 * powers of two, as in the model of Lublin and Feitelson.
 *
 * <p>O(1) for a job. Source: the parameters of GridSim 5.0 in its class {@code WorkloadDAS2} (B. Javadi) for the model
 * of H. Li, D. Groep, L. Wolters, "Workload Characteristics of a Multi-cluster Supercomputer" (2004), whose own tables
 * were not available. Its lognormal runtimes are left out.
 */
public final class Das2Model {
    private static final double SHAPE = 0.522;

    private static final double SERIAL = 0.024;
    private static final double POWER_OF_TWO = 0.78;
    private static final double LOW = 0.8;
    private static final double MIDDLE = 4.5;
    private static final double HIGH = 7;
    private static final double FIRST_STAGE = 0.90;

    private final double scale;
    private final RandomGenerator random;
    private double clock;

    /** Creates arrivals from second 0 on; {@code scale} is that of the gaps in seconds, 23.375 on a busy day. */
    public Das2Model(double scale, RandomGenerator random) {
        if (!(scale > 0)) {
            throw new IllegalArgumentException("The scale of the gaps (%s s) must be positive.".formatted(scale));
        }
        this.scale = scale;
        this.random = random;
    }

    /** Returns the second of the next arrival, not before the last one's. */
    public long arrival() {
        clock += weibull(scale, SHAPE, random);
        return (long) clock;
    }

    /** Returns the processors of a job, 1 to 128. */
    public int processors() {
        double kind = random.nextDouble();
        if (kind <= SERIAL) {
            return 1;
        }
        double logarithm =
                random.nextDouble() <= FIRST_STAGE ? random.nextDouble(LOW, MIDDLE) : random.nextDouble(MIDDLE, HIGH);
        double power = kind <= SERIAL + POWER_OF_TWO ? Math.rint(logarithm) : logarithm;
        return (int) Math.round(StrictMath.pow(2, power));
    }

    /** Returns a draw of the Weibull distribution with positive scale and shape. */
    public static double weibull(double scale, double shape, RandomGenerator random) {
        return scale * StrictMath.pow(-StrictMath.log1p(-random.nextDouble()), 1 / shape);
    }
}
