package io.slotwise.lab.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.NodeConstraint.Requirement;
import io.slotwise.core.gang.NodeConstraint.Term;
import io.slotwise.core.gang.NodeConstraint.Toleration;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Request;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.JobTerms;
import io.slotwise.lab.workload.Processor;
import io.slotwise.lab.workload.Workload;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.Jobs;
import io.slotwise.testing.Nonsense;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ManifestWriterTest {
    private static final long EPOCH = Instant.parse("2030-01-01T00:00:00Z").getEpochSecond();
    private static final Budget BUDGET = new Budget(Money.parse("12.5"), Money.parse("0.75"));

    private static String written(Job... jobs) throws IOException {
        StringWriter out = new StringWriter();
        ManifestWriter.write(new Listed(List.of(jobs)), EPOCH, out);
        return out.toString();
    }

    private static List<Gang> read(String text) {
        ClusterObjects objects =
                ManifestFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "written");
        IntakeResult result = new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, PodFilter.FILES)
                .take(objects, Map.of(), EPOCH + 100_000);
        assertThat(result.warnings())
                // A log has priorities without priority classes.
                .filteredOn(warning -> !"spec.priority".equals(warning.field()))
                .extracting(IntakeWarning::message)
                .singleElement()
                .asString()
                .startsWith("0 nodes and ");
        assertThat(result.snapshot().held()).isEmpty();
        return result.snapshot().requests().stream().map(Request::gang).toList();
    }

    /** The gang as read from manifests, on the clock of the epoch. */
    private static Gang expected(Job job) {
        Gang gang = job.gang();
        return new Gang(
                gang.id(),
                gang.shapes(),
                gang.demand()
                        .withEarliestStart(
                                gang.earliestStart() == Long.MIN_VALUE ? Long.MIN_VALUE : EPOCH + gang.earliestStart())
                        .withDeadline(gang.deadline() == Interval.FOREVER ? gang.deadline() : EPOCH + gang.deadline()),
                gang.priority(),
                EPOCH + gang.arrival(),
                gang.placementRequest());
    }

    @Test
    void aJobOfALogIsReadBackAsItsGang() throws IOException {
        Job job = Jobs.of("7", 10, 3, Processor.request(5400), 3600, "user-12");

        assertThat(read(written(job))).containsExactly(expected(job));
    }

    /** Random names, widths, times and node labels as in logs and traces. */
    @Test
    void randomWorkloadsAreReadBackAsWritten() throws IOException {
        Nonsense nonsense = new Nonsense(7);
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            long runtime = nonsense.pick(List.of(1L, 3600L, 400_000_000L, 1L << 33));
            NodeConstraint constraint = new NodeConstraint(
                    Map.of("gpu", nonsense.pick(List.of("T4", "V100|P100", "")), "model", "m" + nonsense.text()),
                    List.of(),
                    List.of(),
                    Set.of());
            PodRequest request = new PodRequest(
                    Resources.of(Map.of(
                            Resources.CPU, nonsense.pick(List.of(1L, 1500L, Long.MAX_VALUE)), Resources.PODS, 1L)),
                    nonsense.number(2) == 0 ? constraint : NodeConstraint.NONE,
                    runtime,
                    nonsense.number(2) == 0);
            jobs.add(Jobs.of(
                    nonsense.pick(List.of(i + "", "job." + i, "Job_" + i, "j".repeat(80) + i, i + nonsense.text())),
                    nonsense.pick(List.of(0L, 5L, 400_000_000_000L)),
                    nonsense.pick(List.of(1, 1, 3, 9000, Integer.MAX_VALUE)),
                    request,
                    nonsense.pick(List.of(1L, runtime)),
                    nonsense.pick(List.of("user-1", "alice.smith", "Bob", "u".repeat(200), "u" + nonsense.text()))));
        }
        StringWriter out = new StringWriter();

        Optional<String> leftOut = ManifestWriter.write(new Listed(jobs), EPOCH, out);
        List<Gang> gangs = read(out.toString());

        assertThat(gangs).hasSizeGreaterThan(20);
        assertThat(leftOut)
                .hasValueSatisfying(remark -> assertThat(remark)
                        .contains(": %d jobs are left out, which no plan could read; the first: job "
                                .formatted(400 - gangs.size())));
    }

    @Test
    void partsConstraintsAndTermsAreReadBack() throws IOException {
        NodeConstraint constraint = new NodeConstraint(
                Map.of("disk", "ssd"),
                List.of(new Term(
                        List.of(
                                new Requirement("gpu", Requirement.Operator.IN, List.of("T4", "P100")),
                                new Requirement("old", Requirement.Operator.DOES_NOT_EXIST, List.of())),
                        List.of(new Requirement("metadata.name", Requirement.Operator.NOT_IN, List.of("n1"))))),
                List.of(new Toleration("dedicated", false, "batch", null), new Toleration("spot", true, "", null)),
                Set.of());
        Resources resources = Resources.of(
                Map.of(Resources.CPU, 1500L, Resources.MEMORY, 1L << 30, "nvidia.com/gpu", 2L, Resources.PODS, 1L));
        JobTerms terms = new JobTerms(
                Demand.NONE
                        .withBudget(BUDGET)
                        .withCriterion(Criterion.COST)
                        .withEarliestStart(3600)
                        .withDeadline(864_000)
                        .withTopology(Topology.within(TopologyLevel.of("zone")))
                        .withMaxPerNode(2)
                        .withLockstep(true)
                        .keepingWork(true),
                7,
                "",
                "",
                "");
        Job job = new Job(
                "train",
                10,
                List.of(
                        new Job.Part(1, Processor.request(90)),
                        new Job.Part(2, new PodRequest(resources, constraint, 90, false))),
                60,
                "research",
                terms);

        assertThat(read(written(job))).containsExactly(expected(job));
    }

    @Test
    void aRuntimeThatIsTheSameEverywhereIsADeadlineOfThePods() throws IOException {
        Job job = Jobs.of("7", 10, 1, new PodRequest(Processor.RESOURCES, NodeConstraint.NONE, 300, true), 300, "a");

        assertThat(read(written(job))).containsExactly(expected(job));
    }

    @Test
    void podsSleepForTheRealRunTimeAndWaitForSlotwise() throws IOException {
        String text = written(Jobs.of("7", 10, 1, Processor.request(5400), 3600, "user-12"));

        assertThat(text)
                .contains("kind: \"Namespace\"", "schedulerName: \"slotwise\"", "slotwise.io/runtime: \"1h30m\"")
                .contains("- \"sleep\"\n    - \"3600\"")
                .contains("creationTimestamp: \"2030-01-01T00:00:10Z\"");
    }

    @Test
    void namesThatKubernetesDoesNotTakeAreChanged() throws IOException {
        Gang gang = read(written(Jobs.of("Job_1", 10, 1, Processor.request(60), 60, "VC_ed69")))
                .getFirst();

        assertThat(gang.id().namespace()).matches("vc-ed69-[0-9a-f]{10}");
        assertThat(gang.id().name()).matches("job-1-[0-9a-f]{10}");
    }

    private record Listed(List<Job> all) implements Workload {
        @Override
        public String name() {
            return "jobs";
        }

        @Override
        public OptionalInt processors() {
            return OptionalInt.empty();
        }

        @Override
        public Stream<Job> jobs() {
            return all.stream();
        }
    }
}
