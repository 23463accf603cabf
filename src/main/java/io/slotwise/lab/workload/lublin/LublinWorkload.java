package io.slotwise.lab.workload.lublin;

import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.JobTerms;
import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.Processor;
import io.slotwise.lab.workload.UserName;
import io.slotwise.lab.workload.Workload;
import io.slotwise.lab.workload.estimate.TsafrirEstimates;
import io.slotwise.lab.workload.log.TextSource;
import io.slotwise.lab.workload.lublin.LublinClass.Sizes;
import io.slotwise.lab.workload.lublin.LublinClass.Stages;
import io.slotwise.random.SeededRandom;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Jobs drawn by the model of Lublin and Feitelson, numbered from 1. A runtime below a second counts as one. The model
 * has no estimates and users, so estimates are the runtimes and the user is unknown.
 */
public record LublinWorkload(String name, LublinParameters parameters) implements Workload {
    public static Workload read(TextSource source, LogOptions options) {
        return of(source.name(), LublinSettings.read(source, options.processors()));
    }

    /** Returns the jobs of parameters such as {@code lublin:machine=256,jobs=5000}. */
    public static Workload of(String text, LogOptions options) {
        return of(text, LublinSettings.of(text, options.processors()));
    }

    private static Workload of(String name, LublinSettings settings) {
        LublinWorkload workload = new LublinWorkload(name, settings.parameters());
        if (settings.longestEstimate() == 0) {
            return workload;
        }
        return TsafrirEstimates.of(
                workload,
                settings.longestEstimate(),
                SeededRandom.L64X128.seeded(settings.parameters().seed()));
    }

    @Override
    public OptionalInt processors() {
        return OptionalInt.of(parameters.machine());
    }

    @Override
    public Stream<Job> jobs() {
        LublinModel model = new LublinModel(parameters);
        return LongStream.rangeClosed(1, parameters.jobs()).mapToObj(number -> job(number, model.next()));
    }

    private static Job job(long number, LublinModel.Drawn drawn) {
        long runtime = Math.max(1, drawn.runtime());
        return new Job(
                String.valueOf(number),
                drawn.arrival(),
                List.of(new Job.Part(drawn.nodes(), Processor.request(runtime))),
                runtime,
                UserName.UNKNOWN,
                JobTerms.NONE);
    }

    /**
     * The model of rigid jobs on parallel machines: sizes prefer one node and powers of two, runtimes grow with the
     * size, and arrivals have a daily cycle.
     *
     * <p>On the machine of {@value LublinClass#PUBLISHED_MACHINE} nodes with load 1 it reproduces the numbers of the
     * authors' program for a seed: it draws from {@link Drand48} in that program's order. Times are seconds; second 0
     * is midnight. A job takes O(1) random numbers on average.
     *
     * <p>Source: U. Lublin, D. G. Feitelson, "The workload on parallel supercomputers: modeling the characteristics of
     * rigid jobs" (2003). Beyond the paper, the logarithm of another machine moves the sizes' upper bounds, and no job
     * is wider than the machine.
     */
    static final class LublinModel {
        /** The limit of runtimes, e^12 seconds; longer ones are drawn again. */
        private static final double LONGEST = 12;

        private final int machine;
        private final boolean typed;
        private final LublinClass interactiveClass;
        private final LublinClass batchClass;
        private final LublinArrivals interactiveArrivals;
        private final LublinArrivals batchArrivals;
        private final Drand48 drand48;

        LublinModel(LublinParameters parameters) {
            this.machine = parameters.machine();
            this.typed = parameters.typed();
            this.interactiveClass = (typed ? LublinClass.INTERACTIVE : LublinClass.WHOLE).on(machine);
            this.batchClass = (typed ? LublinClass.BATCH : LublinClass.WHOLE).on(machine);
            this.interactiveArrivals = new LublinArrivals(interactiveClass.arrivals(), parameters.load());
            this.batchArrivals = new LublinArrivals(batchClass.arrivals(), parameters.load());
            this.drand48 = new Drand48(parameters.seed());
            // Without classes the authors' program draws a first arrival for the unused class.
            batchArrivals.advance(drand48);
            interactiveArrivals.advance(drand48);
        }

        /** A job: the second of its submission, its runtime in seconds (possibly 0), and its class. */
        record Drawn(long arrival, int nodes, long runtime, boolean batch) {}

        Drawn next() {
            boolean isBatch = typed && batchArrivals.clock() < interactiveArrivals.clock();
            LublinArrivals arrivals = isBatch ? batchArrivals : interactiveArrivals;
            LublinClass lublinClass = isBatch ? batchClass : interactiveClass;
            long arrival = arrivals.clock();
            arrivals.advance(drand48);
            int nodes = nodes(lublinClass.sizes());
            return new Drawn(arrival, nodes, runtime(lublinClass.runtimes(), nodes), isBatch);
        }

        private int nodes(Sizes sizes) {
            double kind = drand48.next();
            if (kind <= sizes.serial()) {
                return 1;
            }
            Stages stages = sizes.stages();
            boolean first = drand48.next() <= stages.first();
            double low = first ? stages.low() : stages.middle();
            double high = first ? stages.middle() : stages.high();
            double logarithm = low + drand48.next() * (high - low);
            if (kind <= sizes.serial() + sizes.powerOfTwo()) {
                logarithm = Math.floor(logarithm + 0.5);
            }
            return Math.min(machine, (int) Math.floor(StrictMath.pow(2, logarithm) + 0.5));
        }

        private long runtime(LublinClass.Runtimes runtimes, int nodes) {
            double shorter = runtimes.shorterProbability(nodes);
            double logarithm;
            do {
                boolean isShorter = drand48.next() <= shorter;
                logarithm = (isShorter ? runtimes.shorterGamma() : runtimes.longerGamma()).draw(drand48);
            } while (logarithm > LONGEST);
            return (long) Math.floor(StrictMath.exp(logarithm));
        }

        /**
         * The arrivals of a class. A half hour of the day has points in proportion to its load. A gap drawn for the
         * rush hour costs points and ends where they are spent, so that it is longer at night.
         */
        private static final class LublinArrivals {
            private static final int BUCKETS = 48;
            private static final int SECONDS = 1800;
            /** The first half hour of the model's day, counted from midnight. */
            private static final int FIRST = 11;
            /** The limit of gaps, e^13 seconds; longer ones are drawn again. */
            private static final double LONGEST = 13;

            private final Gamma gamma;
            private final double load;
            private final double[] points;

            private int bucket;
            private double owed;
            private double spent;
            private long clock;

            /** Creates a clock at second 0, midnight; {@code load} is the factor for the rate of arrivals. */
            LublinArrivals(LublinClass.Arrivals arrivals, double load) {
                this.gamma = arrivals.gapGamma();
                this.load = load;
                this.points = points(arrivals.dayGamma());
            }

            /** Returns the points of each half hour, on average 1. */
            private static double[] points(Gamma gamma) {
                double[] points = new double[BUCKETS];
                double sum = 0;
                for (int i = FIRST; i < FIRST + BUCKETS; i++) {
                    double weight = gamma.weight(i - 0.5, i + 0.5);
                    points[(i - 1) % BUCKETS] = weight;
                    sum += weight;
                }
                for (int i = 0; i < BUCKETS; i++) {
                    points[i] /= sum / BUCKETS;
                }
                return points;
            }

            void advance(Drand48 drand48) {
                double logarithm = gamma.draw(drand48);
                while (logarithm > LONGEST) {
                    logarithm = gamma.draw(drand48);
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

            long clock() {
                return clock;
            }
        }
    }
}
