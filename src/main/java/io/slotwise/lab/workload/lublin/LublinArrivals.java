package io.slotwise.lab.workload.lublin;

/**
 * When the jobs of a class arrive. A half hour of the day has points in proportion to how busy it is; a gap drawn for
 * the rush hour costs points and ends where they are spent, so that it is longer at night.
 */
final class LublinArrivals {
    private static final int BUCKETS = 48;
    private static final int SECONDS = 1800;
    /** The first half hour of the model's day, counted from midnight. */
    private static final int FIRST = 11;
    /** Longer gaps are drawn again: e^13 seconds. */
    private static final double LONGEST = 13;

    private final Gamma gap;
    private final double load;
    private final double[] points;

    private int bucket;
    private double owed;
    private double spent;
    private long clock;

    /**
     * A clock at second 0, midnight.
     *
     * @param load how many times as often jobs arrive
     */
    LublinArrivals(LublinClass.Arrivals arrivals, double load) {
        this.gap = arrivals.gap();
        this.load = load;
        this.points = points(arrivals.day());
    }

    /** The points of each half hour, on average 1. */
    private static double[] points(Gamma day) {
        double[] points = new double[BUCKETS];
        double sum = 0;
        for (int i = FIRST; i < FIRST + BUCKETS; i++) {
            double weight = day.weight(i - 0.5, i + 0.5);
            points[(i - 1) % BUCKETS] = weight;
            sum += weight;
        }
        for (int i = 0; i < BUCKETS; i++) {
            points[i] /= sum / BUCKETS;
        }
        return points;
    }

    /** Goes on to the next arrival. */
    void advance(Drand48 random) {
        double logarithm = gap.draw(random);
        while (logarithm > LONGEST) {
            logarithm = gap.draw(random);
        }
        owed += StrictMath.exp(logarithm) / SECONDS / load;
        double passed = 0;
        while (owed > points[bucket]) {
            owed -= points[bucket];
            bucket = (bucket + 1) % BUCKETS;
            passed += SECONDS;
        }
        double part = owed / points[bucket];
        passed += SECONDS * (part - spent);
        spent = part;
        clock = (long) Math.floor(clock + passed);
    }

    /** The second of the arrival. */
    long clock() {
        return clock;
    }
}
