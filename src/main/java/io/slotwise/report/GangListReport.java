package io.slotwise.report;

import io.slotwise.core.money.Currency;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The gangs of a running Slotwise.
 *
 * @param gangs the gangs by namespace and name
 * @param now the instant of the list by the server's clock; null if not known
 */
public record GangListReport(
        List<GangRow> gangs,
        @Nullable String currency,
        @Nullable String now) {
    private static final String HEADING =
            "gang,phase,reason,key,message,start,end,cost,budget,size,submitted,kind,reservation,promisedBy,queue,position";

    public GangListReport {
        gangs = List.copyOf(gangs);
    }

    public GangListReport(List<GangRow> gangs) {
        this(gangs, null, null);
    }

    public GangListReport in(Currency currency) {
        return new GangListReport(gangs, currency.isNone() ? null : currency.name(), now);
    }

    /** Returns the same gangs at an instant, null if not known. */
    public GangListReport at(@Nullable Instant instant) {
        return new GangListReport(gangs, currency, instant == null ? null : instant.toString());
    }

    /** Returns the second of {@link #now}, since the epoch, or {@code otherwise} if that is missing or invalid. */
    public long second(long otherwise) {
        try {
            return now == null ? otherwise : Instant.parse(now).getEpochSecond();
        } catch (DateTimeParseException _) {
            return otherwise;
        }
    }

    public Currency money() {
        return currency == null || !Currency.isOne(currency) ? Currency.NONE : new Currency(currency);
    }

    /** Reads the output of {@link #json}. */
    public static GangListReport read(String json) throws IOException {
        return JsonObject.MAPPER.readValue(json, GangListReport.class);
    }

    /** Returns indented JSON with a final line feed. Unknown values are null. */
    public String json() {
        return new JsonObject()
                .putIfAny("now", now)
                .putCurrency(money())
                .put("gangs", gangs)
                .document();
    }

    /** Returns CSV with a heading. Unknown values are empty. */
    public String csv() {
        StringBuilder text = new StringBuilder(HEADING).append('\n');
        for (GangRow gang : gangs) {
            text.append(String.join(
                            ",",
                            gang.gang(),
                            gang.phase(),
                            gang.reason(),
                            Objects.requireNonNullElse(gang.key(), ""),
                            quoted(gang.message()),
                            Objects.requireNonNullElse(gang.start(), ""),
                            Objects.requireNonNullElse(gang.end(), ""),
                            Objects.requireNonNullElse(gang.cost(), ""),
                            Objects.requireNonNullElse(gang.budget(), ""),
                            gang.size() == null ? "" : gang.size().toString(),
                            gang.submitted(),
                            Objects.requireNonNullElse(gang.kind(), ""),
                            Objects.requireNonNullElse(gang.reservation(), ""),
                            Objects.requireNonNullElse(gang.promisedBy(), ""),
                            Objects.requireNonNullElse(gang.queue(), ""),
                            gang.position() == null ? "" : gang.position().toString()))
                    .append('\n');
        }
        return text.toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    /**
     * A gang in the list. Instants are RFC 3339, money is a string with six decimals. Without a window, start, end and
     * cost are null.
     *
     * @param reason the reason in its Reservation's condition, while waiting or promised
     * @param key why it waits, for programs; null if it does not wait, or not known here
     * @param promisedBy the promised latest start; null if this is {@code start}, or nothing is promised
     * @param size the number of its pods; null if not known
     * @param kind {@link #GANG} or {@link #RESERVATION}; null if not known
     * @param reservation the advance reservation that contains its window; null if none
     * @param queue the name of its queue; null if no queue bounds it, or not known
     * @param position its place among the gangs of its queue that have not started, from 1, in the order in which they
     *     are planned; null if it has started, without a queue, or if not known here
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
            @Nullable String reservation,
            @Nullable String queue,
            @Nullable Integer position) {
        /** Pods that start together. */
        public static final String GANG = "gang";
        /** An advance reservation: room without pods. */
        public static final String RESERVATION = "reservation";

        boolean isReservation() {
            return RESERVATION.equals(kind);
        }

        /** Returns why it has no window, or another remark. Null if there is none. */
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
}
