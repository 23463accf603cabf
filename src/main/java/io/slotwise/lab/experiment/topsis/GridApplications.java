package io.slotwise.lab.experiment.topsis;

import io.slotwise.lab.experiment.Seeds;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.format.WorkloadFile;
import io.slotwise.lab.workload.format.WorkloadFormat;
import io.slotwise.lab.workload.paper.Das2Model;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.GammaDistribution;

/** The applications of the paper on utility grids. */
final class GridApplications {
    /** The model's machine, and the most processing elements of an application. */
    private static final int WIDEST = 128;

    /** The factor for the rate of arrivals on the model's machine. */
    private static final String LOAD = "20";

    private static final double VARIATION = 0.9;
    private static final double LUBLIN_LENGTH = 3600;
    private static final double DAS2_LENGTH = 900;
    private static final int PERCENT = 100;

    private GridApplications() {}

    /**
     * An application.
     *
     * @param submit second of its submission
     * @param length seconds on 1000 MIPS, at least 1
     * @param timePercent the user's weight of time, 1 to 99; the rest is for cost
     */
    record Application(long submit, int elements, long length, int timePercent) {}

    /**
     * Returns applications of the model of Lublin and Feitelson, each of a random user of {@code users}, who have
     * constant weights.
     *
     * @param least percent of a user's weights of time and of cost
     */
    static List<Application> lublin(int count, int users, int least, long seed) {
        RandomGenerator random = Seeds.generator(Seeds.of(seed, 0));
        int[] weights = random.ints(users, least, PERCENT - least + 1).toArray();
        ContinuousDistribution.Sampler length = lengths(LUBLIN_LENGTH, random);
        String model = String.format(
                Locale.ROOT, "lublin:machine=%d,jobs=%d,seed=%d,load=%s", WIDEST, count, Seeds.of(seed, 1), LOAD);
        try (Stream<Job> jobs = WorkloadFile.open(
                        model, WorkloadFormat.LUBLIN, LogOptions.STRICT, InputStream.nullInputStream())
                .jobs()) {
            return jobs.map(job ->
                            new Application(job.submit(), job.size(), seconds(length), weights[random.nextInt(users)]))
                    .toList();
        }
    }

    /** Returns applications of the DAS-2 model; {@code scale} of the Weibull distribution of the gaps, seconds. */
    static List<Application> das2(int count, double scale, long seed) {
        RandomGenerator random = Seeds.generator(Seeds.of(seed, 0));
        ContinuousDistribution.Sampler length = lengths(DAS2_LENGTH, random);
        Das2Model model = new Das2Model(scale, random);
        List<Application> applications = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            applications.add(new Application(model.arrival(), model.processors(), seconds(length), PERCENT / 2));
        }
        return applications;
    }

    private static ContinuousDistribution.Sampler lengths(double mean, RandomGenerator random) {
        double shape = 1 / (VARIATION * VARIATION);
        return GammaDistribution.of(shape, mean / shape).createSampler(random::nextLong);
    }

    private static long seconds(ContinuousDistribution.Sampler length) {
        return Math.max(1, Math.round(length.sample()));
    }
}
