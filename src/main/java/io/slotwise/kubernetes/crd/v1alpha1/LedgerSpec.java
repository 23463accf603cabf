package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the gangs of a namespace cost. Exact amounts are 1/3600 millionths of the currency unit; shown ones are rounded
 * up to a millionth. An exact amount that no 64-bit integer can hold is written as the largest that there is, and in
 * digits in the field beside it whose name begins with {@code whole} instead of {@code exact}.
 *
 * @param budget the namespace's, as it was seen last; null: none, or one that cannot be read
 * @param periods how the namespace stands in the present period and those that the horizon reaches; for people, nothing
 *     is computed from it
 * @param days what was charged, by UTC day: for promises the day on which the window starts, for what runs beyond them
 *     the day on which it runs
 * @param entries the gangs that run, and those that ended a short while ago
 * @param debt what earlier periods leave to the present one to pay; null: nothing is known of them
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record LedgerSpec(
        @Nullable String budget,
        List<Period> periods,
        List<Day> days,
        List<Entry> entries,
        @Nullable Debt debt) {
    /** A ledger without debt. */
    public LedgerSpec(@Nullable String budget, List<Period> periods, List<Day> days, List<Entry> entries) {
        this(budget, periods, days, entries, null);
    }

    /**
     * What runs beyond their promises have cost that the budgets of their periods did not pay.
     *
     * @param budget the namespace's at that time
     * @param since when the period begins that is to pay it, RFC 3339
     * @param exact the amount
     * @param whole see above; null: {@code exact} says it
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Debt(
            String budget,
            String since,
            long exact,
            @Nullable String whole) {}

    /** A reader hands in null for what the server does not have. */
    public LedgerSpec {
        periods = periods == null ? List.of() : List.copyOf(periods);
        days = days == null ? List.of() : List.copyOf(days);
        entries = entries == null ? List.of() : List.copyOf(entries);
    }

    /**
     * One period of the budget.
     *
     * @param start first second, RFC 3339
     * @param end the first second after it, RFC 3339
     * @param budget for this period
     * @param spent what ended gangs were charged, overrun and all
     * @param overrun the part of {@code spent} beyond their promises
     * @param held what gangs were promised to cost that have not ended
     * @param left what may still be promised
     * @param exactSpent {@code spent} without rounding
     * @param exactOverrun {@code overrun} without rounding
     * @param exactHeld {@code held} without rounding
     * @param wholeSpent see above; null: {@code exactSpent} says it
     * @param wholeOverrun see above; null: {@code exactOverrun} says it
     * @param wholeHeld see above; null: {@code exactHeld} says it
     * @param debt what earlier periods leave to this one to pay; null: nothing
     * @param exactDebt {@code debt} without rounding
     * @param wholeDebt see above; null: {@code exactDebt} says it
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Period(
            String start,
            String end,
            String budget,
            String spent,
            String overrun,
            String held,
            String left,
            long exactSpent,
            long exactOverrun,
            long exactHeld,
            @Nullable String wholeSpent,
            @Nullable String wholeOverrun,
            @Nullable String wholeHeld,
            @Nullable String debt,
            @Nullable Long exactDebt,
            @Nullable String wholeDebt) {}

    /**
     * What one day paid.
     *
     * @param date of the day, such as {@code 2030-01-31}
     * @param exactSpent what they were charged, overrun and all
     * @param exactOverrun the part beyond their promises
     * @param wholeSpent see above; null: {@code exactSpent} says it
     * @param wholeOverrun see above; null: {@code exactOverrun} says it
     * @param processorTime how long their pods ran, all together, seconds; null: not known
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Day(
            String date,
            long exactSpent,
            long exactOverrun,
            @Nullable String wholeSpent,
            @Nullable String wholeOverrun,
            @Nullable Long processorTime) {
        /** A day of which the integers say everything. */
        public Day(String date, long exactSpent, long exactOverrun) {
            this(date, exactSpent, exactOverrun, null, null, null);
        }
    }

    /**
     * One run of a gang.
     *
     * @param uid of its Reservation
     * @param gang its name
     * @param start of its window, RFC 3339
     * @param end of its window, RFC 3339
     * @param exactPromised what it was promised to cost
     * @param endedAt when its last pod had ended, RFC 3339; null: it has not, and the promised cost is held
     * @param exactCharged for the seconds inside the promise
     * @param exactOverrun for those beyond
     * @param wholeCharged see above; null: {@code exactCharged} says it
     * @param wholeOverrun see above; null: {@code exactOverrun} says it
     * @param processorTime how long its pods ran, all together, seconds: as promised until it has ended; null: not
     *     known
     * @param charged what it was charged beyond its promise while it runs, for the days before its date; null: nothing
     * @param held what it costs beyond its promise on the days from then on until the end of its next grace; null:
     *     nothing
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Entry(
            String uid,
            String gang,
            String start,
            String end,
            long exactPromised,
            @Nullable String endedAt,
            @Nullable Long exactCharged,
            @Nullable Long exactOverrun,
            @Nullable String wholeCharged,
            @Nullable String wholeOverrun,
            @Nullable Long processorTime,
            @Nullable Day charged,
            @Nullable List<Day> held) {}
}
