package io.slotwise;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that each test that a document names as a proof exists, and that each threat has such a test. */
class DocumentedTestsTest {
    private static final Pattern NAME = Pattern.compile("`([A-Z][A-Za-z0-9]*(?:Test|IT))`");

    private static final Pattern METHOD = Pattern.compile("`([A-Z][A-Za-z0-9]*(?:Test|IT))\\.([a-z][A-Za-z0-9]*)`");

    /**
     * The threats that the page on security has to name. Each is a phrase of its row in the table and the test that
     * proves the defence.
     */
    private static final List<List<String>> THREATS = List.of(
            List.of("the record of a gang: a window of its own", "RestrainedAccountsIT"),
            List.of("names another gang of the namespace", "ReservationIndexTest"),
            List.of("`slotwise-account`", "RestrainedAccountsIT"),
            List.of("`slotwise-starts`", "ReadClusterTest"),
            List.of("`kubectl port-forward`", "ExtenderDoorIT"),
            List.of("a pod of another scheduler", "GangBarrierTest"),
            List.of("names of gangs and pods of other namespaces", "RefusalValueTest"),
            List.of("tokens that people and Prometheus send", "CallerReviewTest"),
            List.of("`default-scheduler`", "SchedulerProfilesTest"),
            List.of("a selector of devices", "PodDevicesTest"),
            List.of("the selectors of a namespace in a cycle", "PodDevicesTest"),
            List.of("a price calendar", "PriceCalendarTest"),
            List.of("claims for free volumes", "PodVolumesTest"),
            List.of("spread constraints of a namespace's pods", "PodNeighboursTest"),
            List.of("questions about a caller's rights", "CallerReviewTest"),
            List.of("answers of API and board to a caller", "AccessFilterTest"),
            List.of("runtimes of a second", "NamespaceBudgetTest"),
            List.of("before its run is charged", "ShedChargesIT"),
            List.of("nodes bought for gangs that go", "NodePurchasesTest"),
            List.of("`slotwise.io/value-of-time`", "NamespaceReaderTest"),
            List.of("under the names of those that a window was promised to", "SwappedPodsTest"),
            List.of("by a Binding neither", "RestrainedAccountsIT"),
            List.of("its kubelet's identity", "RestrainedAccountsIT"),
            List.of("the labels by which the node is priced", "RestrainedAccountsIT"),
            List.of("its reservations count", "ReservationQuotaTest"),
            List.of("a cookie of its own", "SessionCookieTest"),
            List.of("the budget of the namespace `default`", "GangAnswersTest"),
            List.of("larger than etcd takes", "LedgersTest"),
            List.of("to send away what it reads", "OptionalPartsTest"),
            List.of("preemption of Slotwise's own pods", "OptionalPartsTest"),
            List.of("an action of the release", "DeliveryTest"),
            List.of("No run counts for more than twice the next longest", "RuntimePredictorTest"),
            List.of("so that calls for other namespaces wait", "RefusedNamespacesTest"),
            List.of("what others wrote into objects that are refused", "RefusedNamespacesTest"),
            List.of("event streams", "BoardFeedTest"),
            List.of("work that a user sets off has a budget", "CostlyObjectsTest"),
            List.of("the ledger charges what runs", "TenantIT"),
            List.of("what was checked is what starts", "SwappedPodsTest"),
            List.of("who may say what a node is", "RestrainedAccountsIT"),
            List.of("room is kept for those who may have it", "ReservationQuotaTest"));

    @Test
    void everyTestThatADocumentNamesIsThere() {
        Set<String> tests = files(Path.of("src"), ".java")
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());
        Set<String> named = named(NAME).map(name -> name.group(1)).collect(Collectors.toCollection(TreeSet::new));

        assertThat(named).hasSizeGreaterThan(20);
        assertThat(tests).containsAll(named);
    }

    @Test
    void everyTestMethodThatADocumentNamesIsThere() {
        Map<String, Path> tests = files(Path.of("src"), ".java")
                .collect(Collectors.toMap(file -> file.getFileName().toString(), file -> file, (first, _) -> first));

        assertThat(named(METHOD)).allSatisfy(name -> {
            assertThat(tests).containsKey(name.group(1) + ".java");
            assertThat(read(Objects.requireNonNull(tests.get(name.group(1) + ".java"))))
                    .contains("void " + name.group(2) + "(");
        });
    }

    @Test
    void everyThreatNamesTheTestOfItsMitigation() {
        List<String> rows = Arrays.stream(
                        read(Path.of("docs/explanation/security.md")).split("\n", -1))
                .filter(line -> line.startsWith("|"))
                .toList();

        for (List<String> threat : THREATS) {
            assertThat(rows)
                    .as("a row with %s", threat)
                    .anySatisfy(row -> assertThat(row).contains(threat));
        }
    }

    private static Stream<MatchResult> named(Pattern pattern) {
        return Stream.concat(Stream.of(Path.of("CONTRIBUTING.md")), files(Path.of("docs"), ".md"))
                .flatMap(file -> pattern.matcher(read(file)).results());
    }

    private static Stream<Path> files(Path folder, String end) {
        try (Stream<Path> walk = Files.walk(folder)) {
            return walk.filter(file -> file.toString().endsWith(end)).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
