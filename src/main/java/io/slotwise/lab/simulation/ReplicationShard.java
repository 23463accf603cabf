package io.slotwise.lab.simulation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A part of the replications: those whose number modulo {@code of} is {@code index}. */
public record ReplicationShard(int index, int of) {
    public static final ReplicationShard WHOLE = new ReplicationShard(0, 1);

    private static final Pattern FORM = Pattern.compile("(\\d{1,6})/(\\d{1,6})");

    public ReplicationShard {
        if (index < 0 || index >= of) {
            throw new IllegalArgumentException(
                    "'%d/%d' is not a shard; expected I/N with I from 0 to N - 1, such as 0/3".formatted(index, of));
        }
    }

    public static ReplicationShard parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "'%s' is not a shard; expected I/N with I from 0 to N - 1, such as 0/3".formatted(text));
        }
        return new ReplicationShard(Integer.parseInt(form.group(1)), Integer.parseInt(form.group(2)));
    }

    /** Returns whether the part contains this replication, counted from 0. */
    public boolean has(int run) {
        return run % of == index;
    }

    @Override
    public String toString() {
        return index + "/" + of;
    }
}
