package io.slotwise.lab.workload.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.resource.Resources;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.Texts;
import io.slotwise.lab.workload.format.WorkloadFormat;
import io.slotwise.lab.workload.log.LogWorkload;
import io.slotwise.lab.workload.log.MalformedWorkload;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetacentrumReaderTest {
    private static final String MACHINES = "0\tzewura\t2\t80\t1\t529426432\n1\tzegox\t3\t12\t1.5\t94035968\n";

    private static LogWorkload read(String request) {
        String line = "3 1357002151 0 55541 64 1 1024 64 86400 6291456 1 62 1 1 -1 1 1 1 {12,12} q_1d " + request;
        return (LogWorkload) WorkloadFormat.METACENTRUM.open(Texts.of("log.mwf", line + "\n"), LogOptions.STRICT);
    }

    private static Job job(String request) {
        return Texts.jobs(read(request)).getFirst();
    }

    private static Resources resources(long cores, long bytes, long pods) {
        return Resources.of(Map.of(Resources.CPU, cores, Resources.MEMORY, bytes, Resources.PODS, pods));
    }

    @Test
    void chunksArePartsOfTheGangWithATaskForEachNode() {
        Job job = job("1:ppn=1+2:ppn=2.5:x86_64");

        assertThat(job.size()).isEqualTo(3);
        assertThat(job.submit()).isEqualTo(1_357_002_151L);
        assertThat(job.runtime()).isEqualTo(55_541);
        assertThat(job.estimate()).isEqualTo(86_400);
        assertThat(job.user()).isEqualTo("user-62");
        assertThat(job.terms().queue()).isEqualTo("q_1d");
        assertThat(job.parts()).extracting(Job.Part::tasks).containsExactly(1, 2);
        assertThat(job.parts())
                .extracting(part -> part.request().resources())
                .containsExactly(resources(1000, 2 << 20, 1), resources(2500, 2 << 20, 1));
    }

    @Test
    void theStretchesOfAJobThatWasSwappedOutAreNoJobs() {
        String whole = "3 0 0 60 1 1 1 1 90 1 1 62 1 1 -1 1 1 1 {1} q_1d 1:ppn=1\n";

        LogWorkload log = (LogWorkload) WorkloadFormat.METACENTRUM.open(
                Texts.of(
                        "log.mwf",
                        whole
                                + whole.replace(" 1 62 ", " 2 62 ")
                                + whole.replace(" 1 62 ", " 3 62 ")
                                + whole.replace(" 1 62 ", " 4 62 ")),
                LogOptions.STRICT);

        assertThat(Texts.jobs(log))
                .singleElement()
                .satisfies(job -> assertThat(job.runtime()).isEqualTo(60));
        assertThat(log.remarks()).containsExactly("log.mwf: 3 jobs left out (3 parts of others)");
    }

    @Test
    void aNumberAloneAsksForNodesWithOneProcessor() {
        Job job = job("2");

        assertThat(job.parts()).singleElement().satisfies(part -> {
            assertThat(part.tasks()).isEqualTo(2);
            assertThat(part.request().resources()).isEqualTo(resources(1000, 3 << 20, 1));
        });
    }

    @Test
    void anExclusiveNodeTakesAllItsPods() {
        Job job = job("1:ppn=64:x86_64:cl_zewura#excl");

        assertThat(job.parts().getFirst().request().resources()).isEqualTo(resources(64_000, 6 << 20, 110));
    }

    @ParameterizedTest
    @CsvSource({
        "1:ppn=1, zewura1 zewura2 zegox1 zegox2 zegox3",
        "1:ppn=1:x86_64:brno:nfs4:mem=3gb, zewura1 zewura2 zegox1 zegox2 zegox3",
        "1:ppn=1:cl_zewura, zewura1 zewura2",
        "1:ppn=1:^cl_zewura, zegox1 zegox2 zegox3",
        "1:ppn=1:nodecpus12, zegox1 zegox2 zegox3",
        "1:ppn=1:^zewura2.cerit-sc.cz, zewura1 zegox1 zegox2 zegox3",
        "1:ppn=1:host=zegox2, zegox2",
        "1:ppn=1:host=zegox2.cerit-sc.cz, zegox2",
        "zegox3.cerit-sc.cz:ppn=4, zegox3",
        "1:ppn=1:cl_zegox:^zegox3.cerit-sc.cz, zegox1 zegox2",
    })
    void propertiesThatTellNodesApartSayWhereAJobMayRun(String request, String names) {
        List<Node> nodes = MachinesReader.read(Texts.of("log.machines", MACHINES));
        NodeConstraint constraint = job(request).parts().getFirst().request().constraint();

        assertThat(nodes.stream()
                        .filter(node -> constraint.exclusion(node) == null)
                        .map(Node::name))
                .containsExactly(names.split(" ", -1));
    }

    @Test
    void machinesBecomeNodesWithTheirSpeed() {
        List<Node> nodes = MachinesReader.read(Texts.of("log.machines", MACHINES));

        assertThat(nodes).hasSize(5);
        assertThat(nodes.getFirst().allocatable()).isEqualTo(resources(80_000, 529_426_432L << 10, 110));
        assertThat(nodes.getLast().performance().millionths()).isEqualTo(1_500_000);
        assertThat(nodes.getLast().labels()).containsEntry("metacentrum.cz/cluster", "zegox");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1:ppn=0|log.mwf:1:21: the request (1:ppn=0) is not valid: expected a positive number of "
                        + "processors after ppn=",
                "1:ppn=x|log.mwf:1:21: the request (1:ppn=x) is not valid: expected a number of processors after ppn=",
                "0:ppn=1|log.mwf:1:21: the request (0:ppn=1) is not valid: expected "
                        + "NODES:ppn=PROCESSORS:PROPERTY such as 2:ppn=12:cl_zegox",
                "1:ppn=1+|log.mwf:1:21: the request (1:ppn=1+) is not valid: expected "
                        + "NODES:ppn=PROCESSORS:PROPERTY such as 2:ppn=12:cl_zegox",
                "1 2|log.mwf:1:22: the line has 22 columns: expected 21",
            })
    void invalidInputIsReportedWithItsPosition(String request, String message) {
        assertThatThrownBy(() -> read(request))
                .isInstanceOf(MalformedWorkload.class)
                .hasMessage(message);
    }

    @Test
    void machinesThatCannotBeUnderstoodAreNamedWithTheirPlace() {
        assertThatThrownBy(() -> MachinesReader.read(Texts.of("m", "0 zewura 20 80 fast 1\n")))
                .hasMessage("m:1:5: the speed (fast) is not valid: expected a decimal number such as 1.25");
        assertThatThrownBy(() -> MachinesReader.read(Texts.of("m", "0 zewura 0 80 1 1\n")))
                .hasMessage("m:1:3: the number of nodes (0) is not valid: expected between 1 and 1000000");
        assertThatThrownBy(() -> MachinesReader.read(Texts.of("m", "0 zewura\n")))
                .hasMessageStartingWith("m:1:3: the line has 2 columns: expected 6");
    }
}
