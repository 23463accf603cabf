package io.slotwise.core.gang;

import io.slotwise.core.text.Keyed;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The placement mode that a gang requests.
 *
 * @param manner whether the gang is placed with the batch, or online when it arrives; null for the policy's choice
 * @param inputBytes input that has to be moved into the domain before the start, bytes
 * @param timeWeight its own weight of time in the online choice, in [0, 1]
 * @param costWeight its own weight of cost in the online choice, in [0, 1]
 */
public record PlacementRequest(
        @Nullable Manner manner, long inputBytes, OptionalDouble timeWeight, OptionalDouble costWeight) {
    /** The policy's choice, with nothing to move. */
    public static final PlacementRequest USUAL =
            new PlacementRequest(null, 0, OptionalDouble.empty(), OptionalDouble.empty());

    /** With the others in a cycle, or at once. */
    public enum Manner implements Keyed {
        BATCH,
        EMCT,
        EMET
    }

    public PlacementRequest {
        if (inputBytes < 0) {
            throw new IllegalArgumentException(
                    "The size of the input (%d bytes) must not be negative.".formatted(inputBytes));
        }
    }
}
