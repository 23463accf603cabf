package io.slotwise.core.ledger;

import io.slotwise.core.text.Keyed;
import io.slotwise.core.time.Interval;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.TemporalAdjusters;

/** A budget period of the calendar. All begin at midnight UTC. */
public enum Period implements Keyed {
    /** From midnight to midnight. */
    DAY,
    /** From Monday to Monday. */
    WEEK,
    /** From the first of a month to the first of the next. */
    MONTH;

    public static final long DAY_SECONDS = 86_400;

    public Interval holding(long second) {
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(second, DAY_SECONDS));
        return switch (this) {
            case DAY -> between(date, date.plusDays(1));
            case WEEK -> {
                LocalDate monday = date.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
                yield between(monday, monday.plusWeeks(1));
            }
            case MONTH -> {
                LocalDate first = date.withDayOfMonth(1);
                yield between(first, first.plusMonths(1));
            }
        };
    }

    private static Interval between(LocalDate first, LocalDate next) {
        return new Interval(first.toEpochDay() * DAY_SECONDS, next.toEpochDay() * DAY_SECONDS);
    }
}
