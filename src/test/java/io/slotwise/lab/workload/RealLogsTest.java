package io.slotwise.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.resource.Resources;
import io.slotwise.lab.workload.format.WorkloadFile;
import io.slotwise.lab.workload.log.LogWorkload;
import io.slotwise.lab.workload.log.TextSource;
import io.slotwise.lab.workload.traces.NodeFile;
import io.slotwise.testing.SharedData;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real logs and traces, and the canonical rows of those whose start times are published. */
class RealLogsTest {
    private static final int ORACLE_COLUMNS = 6;

    private static Path data(String path) {
        Optional<Path> file = SharedData.file(path);
        assumeThat(file).as("the real data's file %s", path).isPresent();
        return file.orElseThrow();
    }

    private static LogWorkload log(String path) {
        return (LogWorkload) WorkloadFile.open(data(path), LogOptions.STRICT);
    }

    @ParameterizedTest
    @CsvSource({
        "swf/KTH-SP2-sc15filter-28481jobs.swf.gz, 100, 28481, 28481",
        "swf/SDSC-SP2-first4961jobs.swf.gz, 128, 4606, 4961",
        "swf/NASA-iPSC-1993-3.1-cln.swf.gz, 128, 18066, 18239",
        "swf/LANL-CM5-1994-4.1-cln.swf.gz, 1024, 122055, 122060",
        "swf/LLNL-Atlas-2006-2.1-cln.swf.gz, 9216, 36600, 43778",
        "swf/HPC2N-2002-first3170jobs.swf.gz, 240, 3145, 3170",
        "swf/CEA-Curie-9941jobs.swf.gz, 80640, 9440, 9941",
        "swf/lublin_256_deepbatch.swf.gz, 256, 10000, 10000",
        "swf/METACENTRUM-wagap-2013-17900jobs.mwf.gz, , 17898, 17900",
        "k8s/openb_pod_list_default.csv, , 8152, 8152",
        "k8s/openb_pod_list_gpuspec33.csv, , 8152, 8152",
        "gpu_jobs/philly_week.csv, , 14185, 14185",
        "gpu_jobs/tiresias_60_job.csv, , 60, 60",
    })
    void everyLineOfALogIsAJobOrLeftOutForAReason(String path, @Nullable Integer processors, long jobs, long lines) {
        LogWorkload log = log(path);

        long omitted = log.reading().omitted().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        assertThat(log.processors()).isEqualTo(processors == null ? OptionalInt.empty() : OptionalInt.of(processors));
        assertThat(log.reading().jobs()).isEqualTo(jobs);
        assertThat(jobs + omitted).isEqualTo(lines);
        try (Stream<Job> told = log.jobs()) {
            assertThat(told.count()).isEqualTo(jobs);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "swf/SDSC-SP2-first4961jobs.swf.gz, sdsc-sp2-first4606",
        "swf/KTH-SP2-sc15filter-28481jobs.swf.gz, kth-sp2-first5000",
        "swf/lublin_256_deepbatch.swf.gz, lublin-256-first5000",
    })
    void aLogsJobsAreTheCanonicalOnes(String log, String oracle) throws IOException {
        List<String> canonical = canonical(oracle);

        try (Stream<Job> jobs = log(log).jobs()) {
            assertThat(jobs.limit(canonical.size())
                            .map(job -> row(job, job.submit()))
                            .toList())
                    .isEqualTo(canonical);
        }
    }

    @Test
    void aLogWithItsClockSpedUpHasTheCanonicalJobs() throws IOException {
        List<String> canonical = canonical("nasa-ipsc-x1667load");

        List<Job> jobs = Texts.jobs(log("swf/NASA-iPSC-1993-3.1-cln.swf.gz"));
        long first = jobs.getFirst().submit();

        assertThat(jobs.stream()
                        .map(job -> row(job, (job.submit() - first) * 60 / 100))
                        .toList())
                .isEqualTo(canonical);
    }

    /** Number, submission, processors, run time, estimate and user of the canonical rows. */
    private static List<String> canonical(String oracle) throws IOException {
        List<String> rows = new ArrayList<>();
        TextSource source = TextSource.file(data("oracle/" + oracle + ".oracle.csv.gz"));
        try (BufferedReader reader = source.open()) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (Character.isDigit(line.charAt(0))) {
                    rows.add(
                            Stream.of(line.split(",", -1)).limit(ORACLE_COLUMNS).collect(Collectors.joining(",")));
                }
            }
        }
        return rows;
    }

    private static String row(Job job, long submit) {
        String user = job.user().equals(UserName.UNKNOWN) ? "-1" : job.user().replace("user-", "");
        return "%s,%d,%d,%d,%d,%s".formatted(job.id(), submit, job.size(), job.runtime(), job.estimate(), user);
    }

    @Test
    void theTracesClusterHasItsNodesAndGpus() {
        List<Node> nodes = NodeFile.read(data("k8s/openb_node_list_all_node.csv"));

        assertThat(nodes).hasSize(1523);
        assertThat(nodes.stream()
                        .mapToLong(node -> node.allocatable().get(Gpus.WHOLE))
                        .sum())
                .isEqualTo(6212);
        assertThat(nodes).allSatisfy(node -> assertThat(node.price().at(0)).isPositive());
        Map<String, Long> models = nodes.stream()
                .filter(node -> node.labels().containsKey(Gpus.MODEL))
                .collect(Collectors.groupingBy(
                        node -> String.valueOf(node.labels().get(Gpus.MODEL)),
                        Collectors.summingLong(node -> node.allocatable().get(Gpus.WHOLE))));
        assertThat(models)
                .isEqualTo(Map.of(
                        "G2", 4392L, "T4", 842L, "G3", 312L, "P100", 265L, "V100M32", 204L, "V100M16", 195L, "A10",
                        2L));
    }

    @ParameterizedTest
    @CsvSource({"default, ''", "gpuspec33, openb-pod-1639"})
    void everyPodOfTheTraceFitsSomeNodeUnlessItsModelsNodesAreTooSmall(String trace, String tooLarge) {
        List<Node> nodes = NodeFile.read(data("k8s/openb_node_list_all_node.csv"));
        List<Job> jobs = Texts.jobs(log("k8s/openb_pod_list_%s.csv".formatted(trace)));

        assertThat(String.join(",", unfit(jobs, nodes))).isEqualTo(tooLarge);
    }

    @Test
    void allJobsButOneOfMetacentrumsLogFitItsMachines() {
        List<Node> nodes = NodeFile.read(data("swf/METACENTRUM-wagap-2013.machines"));
        List<Job> jobs = Texts.jobs(log("swf/METACENTRUM-wagap-2013-17900jobs.mwf.gz"));

        assertThat(nodes).hasSize(68);
        assertThat(nodes.stream()
                        .mapToLong(node -> node.allocatable().get(Resources.CPU))
                        .sum())
                .isEqualTo((20 * 80 + 48 * 12) * 1000);
        // The job requests more memory than any node has.
        assertThat(unfit(jobs, nodes)).containsExactly("8687");
    }

    private static List<String> unfit(List<Job> jobs, List<Node> nodes) {
        return jobs.stream().filter(job -> !fits(job, nodes)).map(Job::id).toList();
    }

    private static boolean fits(Job job, List<Node> nodes) {
        return job.parts().stream()
                .allMatch(part -> nodes.stream()
                                .filter(node -> part.request().constraint().exclusion(node) == null)
                                .mapToLong(node ->
                                        node.allocatable().times(part.request().resources()))
                                .sum()
                        >= part.tasks());
    }
}
