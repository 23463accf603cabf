package io.slotwise.lab.experiment.topsis;

import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.online.OnlineMode;
import io.slotwise.core.online.OnlineRequest;
import io.slotwise.core.online.Topsis.Reading;
import io.slotwise.core.window.Window;
import io.slotwise.lab.experiment.Conclusion;
import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.ExperimentProfile;
import io.slotwise.lab.experiment.Figure;
import io.slotwise.lab.experiment.Seeds;
import io.slotwise.lab.experiment.Tally;
import io.slotwise.lab.experiment.TwoReadings;
import io.slotwise.lab.experiment.topsis.GridApplications.Application;
import io.slotwise.lab.experiment.topsis.TopsisExperiment.GridTrial.Rule;
import io.slotwise.lab.experiment.topsis.UtilityGrid.Site;
import io.slotwise.lab.experiment.topsis.UtilityGrid.Surroundings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parallel applications that EMCT and EMET place one by one on the sites of a utility grid: user satisfaction, failures
 * and the distribution of tasks.
 *
 * <p>A replication is one trial of one setting, drawn by the seed; small settings are drawn more often.
 *
 * <p>Source: S. Bansal, C. Hota, "Distributed Scheduling on Utility Grids" (2012), section 5, figures 3 to 14.
 */
public final class TopsisExperiment implements Experiment {
    static final String SATISFACTION = "user satisfaction";
    static final String FAILURES = "failures";
    static final String RESPONSE = "response, s";
    static final String COST = "cost, G$";
    static final String SHARE = "% of tasks at ";
    static final String LARGEST = "% of tasks at the busiest site";

    static final String EMCT = "EMCT";
    static final String EMET = "EMET";
    private static final List<String> MODES = List.of(EMCT, EMET);
    static final String DIFFERENCE = "EMET - EMCT";
    static final String PROSE = " by the prose";
    static final String MCT = "MCT";
    static final String MET = "MET";

    static final List<String> APPLICATIONS = Stream.of(2000, 4000, 6000, 8000, 10_000)
            .map(number -> number + " applications")
            .toList();
    static final List<Integer> USERS = List.of(10, 50, 100, 500);
    static final List<Double> PE_WEIGHTS = List.of(0.0, 0.1, 0.2, 0.3, 0.5, 0.7);
    static final List<Double> INTERVALS = List.of(11.7, 23.4, 46.8, 93.5);

    private static final SystemWeights EQUAL =
            new SystemWeights("equal weights", new CriterionWeights(1 / 3.0, 1 / 3.0, 1 / 3.0));

    private static final List<SystemWeights> SYSTEM_WEIGHTS = List.of(
            EQUAL,
            new SystemWeights("most for time", new CriterionWeights(0.5, 0.25, 0.25)),
            new SystemWeights("most for cost", new CriterionWeights(0.25, 0.5, 0.25)),
            new SystemWeights("most for PE", new CriterionWeights(0.25, 0.25, 0.5)));

    private record SystemWeights(String words, CriterionWeights weights) {}

    static final String COMPARED = "2000 applications, readings";

    /** Percent. Equation 12 divides by weights, so with smaller ones the least weights would dominate it. */
    private static final int MODERATE = 20;

    private static final int STEP = 2000;
    private static final int FEW_USERS = 100;
    private static final int CASE_TWO = 1000;
    private static final int CASE_THREE = 2000;
    private static final int CASE_THREE_INTERVALS = 5000;
    private static final double PERCENT = 100;
    private static final double USUAL_INTERVAL = 23.4;

    private final Surroundings surroundings;
    private final int least;
    private final List<ObjLongConsumer<Tally>> settings = settings();

    /** Creates a reading; {@code least} percent is the lower limit of a user's weights of time and of cost. */
    private TopsisExperiment(Surroundings surroundings, int least) {
        this.surroundings = surroundings;
        this.least = least;
    }

    static TopsisExperiment firstReading() {
        return new TopsisExperiment(Surroundings.FIRST, 1);
    }

    public static Experiment both() {
        return new TwoReadings(firstReading(), new TopsisExperiment(Surroundings.SECOND, MODERATE));
    }

    @Override
    public ExperimentProfile profile() {
        return ExperimentProfile.named("topsis");
    }

