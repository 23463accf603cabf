package io.slotwise.lab.workload.lublin;

/**
 * What is asked of the model of Lublin and Feitelson.
 *
 * @param machine nodes, one processor each
 * @param typed whether interactive and batch jobs are told apart
 * @param load how many times as often jobs arrive as in the model; the daily cycle stays
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
