package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the checker with a clean run of two gangs one after another on a node, and with every way to spoil the run. */
class RunCheckerTest {
    private static final long GIB = 1L << 30;
    private static final RunChecker.Rules RULES = RunChecker.Rules.of(
                    Map.of("n1", new RunChecker.Room(4000, 8 * GIB, new BigDecimal("2.00"))),
                    Map.of("a", 2, "b", 1),
                    Duration.ofSeconds(3))
            .punctual();

    @TempDir
    private Path folder;

    private final List<String> lines = new ArrayList<>();
    private final List<RunChecker.Disturbance> disturbances = new ArrayList<>();
    private int version;

    @BeforeEach
    void aCleanRun() {
        pod("a-0", "a", "2000m");
        pod("a-1", "a", "2000m");
        pod("b-0", "b", "3");
        reservation("a", "Promised", "10:00:10", "10:00:20", "a-0", "a-1");
        reservation("b", "Promised", "10:00:23", "10:00:33", "b-0");
        reservation("a", "Running", "10:00:10", "10:00:20", "a-0", "a-1");
        binding("a-0", "n1", "10:00:10.020");
        binding("a-1", "n1", "10:00:10.030");
        ended("a-0", "10:00:20.100");
        ended("a-1", "10:00:20.100");
        reservation("a", "Completed", "10:00:10", "10:00:20", "a-0", "a-1");
        reservation("b", "Running", "10:00:23", "10:00:33", "b-0");
        binding("b-0", "n1", "10:00:23.010");
    }

    @Test
    void aCleanRunHasNoViolations() {
        assertThat(violations()).isEmpty();
    }

    @Test
    void aBindingWithoutAnAnswerCountsIfThePodIsSeenOnTheNode() {
        lines.replaceAll(line -> line.contains("\"binding\"") && line.contains("a-1")
                ? line.replace("\"code\":200", "\"code\":504")
                : line);
        assertThat(violations()).singleElement().asString().contains("a-1 was never bound");

        entry(
                "patch",
                "pods",
                "status",
                "a-1",
                "10:00:11.000",
                "{}",
                "{\"spec\":{\"nodeName\":\"n1\"},\"status\":{\"phase\":\"Running\"}}");
        assertThat(violations()).isEmpty();
    }

    @Test
    void aMemberThatIsNeverBoundIsFound() {
        lines.removeIf(line -> line.contains("\"binding\"") && line.contains("a-1"));

        assertThat(violations()).singleElement().asString().contains("a-1 was never bound");
    }

    @Test
    void aMemberOnAnotherNodeIsFound() {
        replace("a-1", "\"target\":{\"name\":\"n1\"}", "\"target\":{\"name\":\"n2\"}");

        assertThat(violations()).singleElement().asString().contains("bound to n2, promised was n1");
    }

    /** The gang first starts on n2, is rolled back before a pod is bound, and is planned again. */
    @Test
    void aBindingBelongsToTheStartThatIsInForce() {
        List<String> clean = List.copyOf(lines);
        lines.clear();
        version = -2;
        for (String phase : List.of("Promised", "Running")) {
            reservation("a", phase, "10:00:05", "10:00:15", "a-0", "a-1");
            lines.add(lines.removeLast()
                    .replace("\"node\":\"n1\"", "\"node\":\"n2\"")
                    .replace("10:00:09.000", "10:00:05.100"));
        }
        lines.addAll(clean);
        assertThat(violations()).isEmpty();

        replace("a-1", "10:00:10.030", "10:00:04.900");

        assertThat(violations())
                .anySatisfy(violation -> assertThat(violation).contains("bound to n1, promised was n2"));
    }

    @Test
    void aMemberBeforeItsSecondIsFound() {
        replace("b-0", "10:00:23.010", "10:00:22.999");

        assertThat(violations()).singleElement().asString().contains("before its promised start");
    }

    @Test
    void aMemberThatComesLateIsFound() {
        replace("b-0", "10:00:23.010", "10:00:23.600");

        assertThat(violations()).singleElement().asString().contains("600 ms after it was due");
    }

    @Test
    void aStartThatIsWrittenLateIsFound() {
        rewriteStart("10:00:23.700");
        replace("b-0", "10:00:23.010", "10:00:23.900");

        assertThat(violations())
                .singleElement()
                .asString()
                .contains("its start was written", "700 ms after it was due");
    }

    @Test
    void aStartIsDueWhenItsRoomIsFree() {
        lines.replaceAll(line -> line.contains("Succeeded") ? line.replace("10:00:20.100", "10:00:23.500") : line);
        rewriteStart("10:00:23.700");
        replace("b-0", "10:00:23.010", "10:00:23.900");

        assertThat(violations()).isEmpty();
    }

