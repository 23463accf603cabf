package io.slotwise.lab.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.slotwise.core.money.Currency;
import io.slotwise.lab.simulation.metric.PriceCurve;
import io.slotwise.lab.simulation.metric.PriceCurve.Mean;
import io.slotwise.report.JsonReport;
import io.slotwise.report.PointChart;
import io.slotwise.report.PointChart.Mark;
import io.slotwise.report.StandalonePage;
import io.slotwise.report.Terminal;
import io.slotwise.report.TextTable;
import io.slotwise.report.TextTable.Column;
import io.slotwise.report.TimeText;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What an owner earns by the price of some nodes.
 *
 * @param curve what was found
 * @param workload which jobs were served
 * @param pool which nodes, in words
 * @param nodes how many they are
 * @param seed of the first replication
 * @param currency what money is in
 */
public record PriceReport(PriceCurve curve, String workload, String pool, int nodes, long seed, Currency currency) {
    private String title() {
        return "Income of %s (%d %s) by price, %s".formatted(pool, nodes, nodes == 1 ? "node" : "nodes", workload);
    }

    private List<String> headings() {
        return List.of(
                "PRICE",
                currency.heading("INCOME"),
                currency.heading("LESS THAN BEST"),
                "BEST IN",
                currency.heading("ALL JOBS PAY"),
                "MEAN WAIT");
    }

    private List<List<String>> rows() {
        return IntStream.range(0, curve.offers().size())
                .mapToObj(i -> List.of(
                        curve.offers().get(i).percent() + " %",
                        words(curve.income(i)),
                        i == curve.best() ? "-" : words(curve.less(i)),
                        "%d of %d".formatted(curve.won(i), curve.replications()),
                        words(curve.paid(i)),
                        TimeText.duration(Math.round(curve.waited(i).mean()))))
                .toList();
    }

    private static String words(Mean mean) {
        return ComparisonReport.brief(mean.mean())
                + (mean.halfWidth().isPresent()
                        ? " ±" + ComparisonReport.brief(mean.halfWidth().getAsDouble())
                        : "");
    }

    /** Which price earns most, and how sure that is. */
    private String verdict() {
        int best = curve.best();
        String most = "%d %% of the present price earns most: %s"
                .formatted(curve.offers().get(best).percent(), words(curve.income(best)));
        if (curve.replications() < 2) {
            return most + ". One replication does not say how sure that is: give --runs.";
        }
        List<String> rivals = IntStream.range(0, curve.offers().size())
                .filter(curve::rivals)
                .mapToObj(i -> curve.offers().get(i).percent() + " %")
                .toList();
        return most
                + (rivals.isEmpty()
                        ? ", more than every other price"
                        : ". It cannot be told from %s".formatted(String.join(", ", rivals)))
                + " (95 %% confidence, %d replications).".formatted(curve.replications());
    }

    /** As a table. */
    public String table(Terminal terminal) {
        List<String> headings = headings();
        TextTable table = new TextTable(List.of(
                Column.right(headings.get(0)),
                Column.right(headings.get(1)),
                Column.right(headings.get(2)),
                Column.right(headings.get(3)),
                Column.right(headings.get(4)).spare(1),
                Column.right(headings.get(5)).spare(0)));
        rows().forEach(table::row);
        return terminal.paragraph(title()) + "\n" + table.draw(terminal) + "\n" + terminal.paragraph(verdict());
    }

    /** As JSON, indented, with a line feed at its end; a half-width is null where there is one replication. */
    public String json() {
        return JsonReport.document(json -> {
            json.writeStringField("workload", workload);
            json.writeStringField("pool", pool);
            json.writeNumberField("nodes", nodes);
            json.writeNumberField("seed", seed);
            json.writeNumberField("replications", curve.replications());
            JsonReport.currency(json, currency);
            json.writeNumberField(
                    "bestPercent", curve.offers().get(curve.best()).percent());
            json.writeArrayFieldStart("prices");
            for (int i = 0; i < curve.offers().size(); i++) {
                json.writeStartObject();
                json.writeNumberField("percent", curve.offers().get(i).percent());
                mean(json, "income", curve.income(i));
                mean(json, "lessThanBest", curve.less(i));
                json.writeBooleanField("rivalsBest", curve.rivals(i));
                json.writeNumberField("bestIn", curve.won(i));
                mean(json, "paidByAll", curve.paid(i));
                mean(json, "waitSeconds", curve.waited(i));
                JsonReport.strings(
                        json,
                        "incomes",
                        curve.offers().get(i).income().stream()
                                .map(income -> income.toPlainString())
                                .toList());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    private static void mean(JsonGenerator json, String name, Mean mean) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeNumberField("mean", mean.mean());
        OptionalDouble half = mean.halfWidth();
        if (half.isPresent()) {
            json.writeNumberField("ci95", half.getAsDouble());
        } else {
            json.writeNullField("ci95");
        }
        json.writeEndObject();
    }

    /** As one page with a picture, which needs no network. */
    public String html() {
        return StandalonePage.ofPoints(title())
                + StandalonePage.paragraph(verdict())
                + PointChart.draw("Price, % of the present one", currency.heading("Income"), marks())
                + StandalonePage.table(headings(), rows())
                + StandalonePage.paragraph(
                        "Bars are 95 %% confidence intervals over the replications, from seed %d.".formatted(seed))
                + StandalonePage.end();
    }

    private List<Mark> marks() {
        return IntStream.range(0, curve.offers().size())
                .mapToObj(i -> {
                    Mean income = curve.income(i);
                    double half = income.halfWidth().orElse(0);
                    return new Mark(
                            curve.offers().get(i).percent(),
                            income.mean(),
                            income.mean() - half,
                            income.mean() + half,
                            "%d %%: %s".formatted(curve.offers().get(i).percent(), words(income)),
                            i == curve.best());
                })
                .collect(Collectors.toList());
    }
}
