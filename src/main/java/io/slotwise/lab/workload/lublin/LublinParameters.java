package io.slotwise.lab.workload.lublin;

/**
 * The parameters of the model of Lublin and Feitelson.
 *
 * @param machine nodes, one processor each
 * @param typed whether interactive and batch jobs are distinguished
 * @param load the factor for the rate of arrivals; the daily cycle stays
 */
public record LublinParameters(int machine, int jobs, long seed, boolean typed, double load) {
    public static final int LARGEST_MACHINE = 1 << 24;

    public LublinParameters {
        if (machine < 1 || machine > LARGEST_MACHINE || jobs < 1) {
            throw new IllegalArgumentException("The machine (%d) must have 1 to %d nodes, and there must be a job (%d)."
                    .formatted(machine, LARGEST_MACHINE, jobs));
        }
        if (!(load > 0) || Double.isInfinite(load)) {
            throw new IllegalArgumentException("The load (%s) must be positive.".formatted(load));
        }
    }
}
