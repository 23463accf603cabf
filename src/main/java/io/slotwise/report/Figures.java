package io.slotwise.report;

import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.plan.Refusal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The figures of a reason for waiting, by name, as they stand in JSON: money is a string with six decimals, an instant RFC 3339,
 * a duration whole seconds.
 */
public final class Figures {
    private Figures() {}

    /** The figures, in the order in which the sentence has them; the reason {@link Refusal#key} says which there are. */
    public static Map<String, Object> of(Refusal refusal) {
        Map<String, Object> figures = new LinkedHashMap<>();
        switch (refusal) {
            case Refusal.InvalidRequest _, Refusal.NotBackfilled _ -> {}
            case Refusal.Failed failed -> figures.put("error", failed.error());
            case Refusal.WaitingForMembers waiting -> {
                figures.put("present", waiting.present());
                figures.put("size", waiting.size());
            }
            case Refusal.WaitingForGroup waiting -> {
                figures.put("kind", waiting.kind());
                figures.put("api", waiting.api());
                figures.put("name", waiting.name());
            }
            case Refusal.ForeignGate gated -> {
                figures.put("pod", gated.pod());
                figures.put("gate", gated.gate());
            }
            case Refusal.NoEligibleNode none -> {
                figures.put("nodes", none.nodes());
                figures.put("excluded", excluded(none.excluded()));
            }
            case Refusal.TooLarge large -> {
                figures.put("size", large.size());
                figures.put("room", large.room());
                if (large.topology() != null) {
                    figures.put("topology", large.topology());
                }
            }
            case Refusal.OverBudget over -> {
                figures.put("cheapest", over.cheapest().toString());
                figures.put("start", TimeText.instant(over.cheapestStart()));
                figures.put("budget", over.budget().toString());
            }
            case Refusal.OverSlotPrice over -> figures.put("limit", over.limit().toString());
            case Refusal.Deadline late -> {
                figures.put("deadline", TimeText.instant(late.deadline()));
                figures.put("start", TimeText.instant(late.start()));
                figures.put("end", TimeText.instant(late.end()));
            }
            case Refusal.LongerThanHorizon longer -> {
                figures.put("runtimeSeconds", longer.runtime());
                figures.put("horizonSeconds", longer.horizon());
            }
            case Refusal.BeyondHorizon beyond -> {
                figures.put("earliestStart", TimeText.instant(beyond.earliestStart()));
                figures.put("horizonSeconds", beyond.horizon());
            }
            case Refusal.EndsBeyondHorizon beyond -> {
                figures.put("earliestStart", TimeText.instant(beyond.earliestStart()));
                figures.put("runtimeSeconds", beyond.runtime());
                figures.put("horizonSeconds", beyond.horizon());
            }
            case Refusal.BehindPromises behind -> {
                figures.put("gang", behind.first().toString());
                figures.put("start", TimeText.instant(behind.start()));
                figures.put("others", behind.others());
            }
            case Refusal.NoWindow none -> {
                figures.put("size", none.size());
                figures.put("horizonSeconds", none.horizon());
            }
            case Refusal.NoDomain none -> figures.put("label", none.label());
            case Refusal.NotBefore before -> figures.put("earliestStart", TimeText.instant(before.earliestStart()));
            case Refusal.BatchLimit limit -> {
                figures.put("limit", limit.limit());
                figures.put("least", limit.least());
                figures.put("allowed", limit.allowed());
                figures.put("whole", limit.whole());
            }
            case Refusal.NamespaceBudget budget -> {
                figures.put("namespace", budget.namespace());
                figures.put("cheapest", budget.cheapest().toString());
                figures.put("left", budget.left().toString());
                figures.put("until", TimeText.instant(budget.until()));
            }
            case Refusal.Behind behind -> {
                figures.put("gang", behind.head().toString());
                figures.put("start", TimeText.instant(behind.headStart()));
            }
            case Refusal.AwaitsReservation waiting ->
                figures.put("reservation", waiting.reservation().toString());
        }
        return figures;
    }

    private static Map<String, Integer> excluded(Map<Exclusion, Integer> counts) {
        Map<String, Integer> excluded = new LinkedHashMap<>();
        Arrays.stream(Exclusion.values())
                .filter(counts::containsKey)
                .forEach(exclusion -> excluded.put(exclusion.key(), counts.getOrDefault(exclusion, 0)));
        return excluded;
    }
}
