package io.slotwise.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.window.Window;
import io.slotwise.report.TextTable.Column;
import java.io.IOException;
import java.util.List;

/**
 * The menu of one gang: every window that is Pareto-optimal in start and cost, the other criteria beside them.
 *
 * @param now seconds since the epoch
 * @param gang whose menu it is
 * @param menu by ascending start and descending cost
 */
public record QuoteReport(long now, Gang gang, List<Window> menu) {
    public QuoteReport {
        menu = List.copyOf(menu);
    }

    private boolean affordable(Window window) {
        return window.cost().compareTo(gang.budget().limit()) <= 0;
    }

    /** As a table. */
    public String table(Terminal terminal) {
        if (menu.isEmpty()) {
            return "%s could have no window, whatever the money.\n".formatted(gang.id());
        }
        TextTable table = new TextTable(List.of(
                Column.left("START"),
                Column.right("IN"),
                Column.right("COST"),
                Column.left("END"),
                Column.right("RUNTIME"),
                Column.right("PROCESSOR TIME"),
                Column.right("ENERGY Wh"),
                Column.left("BUDGET")));
        for (Window window : menu) {
            table.row(List.of(
                    TimeText.instant(window.start()),
                    TimeText.relative(now, window.start()),
                    window.cost().roundedUp().brief(),
                    TimeText.instant(window.end()),
                    TimeText.duration(window.runtime()),
                    TimeText.duration(window.processorTime()),
                    wattHours(window),
                    gang.budget().total() == null ? "none" : affordable(window) ? "within" : "over"));
        }
        return table.draw(terminal);
    }

    private static String wattHours(Window window) {
        return window.energy() == Window.UNKNOWN_ENERGY ? "-" : "%.1f".formatted(window.energy() / 3_600_000.0);
    }

    /** As JSON, indented, with a line feed at its end; energy is null where a node does not tell its power. */
    public String json() {
        return JsonReport.document(json -> {
            json.writeStringField("now", TimeText.instant(now));
            json.writeStringField("gang", gang.id().toString());
            if (gang.budget().total() == null) {
                json.writeNullField("budget");
            } else {
                json.writeStringField("budget", gang.budget().total().toString());
            }
            json.writeStringField("criterion", gang.criterion().key());
            json.writeArrayFieldStart("menu");
            for (Window window : menu) {
                row(json, window);
            }
            json.writeEndArray();
        });
    }

    private void row(JsonGenerator json, Window window) throws IOException {
        json.writeStartObject();
        json.writeStringField("start", TimeText.instant(window.start()));
        json.writeStringField("end", TimeText.instant(window.end()));
        json.writeStringField("cost", window.cost().roundedUp().toString());
        json.writeNumberField("runtimeSeconds", window.runtime());
        json.writeNumberField("processorSeconds", window.processorTime());
        if (window.energy() == Window.UNKNOWN_ENERGY) {
            json.writeNullField("energyWattSeconds");
        } else {
            json.writeNumberField("energyWattSeconds", window.energy() / 1000.0);
        }
        json.writeBooleanField("withinBudget", affordable(window));
        json.writeEndObject();
    }

    /** As CSV with a heading. */
    public String csv() {
        StringBuilder text = new StringBuilder(
                "start,end,cost,runtime_seconds,processor_seconds,energy_watt_seconds,within_budget\n");
        for (Window window : menu) {
            text.append("%s,%s,%s,%d,%d,%s,%b\n"
                    .formatted(
                            TimeText.instant(window.start()),
                            TimeText.instant(window.end()),
                            window.cost().roundedUp(),
                            window.runtime(),
                            window.processorTime(),
                            window.energy() == Window.UNKNOWN_ENERGY ? "" : window.energy() / 1000.0,
                            affordable(window)));
        }
        return text.toString();
    }
}
