package io.slotwise.lab.workload.lublin;

/** A class of jobs in the model of Lublin and Feitelson. */
record LublinClass(Sizes sizes, Runtimes runtimes, Arrivals arrivals) {
    /** The machine of the published parameters, nodes. */
    static final int PUBLISHED_MACHINE = 128;

    /** Jobs with a waiting user. */
    static final LublinClass INTERACTIVE = new LublinClass(
            new Sizes(0.1541, 0.625, new Stages(1, 3, 5.5, 0.705)),
            new Runtimes(new Gamma(3.8351, 0.6605), new Gamma(7.073, 0.6856), -0.0118, 0.9156),
            new Arrivals(new Gamma(6.5510 * 0.9797, 0.6621), new Gamma(8.9186, 3.6680)));

    /** Jobs in queues. */
    static final LublinClass BATCH = new LublinClass(
            new Sizes(0.2927, 0.6686, new Stages(1.2, 5, 7, 0.875)),
            new Runtimes(new Gamma(6.57, 0.823), new Gamma(639.1, 0.0156), -0.003, 0.6986),
            new Arrivals(new Gamma(6.0415 * 1.0519, 0.8531), new Gamma(6.1271, 5.2740)));

    /** All jobs, without a distinction of the two classes. */
    static final LublinClass WHOLE = new LublinClass(
            new Sizes(0.244, 0.576, new Stages(0.8, 4.5, 7, 0.86)),
            new Runtimes(new Gamma(4.2, 0.94), new Gamma(312, 0.03), -0.0054, 0.78),
            new Arrivals(new Gamma(10.2303 * 1.0225, 0.4871), new Gamma(8.1737, 3.9631)));

    /** The nodes of a job: one or a power of two with these probabilities, or any number by stages of its logarithm. */
    record Sizes(double serial, double powerOfTwo, Stages stages) {}

    /** A two-stage uniform distribution: in [low, middle] with probability {@code first}, else in [middle, high]. */
    record Stages(double low, double middle, double high, double first) {
        /** Returns the distribution with upper bounds moved by {@code shift}, in unchanged order. */
        Stages shifted(double shift) {
            double newMiddle = Math.max(low, middle + shift);
            return new Stages(low, newMiddle, Math.max(newMiddle, high + shift), first);
        }
    }

    /** The runtime: the logarithm of seconds, by the first gamma with probability {@code slope x nodes + intercept}. */
    record Runtimes(Gamma shorterGamma, Gamma longerGamma, double slope, double intercept) {
        double shorterProbability(int nodes) {
            return Math.clamp(slope * nodes + intercept, 0.0, 1.0);
        }
    }

    /** The arrivals: the logarithm of the gap in the rush hour, seconds, and the weight of each half hour. */
    record Arrivals(Gamma gapGamma, Gamma dayGamma) {}

    /** Returns the class for another machine, whose logarithm moves the sizes' upper bounds. */
    LublinClass on(int machine) {
        double shift = StrictMath.log((double) machine / PUBLISHED_MACHINE) / StrictMath.log(2);
        Sizes movedSizes = new Sizes(sizes.serial, sizes.powerOfTwo, sizes.stages.shifted(shift));
        return new LublinClass(movedSizes, runtimes, arrivals);
    }
}
