package io.slotwise.core.work;

import java.util.EnumMap;
import java.util.Map;

/**
 * Counts the steps of kinds of work whose number depends on the input: evaluated expressions, expanded calendars,
 * compared pods. Work counts as it goes ({@link #add}). Tests read the counts instead of a clock. Confined to one
 * thread.
 */
public final class Steps {
    private static final ScopedValue<Steps> COUNTED = ScopedValue.newInstance();

    private final Map<Kind, Long> taken = new EnumMap<>(Kind.class);

    private Steps() {}

    /** A kind of step, and the most of it that the objects of one namespace may cost a cycle. */
    public enum Kind {
        TEXT("characters of labels and annotations", 200_000, true),
        /** Parts of waiting pods, counted before they are read. */
        PARTS("requirements, values and other parts of pods", 20_000, true),
        GENERATIONS("comparisons of the generations of pods", 200, true),
        EXPANSION("pods that workloads make", 100_000, false),
        CALENDARS("intervals of price calendars", 200_000, false),
        /** Affinities and spread constraints, each rendered, and compared with pods. */
        RULES("comparisons of affinities and spread constraints", 40_000, true),
        /** CEL selectors of devices: twice what a namespace has, and the last selector each time. */
        SELECTORS("steps of the selectors of devices", 6_400_000, false),
        /** Sets of devices, compared with each other. */
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

        public String words() {
            return words;
        }

        /** Returns the most steps, for each pod or for the whole namespace. */
        public long most() {
            return most;
        }

        public boolean isOfEachPod() {
            return isOfEachPod;
        }

        /** Returns the most steps of a namespace with this number of pods. */
        public long most(int pods) {
            return isOfEachPod ? most * Math.max(1, pods) : most;
        }
    }

    /** Returns the number of steps of a piece of work. */
    public static long of(Runnable work) {
        return byKind(work).values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the number of steps of a piece of work by kind, without zeros. */
    public static Map<Kind, Long> byKind(Runnable work) {
        Steps steps = new Steps();
        ScopedValue.where(COUNTED, steps).run(work);
        return steps.taken;
    }

    /** Counts steps of the current work. O(1). */
    public static void add(Kind kind, long steps) {
        if (COUNTED.isBound()) {
            COUNTED.get().taken.merge(kind, steps, Long::sum);
        }
    }
}
