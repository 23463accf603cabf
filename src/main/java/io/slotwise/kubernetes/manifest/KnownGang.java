package io.slotwise.kubernetes.manifest;

import io.slotwise.core.plan.Promise;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a host knows of a gang beside its pods.
 *
 * @param promise its published window, also after the start; null: none
 * @param startedAt when it started, seconds since the epoch; empty: it has not
 * @param avoidedNodes nodes that refused it a short while ago
 */
public record KnownGang(@Nullable Promise promise, OptionalLong startedAt, Set<String> avoidedNodes) {
    /** Nothing is known. */
    public static final KnownGang NOTHING = new KnownGang(null, OptionalLong.empty(), Set.of());

    public KnownGang {
        avoidedNodes = Set.copyOf(avoidedNodes);
    }
}
