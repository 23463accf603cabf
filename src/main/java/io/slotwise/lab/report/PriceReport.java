package io.slotwise.lab.report;

import io.slotwise.core.money.Currency;
import io.slotwise.lab.simulation.metric.PriceCurve;
import io.slotwise.lab.simulation.metric.PriceCurve.Mean;
import io.slotwise.report.JsonObject;
import io.slotwise.report.PointChart;
import io.slotwise.report.PointChart.Mark;
import io.slotwise.report.StandalonePage;
import io.slotwise.report.Terminal;
import io.slotwise.report.TextTable;
import io.slotwise.report.TimeText;
import java.math.BigDecimal;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The income of some nodes' owner by their price; {@code seed} is that of the first replication. */
public record PriceReport(PriceCurve curve, String workload, String pool, int nodes, long seed, Currency currency) {
    private String title() {
        return "Income of %s (%d %s) by price, %s".formatted(pool, nodes, nodes == 1 ? "node" : "nodes", workload);
    }

    private TextTable<Integer> prices() {
        return new TextTable<Integer>()
                .right("PRICE", i -> curve.offers().get(i).percent() + " %")
                .right(currency.heading("INCOME"), i -> words(curve.income(i)))
                .right(currency.heading("LESS THAN BEST"), i -> i == curve.best() ? "-" : words(curve.less(i)))
                .right("BEST IN", i -> "%d of %d".formatted(curve.won(i), curve.replications()))
                .right(currency.heading("ALL JOBS PAY"), i -> words(curve.paid(i)))
                .spare(1)
                .right(
                        "MEAN WAIT",
                        i -> TimeText.duration(Math.round(curve.waited(i).mean())))
                .spare(0);
    }

    private List<Integer> indices() {
        return IntStream.range(0, curve.offers().size()).boxed().toList();
    }

    private static String words(Mean mean) {
        return ComparisonReport.brief(mean.mean())
                + (mean.halfWidth().isPresent()
                        ? " ±" + ComparisonReport.brief(mean.halfWidth().getAsDouble())
                        : "");
    }

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

    public String table(Terminal terminal) {
        return terminal.paragraph(title())
                + "\n"
                + prices().draw(indices(), terminal)
                + "\n"
                + terminal.paragraph(verdict());
    }

    /** Returns indented JSON with a final line feed. A half-width is null for one replication. */
    public String json() {
        return new JsonObject()
                .put("workload", workload)
                .put("pool", pool)
                .put("nodes", nodes)
                .put("seed", seed)
                .put("replications", curve.replications())
                .putCurrency(currency)
                .put("bestPercent", curve.offers().get(curve.best()).percent())
                .putEach(
                        "prices",
                        indices(),
                        i -> new JsonObject()
                                .put("percent", curve.offers().get(i).percent())
                                .put("income", json(curve.income(i)))
                                .put("lessThanBest", json(curve.less(i)))
                                .put("rivalsBest", curve.rivals(i))
                                .put("bestIn", curve.won(i))
                                .put("paidByAll", json(curve.paid(i)))
                                .put("waitSeconds", json(curve.waited(i)))
                                .putIfAny(
                                        "incomes",
                                        curve.offers().get(i).income().stream()
                                                .map(BigDecimal::toPlainString)
                                                .toList()))
                .document();
    }

    private static JsonObject json(Mean mean) {
        OptionalDouble half = mean.halfWidth();
        return new JsonObject().put("mean", mean.mean()).put("ci95", half.isPresent() ? half.getAsDouble() : null);
    }

    public String html() {
        return StandalonePage.ofPoints(title())
                + StandalonePage.paragraph(verdict())
                + PointChart.draw("Price, % of the present one", currency.heading("Income"), marks())
                + StandalonePage.table(prices().headings(), prices().cells(indices()))
                + StandalonePage.paragraph(
                        "Bars are 95 %% confidence intervals over the replications, from seed %d.".formatted(seed))
                + StandalonePage.end();
    }

    private List<Mark> marks() {
        return IntStream.range(0, curve.offers().size())
                .mapToObj(i -> {
                    Mean mean = curve.income(i);
                    double half = mean.halfWidth().orElse(0);
                    return new Mark(
                            curve.offers().get(i).percent(),
                            mean.mean(),
                            mean.mean() - half,
                            mean.mean() + half,
                            "%d %%: %s".formatted(curve.offers().get(i).percent(), words(mean)),
                            i == curve.best());
                })
                .collect(Collectors.toList());
    }
}
