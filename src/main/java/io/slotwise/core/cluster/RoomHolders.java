package io.slotwise.core.cluster;

import java.util.IdentityHashMap;

/**
 * The holders that have taken room in a timeline and those that have given it back, since a caller last asked: what is
 * given back and taken again in between is as it was. Holders are told apart by their identity. Scratch of one planning
 * run, not safe for threads.
 */
public final class RoomHolders {
    private IdentityHashMap<Object, Integer> net = new IdentityHashMap<>();
    private long changes;

    /** A holder has taken its room. */
    public void took(Object holder) {
        note(holder, 1);
    }

    /** A holder has given its room back. */
    public void gave(Object holder) {
        note(holder, -1);
    }

    /** Another number whenever one has taken or given back room since. */
    public long changes() {
        return changes;
    }

    private void note(Object holder, int times) {
        changes++;
        Integer before = net.get(holder);
        int after = before == null ? times : before + times;
        if (after == 0) {
            net.remove(holder);
        } else {
            net.put(holder, after);
        }
    }

    /**
     * How often each has taken its room more often than given it back since this was asked last; negative: given back.
     * In any order.
     */
    public IdentityHashMap<Object, Integer> settled() {
        IdentityHashMap<Object, Integer> since = net;
        if (!since.isEmpty()) {
            net = new IdentityHashMap<>();
        }
        return since;
    }
}
