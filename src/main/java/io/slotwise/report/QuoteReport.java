package io.slotwise.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.planner.advice.Quoter;
import io.slotwise.core.provision.Purchase;
import io.slotwise.core.window.Window;
import io.slotwise.report.PlanReport.InputNote;
import io.slotwise.report.PlanReport.WindowRow;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The menu of one gang: every window that is Pareto-optimal in start and cost, with the other criteria. The menu over
 * several clusters is made by {@link io.slotwise.report.clusters.ClusterQuotes}.
 *
 * @param now seconds since the epoch
 * @param budget the maximum cost; null if unlimited
 * @param criterion null if the policies of several clusters have different defaults
 * @param menu the menu by ascending start and descending cost
 * @param reason why the menu is empty; null if it is not, or not stated
 * @param valueOfTime what the gang gains if it ends an hour earlier; null if nothing
 * @param valueUntil a later end than this costs nothing more, seconds since the epoch; null if there is no such end
 * @param preferred the gang's preferences; null if none
 * @param leftOut the clusters that offer no window; empty if a single cluster is asked
 */
public record QuoteReport(
        long now,
        String gang,
        @Nullable Money budget,
        @Nullable String criterion,
        List<QuoteRow> menu,
        @Nullable String reason,
        @Nullable Money valueOfTime,
        @Nullable Long valueUntil,
        @Nullable PreferenceRow preferred,
        Currency currency,
        List<LeftOut> leftOut) {
    /** The length of a formatted distance, characters. */
    private static final int LONGEST_DISTANCE = 44;

    private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);

    public QuoteReport {
        menu = List.copyOf(menu);
        leftOut = List.copyOf(leftOut);
    }

    /** A cluster that offers no window. */
    public record LeftOut(String cluster, String cause) {
        /** Returns the fact in words; {@code which} is empty, or says the gangs, as {@code for team/train} does. */
        public String words(String which) {
            return "cluster %s is left out%s: %s".formatted(cluster, which.isEmpty() ? "" : " " + which, cause);
        }
    }

    /**
     * A window of the menu. Seconds since the epoch, ends exclusive; money is rounded up to a millionth.
     *
     * @param cluster the cluster that offers it; null if a single cluster is asked
     * @param processorTime the sum of the pods' seconds
     * @param energy milliwatt-seconds; {@link Window#UNKNOWN_ENERGY} if the power of a node is not known
     * @param delayValue the value of its delay, rounded up to a millionth; null if nothing
     * @param promisedBy the latest start that would be promised, since the epoch; null if this is {@code start}
     * @param distance from the preferences, without unit, with three digits; null without preferences
     * @param buys the offer of each node that is bought for it, by the node's name
     */
    public record QuoteRow(
            @Nullable String cluster,
            long start,
            long end,
            Money cost,
            long runtime,
            long processorTime,
            long energy,
            boolean withinBudget,
            @Nullable Money delayValue,
            @Nullable Long promisedBy,
            @Nullable String distance,
            List<String> buys) {
        public QuoteRow {
            buys = List.copyOf(buys);
        }

        public QuoteRow of(String offeringCluster) {
            return new QuoteRow(
                    offeringCluster,
                    start,
                    end,
                    cost,
                    runtime,
                    processorTime,
                    energy,
                    withinBudget,
                    delayValue,
                    promisedBy,
                    distance,
                    buys);
        }

        /**
         * Returns the value of a criterion, to be minimized: seconds, milliwatt-seconds, millionths of the currency
         * unit or thousandths of a distance. {@link Long#MAX_VALUE} if it is not known.
         */
        public long value(Criterion criterion) {
            return switch (criterion) {
                case START -> start;
                case FINISH -> end;
                case RUNTIME -> runtime;
                case COST -> cost.micros();
                case PROCESSOR_TIME -> processorTime;
                case ENERGY -> energy;
                case VALUE -> together();
                case PREFERENCE ->
                    distance == null
                            ? Long.MAX_VALUE
                            : new BigDecimal(distance).unscaledValue().longValueExact();
            };
        }

        public JsonObject json() {
            return new JsonObject()
                    .putIfAny("cluster", cluster)
                    .put("start", TimeText.instant(start))
                    .put("end", TimeText.instant(end))
                    .put("cost", cost.toString())
                    .put("runtimeSeconds", runtime)
                    .put("processorSeconds", processorTime)
                    .put("energyWattSeconds", wattSeconds())
                    .put("withinBudget", withinBudget)
                    .putIfAny("delayValue", JsonReport.text(delayValue))
                    .putIfAny("promisedBy", JsonReport.instant(promisedBy))
                    .putIfAny("distance", distance)
                    .putIfAny("buys", buys);
        }

        private @Nullable Double wattSeconds() {
            return energy == Window.UNKNOWN_ENERGY ? null : Double.valueOf(energy / 1000.0);
        }

        /** Returns the cost plus the value of the delay, millionths of the currency unit. */
        long together() {
            return delayValue == null ? cost.micros() : cost.micros() + delayValue.micros();
        }
    }

    public static QuoteReport of(long now, Gang gang, Quoter.Quote quote, Currency currency) {
        return new QuoteReport(
                now,
                gang.id().toString(),
                gang.budget().total(),
                gang.criterion().key(),
                IntStream.range(0, quote.menu().size())
                        .mapToObj(i -> row(gang, quote.menu().get(i), quote.slack(), quote.purchases(i)))
                        .toList(),
                quote.refusal() == null ? null : quote.refusal().message(currency),
                gang.valueOfTime().isNone() ? null : gang.valueOfTime().hour(),
                WindowRow.until(gang.valueOfTime()),
                PreferenceRow.of(gang.preferences(), null, currency),
                currency,
                List.of());
    }

    private static QuoteRow row(Gang gang, Window window, PromiseSlack slack, List<Purchase> purchases) {
        PromiseBound bound = slack.promised(gang, window);
        return new QuoteRow(
                null,
                window.start(),
                window.end(),
                window.cost().roundedUp(),
                window.runtime(),
                window.processorTime(),
                window.energy(),
                window.cost().compareTo(gang.budget().limit()) <= 0,
                gang.valueOfTime().isNone() ? null : new Cost(gang.delay(window.end())).roundedUp(),
                bound == null ? null : Long.valueOf(bound.start()),
                gang.preferences().isNone() ? null : PreferenceRow.distance(gang.preferences(), window),
                purchases.stream().map(purchase -> purchase.offer().name()).toList());
    }

    /** Reads the output of {@link #json} of a single cluster. */
    public static QuoteReport read(String json) throws IOException {
        JsonNode document = JsonObject.MAPPER.readTree(json);
        List<QuoteRow> rows = new ArrayList<>();
        for (JsonNode row : document.path("menu")) {
            List<String> buys = new ArrayList<>();
            row.path("buys").forEach(offer -> buys.add(offer.asText()));
            JsonNode energy = row.path("energyWattSeconds");
            rows.add(new QuoteRow(
                    null,
                    second(row.path("start")),
                    second(row.path("end")),
                    amount(row.path("cost")),
                    row.path("runtimeSeconds").asLong(),
                    row.path("processorSeconds").asLong(),
                    energy.isNull()
                            ? Window.UNKNOWN_ENERGY
                            : energy.decimalValue().multiply(THOUSAND).longValue(),
                    row.path("withinBudget").asBoolean(),
                    money(row.path("delayValue")),
                    row.path("promisedBy").isTextual() ? Long.valueOf(second(row.path("promisedBy"))) : null,
                    distance(row.path("distance")),
                    buys));
        }
        JsonNode budget = document.path("budget");
        return new QuoteReport(
                second(document.path("now")),
                document.path("gang").asText(),
                budget.isNull() ? null : amount(budget),
                document.path("criterion").asText(),
                rows,
                document.path("reason").isTextual() ? document.path("reason").asText() : null,
                money(document.path("valueOfTime")),
                document.path("valueUntil").isTextual() ? Long.valueOf(second(document.path("valueUntil"))) : null,
                document.path("preferred").isObject()
                        ? JsonObject.MAPPER.treeToValue(document.path("preferred"), PreferenceRow.class)
                        : null,
                JsonReport.currency(document),
                List.of());
    }

    private static @Nullable Money money(JsonNode text) throws IOException {
        return text.isTextual() ? amount(text) : null;
    }

    private static Money amount(JsonNode text) throws IOException {
        try {
            return Cost.read(text.asText()).roundedUp();
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IOException("'%s' is not an amount".formatted(text.asText()), e);
        }
    }

    private static @Nullable String distance(JsonNode text) {
        String written = text.asText();
        if (written.length() > LONGEST_DISTANCE) {
            return null;
        }
        try {
            BigDecimal distance = new BigDecimal(written);
            return distance.scale() == 3
                            && distance.signum() >= 0
                            && distance.unscaledValue().bitLength() < Long.SIZE
                    ? distance.toPlainString()
                    : null;
        } catch (NumberFormatException noNumber) {
            return null;
        }
    }

    private static long second(JsonNode instant) throws IOException {
        try {
            return Instant.parse(instant.asText()).getEpochSecond();
        } catch (DateTimeParseException e) {
            throw new IOException("'%s' is not an instant".formatted(instant.asText()), e);
        }
    }

    public String table(Terminal terminal) {
        if (menu.isEmpty()) {
            return "%s: no window at any budget%s\n".formatted(gang, reason == null ? "." : ": " + reason);
        }
        TextTable<QuoteRow> table = new TextTable<QuoteRow>()
                .name("CLUSTER", row -> String.valueOf(row.cluster()))
                .when(menu.getFirst().cluster() != null)
                .left("START", row -> TimeText.instant(row.start()))
                .right("IN", row -> TimeText.relative(now, row.start()))
                .right(currency.heading("COST"), row -> row.cost().brief())
                .right(
                        currency.heading("DELAY"),
                        row -> row.delayValue() == null ? "-" : row.delayValue().brief())
                .when(valueOfTime != null)
                .right("DISTANCE", row -> Objects.requireNonNullElse(row.distance(), "-"))
                .when(preferred != null)
                .left("PROMISED BY", row -> row.promisedBy() == null ? "-" : TimeText.instant(row.promisedBy()))
                .when(menu.stream().anyMatch(row -> row.promisedBy() != null))
                .left("END", row -> TimeText.instant(row.end()))
                .spare(2)
                .right("RUNTIME", row -> TimeText.duration(row.runtime()))
                .right("PROCESSOR TIME", row -> TimeText.duration(row.processorTime()))
                .spare(1)
                .right("ENERGY Wh", QuoteReport::wattHours)
                .spare(0)
                .when(menu.stream().anyMatch(row -> row.energy() != Window.UNKNOWN_ENERGY))
                .left("BUDGET", row -> !row.withinBudget() ? "over" : budget == null ? "none" : "within")
                .left("BUYS", row -> row.buys().isEmpty() ? "-" : PurchaseText.bought(row.buys()))
                .when(menu.stream().anyMatch(row -> !row.buys().isEmpty()));
        return table.draw(menu, terminal) + (preferred == null ? bestValue() : nearest(preferred));
    }

    /** Returns the best window by the value of time, and the saving of its wait. Empty without a value or a window. */
    private String bestValue() {
        Optional<QuoteRow> bestRow = valueOfTime == null
                ? Optional.empty()
                : menu.stream().filter(QuoteRow::withinBudget).min(Comparator.comparingLong(QuoteRow::together));
        return bestRow.map(windowRow -> "At %s the window %s is worth most%s.\n"
                        .formatted(
                                valueOfTime == null ? "" : WindowRow.hour(currency, valueOfTime, valueUntil),
                                named(windowRow),
                                saving(windowRow)))
                .orElse("");
    }

    /** Returns the preferences, and the nearest window within the budget. */
    private String nearest(PreferenceRow wishRow) {
        Optional<QuoteRow> nearestRow = menu.stream()
                .filter(windowRow -> windowRow.withinBudget() && windowRow.distance() != null)
                .min(Comparator.comparing(windowRow -> new BigDecimal(windowRow.distance())));
        return wishRow.message() + "\n"
                + nearestRow
                        .map(windowRow -> "The window %s is nearest to that, at a distance of %s.\n"
                                .formatted(named(windowRow), windowRow.distance()))
                        .orElse("");
    }

    private String named(QuoteRow row) {
        String start = TimeText.relative(now, row.start());
        return row.cluster() == null ? start : start + " of cluster " + row.cluster();
    }

    private String saving(QuoteRow row) {
        QuoteRow first = menu.getFirst();
        long saved = first.cost().micros() - row.cost().micros();
        return saved <= 0
                ? ""
                : ": it waits %s to save %s"
                        .formatted(TimeText.duration(row.start() - first.start()), currency.of(new Money(saved)));
    }

    private static String wattHours(QuoteRow row) {
        return row.energy() == Window.UNKNOWN_ENERGY ? "-" : "%.1f".formatted(row.energy() / 3_600_000.0);
    }

    /** Returns indented JSON with a final line feed. Energy is null if the power of a node is not known. */
    public String json() {
        return json(List.of());
    }

    public String json(List<InputNote> input) {
        JsonObject json = new JsonObject()
                .put("now", TimeText.instant(now))
                .put("gang", gang)
                .putCurrency(currency)
                .put("budget", JsonReport.text(budget))
                .putIfAny("criterion", criterion);
        if (valueOfTime != null) {
            json.put("valueOfTime", valueOfTime.toString()).putIfAny("valueUntil", JsonReport.instant(valueUntil));
        }
        return json.putIfAny("preferred", preferred)
                .putEach("menu", menu, QuoteRow::json)
                .putIfAny("reason", reason)
                .putIfAny("leftOut", leftOut)
                .putIfAny("inputNotes", input)
                .document();
    }

    public String csv() {
        boolean ofClusters = !menu.isEmpty() && menu.getFirst().cluster() != null;
        CsvText csv = new CsvText(
                "\n",
                "start,end,cost,runtime_seconds,processor_seconds,energy_watt_seconds,within_budget,buys"
                        + (ofClusters ? ",cluster" : ""));
        for (QuoteRow row : menu) {
            List<@Nullable Object> cells = new ArrayList<>();
            cells.add(TimeText.instant(row.start()));
            cells.add(TimeText.instant(row.end()));
            cells.add(row.cost());
            cells.add(row.runtime());
            cells.add(row.processorTime());
            cells.add(row.wattSeconds());
            cells.add(row.withinBudget());
            cells.add(String.join(" ", row.buys()));
            if (ofClusters) {
                cells.add(row.cluster());
            }
            csv.row(cells.toArray());
        }
        return csv.toString();
    }
}
