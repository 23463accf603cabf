package io.slotwise.core.plan;

import io.slotwise.core.gang.GangId;
import java.util.function.Predicate;

/**
 * A gang without a window.
 *
 * @param gang which
 * @param refusal why
 */
public record Pending(GangId gang, Refusal refusal) {
    /** The same for a reader who sees these namespaces. */
    public Pending asSeen(Predicate<String> namespaces) {
        return new Pending(gang, refusal.asSeen(namespaces));
    }
}
