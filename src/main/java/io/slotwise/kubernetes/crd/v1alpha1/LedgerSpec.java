package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The account of a namespace. Exact amounts are 1/3600 millionths of the currency unit; shown amounts are rounded up to
 * a millionth. An exact amount beyond 64 bits is written as the largest long, and as decimal digits in the field whose
 * name begins with {@code whole} instead of {@code exact}. That field is null for all other amounts.
 *
 * @param budget the namespace's budget as last seen; null if there is none, or if it cannot be read
 * @param periods the present period and those within the horizon; only for people
 * @param days charges by UTC day: for promises the day on which the window starts, for overruns the day on which they
 *     run
 * @param entries running gangs, and those that ended recently
 * @param debt the debt of earlier periods to the present one; null if unknown
 * @param queues the part of {@code days} that gangs in queues are charged, by queue
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record LedgerSpec(
        @Nullable String budget,
        List<Period> periods,
        List<Day> days,
        List<Entry> entries,
        @Nullable Debt debt,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Queue> queues) {
    public LedgerSpec(@Nullable String budget, List<Period> periods, List<Day> days, List<Entry> entries) {
        this(budget, periods, days, entries, null, List.of());
    }

    /**
     * The cost of overruns that the budgets of their periods did not cover.
     *
     * @param budget the namespace's budget at that time
     * @param since the start of the period that has to pay, RFC 3339
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Debt(
            String budget,
            String since,
            long exact,
            @Nullable String whole) {}

    /** Replaces absent values by defaults: the JSON reader passes null for an absent field. */
    public LedgerSpec {
        periods = periods == null ? List.of() : List.copyOf(periods);
        days = days == null ? List.of() : List.copyOf(days);
        entries = entries == null ? List.of() : List.copyOf(entries);
        queues = queues == null ? List.of() : List.copyOf(queues);
    }

    /** The charges of the gangs in one queue. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Queue(String queue, List<Day> days) {
        /** Replaces an absent list. */
        public Queue {
            days = days == null ? List.of() : List.copyOf(days);
        }
    }

    /**
     * A period of the budget. The {@code exact} components are the same amounts without rounding.
     *
     * @param start first second, RFC 3339
     * @param end the first second after it, RFC 3339
     * @param spent charges of ended gangs, including overruns
     * @param overrun the part of {@code spent} beyond their promises
     * @param held promised costs of gangs that have not ended
     * @param left the amount that may still be promised
     * @param debt the debt of earlier periods to this one, or null
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
     * The charges of one day.
     *
     * @param date such as {@code 2030-01-31}
     * @param exactSpent charges including overruns
     * @param exactOverrun the part beyond the promises
     * @param processorTime the total runtime of the pods, seconds; null if unknown
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
        public Day(String date, long exactSpent, long exactOverrun) {
            this(date, exactSpent, exactOverrun, null, null, null);
        }
    }

    /**
     * A run of a gang.
     *
     * @param uid the UID of its Reservation
     * @param start the start of its window, RFC 3339
     * @param end the end of its window, RFC 3339
     * @param exactPromised the promised cost
     * @param endedAt when its last pod ended, RFC 3339; null if it has not, and the promised cost is held
     * @param exactCharged the charge for the seconds within the promise
     * @param exactOverrun the charge for those beyond
     * @param processorTime the total runtime of its pods, seconds, as promised until it has ended; null if unknown
     * @param charged the charge beyond the promise of a running gang, for the days before its date, or null
     * @param held the cost beyond the promise from that day until the end of its next grace, or null
     * @param queue the gang's queue, or null
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
            @Nullable List<Day> held,
            @Nullable String queue) {}
}
