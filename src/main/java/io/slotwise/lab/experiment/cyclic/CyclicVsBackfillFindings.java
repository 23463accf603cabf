package io.slotwise.lab.experiment.cyclic;

import static io.slotwise.lab.experiment.Numbers.brief;
import static io.slotwise.lab.experiment.Numbers.change;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.BACKFILLING;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.COMBINED;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.CYCLIC;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.CYCLIC_SHIFTED;
import static io.slotwise.lab.experiment.cyclic.CyclicPaper.FAIR;
import static io.slotwise.lab.experiment.cyclic.CyclicVsBackfillExperiment.ACTUAL_START;
import static io.slotwise.lab.experiment.cyclic.CyclicVsBackfillExperiment.ACTUAL_TIME;
import static io.slotwise.lab.experiment.cyclic.CyclicVsBackfillExperiment.PLANNED_START;
import static io.slotwise.lab.experiment.cyclic.CyclicVsBackfillExperiment.PLANNED_TIME;
import static io.slotwise.lab.experiment.cyclic.CyclicVsBackfillExperiment.SUM;

import io.slotwise.lab.experiment.Finding;
import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Tally;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** What the paper finds of the cyclic schemes beside backfilling, and what our numbers say. */
record CyclicVsBackfillFindings(Tally all, List<Integer> nodes) {
    List<Finding> list() {
        return List.of(
                advantage(),
                earlierStart(),
                backfillingToNothing(),
                cyclicInTheMiddle(),
                combinedNear(),
                shiftedNotToNothing(),
                lessTime(),
                growingAdvantage(),
                crossing("figure 7", SUM),
                crossing("figure 8", CycleMeans.FINISH));
    }

    private double table(String series, String metric) {
        return all.mean(series, "", metric);
    }

    private double at(String series, int number, String metric) {
        return all.mean(series, String.valueOf(number), metric);
    }

    private double first(String series, String metric) {
        return at(series, nodes.getFirst(), metric);
    }

    private double last(String series, String metric) {
        return at(series, nodes.getLast(), metric);
    }

    private Finding advantage() {
        double planned = 1 - table(FAIR, PLANNED_TIME) / table(BACKFILLING, PLANNED_TIME);
        double actual = 1 - table(FAIR, ACTUAL_TIME) / table(BACKFILLING, ACTUAL_TIME);
        double cyclic = table(CYCLIC, PLANNED_TIME);
        return new Finding(
                "table 3",
                "fair sharing takes less processor time than the cyclic scheme and that less than "
                        + "backfilling; its advantage over"
                        + " backfilling (26.2 %) stays and grows when jobs end early (27.5 %)",
                Verdict.of(
                        table(FAIR, PLANNED_TIME) < cyclic,
                        cyclic < table(BACKFILLING, PLANNED_TIME),
                        actual > 0,
                        actual > planned),
                "%s, %s and %s; the advantage is %s %% planned and %s %% actual"
                        .formatted(
                                brief(table(FAIR, PLANNED_TIME)),
                                brief(cyclic),
                                brief(table(BACKFILLING, PLANNED_TIME)),
                                brief(planned * 100),
                                brief(actual * 100)));
    }

    private Finding earlierStart() {
        double planned = table(BACKFILLING, PLANNED_START);
        double actual = table(BACKFILLING, ACTUAL_START);
        return new Finding(
                "table 3",
                "backfilling starts first, fair sharing before the cyclic scheme; early ends bring "
                        + "backfilling's start forward by" + " 46 %",
                Verdict.of(
                        planned < table(FAIR, PLANNED_START),
                        table(FAIR, PLANNED_START) < table(CYCLIC, PLANNED_START),
                        actual < 0.75 * planned),
                "%s, %s and %s; backfilling's start %s"
                        .formatted(
                                brief(planned),
                                brief(table(FAIR, PLANNED_START)),
                                brief(table(CYCLIC, PLANNED_START)),
                                change(planned, actual)));
    }

    private Finding backfillingToNothing() {
        return new Finding(
                "figure 5",
                "with more nodes backfilling starts earlier, down to the beginning of the interval",
                Verdict.of(
                        last(BACKFILLING, CycleMeans.START) < first(BACKFILLING, CycleMeans.START),
                        last(BACKFILLING, CycleMeans.START) < 0.05 * CyclicPaper.INTERVAL),
                words(BACKFILLING, CycleMeans.START));
    }

    private Finding cyclicInTheMiddle() {
        double least = Stream.of(first(CYCLIC, CycleMeans.START), last(CYCLIC, CycleMeans.START))
                .min(Double::compare)
                .orElseThrow();
        double most = Stream.of(first(CYCLIC, CycleMeans.START), last(CYCLIC, CycleMeans.START))
                .max(Double::compare)
                .orElseThrow();
        return new Finding(
                "figure 5",
                "the cyclic scheme starts about in the middle of the interval whatever the nodes",
                Verdict.of(
                        most < 1.25 * least, least > 0.3 * CyclicPaper.INTERVAL && most < 0.6 * CyclicPaper.INTERVAL),
                words(CYCLIC, CycleMeans.START));
    }

