package io.slotwise.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Window;
import io.slotwise.live.Standing;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one gang. Instants are RFC 3339, costs currency units with six decimals.
 *
 * @param gang {@code namespace/name}
 * @param phase where it stands
 * @param reason why it waits, or that it is promised, in one word
 * @param message the same in one sentence
 * @param next what happens next, in one sentence
 * @param criterion what it wants to be least; null: not known
 * @param budget the most that it may cost; null: no limit
 * @param window its window; null: none
 * @param promisedStart the first start that was ever promised; null: none
 * @param startedAt when it started; null: it has not
 * @param endedAt when it ended; null: it has not
 * @param attempts how many times it was taken back after its release
 * @param avoided nodes that refused it a short while ago
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record GangAnswer(
        String gang,
        String phase,
        String reason,
        String message,
        String next,
        @Nullable String criterion,
        @Nullable String budget,
        @Nullable WindowAnswer window,
        @Nullable String promisedStart,
        @Nullable String startedAt,
        @Nullable String endedAt,
        int attempts,
        List<String> avoided) {
    /** A window. */
    record WindowAnswer(String start, String end, String cost, List<PlaceAnswer> placement) {}

    /** A pod's place. */
    record PlaceAnswer(String pod, String node) {}

    static GangAnswer of(Standing standing) {
        Promise promise = standing.promise();
        return new GangAnswer(
                standing.gang().toString(),
                standing.phase().key(),
                standing.planned().reason(),
                standing.planned().message(),
                next(standing),
                standing.terms().criterion(),
                standing.terms().budget() == null
                        ? null
                        : standing.terms().budget().toString(),
                promise == null ? null : window(promise.window()),
                instant(standing.history().promisedStart()),
                instant(standing.history().startedAt()),
                instant(standing.history().endedAt()),
                standing.history().attempts(),
                List.copyOf(standing.avoided().keySet()));
    }

    private static WindowAnswer window(Window window) {
        return new WindowAnswer(
                Instant.ofEpochSecond(window.start()).toString(),
                Instant.ofEpochSecond(window.end()).toString(),
                window.cost().roundedUp().toString(),
                window.placements().stream()
                        .map(place -> new PlaceAnswer(place.pod(), place.node()))
                        .toList());
    }

    private static String next(Standing standing) {
        return switch (standing.phase()) {
            case PENDING, BROKEN -> "it waits: " + standing.planned().message();
            case PROMISED -> "its pods start together at " + instant(standing.windowStart());
            case STARTING ->
                "its pods are on their way to their nodes; they start together at " + instant(standing.windowStart());
            case RUNNING -> "it runs";
            case COMPLETED -> "it has ended";
        };
    }

    private static @Nullable String instant(OptionalLong second) {
        return second.isPresent() ? Instant.ofEpochSecond(second.getAsLong()).toString() : null;
    }
}
