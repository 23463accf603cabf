package io.slotwise.lab.experiment.topsis;

import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.online.OnlineMode;
import io.slotwise.core.online.OnlineRequest;
import io.slotwise.core.online.Topsis.Reading;
import io.slotwise.core.window.Window;
import io.slotwise.lab.experiment.topsis.GridApplications.Application;
import io.slotwise.lab.experiment.topsis.UtilityGrid.Site;
import io.slotwise.lab.experiment.topsis.UtilityGrid.Surroundings;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Applications that are placed one by one on a grid's sites, and how their users fare.
 *
 * <p>The user satisfaction of an application is its response time over its weight of time plus its cost over its weight
 * of cost; the less, the better. Source: S. Bansal, C. Hota, "Distributed Scheduling on Utility Grids" (2012), equation
 * 12.
 */
final class GridTrial {
    private final UtilityGrid grid;
    private final Rule rule;
    private final Surroundings surroundings;
    private final SortedMap<String, Integer> tasks = new TreeMap<>();
    private double satisfaction;
    private double response;
    private double cost;
    private int successful;
    private int failures;

    /**
     * How applications are placed.
     *
     * @param mode which time counts
     * @param reading of TOPSIS
     * @param weights of the choice
     * @param users the weights that their satisfaction is measured by; those of time and cost are positive
     */
    record Rule(
            OnlineMode mode,
            Reading reading,
            Function<Application, CriterionWeights> weights,
            Function<Application, CriterionWeights> users) {
        /** By the equations, the choice and the users of one mind. */
        Rule(OnlineMode mode, Function<Application, CriterionWeights> weights) {
            this(mode, Reading.EQUATIONS, weights, weights);
        }
    }

    /** Before the first application. */
    GridTrial(List<Site> sites, Rule rule, Surroundings surroundings) {
        this.grid = new UtilityGrid(sites, rule.reading(), surroundings);
        this.rule = rule;
        this.surroundings = surroundings;
        sites.forEach(site -> tasks.put(site.name(), 0));
    }

    /** Places some more applications, in the order of their submission. */
    GridTrial place(List<Application> applications) {
        for (Application application : applications) {
            Optional<Window> window = grid.place(
                    application,
                    new OnlineRequest(
                            rule.mode(),
                            surroundings.input(application),
                            rule.weights().apply(application)));
            window.ifPresentOrElse(found -> note(application, found), () -> failures++);
        }
        return this;
    }

    private void note(Application application, Window window) {
        CriterionWeights users = rule.users().apply(application);
        long seconds = window.end() - application.submit();
        double price = UtilityGrid.cost(window);
        response += seconds;
        cost += price;
        satisfaction += seconds / users.time() + price / users.cost();
        successful++;
        tasks.merge(window.placements().getFirst().node(), 1, Integer::sum);
    }

    /** Applications that no site had room for. */
    int failures() {
        return failures;
    }

    /** The mean user satisfaction of the others, equation 12; 0 if there are none. */
    double satisfaction() {
        return mean(satisfaction);
    }

    /** Their mean response time, seconds; 0 if there are none. */
    double response() {
        return mean(response);
    }

    /** Their mean cost, G$; 0 if there are none. */
    double cost() {
        return mean(cost);
    }

    private double mean(double sum) {
        return successful == 0 ? 0 : sum / successful;
    }

    /** The part of the successful applications that each site has, percent, by name. */
    SortedMap<String, Double> shares() {
        SortedMap<String, Double> shares = new TreeMap<>();
        tasks.forEach((site, count) -> shares.put(site, 100.0 * count / Math.max(1, successful)));
        return shares;
    }
}
