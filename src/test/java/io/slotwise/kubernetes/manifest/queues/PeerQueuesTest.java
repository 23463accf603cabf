package io.slotwise.kubernetes.manifest.queues;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueSpec;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PeerQueuesTest {
    private static PeerQueues translated(String text) {
        try {
            return PeerQueues.of(new YAMLMapper()
                    .readerFor(JsonNode.class)
                    .<JsonNode>readValues(text)
                    .readAll());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static QueueSpec spec(PeerQueues queues, String name) {
        return queues.queues().stream()
                .filter(queue -> queue.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getSpec();
    }

    private static List<String> notes(PeerQueues queues) {
        return queues.notes().stream().map(IntakeWarning::message).toList();
    }

    private static String kueue(String kind, String name, String spec) {
        return """
                ---
                {apiVersion: kueue.x-k8s.io/v1beta1, kind: %s, metadata: {name: %s, namespace: %s}, spec: {%s}}
                """.formatted(kind, name, "team", spec);
    }

    private static String quotas(String flavor, String quotas) {
        return "{flavors: [{name: %s, resources: [%s]}]}".formatted(flavor, quotas);
    }

    @Test
    void quotasOfFlavorsAreAddedUpWithTheirLimits() {
        PeerQueues queues = translated(kueue("ResourceFlavor", "spot", "nodeLabels: {type: spot}")
                + kueue("ResourceFlavor", "fixed", "")
                + kueue(
                        "ClusterQueue",
                        "a",
                        "namespaceSelector: {}, cohort: ab, resourceGroups: [%s, %s]"
                                .formatted(
                                        quotas("spot", "{name: memory, nominalQuota: 36Gi, borrowingLimit: 1Gi}"),
                                        quotas(
                                                "fixed",
                                                "{name: memory, nominalQuota: 72Gi, borrowingLimit: 512Mi, "
                                                        + "lendingLimit: 1Gi}"))));

        assertThat(spec(queues, "a").guarantee()).isEqualTo(Map.of("memory", "108Gi"));
        assertThat(spec(queues, "a").limit()).isEqualTo(Map.of("memory", "112128Mi"));
        assertThat(spec(queues, "a").lending()).isEqualTo(new QueueSpec.Lending(Map.of("memory", "37Gi"), null));
        assertThat(notes(queues))
                .containsExactly(
                        "ResourceFlavor spot: `spec.nodeLabels` ({\"type\":\"spot\"}) is not translated: a gang "
                                + "may use any node that its pods fit",
                        "ClusterQueue a: `spec.resourceGroups` has several flavors, or others of its resources than "
                                + "other objects: the quotas of all flavors of a resource are added up, and a gang "
                                + "may use any node that its pods fit");
    }

    @Test
    void treesLendNothingAndTheRootHasTheirSum() {
        PeerQueues queues = translated(kueue("ResourceFlavor", "any", "")
                + kueue("Cohort", "ab", "resourceGroups: [%s]".formatted(quotas("any", "{name: cpu, nominalQuota: 2}")))
                + kueue(
                        "ClusterQueue",
                        "a",
                        "namespaceSelector: {}, cohort: ab, resourceGroups: [%s]"
                                .formatted(quotas("any", "{name: cpu, nominalQuota: 500m}")))
                + kueue(
                        "ClusterQueue",
                        "c",
                        "namespaceSelector: {}, resourceGroups: [%s]"
                                .formatted(quotas("any", "{name: gpu, nominalQuota: 8}"))));

        QueueSpec.Lending nothing = new QueueSpec.Lending(Map.of("cpu", "0"), null);
        assertThat(spec(queues, "root").guarantee()).isEqualTo(Map.of("cpu", "2500m", "gpu", "8"));
        assertThat(spec(queues, "ab").guarantee()).isEqualTo(Map.of("cpu", "2500m"));
        assertThat(spec(queues, "ab").lending()).isEqualTo(nothing);
        assertThat(spec(queues, "a").parent()).isEqualTo("ab");
        assertThat(spec(queues, "a").limit()).isEqualTo(Map.of("gpu", "0"));
        assertThat(spec(queues, "c").limit()).isEqualTo(Map.of("gpu", "8", "cpu", "0"));
        assertThat(notes(queues)).isEmpty();
    }

    @Test
    void weightsBecomeWholeNumbers() {
        PeerQueues queues = translated(kueue("Cohort", "a", "fairSharing: {weight: '0.75'}")
                + kueue("Cohort", "b", "fairSharing: {weight: 250m}")
                + kueue("Cohort", "c", "fairSharing: {weight: 0.0001}"));

        assertThat(queues.queues().stream().map(queue -> queue.getSpec().weight()))
                .containsExactly(null, 750, 250, null);
        assertThat(notes(queues))
                .containsExactly(
                        "Cohort c: `spec.fairSharing.weight` (0.00010) is rounded: its weight is 1, of at most "
                                + "1000000");
    }

    @Test
    void namesThatAreTakenAreExtended() {
        PeerQueues queues = translated(kueue("Cohort", "root", "")
                + kueue("ClusterQueue", "a", "namespaceSelector: {}, cohort: a")
                + kueue("Cohort", "a", "parentName: root"));

        assertThat(queues.queues().stream().map(queue -> queue.getMetadata().getName()))
                .containsExactly("root", "a-cohort", "root-cohort", "a");
        assertThat(spec(queues, "a").parent()).isEqualTo("a-cohort");
        assertThat(spec(queues, "a-cohort").parent()).isEqualTo("root-cohort");
        assertThat(notes(queues))
                .containsExactly(
                        "Cohort a has the name of another queue: its queue is a-cohort",
                        "Cohort root has the name of another queue: its queue is root-cohort");
    }

    @Test
    void anExtendedNameThatIsTakenTooIsExtendedAgain() {
        PeerQueues queues = translated(kueue("ClusterQueue", "a", "namespaceSelector: {}, cohort: a")
                + kueue("ClusterQueue", "a-cohort", "namespaceSelector: {}, cohort: a-cohort")
                + kueue("Cohort", "a", "")
                + kueue("Cohort", "a-cohort", ""));

        assertThat(queues.queues().stream().map(queue -> queue.getMetadata().getName()))
                .doesNotHaveDuplicates();
        assertThat(spec(queues, "a").parent()).isEqualTo("a-cohort-cohort");
        assertThat(spec(queues, "a-cohort").parent()).isEqualTo("a-cohort-cohort-cohort");
    }

    @Test
    void aWeightOfVolcanoThatIsNoWholeNumberIsRefused() {
        for (String weight : List.of("three", "'3'", "2.5", "-1")) {
            PeerQueues queues = translated("""
                    {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: a}, spec: {weight: %s}}
                    """.formatted(weight));

            assertThat(queues.queues()).isEmpty();
            assertThat(notes(queues))
                    .containsExactly(
                            ("Volcano's Queue a: `spec.weight` (%s) is not valid: expected a whole number such "
                                            + "as 3; it is left out")
                                    .formatted(weight.replace("'", "")));
        }
    }

    @Test
    void queuesOfYuniKornWhoseNamesBecomeTheSameAreNoted() {
        PeerQueues queues = translated("""
                partitions:
                - name: default
                  queues: [{name: science, queues: [{name: a_b}, {name: a-b}]}, {name: Science, queues: [{name: c}]}]
                """);

        assertThat(queues.queues().stream().map(queue -> queue.getMetadata().getName()))
                .containsExactly("science", "science.a-b");
        assertThat(notes(queues))
                .contains(
                        "YuniKorn's queue science.a-b: `name` (a-b) is that of another queue, which is science.a-b "
                                + "too: it is left out with the queues below it",
                        "YuniKorn's queue Science: `name` (Science) is that of another queue, which is science too: "
                                + "it is left out with the queues below it");
    }

    @Test
    void eachFieldThatIsNotTranslatedIsNotedUnlessItIsUsual() {
        PeerQueues queues = translated(kueue("ClusterQueue", "a", """
                        queueingStrategy: StrictFIFO, stopPolicy: HoldAndDrain,
                        flavorFungibility: {whenCanBorrow: Borrow, whenCanPreempt: Preempt},
                        preemption: {reclaimWithinCohort: Never, withinClusterQueue: LowerPriority,
                        borrowWithinCohort: {policy: Never, maxPriorityThreshold: 5}}, admissionChecks: [x], new: {}""")
                + kueue("LocalQueue", "lq", "clusterQueue: a, stopPolicy: Hold, fairSharing: {weight: 2}"));

        assertThat(spec(queues, "a").suspended()).isTrue();
        assertThat(queues.notes().stream().map(note -> note.kind() + " " + note.field()))
                .containsExactly(
                        "ClusterQueue spec.queueingStrategy",
                        "ClusterQueue spec.flavorFungibility.whenCanPreempt",
                        "ClusterQueue spec.preemption.withinClusterQueue",
                        "ClusterQueue spec.preemption.borrowWithinCohort.maxPriorityThreshold",
                        "ClusterQueue spec.admissionChecks",
                        "LocalQueue spec.fairSharing.weight",
                        "LocalQueue spec.stopPolicy",
                        "ClusterQueue spec.stopPolicy",
                        "ClusterQueue spec.namespaceSelector");
    }

    @Test
    void aQueueThatCannotBeReadIsLeftOut() {
        PeerQueues queues = translated(kueue(
                "ClusterQueue",
                "a",
                "resourceGroups: [%s]".formatted(quotas("any", "{name: cpu, nominalQuota: much}"))));

        assertThat(queues.queues()).hasSize(1);
        assertThat(notes(queues))
                .containsExactly("ClusterQueue a: `cpu` (much) is not valid: expected a number such as 500m, 2 or 4Gi; "
                        + "it is left out");
    }

    @Test
    void volcanosQueuesAreTranslated() {
        PeerQueues queues = translated("""
                apiVersion: scheduling.volcano.sh/v1beta1
                kind: Queue
                metadata: {name: a}
                spec:
                  weight: 3
                  parent: root
                  reclaimable: false
                  capability: {cpu: 8, memory: 16Gi}
                  deserved: {cpu: 6}
                  guarantee: {resource: {cpu: 2, memory: 1Gi}}
                status: {state: Closed}
                ---
                {apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: b}, spec: {weight: 2}}
                """);

        assertThat(spec(queues, "a"))
                .isEqualTo(new QueueSpec(
                        null,
                        3,
                        Map.of("cpu", "6", "memory", "1Gi"),
                        Map.of("cpu", "8", "memory", "16Gi"),
                        new QueueSpec.Lending(Map.of("cpu", "4", "memory", "0"), null),
                        null,
                        List.of(),
                        List.of(),
                        null,
                        true));
        assertThat(spec(queues, "b").suspended()).isNull();
        assertThat(notes(queues))
                .containsExactly("Volcano's Queue a: `spec.reclaimable` (false) is not translated: what it borrows is "
                        + "reclaimed as from other queues");
    }

    @Test
    void yuniKornsQueuesAreTranslated() {
        PeerQueues queues = translated("""
                partitions:
                - name: default
                  placementrules: [{name: tag, value: namespace}]
                  queues:
                  - name: root
                    submitacl: '*'
                    queues:
                    - name: Science
                      parent: true
                      resources: {guaranteed: {vcore: 500m, memory: 1G}, max: {vcore: 10}}
                      queues: [{name: physics, maxapplications: 4}]
                - {name: gpu, queues: [{name: root}]}
                """);

        assertThat(queues.queues().stream().map(queue -> queue.getMetadata().getName()))
                .containsExactly("science", "science.physics");
        assertThat(spec(queues, "science").guarantee()).isEqualTo(Map.of("cpu", "500m", "memory", "1000000000"));
        assertThat(spec(queues, "science").limit()).isEqualTo(Map.of("cpu", "10"));
        assertThat(spec(queues, "science.physics").parent()).isEqualTo("science");
        assertThat(queues.notes().stream().map(note -> note.name() + " " + note.field()))
                .containsExactly(
                        "default placementrules",
                        "root submitacl",
                        "Science name",
                        "science.physics maxapplications",
                        "gpu name");
    }

    @Test
    void otherObjectsAreNoted() {
        assertThat(notes(translated("{apiVersion: v1, kind: Pod, metadata: {name: p}}")))
                .containsExactly("Pod p is not read: it is no queue of Kueue, Volcano or YuniKorn");
    }
}
