package io.slotwise.lab.workload.swf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.resource.Resources;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.JobTerms;
import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.Omission;
import io.slotwise.lab.workload.Texts;
import io.slotwise.lab.workload.format.WorkloadFormat;
import io.slotwise.lab.workload.log.LogWorkload;
import io.slotwise.lab.workload.log.MalformedWorkload;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SwfReaderTest {
    private static final String HEADINGS = """
        ; Version: 2.2
        ;MaxNodes: 64
        ; MaxProcs: 128 of them
        ; MaxProcs: -1
        """;

    /** A line with these figures. The others are unknown. */
    private static String line(
            String id, String submit, String run, String got, String asked, String time, String user) {
        return "%s %s -1 %s %s 1.50 -1 %s %s -1 1 %s 1 -1 -1 -1 -1 -1\n"
                .formatted(id, submit, run, got, asked, time, user);
    }

    private static LogWorkload read(String text) {
        return read(text, LogOptions.STRICT);
    }

    private static LogWorkload read(String text, LogOptions options) {
        return (LogWorkload) WorkloadFormat.SWF.open(Texts.of("log.swf", text), options);
    }

    @Test
    void aJobTakesOneCoreForEachProcessorThatItAsksFor() {
        LogWorkload log = read(HEADINGS + line("7", "10", "100", "4", "8", "300", "12"));

        assertThat(log.processors()).hasValue(128);
        assertThat(Texts.jobs(log)).singleElement().satisfies(job -> {
            assertThat(Texts.figures(job)).isEqualTo("7: 10 8 100 300");
            assertThat(job.user()).isEqualTo("user-12");
            assertThat(job.parts()).singleElement().satisfies(part -> {
                assertThat(part.request().resources())
                        .isEqualTo(Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 1L)));
                assertThat(part.request().nodeIndependent()).isFalse();
            });
            assertThat(job.terms()).isEqualTo(JobTerms.NONE.withGroup("group-1"));
        });
    }

    @Test
    void theQueueIsItsNumber() {
        String line = line("7", "10", "100", "4", "8", "300", "12").replace("12 1 -1 -1 -1", "12 1 -1 3 -1");

        assertThat(Texts.jobs(read(HEADINGS + line)))
                .singleElement()
                .satisfies(job -> assertThat(job.terms().queue()).isEqualTo("3"));
    }

    @Test
    void unknownFieldsAreDerivedFromKnownOnes() {
        LogWorkload log = read(line("1", "0", "100", "4", "-1", "-1", "-1"));

        assertThat(log.processors()).isEmpty();
        assertThat(Texts.jobs(log)).singleElement().satisfies(job -> {
            assertThat(Texts.figures(job)).isEqualTo("1: 0 4 100 100");
            assertThat(job.user()).isEqualTo("user-unknown");
        });
    }

    @Test
    void aJobThatRunsLongerThanItsEstimateIsCutThere() {
        LogWorkload log = read(line("1", "0", "500", "4", "4", "300", "1"));

        assertThat(Texts.jobs(log)).extracting(Texts::figures).containsExactly("1: 0 4 300 300");
        assertThat(log.reading().cut()).isOne();
        assertThat(log.remarks()).containsExactly("log.swf: the run times of 1 job were cut to the estimates");
    }

    @Test
    void jobsThatNeverRanOrDoNotFitAreLeftOutAndCounted() {
        LogWorkload log = read(HEADINGS
                + line("1", "0", "0", "4", "4", "300", "1")
                + line("2", "0", "-1", "4", "4", "300", "1")
                + line("3", "0", "10", "0", "-1", "300", "1")
                + line("4", "0", "10", "4", "129", "300", "1")
                + line("5", "-3", "10", "4", "4", "300", "1")
                + line("6", "0", "10", "4", "128", "300", "1"));

        assertThat(Texts.jobs(log)).extracting(Job::id).containsExactly("6");
        assertThat(log.reading().omitted())
                .isEqualTo(Map.of(
                        Omission.NO_RUNTIME,
                        2L,
                        Omission.NO_PROCESSORS,
                        1L,
                        Omission.TOO_WIDE,
                        1L,
                        Omission.EARLY,
                        1L));
        assertThat(log.remarks())
                .containsExactly("log.swf: 5 jobs left out (2 without a run time, 1 without processors,"
                        + " 1 wider than the machine, 1 submitted before second 0)");
    }

    @Test
    void theCallersMachineComesBeforeTheHeadings() {
        String text = HEADINGS + line("1", "0", "10", "4", "129", "300", "1");

        LogWorkload log = read(text, new LogOptions(false, OptionalInt.of(200), false));

        assertThat(log.processors()).hasValue(200);
        assertThat(Texts.jobs(log)).hasSize(1);
    }

    @Test
    void withoutMaxProcsTheNodesAreTheMachine() {
        assertThat(read("; MaxNodes: 64\n").processors()).hasValue(64);
    }

    @ParameterizedTest
    @ValueSource(strings = {"MaxNodes: 0", "MaxProcs: 1,152", "MaxProcs: many", "MaxProcs: ١٢"})
    void aHeadingThatIsNoSizeSaysNothing(String heading) {
        String text = "; %s\n%s".formatted(heading, line("1", "0", "10", "4", "129", "300", "1"));

        LogWorkload alone = read(text);
        LogWorkload onMachine = read(text, new LogOptions(false, OptionalInt.of(200), false));

        assertThat(alone.processors()).isEmpty();
        assertThat(alone.remarks())
                .containsExactly(
                        "log.swf: %s (%s) of line 1 is not read: expected a positive whole number, or --machine N"
                                .formatted(heading.substring(0, 8), heading.substring(10)));
        assertThat(onMachine.processors()).hasValue(200);
        assertThat(onMachine.remarks()).isEmpty();
        assertThat(Texts.jobs(onMachine)).hasSize(1);
    }

    @Test
    void theStretchesOfAJobThatWasSwappedOutAreNoJobs() {
        String whole = line("1", "0", "30", "4", "4", "300", "1");

        LogWorkload log = read(HEADINGS
                + whole
                + whole.replace(" 30 4 ", " 10 4 ").replace(" -1 1 1 ", " -1 2 1 ")
                + whole.replace(" 30 4 ", " 20 4 ").replace(" -1 1 1 ", " -1 3 1 ")
                + line("2", "5", "40", "4", "4", "300", "1")
                + line("2", "-1", "40", "4", "4", "300", "1").replace(" -1 1 1 ", " -1 4 1 "));

        assertThat(Texts.jobs(log)).extracting(Texts::figures).containsExactly("1: 0 4 30 300", "2: 5 4 40 300");
        assertThat(log.remarks()).containsExactly("log.swf: 3 jobs left out (3 parts of others)");
    }

    @Test
    void aJobNumberThatIsThereTwiceIsNamedWithItsPlace() {
        String text = line("7", "0", "30", "4", "4", "300", "1") + line("7", "5", "30", "4", "4", "300", "2");

        assertThatThrownBy(() -> read(text))
                .hasMessage("log.swf:2:1: job 7 appears twice: expected a number or name of its own");
        assertThat(Texts.jobs(read(text, new LogOptions(true, OptionalInt.empty(), false))))
                .extracting(Texts::figures)
                .containsExactly("7: 0 4 30 300");
    }

    @Test
    void decimalsAreRoundedDown() {
        LogWorkload log = read(line("1", "10.9", "489.00", "4", "4", "1.2e3", "1"));

        assertThat(Texts.jobs(log)).extracting(Texts::figures).containsExactly("1: 10 4 489 1200");
    }

    @Test
    void lineEndsBlankLinesAndAByteOrderMarkDoNotMatter() {
        String text = "\uFEFF" + HEADINGS + "\n" + line("1", "0", "10", "4", "4", "20", "1") + "   \n";

        LogWorkload log = read(text.replace("\n", "\r\n"));

        assertThat(log.processors()).isEqualTo(OptionalInt.of(128));
        assertThat(Texts.jobs(log)).extracting(Texts::figures).containsExactly("1: 0 4 10 20");
    }

    @Test
    void aJobWaitsForTheOneThatPrecedesItWhereThatIsAskedFor() {
        String text = HEADINGS
                + line("1", "0", "10", "1", "1", "20", "12")
                + line("2", "5", "10", "1", "1", "20", "13").replace("-1 -1\n", "1 30\n")
                + line("3", "6", "10", "1", "1", "20", "13").replace("-1 -1\n", "9 0\n");

        assertThat(Texts.jobs(read(text)))
                .allSatisfy(job -> assertThat(job.terms()).isEqualTo(JobTerms.NONE.withGroup("group-1")));
        assertThat(Texts.jobs(read(text, new LogOptions(false, OptionalInt.empty(), true))))
                .extracting(job -> job.gang().after().gangs())
                .containsExactly(List.of(), List.of(new GangId("user-12", "1")), List.of());
    }

    @Test
    void anEmptyLogHasNoJobs() {
        assertThat(Texts.jobs(read(""))).isEmpty();
        assertThat(read("").remarks()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x 0 0 10 4 0 0 4 20 0 1 1 1 1 1 1 1 1|log.swf:2:1: the job number (x) is not valid: expected a number",
                "1 0 0 1O 4 0 0 4 20 0 1 1 1 1 1 1 1 1|log.swf:2:4: the run time (1O) is not valid: expected a number",
                "1 0 0 10 4 0 0 4e9 20 0 1 1 1 1 1 1 1 1|log.swf:2:8: the number of requested processors "
                        + "(4e9) is not valid: expected at most 2147483647",
                "1 0 0 1e999999999 4 0 0 4 20 0 1 1 1 1 1 1 1 1|log.swf:2:4: the run time (1e999999999) "
                        + "is not valid: expected at most 1000000000000000",
                "1 0 0 10|log.swf:2:5: the line has 4 columns: expected 18",
            })
    void invalidInputIsReportedWithItsPosition(String line, String message) {
        assertThatThrownBy(() -> read("; Version: 2.2\n" + line + "\n"))
                .isInstanceOf(MalformedWorkload.class)
                .hasMessage(message);
    }
}
