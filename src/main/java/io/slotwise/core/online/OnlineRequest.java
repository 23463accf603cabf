package io.slotwise.core.online;

/**
 * A gang's request to the online choice.
 *
 * @param inputBytes input that has to be moved into the domain before the start, bytes
 */
public record OnlineRequest(OnlineMode mode, long inputBytes, CriterionWeights weights) {
    public OnlineRequest {
        if (inputBytes < 0) {
            throw new IllegalArgumentException(
                    "The size of the input (%d bytes) must not be negative.".formatted(inputBytes));
        }
    }
}
