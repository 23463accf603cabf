package io.slotwise.lab.workload.lublin;

import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.JobTerms;
import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.Processor;
import io.slotwise.lab.workload.UserName;
import io.slotwise.lab.workload.Workload;
import io.slotwise.lab.workload.estimate.EstimateTemplate;
import io.slotwise.lab.workload.estimate.TsafrirEstimates;
import io.slotwise.lab.workload.log.TextSource;
import io.slotwise.random.SeededRandom;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Jobs drawn by the model of Lublin and Feitelson. They are numbered from 1; a run time below a second counts as one;
 * their estimates are their run times, and their user is unknown, since the model has neither.
 */
public final class LublinWorkload implements Workload {
    private final String name;
    private final LublinParameters parameters;

    private LublinWorkload(String name, LublinParameters parameters) {
        this.name = name;
        this.parameters = parameters;
    }

    /** The jobs of a file of parameters. */
    public static Workload read(TextSource source, LogOptions options) {
        return of(source.name(), LublinSettings.read(source, options.processors()));
    }

    /** The jobs of parameters such as {@code lublin:machine=256,jobs=5000}. */
    public static Workload of(String text, LogOptions options) {
        return of(text, LublinSettings.of(text, options.processors()));
    }

    private static Workload of(String name, LublinSettings settings) {
        LublinWorkload plain = new LublinWorkload(name, settings.parameters());
        if (settings.longestEstimate() == 0) {
            return plain;
        }
        return TsafrirEstimates.of(
                plain,
                settings.longestEstimate(),
                EstimateTemplate.SDSC,
                SeededRandom.L64X128.seeded(settings.parameters().seed()));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public OptionalInt processors() {
        return OptionalInt.of(parameters.machine());
    }

    @Override
    public Stream<Job> jobs() {
        LublinModel model = new LublinModel(parameters);
        return LongStream.rangeClosed(1, parameters.jobs()).mapToObj(number -> job(number, model.next()));
    }

    private static Job job(long number, LublinModel.Drawn drawn) {
        long runtime = Math.max(1, drawn.runtime());
        return new Job(
                String.valueOf(number),
                drawn.arrival(),
                List.of(new Job.Part(drawn.nodes(), Processor.request(runtime))),
                runtime,
                UserName.UNKNOWN,
                JobTerms.NONE);
    }
}
