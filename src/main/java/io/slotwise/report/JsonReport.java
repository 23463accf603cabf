package io.slotwise.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.window.SearchExtent;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A plan as JSON: what {@code plan -o json} prints and {@code /api/v1/plan} answers. Instants are UTC with whole
 * seconds, money is a string with six decimals.
 */
public final class JsonReport {
    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonReport() {}

    /** The document, indented, with a line feed at its end. */
    public static String write(PlanReport report) {
        return write(report, List.of());
    }

    /** The document with a member {@code explanation} at its end, unless there are no lines to put there. */
    public static String write(PlanReport report, List<String> explanation) {
        return document(json -> members(json, report, explanation));
    }

    /** What writes the members of a document. */
    public interface Members {
        void write(JsonGenerator json) throws IOException;
    }

    /** An object with these members, indented, with a line feed at its end. */
    public static String document(Members members) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.setPrettyPrinter(printer());
            json.writeStartObject();
            members.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("A writer into memory must not fail.", e);
        }
        return text.append('\n').toString();
    }

    private static DefaultPrettyPrinter printer() {
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        return new DefaultPrettyPrinter(
                        Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER))
                .withObjectIndenter(lines)
                .withArrayIndenter(lines);
    }

    private static void members(JsonGenerator json, PlanReport report, List<String> explanation) throws IOException {
        json.writeStringField("now", TimeText.instant(report.now()));
        json.writeStringField("horizon", Duration.ofSeconds(report.horizon()).toString());
        currency(json, report.currency());
        json.writeArrayFieldStart("windows");
        for (WindowRow window : report.windows()) {
            window(json, window);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("pending");
        for (PlanReport.PendingRow pending : report.pending()) {
            json.writeStartObject();
            json.writeStringField("gang", pending.gang());
            json.writeStringField("reason", pending.reason());
            json.writeEndObject();
        }
        json.writeEndArray();
        moves(json, report.moves());
        buying(json, report.buying());
        totals(json, report.totals());
        search(json, report.search());
        strings(json, "notes", report.notes());
        InputNote.write(json, report.inputNotes());
        strings(json, "explanation", explanation);
    }

    /** What the document's money is in; left out where that is not said. */
    public static void currency(JsonGenerator json, Currency currency) throws IOException {
        if (!currency.isNone()) {
            json.writeStringField("currency", currency.name());
        }
    }

    /** What {@link #currency} wrote into a document. */
    static Currency currency(JsonNode document) {
        String name = document.path("currency").asText("");
        return Currency.isOne(name) ? new Currency(name) : Currency.NONE;
    }

    static void window(JsonGenerator json, WindowRow window) throws IOException {
        json.writeStartObject();
        json.writeStringField("gang", window.gang());
        json.writeStringField("start", TimeText.instant(window.start()));
        json.writeStringField("end", TimeText.instant(window.end()));
        json.writeNumberField("runtimeSeconds", window.end() - window.start());
        json.writeStringField("cost", window.cost().toString());
        Money budget = window.budget();
        json.writeStringField("budget", budget == null ? null : budget.toString());
        json.writeStringField("criterion", window.criterion());
        json.writeStringField("via", window.via());
        Money hour = window.valueOfTime();
        Money delay = window.delayValue();
        if (hour != null && delay != null) {
            json.writeStringField("valueOfTime", hour.toString());
            if (window.valueUntil() != null) {
                json.writeStringField("valueUntil", TimeText.instant(window.valueUntil()));
            }
            json.writeStringField("delayValue", delay.toString());
        }
        if (window.promisedBy() != null) {
            json.writeStringField("promisedBy", TimeText.instant(window.promisedBy()));
        }
        if (window.preferred() != null) {
            window.preferred().write(json);
        }
        if (!window.after().isEmpty()) {
            strings(json, "after", window.after());
        }
        placement(json, window.placement());
        json.writeEndObject();
    }

    private static void placement(JsonGenerator json, List<WindowRow.PodRow> pods) throws IOException {
        json.writeArrayFieldStart("placement");
        for (WindowRow.PodRow pod : pods) {
            json.writeStartObject();
            json.writeStringField("pod", pod.pod());
            json.writeStringField("node", pod.node());
            json.writeStringField("start", TimeText.instant(pod.start()));
            json.writeStringField("end", TimeText.instant(pod.end()));
            json.writeStringField("cost", pod.cost().toString());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void moves(JsonGenerator json, List<MoveRow> moves) throws IOException {
        if (moves.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("moves");
        for (MoveRow move : moves) {
            json.writeStartObject();
            json.writeStringField("gang", move.gang());
            strings(json, "from", move.from());
            strings(json, "to", move.to());
            json.writeStringField("start", move.start() == null ? null : TimeText.instant(move.start()));
            json.writeNumberField("workSeconds", move.workSeconds());
            json.writeStringField("kind", move.kind());
            json.writeStringField("reason", move.reason());
            json.writeStringField("why", "moved " + move.why());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Left out where nothing can be bought, or no gang is better off. */
    private static void buying(JsonGenerator json, List<BuyingRow> rows) throws IOException {
        if (rows.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("buying");
        for (BuyingRow row : rows) {
            json.writeStartObject();
            json.writeStringField("gang", row.gang());
            json.writeStringField("start", TimeText.instant(row.start()));
            json.writeStringField("end", TimeText.instant(row.end()));
            json.writeStringField("cost", row.cost().toString());
            json.writeStringField("expectedCost", row.expected().toString());
            json.writeArrayFieldStart("nodes");
            for (BuyingRow.NodeRow node : row.nodes()) {
                json.writeStartObject();
                json.writeStringField("node", node.node());
                json.writeStringField("offer", node.offer());
                json.writeStringField("boughtAt", TimeText.instant(node.bought()));
                json.writeStringField("readyAt", TimeText.instant(node.ready()));
                json.writeStringField("paidUntil", TimeText.instant(node.gone()));
                json.writeStringField("bill", node.bill().toString());
                json.writeEndObject();
            }
            json.writeEndArray();
            placement(json, row.placement());
            waiting(json, row.waiting());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void waiting(JsonGenerator json, BuyingRow.@Nullable WaitingRow waiting) throws IOException {
        if (waiting == null) {
            json.writeNullField("waiting");
            return;
        }
        json.writeObjectFieldStart("waiting");
        json.writeStringField("start", TimeText.instant(waiting.start()));
        json.writeStringField("end", TimeText.instant(waiting.end()));
        json.writeStringField("cost", waiting.cost().toString());
        json.writeEndObject();
    }

    /** Left out of a plan that has looked for one alternative of each gang only. */
    private static void search(JsonGenerator json, SearchExtent search) throws IOException {
        if (search.turns() == 0 && !search.stopped()) {
            return;
        }
        json.writeObjectFieldStart("search");
        json.writeNumberField("rounds", search.rounds());
        json.writeNumberField("turns", search.turns());
        json.writeBooleanField("stopped", search.stopped());
        json.writeEndObject();
    }

    private static void totals(JsonGenerator json, PlanTotals totals) throws IOException {
        json.writeObjectFieldStart("totals");
        json.writeStringField("cost", totals.cost().shown());
        json.writeObjectFieldStart("income");
        for (Map.Entry<String, Cost> owner : totals.income().entrySet()) {
            json.writeStringField(owner.getKey(), owner.getValue().shown());
        }
        json.writeEndObject();
        json.writeNumberField("processorSeconds", totals.processorSeconds());
        json.writeNumberField("utilisation", totals.utilisation());
        json.writeEndObject();
    }

    public static void strings(JsonGenerator json, String name, List<String> values) throws IOException {
        if (values.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }
}
