package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.plan.Request;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Reason;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Manifests of public projects give the gangs that the projects' controllers make. */
class ControllersGangsTest {
    private static final Path MANIFESTS = Path.of("src/test/resources/controllers/manifests.txt");
    private static final String POD =
            "{schedulerName: slotwise, restartPolicy: Never, containers: [{name: node, resources: "
                    + "{requests: {cpu: \"1\"}}}]}";

    static Stream<Arguments> manifests() throws IOException {
        return Arrays.stream(Files.readString(MANIFESTS).split("\n=== ", -1))
                .skip(1)
                .map(part -> {
                    String heading = part.lines().findFirst().orElseThrow();
                    return Arguments.of(
                            heading.substring(0, heading.indexOf('|')).strip(),
                            heading.substring(heading.indexOf('|') + 1).strip(),
                            part.substring(heading.length())
                                    .replace("$T", "{spec: $S}")
                                    .replace("$S", POD));
                });
    }

    private static IntakeResult take(String yaml) {
        return new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, PodFilter.FILES)
                .take(
                        ManifestFile.read(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)), "test.yaml"),
                        Map.of(),
                        NOW);
    }

    private static String manifest(String name) throws IOException {
        return manifests()
                .map(Arguments::get)
                .filter(row -> row[0].equals(name))
                .map(row -> String.valueOf(row[2]))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("manifests")
    void aManifestGivesTheGangsOfItsController(String name, String gangs, String yaml) {
        IntakeResult result = take(yaml);

        List<String> found = new ArrayList<>();
        result.snapshot().requests().stream()
                .map(Request::gang)
                .forEach(gang -> found.add(gang.id().name() + ":" + gang.size()));
        result.snapshot()
                .held()
                .forEach(pending -> found.add("!" + pending.gang().name()));
        for (Reason reason : List.of(Reason.MISSING, Reason.INVALID_VALUE)) {
            result.warnings().stream()
                    .filter(warning ->
                            warning.reason() == reason && !warning.kind().equals("Namespace"))
                    .forEach(_ -> found.add(reason == Reason.MISSING ? "MISSING" : "INVALID"));
        }
        assertThat(result.warnings()).noneMatch(warning -> warning.reason() == Reason.UNKNOWN_FIELD);
        assertThat(found.stream().sorted().toList())
                .as(
                        "%s; %s",
                        name,
                        result.warnings().stream().map(IntakeWarning::message).toList())
                .isEqualTo(Arrays.stream(gangs.split(" "))
                        .filter(gang -> !gang.isEmpty())
                        .sorted()
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            kubeflow/trainer torch-distributed, 4 nodes         | TrainJob default/torch makes 4 pods of the gang jobset-torch
            kubernetes/kubernetes CronJob of an Indexed Job     | CronJob default/sweep is suspended; resumed it makes 3 pods of the gang job-sweep; it makes one at each time of its schedule, and the plan has one; in a cluster the name of its Job, and so the gang's, has an end of its own
            flux-framework/flux-operator lammps                 | MiniCluster default/flux-sample makes 4 pods of the gang job-flux-sample; without deadlineSeconds its Job may run for a year, which is planned (state `slotwise.io/runtime` in spec.pod.annotations)
            kubeflow/spark-operator spark-pi                    | SparkApplication default/spark-pi makes 3 pods, each of which starts by itself; its executors come only when the driver runs
            argoproj/argo-workflows dag-diamond                 | Workflow default/dag-diamond makes 1 pod, which starts by itself; the pods of its later steps come when those before them have ended
            argoproj/argo-workflows loops-maps with parallelism | Workflow default/maps makes 2 pods, each of which starts by itself; with parallelism 2 the other 1 of its first pods come when these have ended
            argoproj/argo-workflows template-defaults and exit-handlers | Workflow default/defaults makes 2 pods of the gang both; the pods of its later steps come when those before them have ended
            argoproj/argo-workflows items of an earlier step    | Workflow default/fan makes no pods; the items of step fan are known only when it runs, and none is planned
            project-codeflare/appwrapper PyTorchJob with a Service | AppWrapper default/sample makes 3 pods of the gang pytorchjob-sample; its Service sample is not read
            dask/dask-kubernetes DaskCluster as a gang          | DaskCluster default/simple makes 4 pods of the gang simple
            """)
    void aNoteSaysWhatTheControllerMakesAndWhatIsNotRead(String name, String note) throws IOException {
        IntakeResult result = take(manifest(name));

        assertThat(result.warnings())
                .filteredOn(warning -> warning.reason() == Reason.EXPANDED)
                .extracting(IntakeWarning::message)
                .containsExactly(note);
        assertThat(result.warnings())
                .noneMatch(warning ->
                        warning.reason() == Reason.IGNORED && warning.message().contains("does not count"));
    }

    @Test
    void anObjectThatIsLackingIsToldOnce() {
        String job =
                "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: %s}, spec: {runtimeRef: "
                        + "{name: torch-distributed}}}\n---\n";

        IntakeResult result = take(job.formatted("a") + job.formatted("b"));

        assertThat(result.warnings())
                .filteredOn(IntakeWarning::isOfConcern)
                .filteredOn(warning -> !warning.kind().equals("Node"))
                .extracting(IntakeWarning::message)
                .containsExactly(
                        "ClusterTrainingRuntime torch-distributed is not in the input (`spec.runtimeRef.name` of "
                                + "TrainJob default/a, TrainJob default/b): the pods that are made from it are not in "
                                + "the plan");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{containers: }",
                "{containers: [{name: c, resources: \" \"}]}",
                "{containers: [{name: c, resources: {limits: }}]}"
            })
    void anEmptyPartOfSparksTemplateCountsAsAbsent(String spec) {
        IntakeResult result =
                take("{apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication, metadata: {name: s}, spec: "
                        + "{driver: {labels: {a: b}, template: {metadata: \" \", spec: " + spec
                        + "}}, executor: {}}}");

        assertThat(result.warnings()).noneMatch(warning -> warning.reason() == Reason.INVALID_VALUE);
    }

    @Test
    void sizesInTheConfigurationOfSparkAreTold() {
        IntakeResult result =
                take("{apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication, metadata: {name: s}, spec: "
                        + "{sparkConf: {spark.executor.instances: \"10\", spark.ui.port: \"4045\"}, driver: {}, "
                        + "executor: {}}}");

        assertThat(result.warnings())
                .extracting(IntakeWarning::message)
                .anyMatch(
                        message -> message.contains("sizes in its sparkConf are not read (spark.executor.instances)"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication, metadata: {name: s}, spec: {driver: {memory: 4Gib}, executor: {}}} | spec.driver.memory (4Gib) is not valid: expected memory such as 512m or 4g
            {apiVersion: batch/v1, kind: CronJob, metadata: {name: c}, spec: {schedule: "* * * * *", jobTemplate: {spec: {parallelism: -1, template: {spec: {restartPolicy: Never, containers: [{name: c}]}}}}}} | spec.jobTemplate.spec.parallelism (-1) is not valid
            {apiVersion: argoproj.io/v1alpha1, kind: Workflow, metadata: {name: w}, spec: {entrypoint: a, templates: [{name: b}]}} | spec.templates has no template a: expected it there
            {apiVersion: argoproj.io/v1alpha1, kind: Workflow, metadata: {name: w}, spec: {entrypoint: a, templates: [{name: a, steps: [[{name: s, template: a}]]}]}} | begins with itself: expected at most 32 templates within each other
            {apiVersion: workload.codeflare.dev/v1beta2, kind: AppWrapper, metadata: {name: a}, spec: {components: [{template: {apiVersion: batch/v1, kind: Job, spec: {}}}]}} | no spec.components[0].template.metadata.name: expected the object's name
            {apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication, metadata: {name: s}, spec: {driver: {template: {metadata: x}}, executor: {}}} | spec.driver.template.metadata (x) is not valid: expected fields
            {apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication, metadata: {name: s}, spec: {driver: {template: {spec: {containers: x}}}, executor: {}}} | spec.driver.template.spec.containers (x) is not valid: expected a list
            {apiVersion: kubernetes.dask.org/v1, kind: DaskJob, metadata: {name: d, labels: {a: b}}, spec: {cluster: {metadata: {labels: x}, spec: {}}, job: {}}} | spec.cluster.metadata.labels (x) is not valid: expected fields
            {apiVersion: ray.io/v1, kind: RayService, metadata: {name: r}, spec: {}} | no spec.rayClusterConfig: expected a template
            """)
    void whatCannotBeReadGetsOneClearError(String object, String message) {
        IntakeResult result = take(object);

        assertThat(result.warnings())
                .filteredOn(warning -> warning.reason() == Reason.INVALID_VALUE)
                .singleElement()
                .extracting(IntakeWarning::message)
                .asString()
                .contains(message)
                .endsWith("it is left out");
    }

    @Test
    void requestsAreThoseOfTheControllersPods() {
        IntakeResult result = take("""
                {apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication, metadata: {name: s}, spec: {type: Python, driver: {cores: 2, memory: 2g, schedulerName: slotwise}, executor: {coreRequest: 500m, memory: 1g, memoryOverhead: 1g, schedulerName: slotwise}}}
                ---
                {apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: t}, spec: {runtimeRef: {name: r}, trainer: {resourcesPerNode: {requests: {cpu: "7"}}}}}
                ---
                {apiVersion: trainer.kubeflow.org/v1alpha1, kind: ClusterTrainingRuntime, metadata: {name: r}, spec: {mlPolicy: {numNodes: 2}, template: {spec: {replicatedJobs: [{name: node, template: {metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}, spec: {template: {spec: {schedulerName: slotwise, containers: [{name: node, resources: {requests: {cpu: "1"}}}]}}}}}]}}}}
                """);

        assertThat(result.snapshot().requests())
                .extracting(Request::gang)
                .extracting(gang -> "%s %d %d"
                        .formatted(
                                gang.id().name(),
                                gang.shapes()
                                        .getFirst()
                                        .request()
                                        .resources()
                                        .asMap()
                                        .get("cpu"),
                                gang.shapes()
                                                .getFirst()
                                                .request()
                                                .resources()
                                                .asMap()
                                                .getOrDefault("memory", 0L)
                                        >> 20))
                .containsExactlyInAnyOrder("pod-s-driver 2000 2867", "pod-s-exec-1 500 2048", "jobset-t 7000 0");
    }

    @Test
    void workersOfDaskHaveTheLabelsOfTheirClusterAndGroup() {
        ClusterObjects objects = ManifestFile.read(
                new ByteArrayInputStream(
                        ("{apiVersion: kubernetes.dask.org/v1, kind: DaskWorkerGroup, metadata: {name: "
                                        + "more}, spec: {cluster: simple, worker: {spec: " + POD + "}}}")
                                .getBytes(StandardCharsets.UTF_8)),
                "test.yaml");

        assertThat(objects.pods())
                .singleElement()
                .satisfies(pod -> assertThat(pod.getMetadata().getLabels())
                        .containsEntry("dask.org/cluster-name", "simple")
                        .containsEntry("dask.org/workergroup-name", "more"));
    }

    @Test
    void thereAreManifestsOfManyProjects() throws IOException {
        List<String> names =
                manifests().map(row -> String.valueOf(row.get()[0])).toList();

        assertThat(names).hasSizeGreaterThanOrEqualTo(60).doesNotHaveDuplicates();
        assertThat(names.stream().map(name -> name.substring(0, name.indexOf(' '))))
                .contains("kubeflow/trainer", "ray-project/kuberay", "argoproj/argo-workflows", "dask/dask-kubernetes");
        assertThat(names.stream()
                        .map(name -> name.substring(0, name.indexOf(' ')))
                        .distinct())
                .hasSizeGreaterThanOrEqualTo(15);
    }
}
