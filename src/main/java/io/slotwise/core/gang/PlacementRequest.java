package io.slotwise.core.gang;

import io.slotwise.core.text.Keyed;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * How a gang wants to be placed.
 *
 * @param manner with the batch, or online when it arrives; null: as the policy says
 * @param inputBytes input that has to be moved into the domain before the start, bytes
 * @param timeWeight its own weight of time in the online choice, in [0, 1]
 * @param costWeight its own weight of cost in the online choice, in [0, 1]
 */
public record PlacementRequest(
        @Nullable Manner manner, long inputBytes, OptionalDouble timeWeight, OptionalDouble costWeight) {
    /** As the policy says, with nothing to move. */
    public static final PlacementRequest USUAL =
            new PlacementRequest(null, 0, OptionalDouble.empty(), OptionalDouble.empty());

    /** With the others each cycle, or at once. */
    public enum Manner implements Keyed {
        BATCH,
        /** Economic minimum completion time. */
        EMCT,
        /** Economic minimum execution time. */
        EMET
    }

    public PlacementRequest {
        if (inputBytes < 0) {
            throw new IllegalArgumentException(
                    "The size of the input (%d bytes) must not be negative.".formatted(inputBytes));
        }
    }
}