    @Test
    void aWindowForNowBeginsWhenItsStartIsWritten() {
        planForNow("10:00:23.800", "10:00:24.100");
        replace("b-0", "10:00:23.010", "10:00:24.500");

        assertThat(violations()).isEmpty();
    }

    @Test
    void aMemberThatComesLateAfterAWindowForNowIsFound() {
        planForNow("10:00:23.800", "10:00:24.100");
        replace("b-0", "10:00:23.010", "10:00:24.700");

        assertThat(violations()).singleElement().asString().contains("600 ms after it was due");
    }

    @Test
    void aWindowForNowThatIsStartedLateIsFound() {
        planForNow("10:00:23.800", "10:00:24.400");
        replace("b-0", "10:00:23.010", "10:00:24.500");

        assertThat(violations())
                .singleElement()
                .asString()
                .contains("its start was written", "600 ms after it was due");
    }

    @Test
    void aWindowForNowThatIsWrittenLateIsFound() {
        planForNow("10:00:25.600", "10:00:25.700");
        replace("b-0", "10:00:23.010", "10:00:25.800");

        assertThat(violations()).singleElement().asString().contains("was written at 2030-01-01T10:00:25.600Z only");
    }

    @Test
    void actionsDueInADisturbanceAreDueAtItsEnd() {
        replace("b-0", "10:00:23.010", "10:00:26.400");
        disturbances.add(new RunChecker.Disturbance(time("10:00:23.200"), time("10:00:26")));
        assertThat(violations()).isEmpty();

        replace("b-0", "10:00:26.400", "10:00:26.600");
        assertThat(violations()).singleElement().asString().contains("3600 ms after it was due");
    }

    @Test
    void aDisturbanceAfterwardsExcusesNothing() {
        replace("b-0", "10:00:23.010", "10:00:26.400");
        disturbances.add(new RunChecker.Disturbance(time("10:00:24"), time("10:00:26.300")));

        assertThat(violations()).singleElement().asString().contains("3400 ms after it was due");
    }

    @Test
    void aMemberOfNoStartedWindowIsFound() {
        lines.removeIf(line -> line.contains("reservations") && line.contains("Running") && line.contains("b-0"));

        assertThat(violations()).singleElement().asString().contains("in no window that has started");
    }

    /** The program was killed before the answer came. The next leader binds the members. */
    @Test
    void aStartWithoutAnAnswerCountsIfALaterVersionTellsOfIt() {
        String start = "\"startedAt\":\"%s\"".formatted(instant("10:00:10"));
        lines.replaceAll(line -> line.contains("\"phase\":\"Running\"") && line.contains("a-0")
                ? line.replaceAll("\"responseObject\":.*", "\"responseObject\":{}}")
                        .replace("\"code\":200", "\"code\":504")
                        .replace("\"requestObject\":{}", """
                                "requestObject":{"metadata":{"resourceVersion":"1"},\
                                "status":{"phase":"Running","attempts":0,%s}}""".formatted(start))
                : line);
        assertThat(violations())
                .hasSize(2)
                .allSatisfy(one -> assertThat(one).contains("in no window that has started"));

        lines.replaceAll(line -> line.replace("\"phase\":\"Completed\"", "\"phase\":\"Completed\"," + start));
        assertThat(violations()).isEmpty();
    }

    @Test
    void roomThatIsPromisedTwiceIsFound() {
        reservation("b", "Promised", "10:00:15", "10:00:25", "b-0");
        reservation("a", "Promised", "10:00:10", "10:00:20", "a-0", "a-1");
        lines.removeIf(line -> line.contains("\"Succeeded\"") || line.contains("10:00:23.010"));

        assertThat(violations())
                .anySatisfy(violation -> assertThat(violation).contains("promised on n1 for 2030-01-01T10:00:15Z"));
    }

    @Test
    void theTurnoverBelongsToAPromise() {
        List<String> clean = List.copyOf(lines);
        lines.clear();
        clean.forEach(line -> lines.add(line.replace("T10:00:23Z", "T10:00:22Z").replace("T10:00:33Z", "T10:00:32Z")));

        assertThat(violations())
                .anySatisfy(violation -> assertThat(violation).contains("promised on n1 for 2030-01-01T10:00:22Z"));
    }

    @Test
    void aPodThatStartedTooEarlyKeepsItsRoomNoLonger() {
        reservation("b", "Starting", "10:00:20", "10:00:30", "b-0");
        reservation("a", "Running", "10:00:10", "10:00:20", "a-0", "a-1");
        assertThat(violations())
                .anySatisfy(violation -> assertThat(violation).contains("promised on n1 for 2030-01-01T10:00:20Z"));

        replace("a-0", "10:00:10.020", "10:00:07.020");
        replace("a-1", "10:00:10.030", "10:00:07.030");
        assertThat(violations())
                .isNotEmpty()
                .noneSatisfy(violation -> assertThat(violation).contains("promised on n1"));
    }

