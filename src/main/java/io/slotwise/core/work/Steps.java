package io.slotwise.core.work;

import java.util.EnumMap;
import java.util.Map;

/**
 * The steps that a piece of work takes, of those kinds whose number the input decides: what an expression evaluates,
 * what a calendar is expanded to, what pods are compared with. Work counts them as it goes ({@link #add}); a test asks
 * for them, so that no clock has to judge. Of one thread.
 */
public final class Steps {
    private static final ScopedValue<Steps> COUNTED = ScopedValue.newInstance();

    private final Map<Kind, Long> taken = new EnumMap<>(Kind.class);

    private Steps() {}

    /** What is counted, and the most of it that the objects of one namespace cost a cycle. */
    public enum Kind {
        TEXT("characters of labels and annotations", 200_000, true),
        /** Of pods that wait, counted before they are read. */
        PARTS("requirements, values and other parts of pods", 20_000, true),
        EXPANSION("pods that workloads make", 100_000, false),
        CALENDARS("intervals of price calendars", 200_000, false),
        /** Of affinities and spread constraints, each rendered, and compared with pods. */
        RULES("comparisons of affinities and spread constraints", 40_000, true),
        /** Of selectors of devices in CEL: twice what a namespace has, and the last selector each time. */
        SELECTORS("steps of the selectors of devices", 6_400_000, false),
        /** Of sets of devices, with each other. */
        DEVICES("comparisons of sets of devices", 20_000, false),
        VOLUMES("comparisons of free volumes", 400_000, false),
        DISRUPTIONS("comparisons of disruption budgets", 10_000, true);

        private final String words;
        private final long most;
        private final boolean isOfEachPod;

        Kind(String words, long most, boolean isOfEachPod) {
            this.words = words;
            this.most = most;
            this.isOfEachPod = isOfEachPod;
        }

        /** What is counted, in words. */
        public String words() {
            return words;
        }

        /** The most steps, for each pod or of the whole namespace. */
        public long most() {
            return most;
        }

        /** Whether each pod may cost as many. */
        public boolean isOfEachPod() {
            return isOfEachPod;
        }

        /** The most steps of a namespace with so many pods. */
        public long most(int pods) {
            return isOfEachPod ? most * Math.max(1, pods) : most;
        }
    }

    /** The steps of a piece of work. */
    public static long of(Runnable work) {
        return byKind(work).values().stream().mapToLong(Long::longValue).sum();
    }

    /** The steps of a piece of work, by their kind; a kind of which there are none is not among them. */
    public static Map<Kind, Long> byKind(Runnable work) {
        Steps steps = new Steps();
        ScopedValue.where(COUNTED, steps).run(work);
        return steps.taken;
    }

    /** Counts steps of what is being done. O(1). */
    public static void add(Kind kind, long steps) {
        if (COUNTED.isBound()) {
            COUNTED.get().taken.merge(kind, steps, Long::sum);
        }
    }
}
