package io.slotwise.kubernetes.watch;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Port: shows the state of watches. */
@FunctionalInterface
public interface WatchObserver {
    /**
     * Reports that a kind is watched from now on.
     *
     * @param kind its plural, such as {@code pods}
     * @param sinceProof returns the age of the watch's last proof of life, or null
     */
    void watching(String kind, Supplier<@Nullable Duration> sinceProof);
}