    private Finding combinedNear() {
        boolean[] parts = new boolean[nodes.size()];
        for (int i = 0; i < parts.length; i++) {
            double backfilling = at(BACKFILLING, nodes.get(i), CycleMeans.START);
            double cyclic = at(CYCLIC, nodes.get(i), CycleMeans.START);
            parts[i] = at(COMBINED, nodes.get(i), CycleMeans.START) - backfilling < 0.5 * (cyclic - backfilling);
        }
        return new Finding(
                "figure 5",
                "the combined method starts nearer to backfilling than to the cyclic scheme",
                Verdict.of(parts),
                words(COMBINED, CycleMeans.START));
    }

    private Finding shiftedNotToNothing() {
        double shifted = last(CYCLIC_SHIFTED, CycleMeans.START);
        return new Finding(
                "figure 5",
                "shifted, the cyclic scheme starts earlier with more nodes, but never all jobs at once, "
                        + "as the best nodes are shared",
                Verdict.of(
                        shifted < first(CYCLIC_SHIFTED, CycleMeans.START),
                        shifted > last(BACKFILLING, CycleMeans.START)),
                words(CYCLIC_SHIFTED, CycleMeans.START));
    }

    private Finding lessTime() {
        boolean cyclic = true;
        boolean combined = true;
        for (int number : nodes) {
            double backfilling = at(BACKFILLING, number, CycleMeans.PROCESSOR_TIME);
            cyclic &= at(CYCLIC, number, CycleMeans.PROCESSOR_TIME) < backfilling;
            combined &= at(COMBINED, number, CycleMeans.PROCESSOR_TIME) < backfilling;
        }
        return new Finding(
                "figure 6",
                "the cyclic scheme and the combined method take less processor time than backfilling, "
                        + "whatever the nodes",
                Verdict.of(cyclic, combined),
                "%s; %s; %s"
                        .formatted(
                                words(CYCLIC, CycleMeans.PROCESSOR_TIME),
                                words(COMBINED, CycleMeans.PROCESSOR_TIME),
                                words(BACKFILLING, CycleMeans.PROCESSOR_TIME)));
    }

    private Finding growingAdvantage() {
        List<String> schemes = List.of(CYCLIC, CYCLIC_SHIFTED, COMBINED);
        boolean[] parts = new boolean[schemes.size()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = first(schemes.get(i), CycleMeans.PROCESSOR_TIME) / first(BACKFILLING, CycleMeans.PROCESSOR_TIME)
                    > last(schemes.get(i), CycleMeans.PROCESSOR_TIME) / last(BACKFILLING, CycleMeans.PROCESSOR_TIME);
        }
        return new Finding(
                "figure 6",
                "their advantage over backfilling grows with the nodes",
                Verdict.of(parts),
                String.join(
                        ", ",
                        schemes.stream()
                                .map(scheme -> "%s %s to %s"
                                        .formatted(
                                                scheme,
                                                change(
                                                        first(BACKFILLING, CycleMeans.PROCESSOR_TIME),
                                                        first(scheme, CycleMeans.PROCESSOR_TIME)),
                                                change(
                                                        last(BACKFILLING, CycleMeans.PROCESSOR_TIME),
                                                        last(scheme, CycleMeans.PROCESSOR_TIME))))
                                .toList()));
    }

    /** With few nodes backfilling or the combined method is better, with many the shifted cyclic scheme. */
    private Finding crossing(String place, String metric) {
        boolean few = Math.min(first(BACKFILLING, metric), first(COMBINED, metric)) < first(CYCLIC_SHIFTED, metric);
        return new Finding(
                place,
                "with few nodes backfilling and the combined method are better, with many the shifted "
                        + "cyclic scheme (by "
                        + metric
                        + ")",
                Verdict.of(
                        few,
                        last(CYCLIC_SHIFTED, metric) < last(COMBINED, metric),
                        last(CYCLIC_SHIFTED, metric) < last(BACKFILLING, metric)),
                "%s; %s; %s; the shifted scheme is better than the combined method %s, than backfilling %s"
                        .formatted(
                                words(CYCLIC_SHIFTED, metric),
                                words(COMBINED, metric),
                                words(BACKFILLING, metric),
                                better(COMBINED, metric),
                                better(BACKFILLING, metric)));
    }

    /** From how many nodes on the shifted cyclic scheme is better than another. */
    private String better(String than, String metric) {
        OptionalInt from = nodes.stream()
                .filter(number -> at(CYCLIC_SHIFTED, number, metric) < at(than, number, metric))
                .mapToInt(Integer::intValue)
                .min();
        return from.isPresent() ? "from %d nodes".formatted(from.getAsInt()) : "at none of these numbers";
    }

    private String words(String series, String metric) {
        return "%s %s at %d nodes, %s at %d"
                .formatted(
                        series,
                        brief(first(series, metric)),
                        nodes.getFirst(),
                        brief(last(series, metric)),
                        nodes.getLast());
    }
}
