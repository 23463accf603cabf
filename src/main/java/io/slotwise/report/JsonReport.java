package io.slotwise.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.core.migration.Move;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.PurchaseAdvice;
import io.slotwise.core.provision.Purchase;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.SearchExtent;
import io.slotwise.core.window.Window;
import io.slotwise.report.PlanReport.PlanTotals;
import io.slotwise.report.PlanReport.WindowRow;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A plan as JSON: instants are UTC with whole seconds, money is a string with six decimals. */
public final class JsonReport {
    private JsonReport() {}

    public static String write(PlanReport report) {
        return write(report, List.of());
    }

    /** Returns the document, with a final member {@code explanation} unless there are no such lines. */
    public static String write(PlanReport report, List<String> explanation) {
        JsonObject json = new JsonObject()
                .put("now", TimeText.instant(report.now()))
                .put("horizon", Duration.ofSeconds(report.horizon()).toString())
                .putCurrency(report.currency())
                .putEach("windows", report.windows(), JsonReport::window)
                .putEach(
                        "pending",
                        report.pending(),
                        pending -> new JsonObject()
                                .put("gang", pending.gang().toString())
                                .put("reason", pending.refusal().message(report.currency())))
                .putIfAny("moves", report.moves().stream().map(JsonReport::move).toList())
                .putIfAny(
                        "buying",
                        report.buying().stream().map(JsonReport::buying).toList())
                .put("totals", totals(report.totals()));
        SearchExtent search = report.search();
        if (search.turns() != 0 || search.stopped()) {
            json.put(
                    "search",
                    new JsonObject()
                            .put("rounds", search.rounds())
                            .put("turns", search.turns())
                            .put("stopped", search.stopped()));
        }
        return json.putIfAny("notes", report.notes())
                .putIfAny("inputNotes", report.inputNotes())
                .putIfAny("explanation", explanation)
                .document();
    }

    /** Reads the currency that {@link JsonObject#putCurrency} wrote. */
    static Currency currency(JsonNode document) {
        String name = document.path("currency").asText("");
        return Currency.isOne(name) ? new Currency(name) : Currency.NONE;
    }

    static JsonObject window(WindowRow window) {
        JsonObject json = new JsonObject()
                .put("gang", window.gang())
                .put("start", TimeText.instant(window.start()))
                .put("end", TimeText.instant(window.end()))
                .put("runtimeSeconds", window.end() - window.start())
                .put("cost", window.cost().toString())
                .put("budget", text(window.budget()))
                .put("criterion", window.criterion())
                .put("via", window.via());
        Money hour = window.valueOfTime();
        Money money = window.delayValue();
        if (hour != null && money != null) {
            json.put("valueOfTime", hour.toString())
                    .putIfAny("valueUntil", instant(window.valueUntil()))
                    .put("delayValue", money.toString());
        }
        return json.putIfAny("promisedBy", instant(window.promisedBy()))
                .putIfAny("preferred", window.row())
                .putIfAny("after", window.after())
                .putIfAny("borrowed", borrowed(window.borrowed()))
                .putEach("placement", window.placement(), JsonReport::pod);
    }

    private static @Nullable JsonObject borrowed(@Nullable Interval borrowed) {
        return borrowed == null
                ? null
                : new JsonObject()
                        .put("from", TimeText.instant(borrowed.start()))
                        .put("until", TimeText.instant(borrowed.end()));
    }

    static @Nullable String text(@Nullable Money money) {
        return money == null ? null : money.toString();
    }

    static @Nullable String instant(@Nullable Long second) {
        return second == null ? null : TimeText.instant(second);
    }

    private static JsonObject pod(WindowRow.PodRow pod) {
        return new JsonObject()
                .put("pod", pod.pod())
                .put("node", pod.node())
                .put("start", TimeText.instant(pod.start()))
                .put("end", TimeText.instant(pod.end()))
                .put("cost", pod.cost().toString());
    }

    private static JsonObject move(Move move) {
        Window targetWindow = move.targetWindow();
        return new JsonObject()
                .put("gang", move.gang().id().toString())
                .putIfAny("from", PlanReport.nodes(move.window()))
                .putIfAny("to", targetWindow == null ? null : PlanReport.nodes(targetWindow))
                .put("start", targetWindow == null ? null : TimeText.instant(targetWindow.start()))
                .put("workSeconds", move.work())
                .put("kind", move.reach().key())
                .put("reason", move.purpose().key())
                .put("why", "moved " + move.purpose().words());
    }

    private static JsonObject buying(PurchaseAdvice advice) {
        Window window = advice.acquisition().window();
        Window waitingWindow = advice.waitingWindow();
        return new JsonObject()
                .put("gang", advice.gang().id().toString())
                .put("start", TimeText.instant(window.start()))
                .put("end", TimeText.instant(window.end()))
                .put("cost", window.cost().shown())
                .put("expectedCost", advice.acquisition().expectedCost().shown())
                .putEach("nodes", advice.acquisition().purchases(), JsonReport::node)
                .putEach("placement", WindowRow.pods(window), JsonReport::pod)
                .put(
                        "waiting",
                        waitingWindow == null
                                ? null
                                : new JsonObject()
                                        .put("start", TimeText.instant(waitingWindow.start()))
                                        .put("end", TimeText.instant(waitingWindow.end()))
                                        .put("cost", waitingWindow.cost().shown()));
    }

    private static JsonObject node(Purchase purchase) {
        return new JsonObject()
                .put("node", purchase.node())
                .put("offer", purchase.offer().name())
                .put("boughtAt", TimeText.instant(purchase.bought()))
                .put("readyAt", TimeText.instant(purchase.ready()))
                .put("paidUntil", TimeText.instant(purchase.gone()))
                .put("bill", purchase.bill().shown());
    }

    private static JsonObject totals(PlanTotals totals) {
        Map<String, String> income = new LinkedHashMap<>();
        totals.income().forEach((owner, cost) -> income.put(owner, cost.shown()));
        return new JsonObject()
                .put("cost", totals.cost().shown())
                .put("income", income)
                .put("processorSeconds", totals.processorSeconds())
                .put("utilisation", totals.utilisation());
    }
}
