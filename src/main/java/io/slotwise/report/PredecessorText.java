package io.slotwise.report;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Predecessors;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The gangs that one starts after, in words. */
public final class PredecessorText {
    private PredecessorText() {}

    /** Their names, and what is moved. */
    static String of(Gang gang) {
        Predecessors after = gang.after();
        String names = after.gangs().stream().map(GangId::toString).collect(Collectors.joining(", "));
        return after.transferBytes() == 0
                ? names
                : "%s and the transfer of %d bytes".formatted(names, after.transferBytes());
    }

    /** Their names for a reader who sees these namespaces. */
    public static List<String> names(List<GangId> gangs, Predicate<String> namespaces) {
        return gangs.stream()
                .map(gang -> GangId.named(GangId.asSeen(gang, namespaces)))
                .distinct()
                .toList();
    }
}
