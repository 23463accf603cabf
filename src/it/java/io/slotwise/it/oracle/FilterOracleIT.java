package io.slotwise.it.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.it.ControlPlane;
import io.slotwise.it.Workload;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import io.slotwise.kubernetes.manifest.pods.KubeSchedulerNeeds;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * kube-scheduler as the judge. For random pods, nodes and residents, proves that the planner starts a gang of one pod
 * at once on exactly those nodes that pass kube-scheduler's own filters. {@code -Dslotwise.oracle.cases} (200) is the
 * number of cases, and {@code -Dslotwise.oracle.seed} (1) selects them.
 */
class FilterOracleIT {
    private static final int CASES_OF_A_WORLD = 50;
    private static final String ONLY_SEALED = "sealed";
    private static final String BEYOND_SEAL = "beyond";

    private final int cases = Integer.getInteger("slotwise.oracle.cases", 200);
    private final long seed = Long.getLong("slotwise.oracle.seed", 1);
    private final OracleTally tally = new OracleTally();

    @Test
    void thePlannersNodesForNowAreThoseThatKubeSchedulersFiltersLetThrough() throws IOException {
        try (ControlPlane plane = ControlPlane.startBare("FilterOracleIT");
                KubeSchedulerFilters filters = new KubeSchedulerFilters(plane)) {
            plane.client().resource(namespace(RandomWorlds.SENTINELS, Map.of())).create();
            List<Namespace> namespaces = RandomWorlds.NAMESPACES.stream()
                    .map(name -> plane.client()
                            .resource(namespace(name, RandomWorlds.labels(name)))
                            .create())
                    .toList();

            for (int number = 0; tally.cases() < cases; number++) {
                World world = RandomWorlds.world(
                        seed,
                        number,
                        Math.min(CASES_OF_A_WORLD, cases - tally.cases()),
                        KubeSchedulerFilters.SCHEDULER);
                ask(plane.client(), filters, world, namespaces);
            }
            Files.writeString(plane.logs().resolve("oracle.md"), tally.report());
        }

        assertThat(tally.differences()).isEmpty();
        assertThat(tally.refused()).as("refused by name").isLessThan(Math.ceilDiv(cases, 50));
        for (Kind kind : Kind.values()) {
            assertThat(tally.cases(kind)).as(kind.words()).isGreaterThanOrEqualTo(cases / (cases < 1000 ? 40 : 15));
        }
    }

    private void ask(KubernetesClient client, KubeSchedulerFilters filters, World world, List<Namespace> namespaces) {
        world.others().forEach(other -> make(client, other));
        world.nodes().forEach(node -> client.resource(node).create());
        List<Pod> residents =
                world.residents().stream().map(each -> made(client, each)).toList();
        awaitSeen(client, filters, world);
        World.Objects objects =
                new World.Objects(client.nodes().list().getItems(), list(client), namespaces, optional(client));
        assertThat(objects.nodes()).hasSameSizeAs(world.nodes());
        assertThat(objects.residents()).hasSameSizeAs(residents);

        Map<String, Pod> made = new HashMap<>();
        world.cases()
                .forEach(each ->
                        made.put(name(each.pod()), client.resource(each.pod()).create()));
        Map<String, Set<String>> answers = answers(client, filters, made.keySet());
        PlannersNodes planner =
                new PlannersNodes(objects, InstantSource.system().instant().getEpochSecond());
        for (World.Case each : world.cases()) {
            Pod pod = Objects.requireNonNull(made.get(name(each.pod())));
            PlannersNodes.Answer planned = planner.of(pod);
            Set<String> let = Objects.requireNonNull(answers.get(name(pod)));
            if (planned.refused() == null && !planned.nodes().equals(let)) {
                let = again(client, filters, each.pod());
                tally.askedAgain();
            }
            OracleTally.Outcome outcome = new OracleTally.Outcome(
                    each,
                    world.nodes().size(),
                    let,
                    planned,
                    KubeSchedulerNeeds.of(pod).isPresent());
            tally.add(outcome, outcome.isDifferent() ? story(outcome, pod, objects) : "");
        }
        remove(client);
    }

    /** Creates an object with the status that another component would set. */
    private static <T extends HasMetadata> void make(KubernetesClient client, T object) {
        T made = client.resource(object).create();
        object.getMetadata().setResourceVersion(made.getMetadata().getResourceVersion());
        switch (object) {
            case ResourceClaim claim
            when claim.getStatus() != null -> client.resource(claim).updateStatus();
            case PersistentVolumeClaim claim
            when claim.getStatus() != null -> client.resource(claim).updateStatus();
            case PersistentVolume volume
            when volume.getStatus() != null -> client.resource(volume).updateStatus();
            default -> {}
        }
    }

    private static OptionalObjects optional(KubernetesClient client) {
        OptionalObjects known = OptionalObjects.UNKNOWN.with(ResourceClaimTemplate.class, List.of());
        for (Class<? extends HasMetadata> kind : List.of(
                PersistentVolumeClaim.class,
                PersistentVolume.class,
                StorageClass.class,
                CSINode.class,
                ResourceSlice.class,
                DeviceClass.class,
                ResourceClaim.class)) {
            known = known.with(
                    kind, client.resources(kind).inAnyNamespace().list().getItems());
        }
        return known;
    }

