package io.slotwise.lab.workload.lublin;

import io.slotwise.lab.workload.lublin.LublinClass.Sizes;
import io.slotwise.lab.workload.lublin.LublinClass.Stages;

/**
 * The model of rigid jobs on parallel machines: sizes that prefer one node and powers of two, run times that grow with
 * the size, arrivals in a daily cycle.
 *
 * <p>On the machine of {@value LublinClass#PUBLISHED_MACHINE} nodes with load 1 it gives, number by number, what the
 * authors' program gives for a seed: it draws from {@link Drand48} in that program's order. Times are seconds; second 0
 * is midnight. A job takes O(1) random numbers on average.
 *
 * <p>Source: U. Lublin, D. G. Feitelson, "The workload on parallel supercomputers: modeling the characteristics of
 * rigid jobs" (2003). Beyond the paper: on another machine the sizes' upper bounds move with its logarithm, and no job
 * is wider than the machine.
 */
final class LublinModel {
    /** Longer run times are drawn again: e^12 seconds. */
    private static final double LONGEST = 12;

    private final int machine;
    private final boolean typed;
    private final LublinClass interactive;
    private final LublinClass batch;
    private final LublinArrivals interactiveArrivals;
    private final LublinArrivals batchArrivals;
    private final Drand48 random;

    /** The jobs of a seed, from the first one. */
    LublinModel(LublinParameters parameters) {
        this.machine = parameters.machine();
        this.typed = parameters.typed();
        this.interactive = (typed ? LublinClass.INTERACTIVE : LublinClass.WHOLE).on(machine);
        this.batch = (typed ? LublinClass.BATCH : LublinClass.WHOLE).on(machine);
        this.interactiveArrivals = new LublinArrivals(interactive.arrivals(), parameters.load());
        this.batchArrivals = new LublinArrivals(batch.arrivals(), parameters.load());
        this.random = new Drand48(parameters.seed());
        // Without classes the program draws a first arrival for the one that it then does not use.
        batchArrivals.advance(random);
        interactiveArrivals.advance(random);
    }

    /**
     * A job of the model.
     *
     * @param arrival the second of its submission
     * @param nodes how many it takes
     * @param runtime seconds, may be 0
     * @param batch whether it is of the class that waits in queues
     */
    record Drawn(long arrival, int nodes, long runtime, boolean batch) {}

    /** The next job. */
    Drawn next() {
        boolean isBatch = typed && batchArrivals.clock() < interactiveArrivals.clock();
        LublinArrivals arrivals = isBatch ? batchArrivals : interactiveArrivals;
        LublinClass of = isBatch ? batch : interactive;
        long arrival = arrivals.clock();
        arrivals.advance(random);
        int nodes = nodes(of.sizes());
        return new Drawn(arrival, nodes, runtime(of.runtimes(), nodes), isBatch);
    }

    private int nodes(Sizes sizes) {
        double kind = random.next();
        if (kind <= sizes.serial()) {
            return 1;
        }
        Stages stages = sizes.logarithm();
        boolean first = random.next() <= stages.first();
        double low = first ? stages.low() : stages.middle();
        double high = first ? stages.middle() : stages.high();
        double logarithm = low + random.next() * (high - low);
        if (kind <= sizes.serial() + sizes.powerOfTwo()) {
            logarithm = Math.floor(logarithm + 0.5);
        }
        return Math.min(machine, (int) Math.floor(StrictMath.pow(2, logarithm) + 0.5));
    }

    private long runtime(LublinClass.Runtimes runtimes, int nodes) {
        double shorter = runtimes.shorterProbability(nodes);
        double logarithm;
        do {
            boolean isShorter = random.next() <= shorter;
            logarithm = (isShorter ? runtimes.shorter() : runtimes.longer()).draw(random);
        } while (logarithm > LONGEST);
        return (long) Math.floor(StrictMath.exp(logarithm));
    }
}
