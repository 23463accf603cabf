package io.slotwise.lab.workload.lublin;

/**
 * A gamma distribution. Draws use random numbers in a fixed order: a logarithm for each whole unit of the shape, then
 * pairs until one is accepted (Jöhnk), then one more. Transcendental functions are those of {@link StrictMath}, the
 * same on every machine.
 */
record Gamma(double shape, double scale) {
    private static final int STEPS = 128;

    /** Returns a draw. O(shape) random numbers on average. */
    double draw(Drand48 drand48) {
        int units = (int) Math.floor(shape);
        double drawn = 0;
        if (units >= 1) {
            double sum = 0;
            for (int i = 0; i < units; i++) {
                sum += StrictMath.log(drand48.next());
            }
            drawn = -scale * sum;
        }
        double rest = shape - units;
        return rest > 0 ? drawn + scale * beta(rest, drand48) * -StrictMath.log(drand48.next()) : drawn;
    }

    /** Returns a draw of the beta distribution with the parameters {@code rest} and {@code 1 - rest}. */
    private static double beta(double rest, Drand48 drand48) {
        while (true) {
            double x = StrictMath.pow(drand48.next(), 1 / rest);
            double y = StrictMath.pow(drand48.next(), 1 / (1 - rest));
            if (x + y <= 1) {
                return x / (x + y);
            }
        }
    }

    /**
     * Returns the probability of a draw between {@code from} and {@code to}, both positive, up to a factor that is the
     * same for all intervals. Integrates the density by Simpson's rule.
     */
    double weight(double from, double to) {
        double width = (to - from) / STEPS;
        double sum = density(from) + density(to);
        for (int i = 1; i < STEPS; i++) {
            sum += (i % 2 == 0 ? 2 : 4) * density(from + i * width);
        }
        return sum * width / 3;
    }

    private double density(double x) {
        return StrictMath.exp((shape - 1) * StrictMath.log(x / scale) - x / scale);
    }
}