    private static Namespace namespace(String name, Map<String, String> labels) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .build();
    }

    private static Pod made(KubernetesClient client, World.Resident resident) {
        Pod pod = client.resource(resident.pod()).create();
        switch (resident.fate()) {
            case STAYS -> {}
            case IS_LEAVING -> client.resource(pod).withGracePeriod(3600).delete();
            case HAS_ENDED ->
                client.resource(pod)
                        .editStatus(known -> new PodBuilder(known)
                                .editStatus()
                                .withPhase("Succeeded")
                                .endStatus()
                                .build());
        }
        return pod;
    }

    /**
     * Waits until kube-scheduler knows exactly the nodes and residents of the world: every node with room has one seal
     * left, and not two.
     */
    private static void awaitSeen(KubernetesClient client, KubeSchedulerFilters filters, World world) {
        Map<String, Long> there = world.residents().stream()
                .filter(each -> each.fate() != World.Fate.HAS_ENDED)
                .collect(Collectors.groupingBy(each -> each.pod().getSpec().getNodeName(), Collectors.counting()));
        Set<String> open = world.nodes().stream()
                .filter(node -> there.getOrDefault(node.getMetadata().getName(), 0L)
                        < Long.parseLong(Objects.requireNonNull(
                                        node.getStatus().getAllocatable().get("pods"))
                                .getAmount()))
                .map(node -> node.getMetadata().getName())
                .collect(Collectors.toCollection(TreeSet::new));
        await("kube-scheduler to have seen the world")
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(100))
                .atMost(Duration.ofSeconds(30))
                .until(() -> again(client, filters, sentinel(ONLY_SEALED, 1)).equals(open)
                        && again(client, filters, sentinel(BEYOND_SEAL, 2)).isEmpty());
    }

    private static Pod sentinel(String name, int seals) {
        return new PodBuilder(Workload.pod(RandomWorlds.SENTINELS, name, KubeSchedulerFilters.SCHEDULER, 0, 0))
                .editSpec()
                .addNewToleration()
                .withOperator("Exists")
                .endToleration()
                .editFirstContainer()
                .withNewResources()
                .addToRequests(World.SEAL, new Quantity(String.valueOf(seals)))
                .addToLimits(World.SEAL, new Quantity(String.valueOf(seals)))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    /** Asks again for a pod, which is deleted afterwards. */
    private static Set<String> again(KubernetesClient client, KubeSchedulerFilters filters, Pod pod) {
        client.resource(pod).withGracePeriod(0).delete();
        client.resource(pod).create();
        Set<String> answer = Objects.requireNonNull(
                answers(client, filters, Set.of(name(pod))).get(name(pod)));
        client.resource(pod).withGracePeriod(0).delete();
        return answer;
    }

    private static Map<String, Set<String>> answers(
            KubernetesClient client, KubeSchedulerFilters filters, Set<String> pods) {
        Map<String, Set<String>> answers = new TreeMap<>();
        await("kube-scheduler to have looked at " + pods.size() + " pods")
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofSeconds(60))
                .until(() -> {
                    for (Pod pod : list(client)) {
                        Set<String> answer = pods.contains(name(pod)) ? filters.answer(pod) : null;
                        if (answer != null) {
                            answers.putIfAbsent(name(pod), answer);
                        }
                    }
                    return answers.size() == pods.size();
                });
        return answers;
    }

    private static List<Pod> list(KubernetesClient client) {
        return Stream.concat(RandomWorlds.NAMESPACES.stream(), Stream.of(RandomWorlds.SENTINELS))
                .flatMap(namespace -> client.pods().inNamespace(namespace).list().getItems().stream())
                .toList();
    }

    private static void remove(KubernetesClient client) {
        RandomWorlds.NAMESPACES.forEach(namespace ->
                client.pods().inNamespace(namespace).withGracePeriod(0).delete());
        client.nodes().withLabel(World.ORACLE).delete();
        RandomWorlds.NAMESPACES.forEach(namespace -> {
            client.resources(ResourceClaim.class).inNamespace(namespace).delete();
            client.persistentVolumeClaims()
                    .inNamespace(namespace)
                    .list()
                    .getItems()
                    .forEach(claim -> {
                        claim.getMetadata().setFinalizers(List.of());
                        client.resource(claim).update();
                        client.resource(claim).delete();
                    });
        });
        client.resources(ResourceSlice.class).delete();
        client.resources(DeviceClass.class).delete();
        client.storage().v1().csiNodes().delete();
        client.storage().v1().storageClasses().delete();
        client.persistentVolumes().list().getItems().forEach(volume -> {
            volume.getMetadata().setFinalizers(List.of());
            client.resource(volume).update();
            client.resource(volume).delete();
        });
    }

    private static String name(Pod pod) {
        return pod.getMetadata().getName();
    }

    private static String story(OracleTally.Outcome outcome, Pod pod, World.Objects objects) {
        List<HasMetadata> all = new ArrayList<>(List.of(pod));
        all.addAll(objects.nodes());
        all.addAll(objects.residents());
        objects.optional().known().values().forEach(all::addAll);
        return "%s %s: kube-scheduler %s, planner %s%n%s"
                .formatted(
                        name(pod),
                        outcome.of().kinds(),
                        outcome.let(),
                        outcome.planned().nodes(),
                        all.stream().map(FilterOracleIT::shown).collect(Collectors.joining("---\n")));
    }

    private static String shown(HasMetadata object) {
        object.getMetadata().setManagedFields(List.of());
        return Serialization.asYaml(object);
    }
}