    private List<ObjLongConsumer<Tally>> settings() {
        List<ObjLongConsumer<Tally>> all = new ArrayList<>();
        USERS.forEach(users -> all.add((tally, seed) -> users(users, tally, seed)));
        all.add(this::readings);
        PE_WEIGHTS.forEach(
                weight -> all.addAll(Collections.nCopies(3, (tally, seed) -> elements(weight, tally, seed))));
        for (SystemWeights weights : SYSTEM_WEIGHTS) {
            all.addAll(Collections.nCopies(2, (tally, seed) -> system(weights, tally, seed)));
        }
        INTERVALS.forEach(interval -> all.add((tally, seed) -> interval(interval, tally, seed)));
        return all;
    }

    @Override
    public void run(long seed, Tally tally) {
        int setting = (int) Long.remainderUnsigned(Seeds.of(seed, 2), settings.size());
        settings.get(setting).accept(tally, seed);
    }

    /** Case 1: the users' weights of time and cost. */
    private void users(int users, Tally tally, long seed) {
        List<Application> applications = GridApplications.lublin(STEP * APPLICATIONS.size(), users, least, seed);
        Map<OnlineMode, GridTrial> trials = new EnumMap<>(OnlineMode.class);
        for (OnlineMode mode : OnlineMode.values()) {
            trials.put(mode, new GridTrial(UtilityGrid.india(), new Rule(mode, user(0)), surroundings));
        }
        for (int i = 0; i < APPLICATIONS.size(); i++) {
            List<Application> next = applications.subList(i * STEP, (i + 1) * STEP);
            trials.values().forEach(trial -> trial.place(next));
            if (users == FEW_USERS) {
                note(tally, APPLICATIONS.get(i), trials);
            }
        }
        note(tally, users(users), trials);
    }

    /** Case 1 by both readings, and by time alone. */
    private void readings(Tally tally, long seed) {
        List<Application> applications = GridApplications.lublin(STEP, FEW_USERS, least, seed);
        Function<Application, CriterionWeights> timeAlone = _ -> new CriterionWeights(1, 0, 0);
        Map<OnlineMode, String> plain = Map.of(OnlineMode.EMCT, MCT, OnlineMode.EMET, MET);
        for (OnlineMode mode : OnlineMode.values()) {
            compare(tally, name(mode), new Rule(mode, user(0)), applications);
            compare(tally, name(mode) + PROSE, new Rule(mode, Reading.PROSE, user(0), user(0)), applications);
            compare(
                    tally,
                    plain.getOrDefault(mode, ""),
                    new Rule(mode, Reading.EQUATIONS, timeAlone, user(0)),
                    applications);
        }
    }

    private void compare(Tally tally, String series, Rule rule, List<Application> applications) {
        GridTrial trial = new GridTrial(UtilityGrid.india(), rule, surroundings).place(applications);
        note(tally, series, COMPARED, trial);
        tally.add(series, COMPARED, RESPONSE, trial.response());
        tally.add(series, COMPARED, COST, trial.cost());
    }

    /** Case 2: a PE weight of the system in addition to the users' weights. */
    private void elements(double weight, Tally tally, long seed) {
        List<Application> applications = GridApplications.lublin(CASE_TWO, FEW_USERS, least, seed);
        for (OnlineMode mode : OnlineMode.values()) {
            Rule rule = new Rule(mode, Reading.EQUATIONS, user(weight), user(0));
            note(
                    tally,
                    name(mode),
                    elements(weight),
                    new GridTrial(UtilityGrid.india(), rule, surroundings).place(applications));
        }
    }

    /** Case 3: weights of the system on DAS-2. */
    private void system(SystemWeights weights, Tally tally, long seed) {
        List<Application> applications = GridApplications.das2(CASE_THREE, USUAL_INTERVAL, seed);
        List<Site> sites = UtilityGrid.das2(Seeds.generator(Seeds.of(seed, 3)));
        for (OnlineMode mode : OnlineMode.values()) {
            Rule rule = new Rule(mode, _ -> weights.weights);
            note(tally, name(mode), weights.words, new GridTrial(sites, rule, surroundings).place(applications));
        }
    }

