package io.slotwise.lab.experiment.topsis;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.online.OnlineMode;
import io.slotwise.lab.experiment.topsis.GridApplications.Application;
import io.slotwise.lab.experiment.topsis.TopsisExperiment.GridTrial;
import io.slotwise.lab.experiment.topsis.TopsisExperiment.GridTrial.Rule;
import io.slotwise.lab.experiment.topsis.UtilityGrid.Site;
import io.slotwise.lab.experiment.topsis.UtilityGrid.Surroundings;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GridTrialTest {
    private static final Site DEAR_AND_FAST = new Site("fast", 10, 2000, 2);
    private static final Site CHEAP_AND_SLOW = new Site("slow", 10, 1000, 0.5);

    private static Application application(long submit, int elements, long length) {
        return new Application(submit, elements, length, 50);
    }

    private static GridTrial trial(
            OnlineMode mode, CriterionWeights weights, List<Site> sites, List<Application> applications) {
        return new GridTrial(sites, new Rule(mode, _ -> weights), Surroundings.FIRST).place(applications);
    }

    @Test
    void userSatisfactionIsResponseAndCostOverTheirWeights() {
        GridTrial trial = trial(
                OnlineMode.EMCT,
                new CriterionWeights(0.25, 0.75, 0),
                List.of(DEAR_AND_FAST),
                List.of(application(0, 10, 100), application(10, 10, 100)));

        // 50 s for 2 x 10 x 50 G$, and the same after a wait of 40 s
        assertThat(trial.response()).isEqualTo((50 + 90) / 2.0);
        assertThat(trial.cost()).isEqualTo(1000);
        assertThat(trial.satisfaction()).isEqualTo((50 / 0.25 + 90 / 0.25) / 2 + 1000 / 0.75);
        assertThat(trial.failures()).isZero();
    }

    @Test
    void anApplicationFailsThatIsTooWideOrWouldWaitForMoreThanAnHour() {
        GridTrial trial = trial(
                OnlineMode.EMCT,
                new CriterionWeights(0.5, 0.5, 0),
                List.of(CHEAP_AND_SLOW),
                List.of(application(0, 11, 1), application(0, 10, 3601), application(0, 1, 1), application(1, 1, 1)));

        assertThat(trial.failures()).isEqualTo(2);
    }

    @Test
    void theWeightsDecideWhere() {
        List<Site> sites = List.of(DEAR_AND_FAST, CHEAP_AND_SLOW);
        List<Application> one = List.of(application(0, 5, 100));

        assertThat(trial(OnlineMode.EMCT, new CriterionWeights(0.9, 0.1, 0), sites, one)
                        .shares())
                .containsEntry("fast", 100.0);
        assertThat(trial(OnlineMode.EMCT, new CriterionWeights(0.1, 0.9, 0), sites, one)
                        .shares())
                .containsEntry("slow", 100.0);
    }

    @Test
    void emetWaitsForTheFastSiteWhereEmctTakesTheFreeOne() {
        List<Site> sites = List.of(DEAR_AND_FAST, CHEAP_AND_SLOW);
        List<Application> two = List.of(application(0, 10, 1000), application(0, 10, 1000));
        CriterionWeights time = new CriterionWeights(1, 0, 0);

        assertThat(trial(OnlineMode.EMET, time, sites, two).shares()).containsEntry("fast", 100.0);
        assertThat(trial(OnlineMode.EMCT, time, sites, two).response()).isEqualTo((500 + 1000) / 2.0);
    }

    @Test
    void noSiteHoldsMoreThanItHasHoweverManyApplicationsCome() {
        List<Application> many =
                IntStream.range(0, 2000).mapToObj(i -> application(i, 10, 10)).toList();

        GridTrial trial = trial(OnlineMode.EMCT, new CriterionWeights(0.5, 0.5, 0), List.of(CHEAP_AND_SLOW), many);

        // A gang every 10 s: the placed gangs wait longer and longer, up to an hour, and then nine in ten fail.
        int placed = 2000 - trial.failures();
        assertThat(placed).isBetween(500, (1999 + 3600) / 10 + 1);
    }

    @Test
    void withTransfersAnApplicationWaitsForItsDataAndHasMorePatience() {
        List<Application> two = List.of(application(0, 10, 7200), application(0, 10, 7200));
        Rule rule = new Rule(OnlineMode.EMCT, _ -> new CriterionWeights(0.5, 0.5, 0));

        GridTrial first = new GridTrial(List.of(CHEAP_AND_SLOW), rule, Surroundings.FIRST).place(two);
        GridTrial second = new GridTrial(List.of(CHEAP_AND_SLOW), rule, Surroundings.SECOND).place(two);

        assertThat(first.failures()).isEqualTo(1);
        assertThat(second.failures()).isZero();
        // 7200 s of a billion instructions each are 720 s at 10 Gbit/s
        assertThat(second.response()).isEqualTo((720 + 7200 + 720 + 7200 + 7200) / 2.0);
    }
}
