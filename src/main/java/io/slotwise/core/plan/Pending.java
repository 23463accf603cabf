package io.slotwise.core.plan;

import io.slotwise.core.gang.GangId;
import java.util.function.Predicate;

/** A gang without a window. */
public record Pending(GangId gang, Refusal refusal) {
    public Pending asSeen(Predicate<String> namespaces) {
        return new Pending(gang, refusal.asSeen(namespaces));
    }
}
