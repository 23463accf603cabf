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
 * @param end of its window; null: it has none
 * @param cost of its window; null: it has none
 * @param budget the most that it may cost; null: no limit
 * @param size its pods; null: not known
 * @param submitted when it was seen first
 */
public record GangRow(
        String gang,
        String phase,
        String reason,
        @Nullable String key,
        String message,
        @Nullable String start,
        @Nullable String end,
        @Nullable String cost,
        @Nullable String budget,
        @Nullable Integer size,
        String submitted) {}