    @Test
    void roomThatIsUsedTwiceIsFound() {
        lines.removeIf(line -> line.contains("\"Succeeded\""));

        assertThat(violations())
                .anySatisfy(
                        violation -> assertThat(violation).contains("7000 m").contains("in use on n1"));
    }

    @Test
    void aCostThatIsNotThePriceIsFound() {
        lines.replaceAll(line -> line.replace("\"exactCost\":20000000", "\"exactCost\":19999999"));

        assertThat(violations())
                .anySatisfy(violation -> assertThat(violation).contains("by price, share and seconds it is 20000000"));
    }

    @Test
    void aBudgetThatIsPassedIsFound() {
        lines.replaceAll(line -> line.replace("\"budget\":\"1\"", "\"budget\":\"0.005555\""));

        assertThat(violations())
                .anySatisfy(violation -> assertThat(violation).contains("more than its budget 0.005555"));
    }

    private List<String> violations() {
        try {
            Path file = folder.resolve("audit.jsonl");
            Files.write(file, lines);
            return RunChecker.check(RunRecord.of(new AuditLog(file), "ns"), RULES.disturbedBy(disturbances));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Plans b for the present, with the instants at which its window and its start are written. */
    private void planForNow(String window, String start) {
        lines.removeIf(line -> line.contains("reservations") && line.contains("b-0"));
        reservation("b", "Promised", "10:00:23", "10:00:33", "b-0");
        lines.add(lines.removeLast().replace("10:00:05.000", window));
        reservation("b", "Running", "10:00:23", "10:00:33", "b-0");
        lines.add(lines.removeLast().replace("10:00:09.000", start));
    }

    private void rewriteStart(String time) {
        lines.replaceAll(line -> line.contains("\"phase\":\"Running\"") && line.contains("b-0")
                ? line.replace("10:00:09.000", time)
                : line);
    }

    private static Instant time(String time) {
        return Instant.parse(instant(time));
    }

    private void replace(String pod, String from, String to) {
        lines.replaceAll(line ->
                line.contains("\"subresource\":\"binding\"") && line.contains(pod) ? line.replace(from, to) : line);
    }

    private void pod(String name, String gang, String cpu) {
        entry("create", "pods", "", name, "10:00:00.000", "{}", """
                {"metadata":{"name":"%s","labels":{"slotwise.io/gang":"%s"}},
                 "spec":{"containers":[{"resources":{"requests":{"cpu":"%s","memory":"1Gi"}}}]},
                 "status":{"phase":"Pending"}}""".formatted(name, gang, cpu));
    }

    private void binding(String pod, String node, String time) {
        entry("create", "pods", "binding", pod, time, "{\"target\":{\"name\":\"%s\"}}".formatted(node), "{}");
    }

    private void ended(String pod, String time) {
        entry("patch", "pods", "status", pod, time, "{}", "{\"status\":{\"phase\":\"Succeeded\"}}");
    }

    /** 2000 of four cores at 2.00 an hour cost 1,000,000 millionths an hour, 3000 cost 1,500,000. */
    private void reservation(String gang, String phase, String start, String end, String... pods) {
        long rate = pods.length == 1 ? 1_500_000 : 1_000_000;
        List<String> placement = new ArrayList<>();
        for (String pod : pods) {
            placement.add("{\"pod\":\"%s\",\"node\":\"n1\",\"start\":\"%s\",\"end\":\"%s\"}"
                    .formatted(pod, instant(start), instant(end)));
        }
        String object = """
                {"metadata":{"resourceVersion":"%d"},
                 "spec":{"gang":"%s","budget":"1","window":{"start":"%s","end":"%s","exactCost":%d,"placement":[%s]}},
                 "status":{"phase":"%s","attempts":0}}""".formatted(
                        ++version,
                        gang,
                        instant(start),
                        instant(end),
                        rate * 10 * pods.length,
                        String.join(",", placement),
                        phase);
        String written = phase.equals("Promised") ? "10:00:05.000" : "10:00:09.000";
        entry("update", "reservations", "status", gang, written, "{}", object);
    }

    private void entry(
            String verb,
            String resource,
            String subresource,
            String name,
            String time,
            String request,
            String response) {
        lines.add("""
                {"verb":"%s","user":{"username":"u"},"requestReceivedTimestamp":"%s","stageTimestamp":"%s",
                 "objectRef":{"resource":"%s","subresource":"%s","namespace":"ns","name":"%s"},
                 "responseStatus":{"code":200},"requestObject":%s,"responseObject":%s}""".formatted(verb, instant(time), instant(time), resource, subresource, name, request, response)
                .replace("\n", ""));
    }

    private static String instant(String time) {
        return "2030-01-01T" + time + "Z";
    }
}
