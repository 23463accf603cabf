package io.slotwise.core.resource;

/**
 * What {@link Resources} count beside amounts, under names with a blank, which no resource of Kubernetes has: places of
 * a node that one pod has to itself, such as a port of the host, or of which it has so many, such as volumes that can
 * be attached, and marks, which say how many pods of some kind are there. A place is asked for like any amount, so that
 * it is known over time which pod has it; no gang pays for it.
 */
public final class Place {
    /**
     * All of a place. A pod that has it to itself takes all of it; a pod that merely must not be there together with
     * one that has it to itself takes 1. Of a mark a node has all, and every pod that bears it takes 1.
     */
    public static final long WHOLE = 1L << 30;

    private static final String MARK = "mark ";

    private Place() {}

    /** The name of a mark; the same words give the same name. */
    public static String mark(String words) {
        return MARK + words;
    }

    /** Whether a name stands for a place or a mark and not for an amount. */
    public static boolean is(String name) {
        return name.indexOf(' ') >= 0;
    }

    public static boolean isMark(String name) {
        return name.startsWith(MARK);
    }
}
