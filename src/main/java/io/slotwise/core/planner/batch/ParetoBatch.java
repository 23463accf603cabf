package io.slotwise.core.planner.batch;

import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.combination.BatchFrontier;
import io.slotwise.core.combination.Item;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Frontier;
import io.slotwise.core.plan.Frontier.Against;
import io.slotwise.core.plan.Frontier.Axes;
import io.slotwise.core.plan.Frontier.Point;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The choices of one alternative per gang that no other choice beats both in money and in loss of utility, or delay. An
 * admin chooses between them.
 *
 * <p>The alternatives come from the cyclic scheme. No two of them need the same room, so every choice is a plan. Gangs
 * that the accounts cannot pay besides those before them are left out from the queue's end, as in the combination. Sums
 * are exact. A loss of utility is in whole millionths, rounded up, as a limit counts it ({@link BatchCandidate}).
 *
 * @param points from the best in the other figure to the best in money
 * @param chosen the gangs that have a window in every point
 * @param dropped the number of points that were left out because there were too many
 * @param gap see {@link BatchFrontier.Choices#gap}
 */
public record ParetoBatch(List<Point> points, Set<GangId> chosen, long dropped, OptionalLong gap) {
    /** The number of entries beyond which a list of totals is thinned: a second's work for some hundred gangs. */
    private static final int MOST = 5_000;

    private static final Comparator<Planned> ORDER = Comparator.comparingLong(
                    (Planned planned) -> planned.window().start())
            .thenComparing(planned -> planned.gang().id());

    public ParetoBatch {
        points = List.copyOf(points);
        chosen = Set.copyOf(chosen);
    }

    /** Returns the Pareto set of a batch in queue order, with the money of promises put aside. */
    static ParetoBatch of(
            List<GangAlternatives> found, Axes axes, AccountBalances balances, PromiseSlack slack, int most) {
        Objective objective = switch (axes.money()) {
            case COST -> Objective.MIN_COST;
            case INCOME -> Objective.MAX_INCOME;
        };
        List<BatchCandidate> batch = found.stream()
                .filter(alternatives -> !alternatives.windows().isEmpty())
                .map(alternatives -> BatchCandidate.of(alternatives, objective, Measure.AVERAGE_UTILITY, balances))
                .filter(BatchCandidate::payable)
                .collect(Collectors.toCollection(ArrayList::new));
        batch.removeAll(new LightestChoice(batch, false).unpaid());
        if (batch.isEmpty()) {
            return new ParetoBatch(List.of(), Set.of(), 0, OptionalLong.of(0));
        }
        List<List<Item>> groups = batch.stream()
                .map(candidate -> weighed(candidate, axes.against()))
                .toList();
        BatchFrontier.Choices choices = new BatchFrontier(groups, Math.max(MOST, most), most).choices();
        Set<GangId> chosen = new HashSet<>();
        batch.forEach(candidate -> chosen.add(candidate.id()));
        return new ParetoBatch(
                choices.items().stream()
                        .map(items -> point(batch, items, slack))
                        .toList(),
                chosen,
                choices.dropped(),
                choices.gap());
    }

    private static List<Item> weighed(BatchCandidate candidate, Against against) {
        return switch (against) {
            case UTILITY -> candidate.items();
            case DELAY ->
                IntStream.range(0, candidate.items().size())
                        .mapToObj(i -> {
                            Item item = candidate.items().get(i);
                            long delay = Frontier.delay(candidate.gang().gang, candidate.window(i));
                            return new Item(item.value(), delay, item.account(), item.charge());
                        })
                        .toList();
        };
    }

    private static Point point(List<BatchCandidate> batch, List<Integer> items, PromiseSlack slack) {
        Cost cost = Cost.ZERO;
        long loss = 0;
        long delay = 0;
        List<Planned> windows = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            BatchCandidate candidate = batch.get(i);
            Window window = candidate.window(items.get(i));
            cost = cost.plus(window.cost());
            loss += candidate.items().get(items.get(i)).weight();
            delay += Frontier.delay(candidate.gang().gang, window);
            windows.add(candidate.gang().planned(window, slack));
        }
        windows.sort(ORDER);
        return new Point(cost, loss, delay, windows);
    }
}
