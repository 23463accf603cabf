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
 * @param gangs by namespace and name
 * @param now the instant that this is true for, by the clock of the server that says it; null: not stated
 */
public record GangListReport(
        List<GangRow> gangs,
        @Nullable String currency,
        @Nullable String now) {
    private static final String HEADING =
            "gang,phase,reason,key,message,start,end,cost,budget,size,submitted,kind,reservation,promisedBy";

    public GangListReport {
        gangs = List.copyOf(gangs);
    }

    public GangListReport(List<GangRow> gangs) {
        this(gangs, null, null);
    }

    public GangListReport in(Currency currency) {
        return new GangListReport(gangs, currency.isNone() ? null : currency.name(), now);
    }

    /** The same gangs at an instant; null: at one that is not told. */
    public GangListReport at(@Nullable Instant instant) {
        return new GangListReport(gangs, currency, instant == null ? null : instant.toString());
    }

    /** The second of {@link #now}, since the epoch; if that is not told, or is no instant, the one that is given. */
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

    /** Reads what {@link #json} has written. */
    public static GangListReport read(String json) throws IOException {
        return JsonObject.MAPPER.readValue(json, GangListReport.class);
    }

    /** As JSON, indented, with a line feed at its end; what is not known is null. */
    public String json() {
        return new JsonObject()
                .putIfAny("now", now)
                .putCurrency(money())
                .put("gangs", gangs)
                .document();
    }

    /** As CSV with a heading; what is not known is empty. */
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
                            Objects.requireNonNullElse(gang.promisedBy(), "")))
                    .append('\n');
        }
        return text.toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    /**
     * A gang in the list of gangs, as shown. Instants are RFC 3339, money is a string with six decimals. Without a
     * window start, end and cost are null.
     *
     * @param reason why it waits, or that it is promised, in the word of its Reservation's condition
     * @param key why it waits, in the word that programs compare; null: it does not wait, or this is not known here
     * @param promisedBy the latest start that is promised; null: {@code start}, or there is none
     * @param size its pods; null: not known
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
}
