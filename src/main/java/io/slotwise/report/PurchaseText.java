package io.slotwise.report;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.PurchaseAdvice;
import io.slotwise.core.window.Window;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The effect of a purchase for one gang in words. */
public final class PurchaseText {
    private PurchaseText() {}

    /** Returns one sentence if the plan would buy for the gang, otherwise none. */
    public static List<String> of(Plan plan, GangId gang) {
        return plan.buying().stream()
                .filter(advice -> advice.gang().id().equals(gang))
                .map(advice -> sentence(advice, plan.now()))
                .toList();
    }

    /** Returns the effect in one sentence without a full stop. */
    public static String sentence(PurchaseAdvice advice, long now) {
        Window window = advice.acquisition().window();
        Window waitingWindow = advice.waitingWindow();
        return "%s would start it at %s (%s), for %s%s"
                .formatted(
                        advice.acquisition().purchases().isEmpty()
                                ? "Idle capacity on nodes bought for other gangs"
                                : "Buying " + bought(advice),
                        TimeText.instant(window.start()),
                        TimeText.relative(now, window.start()),
                        window.cost().brief(),
                        waitingWindow == null
                                ? ""
                                : "; waiting starts it at %s, for %s"
                                        .formatted(
                                                TimeText.instant(waitingWindow.start()),
                                                waitingWindow.cost().brief()));
    }

    /** Returns the purchases in words, such as {@code 2 x g5.xlarge}, or the idle nodes that are used instead. */
    static String bought(PurchaseAdvice advice) {
        List<String> offers = offers(advice);
        return offers.isEmpty()
                ? "uses "
                        + String.join(" ", PlanReport.nodes(advice.acquisition().window()))
                : bought(offers);
    }

    static String bought(List<String> offers) {
        Map<String, Integer> counts = new TreeMap<>();
        offers.forEach(offer -> counts.merge(offer, 1, Integer::sum));
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " x " + entry.getKey())
                .collect(Collectors.joining(", "));
    }

    /** Returns the offer of each node that would be bought. */
    public static List<String> offers(PurchaseAdvice advice) {
        return advice.acquisition().purchases().stream()
                .map(purchase -> purchase.offer().name())
                .toList();
    }
}
