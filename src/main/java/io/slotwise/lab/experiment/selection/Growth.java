package io.slotwise.lab.experiment.selection;

import java.util.List;

/** How fast a quantity grows with another. */
public final class Growth {
    private Growth() {}

    /**
     * The exponent b of the power law y = a x^b, by least squares on the logarithms. Not a number for fewer than two
     * points or for a quantity that is not positive.
     */
    public static double exponent(List<Double> xs, List<Double> ys) {
        int n = xs.size();
        double meanX = xs.stream().mapToDouble(Math::log).average().orElse(Double.NaN);
        double meanY = ys.stream().mapToDouble(Math::log).average().orElse(Double.NaN);
        double along = 0;
        double square = 0;
        for (int i = 0; i < n; i++) {
            double dx = Math.log(xs.get(i)) - meanX;
            along += dx * (Math.log(ys.get(i)) - meanY);
            square += dx * dx;
        }
        return along / square;
    }
}
