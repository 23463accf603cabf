package io.slotwise.kubernetes.manifest.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.InvalidManifest;
import io.slotwise.kubernetes.manifest.pods.PodFlaw;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestFileTest {
    private static final String NODE = "{apiVersion: v1, kind: Node, metadata: {name: n1}}";

    @Test
    void readsYamlWithAnyNumberOfDocuments() {
        ClusterObjects objects = read("""
                ---
                # a comment
                apiVersion: v1
                kind: Node
                metadata:
                  name: n1
                  creationTimestamp: null
                spec:
                  taints:
                ---
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: p}
                spec:
                  tolerations:
                  containers: [{name: c, volumeMounts: [{name: v, mountPath: /v}]}]
                  volumes: [{name: v, emptyDir: {}}]
                status: {}
                ---
                apiVersion: v1
                kind: Namespace
                metadata: {name: ns}
                """);

        assertThat(objects.nodes()).extracting(n -> n.getMetadata().getName()).containsExactly("n1");
        assertThat(objects.nodes().getFirst().getSpec().getTaints()).isEmpty();
        assertThat(objects.pods())
                .extracting(p -> p.getMetadata().getNamespace())
                .containsExactly("default");
        assertThat(objects.namespaces()).hasSize(1);
        assertThat(objects.warnings()).isEmpty();
    }

    @Test
    void readsJsonAndWhatKubectlPrints() {
        ClusterObjects objects = read("""
                {"apiVersion": "v1", "items": [
                  {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1", "managedFields": [{"manager": "x"}]}},
                  {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "a"}, "spec": {"containers": []}}
                 ], "kind": "List", "metadata": {"resourceVersion": ""}}
                """);

        assertThat(objects.nodes()).hasSize(1);
        assertThat(objects.pods()).hasSize(1);
    }

    @Test
    void readsListsWhoseItemsDoNotSayTheirKind() {
        ClusterObjects objects = read("""
                {"items": [{"metadata": {"name": "n1"}}, {"metadata": {"name": "n2"}}], "kind": "NodeList", "apiVersion": "v1"}
                """);

        assertThat(objects.nodes()).extracting(n -> n.getMetadata().getName()).containsExactly("n1", "n2");
    }

    @Test
    void readsAnEmptyFile() {
        assertThat(read("")).isEqualTo(ClusterObjects.NONE);
        assertThat(read("\n\n---\n")).isEqualTo(ClusterObjects.NONE);
        assertThat(read("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[]}"))
                .isEqualTo(ClusterObjects.NONE);
    }

    @Test
    void namesWhatItPassesOver() {
        ClusterObjects objects = read("""
                {apiVersion: v1, kind: Service, metadata: {name: a}}
                ---
                {apiVersion: v1, kind: Service, metadata: {name: b}}
                ---
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: c}}
                """);

        assertThat(objects.warnings())
                .extracting(IntakeWarning::message)
                .containsExactly(
                        "test.yaml: Deployment c is not read: their pods name another scheduler and take no room in "
                                + "the plan",
                        "test.yaml: Service a, b are not read: what they make and what they limit is not in the plan");
    }

    @Test
    void aJobStandsForItsPods() {
        ClusterObjects objects = read("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: train, namespace: ml}
                spec:
                  parallelism: 3
                  completions: 2
                  completionMode: Indexed
                  template:
                    metadata:
                      labels: {slotwise.io/gang: train}
                      annotations: {slotwise.io/gang-size: "2"}
                    spec:
                      containers: [{name: c}]
                """);

        assertThat(objects.pods()).extracting(Pods::name).containsExactly("ml/train-0", "ml/train-1");
        Pod second = objects.pods().getLast();
        assertThat(second.getMetadata().getLabels())
                .containsEntry(AnnotationKeys.GANG, "train")
                .containsEntry("batch.kubernetes.io/job-name", "train")
                .containsEntry("batch.kubernetes.io/job-completion-index", "1");
        assertThat(second.getMetadata().getAnnotations()).containsEntry(AnnotationKeys.GANG_SIZE, "2");
    }

    @Test
    void aJobHasOnePodByDefaultAndASuspendedJobItsPodsAfterResumption() {
        String job = "{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: "
                + "{%s template: {spec: {containers: [{name: c}]}}}}";

        assertThat(read(job.formatted("")).pods()).extracting(Pods::name).containsExactly("default/j-0");
        assertThat(read(job.formatted("suspend: true, parallelism: 2,")).pods())
                .extracting(Pods::name)
                .containsExactly("default/j-0", "default/j-1");
        assertThat(read(job.formatted("suspend: true,")).warnings())
                .extracting(IntakeWarning::message)
                .containsExactly("Job default/j is suspended; resumed it makes 1 pod, which starts by itself");
    }

    @Test
    void aSuspendedJobOfAClusterHasNoPods() {
        ClusterObjects objects =
                read("{apiVersion: batch/v1, kind: Job, metadata: {name: j, uid: u}, spec: {suspend: true, "
                        + "template: {spec: {containers: [{name: c}]}}}}");

        assertThat(objects.pods()).isEmpty();
        assertThat(objects.warnings())
                .extracting(IntakeWarning::message)
                .containsExactly("Job default/j is suspended in its cluster, has no pods here and is not planned: "
                        + "expected the pods" + " that its controller makes");
    }

    @Test
    void aJobThatAClusterKnowsHasItsPodsThere() {
        String job = "{apiVersion: batch/v1, kind: Job, metadata: {name: j, uid: u}, spec: {%stemplate: {spec: "
                + "{containers: [{name: c}]}}}%s}";

        ClusterObjects objects = read(job.formatted("", ""));

        assertThat(objects.pods()).isEmpty();
        assertThat(objects.warnings())
                .extracting(IntakeWarning::message)
                .containsExactly("Job default/j is in a cluster, has no pods here and is not planned: expected the "
                        + "pods that its controller makes");
        assertThat(objects.groups().find(new GroupKey(GroupKind.JOB, "default", "j")))
                .isNotNull();
        assertThat(read(job.formatted("", ", status: {conditions: [{type: Complete, status: 'True'}]}"))
                        .warnings())
                .isEmpty();
        assertThat(read(job.formatted("parallelism: 0, ", "")).warnings()).isEmpty();
    }

    /** Strict readers such as kubectl refuse it. */
    @Test
    void anObjectWithAKeyTwiceIsLeftOutAndOthersAreRead() {
        ClusterObjects objects = read("""
                apiVersion: v1
                kind: Node
                metadata: {name: n2}
                status:
                  allocatable: {cpu: "1"}
                  allocatable: {cpu: "2"}
                ---
                kind: Node
                kind: Node
                apiVersion: v1
                metadata: {name: n3}
                ---
                {apiVersion: v1, kind: Node, metadata: {name: n1}}
                """);
        ClusterObjects items = read("""
                {"apiVersion": "v1", "kind": "List", "items": [
                  {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {
                    "containers": [{"name": "c", "resources": {"requests": {"cpu": "1", "cpu": "2"}}}]}},
                  {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "q"}, "spec": {"containers": [{"name": "c"}]}}]}
                """);

        assertThat(objects.nodes()).extracting(n -> n.getMetadata().getName()).containsExactly("n1");
        assertThat(objects.warnings())
                .extracting(IntakeWarning::message)
                .containsExactly(
                        "test.yaml, document 1, Node n2: `allocatable` appears twice, also in line 6: expected it "
                                + "once; it is left out",
                        "test.yaml, document 2, Node n3: `kind` appears twice, also in line 9: expected it once; it is "
                                + "left out");
        assertThat(items.pods())
                .extracting(PodFlaw::of)
                .containsExactly("`cpu` appears twice, also in line 3: expected it once", null);
        assertInvalid(
                "{apiVersion: v1, kind: List, items: [], items: []}",
                "test\\.yaml, document 1: `items` appears twice, also in line 1: expected it once");
    }

    @Test
    void groupsOfSeveralProjectsMayHaveOneName() {
        String group = "{apiVersion: %s, kind: PodGroup, metadata: {name: g}, spec: {minMember: 2}}\n---\n";

        ClusterObjects objects = read(
                group.formatted("scheduling.x-k8s.io/v1alpha1") + group.formatted("scheduling.volcano.sh/v1beta1"));

        assertThat(objects.groups().find(new GroupKey(GroupKind.COSCHEDULING, "default", "g")))
                .isNotNull();
        assertThat(objects.groups().find(new GroupKey(GroupKind.VOLCANO, "default", "g")))
                .isNotNull();
        assertThat(objects.groups().find(new GroupKey(GroupKind.POD_GROUP, "default", "g")))
                .isNull();
    }

    @Test
    void refusesGarbageWithItsPlace() {
        assertInvalid("a: [b", "test\\.yaml, document 1: line \\d+, column \\d+: .*: expected YAML or JSON");
        assertInvalid("{\"a\": ", "test\\.yaml, document 1: line \\d+, column \\d+: .*: expected YAML or JSON");
        assertInvalid(NODE + "\n---\nhello\n", "test\\.yaml, document 2: expected a Kubernetes object");
        assertInvalid(NODE + "\n---\na: b\n", "test\\.yaml, document 2: no kind: expected a Kubernetes object");
        assertInvalid("[1]", "test\\.yaml, document 1: expected a Kubernetes object");
        assertInvalid(
                "{apiVersion: v1, kind: List, items: [1]}",
                "test\\.yaml, document 1: an item \\(1\\) of the list: expected a Kubernetes object");
        assertInvalid(
                "{apiVersion: v1, kind: Pod, items: []}",
                "test\\.yaml, document 1: kind \\(Pod\\) with items: expected a List");
    }

    @Test
    void namesObjectsThatCannotBeUsedAndLeavesThemOut() {
        assertLeftOut(
                "{apiVersion: v1, kind: Node}",
                "test\\.yaml, document 1, Node without a name: no metadata.name: expected the object's name");
        assertLeftOut("{apiVersion: v1, kind: Pod, metadata: {name: p}}", "no spec: expected the pod's containers");
        assertLeftOut(
                "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: 5}}",
                "spec\\.containers \\(5\\) is not valid: expected a list");
        assertLeftOut(
                "{apiVersion: v1, kind: Pod, metadata: {name: p, creationTimestamp: yesterday}, spec: "
                        + "{containers: [{name: c}]}}",
                "metadata\\.creationTimestamp \\(yesterday\\) is not valid: "
                        + "expected an RFC 3339 instant such as 2030-01-01T08:00:00Z");
        assertLeftOut(
                "{apiVersion: batch/v1, kind: Job, metadata: {name: j}}",
                "test\\.yaml, document 1, Job j: no spec\\.template\\.spec: expected the pod template");
        assertLeftOut(
                "{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {parallelism: -1, "
                        + "template: {spec: {containers: [{name: c}]}}}}",
                "test\\.yaml, document 1, Job j: spec\\.parallelism \\(-1\\) is not valid: expected a "
                        + "whole number between 0 and 2147483647");
    }

    @Test
    void refusesAnObjectThatIsThereTwice(@TempDir Path folder) throws Exception {
        Path first = Files.writeString(folder.resolve("a.yaml"), NODE);
        Path second = Files.writeString(folder.resolve("b.yaml"), NODE);

        assertThatThrownBy(() -> ManifestFile.read(
                        List.of(), List.of(first.toString(), second.toString()), InputStream.nullInputStream()))
                .isInstanceOf(InvalidManifest.class)
                .hasMessageEndingWith(
                        "b.yaml, document 1: Node n1 appears twice, also in %s, document 1: expected it once"
                                .formatted(first));
    }

    @Test
    void readsFilesAndStandardInput(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("a.yaml"), NODE);

        ClusterObjects objects =
                ManifestFile.read(List.of(), List.of(file.toString(), "-"), stream(NODE.replace("n1", "n2")));

        assertThat(objects.nodes()).hasSize(2);
        assertThat(ManifestFile.read(file).nodes()).hasSize(1);
        assertThatThrownBy(() -> ManifestFile.read(List.of(), List.of("-"), stream("{")))
                .hasMessageStartingWith("standard input, document 1: ");
        assertThatThrownBy(() -> ManifestFile.read(folder.resolve("none.yaml")))
                .isInstanceOf(InvalidManifest.class)
                .hasMessageEndingWith("none.yaml: no such file: expected a file of Kubernetes objects");
        assertThatThrownBy(() -> ManifestFile.read(folder))
                .hasMessageEndingWith(": a directory: expected a file of Kubernetes objects");
    }

    private static void assertInvalid(String text, String pattern) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(InvalidManifest.class).hasMessageMatching(pattern);
    }

    /** A pod with a flaw stays, so that its gang is refused. */
    private static void assertLeftOut(String text, String pattern) {
        ClusterObjects objects = read(NODE + "\n---\n" + text.replace("Node}", "Node, metadata: {}}"));

        assertThat(objects.nodes()).hasSize(1);
        assertThat(Stream.concat(
                                objects.warnings().stream().map(IntakeWarning::message),
                                objects.pods().stream().map(PodFlaw::of))
                        .toList())
                .singleElement()
                .asString()
                .matches(
                        pattern.startsWith("test")
                                ? pattern.replace("document 1", "document 2") + "; it is left out"
                                : pattern);
    }

    private static ClusterObjects read(String text) {
        return ManifestFile.read(stream(text), "test.yaml");
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