    /** Case 3 at several scheduling intervals. */
    private void interval(double interval, Tally tally, long seed) {
        List<Application> applications = GridApplications.das2(CASE_THREE_INTERVALS, interval, seed);
        List<Site> sites = UtilityGrid.das2(Seeds.generator(Seeds.of(seed, 3)));
        Map<OnlineMode, GridTrial> trials = new EnumMap<>(OnlineMode.class);
        String x = seconds(interval);
        for (OnlineMode mode : OnlineMode.values()) {
            GridTrial trial =
                    new GridTrial(sites, new Rule(mode, _ -> EQUAL.weights), surroundings).place(applications);
            trials.put(mode, trial);
            trial.shares().forEach((site, share) -> tally.add(name(mode), x, SHARE + site, share));
            tally.add(name(mode), x, LARGEST, Collections.max(trial.shares().values()));
        }
        note(tally, x, trials);
    }

    /** Adds the results of the two modes for the same applications, and the difference of EMET. */
    private static void note(Tally tally, String x, Map<OnlineMode, GridTrial> trials) {
        trials.forEach((mode, trial) -> note(tally, name(mode), x, trial));
        GridTrial emctTrial = trials.get(OnlineMode.EMCT);
        GridTrial emetTrial = trials.get(OnlineMode.EMET);
        if (emctTrial != null && emetTrial != null) {
            tally.add(DIFFERENCE, x, FAILURES, (double) emetTrial.failures() - emctTrial.failures());
            tally.add(DIFFERENCE, x, SATISFACTION, emetTrial.satisfaction() - emctTrial.satisfaction());
        }
    }

    private static void note(Tally tally, String series, String x, GridTrial trial) {
        tally.add(series, x, SATISFACTION, trial.satisfaction());
        tally.add(series, x, FAILURES, trial.failures());
    }

    private static Function<Application, CriterionWeights> user(double elements) {
        return application -> {
            double time = application.timePercent() / PERCENT * (1 - elements);
            return new CriterionWeights(time, Math.max(0, 1 - elements - time), elements);
        };
    }

    static String name(OnlineMode mode) {
        return switch (mode) {
            case EMCT -> EMCT;
            case EMET -> EMET;
        };
    }

    static String users(int users) {
        return users + " users";
    }

    static String elements(double weight) {
        return String.format(Locale.ROOT, "PE weight %.1f", weight);
    }

    static String seconds(double interval) {
        return String.format(Locale.ROOT, "interval %.1f s", interval);
    }

    static List<String> systemWeights() {
        return SYSTEM_WEIGHTS.stream().map(SystemWeights::words).toList();
    }

    static List<String> peWeights() {
        return PE_WEIGHTS.stream().map(TopsisExperiment::elements).toList();
    }

    static List<String> intervals() {
        return INTERVALS.stream().map(TopsisExperiment::seconds).toList();
    }

    static List<String> users() {
        return USERS.stream().map(TopsisExperiment::users).toList();
    }

    static String usualInterval() {
        return seconds(USUAL_INTERVAL);
    }

    @Override
    public Conclusion conclude(Tally tally) {
        return new Conclusion(
                List.of(
                        Figure.grid(
                                "Figure 3: user satisfaction and number of applications",
                                tally,
                                SATISFACTION,
                                MODES,
                                APPLICATIONS),
                        Figure.grid(
                                "Figure 4: failures and number of applications", tally, FAILURES, MODES, APPLICATIONS),
                        Figure.grid("Figure 5: failures and number of users", tally, FAILURES, MODES, users()),
                        Figure.grid(
                                "Figure 6: user satisfaction and number of users", tally, SATISFACTION, MODES, users()),
                        Figure.grid(
                                "Figure 7: user satisfaction and PE weight", tally, SATISFACTION, MODES, peWeights()),
                        Figure.grid("Figure 8: failures and PE weight", tally, FAILURES, MODES, peWeights()),
                        Figure.grid("Figure 9: failures and system weights", tally, FAILURES, MODES, systemWeights()),
                        Figure.grid(
                                "Figure 10: user satisfaction and system weights",
                                tally,
                                SATISFACTION,
                                MODES,
                                systemWeights()),
                        intervals("Figure 11: EMET, failures and user satisfaction by interval", tally, EMET),
                        intervals("Figure 12: EMCT, failures and user satisfaction by interval", tally, EMCT),
                        distribution("Figure 13: tasks of EMET", tally, EMET, 40.0),
                        distribution("Figure 14: tasks of EMCT", tally, EMCT, 38.0),
                        compared(tally),
                        differences(tally)),
                new TopsisFindings(tally).list());
    }

