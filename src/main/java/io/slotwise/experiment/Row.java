package io.slotwise.experiment;

import org.jspecify.annotations.Nullable;

/**
 * One number of ours and the paper's.
 *
 * @param point what it is of
 * @param value ours; null: nothing was observed
 * @param ci95 half the width of its 95 % confidence interval; null: it has none
 * @param paper the paper's; null: its text gives none
 */
public record Row(
        Point point,
        @Nullable Double value,
        @Nullable Double ci95,
        @Nullable Double paper) {}
