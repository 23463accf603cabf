package io.slotwise.report;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.PurchaseAdvice;
import java.util.List;

/** What buying would do for one gang, in words. */
public final class PurchaseText {
    private PurchaseText() {}

    /** One sentence where the plan would buy for the gang, otherwise none. */
    public static List<String> of(Plan plan, GangId gang) {
        return plan.buying().stream()
                .filter(buying -> buying.gang().id().equals(gang))
                .map(buying -> sentence(buying, plan.now()))
                .toList();
    }

    /** What buying would do for a gang, in one sentence without a full stop. */
    public static String sentence(PurchaseAdvice buying, long now) {
        BuyingRow row = BuyingRow.of(buying);
        BuyingRow.WaitingRow waiting = row.waiting();
        return "%s would start it at %s (%s), for %s%s"
                .formatted(
                        row.nodes().isEmpty()
                                ? "Idle capacity on nodes bought for other gangs"
                                : "Buying " + row.bought(),
                        TimeText.instant(row.start()),
                        TimeText.relative(now, row.start()),
                        row.cost().brief(),
                        waiting == null
                                ? ""
                                : "; waiting starts it at %s, for %s"
                                        .formatted(
                                                TimeText.instant(waiting.start()),
                                                waiting.cost().brief()));
    }
}
