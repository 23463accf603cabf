package io.slotwise.core.gang;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The gangs after whose end a gang starts, successful or not, and the data to transfer.
 *
 * @param gangs each once, in the stated order; an empty namespace is the gang's own, see {@link #in}
 * @param transferBytes moved into the resource domain of the gang once all of them have ended, bytes
 * @param over the ends of predecessors that only the gang itself still records, seconds since the epoch
 */
public record Predecessors(List<GangId> gangs, long transferBytes, Map<GangId, Long> over) {
    /** The most predecessors of one gang. */
    public static final int MOST = 100;

    public static final Predecessors NONE = new Predecessors(List.of(), 0, Map.of());

    private static final int LONGEST_NAME = 257;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");

    public Predecessors {
        gangs = List.copyOf(new LinkedHashSet<>(gangs));
        over = Map.copyOf(over);
        if (gangs.size() > MOST) {
            throw new IllegalArgumentException("expected at most %d gangs".formatted(MOST));
        }
        if (transferBytes < 0) {
            throw new IllegalArgumentException(
                    "The size of the transfer (%d bytes) must not be negative.".formatted(transferBytes));
        }
    }

    /**
     * Parses {@code GANG} or {@code NAMESPACE/GANG}, separated by commas. O(length).
     *
     * @throws IllegalArgumentException if it is no such list; the message says what was expected
     */
    public static Predecessors parse(String text) {
        List<GangId> gangs = new ArrayList<>();
        for (String word : text.split(",", -1)) {
            gangs.add(gang(word.strip()));
        }
        return new Predecessors(gangs, 0, Map.of());
    }

    private static GangId gang(String word) {
        int slash = word.indexOf('/');
        String namespace = word.substring(0, Math.max(0, slash));
        String name = word.substring(slash + 1);
        boolean known = slash < 0 || GangId.isNamespace(namespace);
        if (!known || name.length() > LONGEST_NAME || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("expected the names of gangs as GANG or NAMESPACE/GANG, with commas");
        }
        return new GangId(namespace, name);
    }

    public boolean isNone() {
        return gangs.isEmpty();
    }

    /** Returns a copy with this namespace for names without one. */
    public Predecessors in(String namespace) {
        return gangs.stream().noneMatch(gang -> gang.namespace().isEmpty())
                ? this
                : new Predecessors(
                        gangs.stream()
                                .map(gang -> gang.namespace().isEmpty() ? new GangId(namespace, gang.name()) : gang)
                                .toList(),
                        transferBytes,
                        over);
    }

    /** Returns a copy that records these ends, seconds since the epoch. */
    public Predecessors remembering(Map<GangId, Long> ended) {
        return new Predecessors(gangs, transferBytes, ended);
    }

    public Predecessors moving(long bytes) {
        return new Predecessors(gangs, bytes, over);
    }
}
