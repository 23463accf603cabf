package io.slotwise.kubernetes.watch;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Port: shows how the watches are. */
@FunctionalInterface
public interface WatchObserver {
    /**
     * A kind is watched from now on.
     *
     * @param kind its plural, such as {@code pods}
     * @param sinceProof how long ago its watch last proved that it lives; null: it has not yet
     */
    void watching(String kind, Supplier<@Nullable Duration> sinceProof);
}
