package io.slotwise.lab.workload.log;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/** The names of jobs, each once; of small numbers, which most logs count, a bit each. */
final class JobNames {
    private static final Pattern SMALL = Pattern.compile("0|[1-9][0-9]{0,7}");

    private final BitSet numbers = new BitSet();
    private final Set<String> others = new HashSet<>();

    /** Adds a name; false: it is there already. */
    boolean add(String name) {
        if (SMALL.matcher(name).matches()) {
            int number = Integer.parseInt(name);
            boolean isNew = !numbers.get(number);
            numbers.set(number);
            return isNew;
        }
        return others.add(name);
    }
}
