package io.slotwise.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
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
 * @param currency what their money is in; null: not stated
 * @param now the instant that this is true for, by the clock of the server that says it; null: not stated
 */
public record GangListReport(
        List<GangRow> gangs,
        @Nullable String currency,
        @Nullable String now) {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    private static final String HEADING =
            "gang,phase,reason,key,message,start,end,cost,budget,size,submitted,kind,reservation,promisedBy";

    public GangListReport {
        gangs = List.copyOf(gangs);
    }

    /** Gangs whose currency is not stated. */
    public GangListReport(List<GangRow> gangs) {
        this(gangs, null, null);
    }

    /** The same gangs, with what their money is in. */
    public GangListReport in(Currency money) {
        return new GangListReport(gangs, money.isNone() ? null : money.name(), now);
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

    /** What stands beside their money. */
    public Currency money() {
        return currency == null || !Currency.isOne(currency) ? Currency.NONE : new Currency(currency);
    }

    /**
     * Reads what {@link #json} has written.
     *
     * @throws IOException if it is something else
     */
    public static GangListReport read(String json) throws IOException {
        return MAPPER.readValue(json, GangListReport.class);
    }

    /** As JSON, indented, with a line feed at its end; what is not known is null. */
    public String json() {
        return JsonReport.document(json -> {
            if (now != null) {
                json.writeStringField("now", now);
            }
            JsonReport.currency(json, money());
            json.writeArrayFieldStart("gangs");
            for (GangRow gang : gangs) {
                row(json, gang);
            }
            json.writeEndArray();
        });
    }

    private static void row(JsonGenerator json, GangRow gang) throws IOException {
        json.writeStartObject();
        json.writeStringField("gang", gang.gang());
        json.writeStringField("phase", gang.phase());
        json.writeStringField("reason", gang.reason());
        json.writeStringField("key", gang.key());
        json.writeStringField("message", gang.message());
        json.writeStringField("start", gang.start());
        json.writeStringField("promisedBy", gang.promisedBy());
        json.writeStringField("end", gang.end());
        json.writeStringField("cost", gang.cost());
        json.writeStringField("budget", gang.budget());
        if (gang.size() == null) {
            json.writeNullField("size");
        } else {
            json.writeNumberField("size", gang.size());
        }
        json.writeStringField("submitted", gang.submitted());
        json.writeStringField("kind", gang.kind());
        json.writeStringField("reservation", gang.reservation());
        json.writeEndObject();
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
}
