package io.slotwise.report;

import org.jspecify.annotations.Nullable;

/**
 * A gang in the list of gangs, as shown. Instants are RFC 3339, money is a string with six decimals.
 *
 * @param gang {@code namespace/name}
 * @param phase where it stands
 * @param reason why it waits, or that it is promised, in the word of its Reservation's condition
 * @param key why it waits, in the word that programs compare; null: it does not wait, or this is not known here
 * @param message the same in one sentence
 * @param start of its window; null: it has none
 * @param promisedBy the latest start that is promised; null: {@code start}, or there is none
 * @param end of its window; null: it has none
 * @param cost of its window; null: it has none
 * @param budget the most that it may cost; null: no limit
 * @param size its pods; null: not known
 * @param submitted when it was seen first
 * @param kind {@link #GANG} or {@link #RESERVATION}; null: what was asked does not tell
 * @param reservation the advance reservation that its window is a part of; null: none
 */
public record GangRow(
        String gang,
        String phase,
        String reason,
        @Nullable String key,
        String message,
        @Nullable String start,
        @Nullable String promisedBy,
        @Nullable String end,
        @Nullable String cost,
        @Nullable String budget,
        @Nullable Integer size,
        String submitted,
        @Nullable String kind,
        @Nullable String reservation) {
    /** Pods that start together. */
    public static final String GANG = "gang";
    /** An advance reservation: room without pods. */
    public static final String RESERVATION = "reservation";

    /** Whether this is room without pods. */
    boolean isReservation() {
        return RESERVATION.equals(kind);
    }

    /** Why it has no window, or what else is to be said of it; null: nothing. */
    @Nullable
    String why() {
        if (isReservation()) {
            return "advance reservation" + (message.isEmpty() ? "" : ": " + message);
        }
        if (start == null) {
            return message;
        }
        return reservation == null ? null : "takes reservation %s over".formatted(reservation);
    }
}
