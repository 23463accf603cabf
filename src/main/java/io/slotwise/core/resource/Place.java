package io.slotwise.core.resource;

/**
 * Names in {@link Resources} that are not amounts of Kubernetes resources. They contain a blank, which no resource of
 * Kubernetes has. A place of a node is exclusive to one pod, such as a port of the host, or limited in number, such as
 * volumes that can be attached. A mark counts the pods of some kind. A place is requested like any amount, so its use
 * is known over time, but no gang pays for it.
 */
public final class Place {
    /**
     * All of a place. A pod with exclusive use takes all of it. A pod that only excludes exclusive use takes 1. A node
     * has all of a mark, and every pod that bears the mark takes 1.
     */
    public static final long WHOLE = 1L << 30;

    private static final String MARK = "mark ";

    private Place() {}

    /** Returns the name of a mark. The same words give the same name. */
    public static String mark(String words) {
        return MARK + words;
    }

    /** Returns whether a name stands for a place or a mark and not for an amount. */
    public static boolean is(String name) {
        return name.indexOf(' ') >= 0;
    }

    public static boolean isMark(String name) {
        return name.startsWith(MARK);
    }
}
