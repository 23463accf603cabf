package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Gangs in the conventions of other projects, each in a namespace of its own, all at once. Proves that each starts
 * whole and within a second. The other projects' definitions are installed without controllers, and pods are written as
 * those would make them. Kubernetes makes the Job's pods, and kube-scheduler knows the PodGroup of Kubernetes, too.
 */
@RealControlPlane(featureGates = RealControlPlane.POD_GROUPS)
class ConventionsIT {
    private static final int NODES = 14;
    /** The longest time between the first and the last binding of a gang. */
    private static final Duration TOGETHER = Duration.ofSeconds(1);
    /** The convention whose definition is installed when its gang is already waiting. */
    private static final String LATE = "raycluster";

    private static final String TASKS = "task-list";

    private final ControlPlane plane;
    private final Cluster cluster;

    /** The gangs and their sizes by namespace. Namespaces are named like the manifests. */
    private final Map<String, Map<String, Integer>> expected = new LinkedHashMap<>();

    ConventionsIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
        expect("native-podgroup", "training", 2);
        expect("scheduler-plugins", "nginx", 3);
        expect("volcano", "lm-mpi-b0b8f8c2-36a4-4b4e-a5b4-3b1d5f4f6a11", 3);
        expect("kueue", "sample-group", 2);
        expect("yunikorn", "batch-sleep-job", 3);
        expect("koordinator", "gang-example", 2);
        expect("koordinator-light", "light", 2);
        expect("koordinator-podgroup", "gang-crd", 2);
        expect("jobset", "jobset-paral", 5);
        expect("leaderworkerset", "leaderworkerset-vllm-0", 2);
        expect("leaderworkerset", "leaderworkerset-vllm-1", 2);
        expect("indexed-job", "job-sweep", 3);
        expect("plain-job", "sweep", 3);
        expect("kubeflow-pytorchjob", "pytorchjob-pytorch-simple", 3);
        expect("kubeflow-mpijob", "mpijob-pi", 3);
        expect(LATE, "raycluster-raycluster-kuberay", 4);
    }

    private void expect(String convention, String gang, int size) {
        expected.computeIfAbsent(convention, name -> new LinkedHashMap<>()).put(gang, size);
    }

    @Test
    void everyConventionStartsAsOneGang() {
        Map<String, List<HasMetadata>> manifests = new LinkedHashMap<>();
        expected.keySet().forEach(convention -> manifests.put(convention, load(convention)));
        define(manifests, Set.of(LATE));
        for (int i = 1; i <= NODES; i++) {
            cluster.node("n" + i, 4, "1", "conventions");
        }
        Installation chart = Installation.install(plane, Map.of("policy.running.turnover", "0s"));
        try (SlotwiseProcess slotwise = chart.startSlotwise();
                KubeScheduler scheduler = chart.startScheduler(slotwise.extender())) {
            assertThat(scheduler).isNotNull();
            manifests.forEach(this::submit);
            submitListOfTasks();
            assertWaitsForItsObject();
            define(manifests, Set.of());
            create(objects(manifests, LATE));

            expected.forEach((convention, gangs) -> gangs.forEach((gang, size) -> assertRuns(convention, gang, size)));
            expected.forEach(
                    (convention, gangs) -> gangs.forEach((gang, size) -> assertTogether(convention, gang, size)));
            expected.forEach((convention, gangs) -> gangs.keySet()
                    .forEach(gang -> assertThat(slotwise.get("/api/v1/gangs/" + convention + "/" + gang))
                            .contains("\"" + convention + "/" + gang + "\"")));
            assertTasksRunByThemselves();
            assertThat(slotwise.metric("slotwise_partial_gangs_total")).isZero();
        }
    }

    /** Proves that pods wait for their object, whose kind is not defined yet. */
    private void assertWaitsForItsObject() {
        String gang =
                Objects.requireNonNull(expected.get(LATE)).keySet().iterator().next();
        Scenario.within(gang + " to wait for its RayCluster", 20)
                .untilAsserted(() -> assertThat(condition(LATE, gang))
                        .isEqualTo(
                                "False WaitingForGroup: waiting for RayCluster raycluster/raycluster-kuberay (ray.io): "
                                        + "it defines how many pods start together, and does not exist"));
    }

    /** Submits a Job with more indexes than run at a time. */
    private void submitListOfTasks() {
        cluster.namespace(TASKS);
        for (HasMetadata object : load("indexed-job")) {
            Job job = (Job) object;
            job.getMetadata().setNamespace(TASKS);
            job.getSpec().setCompletions(job.getSpec().getParallelism() + 1);
            create(List.of(job));
        }
    }

    private void assertTasksRunByThemselves() {
        Scenario.within("the pods of a list of tasks to run", 30)
                .untilAsserted(() -> assertThat(cluster.reservations(TASKS))
                        .hasSize(3)
                        .allSatisfy(reservation -> {
                            assertThat(reservation.getMetadata().getName()).startsWith("pod-sweep-");
                            assertThat(Cluster.phase(reservation)).isEqualTo("Running");
                        }));
    }

    private void assertRuns(String namespace, String gang, int size) {
        Scenario.within(namespace + "/" + gang + " to run", 60).untilAsserted(() -> {
            GenericKubernetesResource found = reservation(namespace, gang);
            assertThat(found).as(namespace + "/" + gang).isNotNull();
            GenericKubernetesResource reservation = Objects.requireNonNull(found);
            assertThat(Cluster.phase(reservation))
                    .as("the phase of %s/%s; %s", namespace, gang, Cluster.condition(reservation, "Planned"))
                    .isEqualTo("Running");
            assertThat(placed(reservation)).hasSize(size);
        });
    }

    private void assertTogether(String namespace, String gang, int size) {
        Set<String> members = placed(Objects.requireNonNull(reservation(namespace, gang)));

        List<Instant> bound = cluster.record(namespace).pods().stream()
                .filter(pod -> members.contains(pod.name()))
                .map(pod -> Objects.requireNonNull(pod.binding(), pod.name()).answered())
                .sorted()
                .toList();

        assertThat(bound).as("bindings of %s/%s", namespace, gang).hasSize(size);
        assertThat(Duration.between(bound.getFirst(), bound.getLast()))
                .as("from the first to the last binding of %s/%s", namespace, gang)
                .isLessThan(TOGETHER);
    }

    private @Nullable GenericKubernetesResource reservation(String namespace, String gang) {
        return cluster.reservations(namespace).stream()
                .filter(reservation -> reservation.getMetadata().getName().equals(gang))
                .findFirst()
                .orElse(null);
    }

    private String condition(String namespace, String gang) {
        GenericKubernetesResource reservation = reservation(namespace, gang);
        return reservation == null ? "" : Cluster.condition(reservation, "Planned");
    }

    private static Set<String> placed(GenericKubernetesResource reservation) {
        List<Map<String, Object>> placement = reservation.get("spec", "window", "placement");
        return placement == null
                ? Set.of()
                : placement.stream()
                        .map(placedPod -> String.valueOf(placedPod.get("pod")))
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    private void submit(String convention, List<HasMetadata> objects) {
        cluster.namespace(convention);
        if (!convention.equals(LATE)) {
            create(objects.stream().filter(object -> !(object instanceof Pod)).toList());
        }
        create(objects.stream().filter(Pod.class::isInstance).toList());
    }

    private static List<HasMetadata> objects(Map<String, List<HasMetadata>> manifests, String convention) {
        return Objects.requireNonNull(manifests.get(convention)).stream()
                .filter(object -> !(object instanceof Pod))
                .toList();
    }

    private void create(List<HasMetadata> objects) {
        KubernetesClient client = cluster.client();
        objects.forEach(object -> client.resource(object).create());
    }

    /**
     * The golden manifest of a convention without owner references, since the garbage collector would delete the pods.
     */
    private List<HasMetadata> load(String convention) {
        Path file = ProjectFiles.root().resolve("src/test/resources/conventions/" + convention + ".yaml");
        try {
            byte[] text = Files.readString(file)
                    .replace("namespace: user", "namespace: " + convention)
                    .getBytes(StandardCharsets.UTF_8);
            List<HasMetadata> objects =
                    cluster.client().load(new ByteArrayInputStream(text)).items();
            objects.forEach(object -> {
                object.getMetadata().setOwnerReferences(new ArrayList<OwnerReference>());
                object.getMetadata().setUid(null);
            });
            return objects;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Defines the kinds of other projects with empty schemas, and waits until they are served. */
    private void define(Map<String, List<HasMetadata>> manifests, Set<String> without) {
        List<CustomResourceDefinition> definitions = manifests.entrySet().stream()
                .filter(manifest -> !without.contains(manifest.getKey()))
                .flatMap(manifest -> manifest.getValue().stream())
                .filter(object -> object.getApiVersion().contains(".") && !isOfKubernetes(object))
                .map(object -> definition(object.getApiVersion(), object.getKind()))
                .toList();
        KubernetesClient client = cluster.client();
        definitions.forEach(definition -> client.resource(definition).serverSideApply());
        plane.await(
                "definitions of other projects",
                () -> definitions.stream()
                        .allMatch(definition -> isServed(Objects.requireNonNull(
                                client.resource(definition).get()))));
    }

    private static boolean isOfKubernetes(HasMetadata object) {
        return object.getApiVersion().startsWith("scheduling.k8s.io/");
    }

    /** Returns whether objects of the kind can be written. A new definition has no status, or no conditions. */
    static boolean isServed(CustomResourceDefinition definition) {
        return definition.getStatus() != null
                && definition.getStatus().getConditions() != null
                && definition.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True"));
    }

    /** A definition of another project with an empty schema. */
    static CustomResourceDefinition definition(String apiVersion, String kind) {
        String[] api = apiVersion.split("/", 2);
        String singular = kind.toLowerCase(Locale.ROOT);
        String plural = singular.replaceFirst("y$", "ie") + "s";
        return new CustomResourceDefinitionBuilder()
                .withNewMetadata()
                .withName(plural + "." + api[0])
                .addToAnnotations("api-approved.kubernetes.io", "unapproved, for tests")
                .endMetadata()
                .withNewSpec()
                .withGroup(api[0])
                .withScope("Namespaced")
                .withNewNames()
                .withKind(kind)
                .withSingular(singular)
                .withPlural(plural)
                .endNames()
                .addNewVersion()
                .withName(api[1])
                .withServed(true)
                .withStorage(true)
                .withNewSchema()
                .withNewOpenAPIV3Schema()
                .withType("object")
                .withXKubernetesPreserveUnknownFields(true)
                .endOpenAPIV3Schema()
                .endSchema()
                .endVersion()
                .endSpec()
                .build();
    }
}
