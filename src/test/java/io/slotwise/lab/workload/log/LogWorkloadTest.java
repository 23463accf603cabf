package io.slotwise.lab.workload.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.Texts;
import io.slotwise.lab.workload.format.WorkloadFormat;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogWorkloadTest {
    private static final String JOB = "%d %d -1 10 1 -1 -1 1 20 -1 1 1 1 -1 -1 -1 -1 -1\n";

    private static String text(long... submissions) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < submissions.length; i++) {
            text.append(JOB.formatted(i + 1, submissions[i]));
        }
        return text.toString();
    }

    private static LogWorkload open(TextSource source, LogOptions options) {
        return (LogWorkload) WorkloadFormat.SWF.open(source, options);
    }

    @Test
    void linesThatCannotBeUnderstoodAreSkippedAndCountedWhereThatIsAllowed() {
        String text = text(1, 2, 3).replaceFirst("\n", "\nwhat\n") + "else 2\n";

        LogWorkload log = open(Texts.of("log.swf", text), new LogOptions(true, OptionalInt.empty(), false));

        assertThat(Texts.jobs(log)).hasSize(3);
        assertThat(log.reading().malformed()).isEqualTo(2);
        assertThat(log.remarks())
                .containsExactly("log.swf: 2 lines could not be parsed and were skipped; the first:"
                        + " log.swf:2:2: the line has 1 columns: expected 18");
    }

    @Test
    void aStrictLogIsRefusedBeforeItsFirstJob() {
        TextSource source = Texts.of("log.swf", text(1, 2, 3) + "what\n");

        assertThatThrownBy(() -> open(source, LogOptions.STRICT)).hasMessageStartingWith("log.swf:4:2: ");
    }

    @Test
    void submissionsOutOfOrderAreSortedAndThoseOfOneSecondStayInTheirOrder() {
        LogWorkload log = open(Texts.of("log.swf", text(30, 10, 30, 10, 20)), LogOptions.STRICT);

        assertThat(Texts.jobs(log)).extracting(Job::id).containsExactly("2", "4", "5", "1", "3");
        assertThat(log.remarks()).containsExactly("log.swf: submissions were out of order and have been sorted");
    }

    @Test
    void everyCallTellsTheSameJobs() {
        LogWorkload log = open(Texts.of("log.swf", text(1, 2, 3)), LogOptions.STRICT);

        assertThat(Texts.jobs(log)).isEqualTo(Texts.jobs(log)).hasSize(3);
    }

    @Test
    void compressedTextsAreKnownByTheirBytesNotByTheirName() {
        LogWorkload log = open(Texts.bytes("log.swf", Texts.gzip(text(1, 2, 3))), LogOptions.STRICT);

        assertThat(Texts.jobs(log)).hasSize(3);
    }

    @Test
    void aCompressedTextThatEndsEarlyIsRefused() {
        byte[] whole = Texts.gzip(text(1, 2, 3));
        TextSource cut = Texts.bytes("log.swf.gz", Arrays.copyOf(whole, whole.length - 12));
        TextSource begun = Texts.bytes("log.swf.gz", Arrays.copyOf(whole, 5));

        assertThatThrownBy(() -> open(cut, new LogOptions(true, OptionalInt.empty(), false)))
                .isInstanceOf(MalformedWorkload.class)
                .hasMessageContaining("the compressed text is damaged or ends early; expected a whole gzip file");
        assertThatThrownBy(() -> open(begun, new LogOptions(true, OptionalInt.empty(), false)))
                .hasMessage("log.swf.gz: the compressed text is damaged; expected a whole gzip file");
    }

    @Test
    void theFirstJobsOfALongLogAreToldWithoutReadingTheOthers() {
        Lines lines = new Lines(1_000_000);
        LogWorkload log = open(TextSource.of("long.swf", lines::stream), LogOptions.STRICT);
        assertThat(log.reading().jobs()).isEqualTo(1_000_000);
        lines.pulled = 0;

        List<String> first;
        try (Stream<Job> jobs = log.jobs()) {
            first = jobs.limit(3).map(Job::id).toList();
        }

        assertThat(first).containsExactly("1", "2", "3");
        assertThat(lines.pulled).isBetween(3L, 10_000L);
    }

    @Test
    void closingTheJobsClosesTheFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("log.swf"), text(1, 2, 3));
        boolean[] closed = new boolean[1];
        TextSource source = TextSource.of("log.swf", () -> new Watched(file, closed));
        LogWorkload log = open(source, LogOptions.STRICT);
        closed[0] = false;

        log.jobs().close();

        assertThat(closed[0]).isTrue();
    }

    /** A text whose lines are made as they are read. */
    private static final class Lines {
        private final long count;
        private long pulled;

        Lines(long count) {
            this.count = count;
        }

        InputStream stream() {
            return new InputStream() {
                private long next = 1;
                private byte[] line = new byte[0];
                private int at;

                @Override
                public int read() {
                    byte[] one = new byte[1];
                    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
                }

                @Override
                public int read(byte[] into, int from, int most) {
                    if (at == line.length) {
                        if (next > count) {
                            return -1;
                        }
                        line = JOB.formatted(next, next).getBytes(StandardCharsets.US_ASCII);
                        next++;
                        pulled++;
                        at = 0;
                    }
                    int length = Math.min(most, line.length - at);
                    System.arraycopy(line, at, into, from, length);
                    at += length;
                    return length;
                }
            };
        }
    }

    private static final class Watched extends java.io.FilterInputStream {
        private final boolean[] closed;

        Watched(Path file, boolean[] closed) {
            super(open(file));
            this.closed = closed;
        }

        private static InputStream open(Path file) {
            try {
                return Files.newInputStream(file);
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws java.io.IOException {
            closed[0] = true;
            super.close();
        }
    }
}
