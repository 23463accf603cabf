package io.slotwise.web;

import static io.slotwise.web.GangAnswer.instant;

import io.slotwise.core.money.Currency;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.online.DomainChoice.Compared;
import io.slotwise.core.plan.Advice;
import io.slotwise.core.plan.ChoiceExplanation;
import io.slotwise.core.plan.DomainComparison;
import io.slotwise.core.plan.PurchaseAdvice;
import io.slotwise.core.window.Window;
import io.slotwise.report.Explanation.AdviceLine;
import io.slotwise.report.PurchaseText;
import java.math.BigDecimal;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The planner's data about a gang; the components are those of {@link GangAnswer}. */
public record PlannerAnswer(
        @Nullable ChoiceAnswer choice,
        @Nullable DomainsAnswer domains,
        @Nullable List<AdviceAnswer> advice,
        @Nullable BuyingAnswer buying,
        @Nullable Integer position) {
    static final PlannerAnswer SILENT = new PlannerAnswer(null, null, null, null, null);

    /**
     * The choice of a window.
     *
     * @param alternatives all of them, best first by the gang's criterion
     * @param lossPercent the loss of utility: 0 for the best alternative, 100 for the worst
     * @param decider what decided, for programs
     */
    public record ChoiceAnswer(List<AlternativeAnswer> alternatives, String lossPercent, String decider, String why) {
        static ChoiceAnswer of(ChoiceExplanation choice) {
            List<Window> windows = choice.alternatives();
            return new ChoiceAnswer(
                    IntStream.range(0, windows.size())
                            .mapToObj(i -> AlternativeAnswer.of(windows.get(i), i == choice.chosen()))
                            .toList(),
                    BigDecimal.valueOf(choice.loss(), 4).stripTrailingZeros().toPlainString(),
                    choice.decider().key(),
                    choice.reason());
        }
    }

    /** An alternative; the chosen one may have been shifted to an earlier start since. */
    public record AlternativeAnswer(
            String start, String end, String cost, long runtimeSeconds, long processorSeconds, boolean chosen) {
        static AlternativeAnswer of(Window window, boolean chosen) {
            return new AlternativeAnswer(
                    instant(window.start()),
                    instant(window.end()),
                    window.cost().shown(),
                    window.runtime(),
                    window.processorTime(),
                    chosen);
        }
    }

    /**
     * The choice of a resource domain: TOPSIS' table.
     *
     * @param mode {@code emct} or {@code emet}
     * @param compared the domains, best first; the first one has the window
     * @param leftOut the other domains, by name
     */
    public record DomainsAnswer(
            String mode, WeightsAnswer weights, List<DomainAnswer> compared, List<LeftOutAnswer> leftOut) {
        static DomainsAnswer of(DomainComparison domains) {
            CriterionWeights weights = domains.weights();
            return new DomainsAnswer(
                    domains.mode().key(),
                    new WeightsAnswer(weights.time(), weights.cost(), weights.fragmentation()),
                    domains.compared().stream().map(DomainAnswer::of).toList(),
                    domains.leftOut().stream()
                            .map(out -> new LeftOutAnswer(
                                    out.domain(), out.why().key(), out.why().words()))
                            .toList());
        }
    }

    /** The weights of the criteria, each in [0, 1], with the sum 1. */
    public record WeightsAnswer(double time, double cost, double fragmentation) {}

    /**
     * A domain in the comparison.
     *
     * @param domain its name; empty for the nodes without the label
     * @param timeSeconds the time that the mode minimizes, including the transfer of the input
     * @param transferSeconds the part for the input
     * @param morePods how many more pods of the gang would fit next to its window
     * @param distance from the best value of every criterion, weighted
     * @param closeness TOPSIS' C; the least is best
     */
    public record DomainAnswer(
            String domain,
            String start,
            String end,
            String cost,
            long timeSeconds,
            long transferSeconds,
            long morePods,
            double distance,
            double closeness) {
        static DomainAnswer of(Compared compared) {
            return new DomainAnswer(
                    compared.domain(),
                    instant(compared.window().start()),
                    instant(compared.window().end()),
                    compared.window().cost().shown(),
                    compared.time(),
                    compared.transfer(),
                    compared.free(),
                    compared.distance(),
                    compared.closeness());
        }
    }

    /** A domain that was not compared, with the reason as a key and a sentence. */
    public record LeftOutAnswer(String domain, String key, String why) {}

    /**
     * An advice.
     *
     * @param change the annotation to change
     * @param value the new value; empty to remove the annotation
     * @param annotations the new values on the pods of the gang, by full key, where an empty value removes an
     *     annotation; null if nothing changes
     */
    public record AdviceAnswer(
            String change,
            String value,
            String start,
            String end,
            String cost,
            String message,
            @Nullable SortedMap<String, String> annotations) {
        static AdviceAnswer of(Advice advice, Currency currency) {
            Window window = advice.window();
            return new AdviceAnswer(
                    advice.change().key(),
                    advice.change().value(),
                    instant(window.start()),
                    instant(window.end()),
                    window.cost().shown(),
                    AdviceLine.of(advice, currency),
                    annotations(advice));
        }

        private static @Nullable SortedMap<String, String> annotations(Advice advice) {
            TreeMap<String, String> annotations = new TreeMap<>();
            advice.change().fields().forEach((key, value) -> annotations.put("slotwise.io/" + key, value));
            return annotations.isEmpty() ? null : annotations;
        }
    }

    /**
     * A possible purchase for a gang.
     *
     * @param nodes the offer of each node
     * @param expectedCost the cost including the expected loss of nodes
     * @param message the purchase in one sentence without a full stop
     */
    public record BuyingAnswer(
            List<String> nodes, String start, String end, String cost, String expectedCost, String message) {
        static BuyingAnswer of(PurchaseAdvice advice, long now) {
            Window window = advice.acquisition().window();
            return new BuyingAnswer(
                    PurchaseText.offers(advice),
                    instant(window.start()),
                    instant(window.end()),
                    window.cost().shown(),
                    advice.acquisition().expectedCost().shown(),
                    PurchaseText.sentence(advice, now));
        }
    }
}