    private static Figure intervals(String title, Tally tally, String series) {
        Figure.Builder builder = new Figure.Builder(title, tally);
        for (String metric : List.of(FAILURES, SATISFACTION)) {
            intervals().forEach(x -> builder.mean(series, x, metric));
        }
        return builder.build();
    }

    private static Figure distribution(String title, Tally tally, String series, @Nullable Double paper) {
        Figure.Builder builder = new Figure.Builder(title, tally);
        for (int site = 1; site <= 5; site++) {
            builder.mean(series, usualInterval(), SHARE + "Site0" + site);
        }
        return builder.mean(series, usualInterval(), LARGEST, paper).build();
    }

    private static Figure differences(Tally tally) {
        Figure.Builder builder =
                new Figure.Builder("Figures 3 to 6, 11 and 12: EMET less EMCT, on the same applications", tally);
        for (String x : Stream.of(APPLICATIONS, users(), intervals())
                .flatMap(List::stream)
                .toList()) {
            builder.mean(DIFFERENCE, x, FAILURES).mean(DIFFERENCE, x, SATISFACTION);
        }
        return builder.build();
    }

    private static Figure compared(Tally tally) {
        Figure.Builder builder = new Figure.Builder("Section 4: readings of TOPSIS, and time alone", tally);
        for (String series : List.of(EMCT, EMCT + PROSE, MCT, EMET, EMET + PROSE, MET)) {
            builder.means(series, COMPARED, List.of(SATISFACTION, FAILURES, RESPONSE, COST), null);
        }
        return builder.build();
    }

    /**
     * Applications that are placed one by one on a grid's sites, and their users' satisfaction.
     *
     * <p>The user satisfaction of an application is its response time divided by its weight of time, plus its cost
     * divided by its weight of cost. Less is better. Source: S. Bansal, C. Hota, "Distributed Scheduling on Utility
     * Grids" (2012), equation 12.
     */
    static final class GridTrial {
        private final UtilityGrid grid;
        private final Rule rule;
        private final Surroundings surroundings;
        private final SortedMap<String, Integer> tasks = new TreeMap<>();
        private double satisfaction;
        private double response;
        private double cost;
        private int successful;
        private int failures;

        /** The placement of applications; {@code users} returns the positive weights that measure satisfaction. */
        record Rule(
                OnlineMode mode,
                Reading reading,
                Function<Application, CriterionWeights> weights,
                Function<Application, CriterionWeights> users) {
            /** Creates a rule by the equations, with the same weights for the choice and the satisfaction. */
            Rule(OnlineMode mode, Function<Application, CriterionWeights> weights) {
                this(mode, Reading.EQUATIONS, weights, weights);
            }
        }

        GridTrial(List<Site> sites, Rule rule, Surroundings surroundings) {
            this.grid = new UtilityGrid(sites, rule.reading(), surroundings);
            this.rule = rule;
            this.surroundings = surroundings;
            sites.forEach(site -> tasks.put(site.name(), 0));
        }

        GridTrial place(List<Application> applications) {
            for (Application application : applications) {
                Optional<Window> window = grid.place(
                        application,
                        new OnlineRequest(
                                rule.mode(),
                                surroundings.input(application),
                                rule.weights().apply(application)));
                window.ifPresentOrElse(foundWindow -> note(application, foundWindow), () -> failures++);
            }
            return this;
        }

        private void note(Application application, Window window) {
            CriterionWeights weights = rule.users().apply(application);
            long seconds = window.end() - application.submit();
            double price = UtilityGrid.cost(window);
            response += seconds;
            cost += price;
            satisfaction += seconds / weights.time() + price / weights.cost();
            successful++;
            tasks.merge(window.placements().getFirst().node(), 1, Integer::sum);
        }

        int failures() {
            return failures;
        }

        /** Returns the mean user satisfaction of the placed applications, equation 12; 0 if there are none. */
        double satisfaction() {
            return mean(satisfaction);
        }

        /** Returns the mean response time, seconds; 0 if there are none. */
        double response() {
            return mean(response);
        }

        /** Returns the mean cost, G$; 0 if there are none. */
        double cost() {
            return mean(cost);
        }

        private double mean(double sum) {
            return successful == 0 ? 0 : sum / successful;
        }

        SortedMap<String, Double> shares() {
            SortedMap<String, Double> shares = new TreeMap<>();
            tasks.forEach((site, count) -> shares.put(site, 100.0 * count / Math.max(1, successful)));
            return shares;
        }
    }
}
