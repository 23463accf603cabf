package io.slotwise.lab.workload.estimate;

import java.util.Arrays;
import java.util.List;

/**
 * How popular each of the twenty usual estimates is in a log: the popularity's rank of the maximum, then those of the
 * others by ascending time.
 *
 * <p>Source: D. Tsafrir, Y. Etsion, D. G. Feitelson, "Modeling User Runtime Estimates" (2005).
 */
public enum EstimateTemplate {
    /** SDSC's SP2. */
    SDSC("3 1 4 17 13 7 8 18 2 6 16 10 5 15 14 19 11 12 9 20"),
    /** CTC's SP2. */
    CTC("1 3 4 2 12 9 8 18 6 7 11 20 16 5 14 13 10 15 17 19"),
    /** KTH's SP2, whose usual maximum was four hours. */
    KTH("1 4 10 14 20 2 3 7 12 6 19 5 18 16 9 17 15 13 8 11"),
    /** SDSC's Blue Horizon. */
    BLUE("1 6 5 3 7 2 18 19 4 11 20 9 10 14 13 16 15 17 8 12");

    private final String ranks;

    EstimateTemplate(String ranks) {
        this.ranks = ranks;
    }

    /** The ranks, from 1. */
    List<Integer> ranks() {
        return Arrays.stream(ranks.split(" ", -1)).map(Integer::valueOf).toList();
    }
}
