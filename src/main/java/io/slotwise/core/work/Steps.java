package io.slotwise.core.work;

/**
 * The steps that a piece of work takes, of those kinds whose number the input decides: what an expression evaluates,
 * what a calendar is expanded to, what pods are compared with. Work counts them as it goes ({@link #add}); a test asks
 * for the sum, so that no clock has to judge. Of one thread.
 */
public final class Steps {
    private static final ScopedValue<Steps> COUNTED = ScopedValue.newInstance();

    private long taken;

    private Steps() {}

    /** The steps of a piece of work. */
    public static long of(Runnable work) {
        Steps steps = new Steps();
        ScopedValue.where(COUNTED, steps).run(work);
        return steps.taken;
    }

    /** Counts steps of what is being done. O(1). */
    public static void add(long steps) {
        if (COUNTED.isBound()) {
            COUNTED.get().taken += steps;
        }
    }
}
