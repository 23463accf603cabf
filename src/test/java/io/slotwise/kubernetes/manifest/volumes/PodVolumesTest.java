package io.slotwise.kubernetes.manifest.volumes;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.bound;
import static io.slotwise.kubernetes.manifest.Samples.id;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.objects;
import static io.slotwise.kubernetes.manifest.Samples.pod;
import static io.slotwise.kubernetes.manifest.Samples.promise;
import static io.slotwise.kubernetes.manifest.Samples.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Refusal.WaitingForVolume.ClaimState;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.window.Placement;
import io.slotwise.core.work.Steps;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.Samples;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.PlanChecker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodVolumesTest {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final List<Node> NODES = List.of(host("n1", "a"), host("n2", "a"), host("n3", "b"));

    private final List<PersistentVolumeClaim> claims = new ArrayList<>();
    private final List<PersistentVolume> volumes = new ArrayList<>();
    private final List<StorageClass> classes = new ArrayList<>();
    private final List<CSINode> attachments = new ArrayList<>();

    private static Node host(String name, String zone) {
        return node(name)
                .editMetadata()
                .addToLabels("kubernetes.io/hostname", name)
                .addToLabels(ZONE, zone)
                .endMetadata()
                .build();
    }

    @Test
    void aGangGoesToTheZoneOfItsVolume() {
        boundClaim("data", "ReadWriteMany");
        volume("pv-data", "nodeAffinity: %s".formatted(in(ZONE, "b")));

        Plan plan = plan(gang("g", 2, claim("data")));

        assertThat(nodes(plan)).containsExactly("n3", "n3");
        assertThat(plan.windows().getFirst().window().start()).isEqualTo(NOW);
    }

    @Test
    void aVolumeThatNoNodeReachesLeavesNoNode() {
        boundClaim("data", "ReadWriteOnce");
        volume("pv-data", "nodeAffinity: %s".formatted(in(ZONE, "c")));

        assertThat(refusal(plan(gang("g", 1, claim("data")))))
                .isEqualTo(new Refusal.NoEligibleNode(3, Map.of(Exclusion.VOLUME, 3), null));
    }

    @ParameterizedTest
    @CsvSource({
        ZONE + ",b,n3",
        "failure-domain.beta.kubernetes.io/zone,b,n3",
        ZONE + ",a__b,n1 n2 n3",
        "topology.kubernetes.io/region,b,",
    })
    void theZoneLabelsOfAVolumeCountAsInKubeScheduler(String key, String value, String allowed) {
        boundClaim("data", "ReadWriteMany");
        volume("pv-data", "");
        volumes.getFirst().getMetadata().setLabels(Map.of(key, value));

        assertThat(nodesFor(gang("g", 1, claim("data")))).isEqualTo(allowed == null ? "" : allowed);
    }

    @Test
    void aNodeWithoutAnyZoneTakesAVolumeOfWhateverZone() {
        boundClaim("data", "ReadWriteMany");
        volume("pv-data", "");
        volumes.getFirst().getMetadata().setLabels(Map.of(ZONE, "c"));
        Node plain = node("n4").build();

        Plan plan = plan(List.of(NODES.getFirst(), plain), gang("g", 1, claim("data")));

        assertThat(nodes(plan)).containsExactly("n4");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "missing||it does not exist",
                "lost|{metadata: {annotations: {pv.kubernetes.io/bind-completed: \"yes\"}}, spec: "
                        + "{volumeName: gone}}|its volume (gone) does not exist",
                "lost|{spec: {storageClassName: wait}, status: {phase: Lost}}|its volume (none) does not exist",
                "deleting|{metadata: {deletionTimestamp: \"2030-01-01T00:00:00Z\"}, spec: "
                        + "{storageClassName: wait}}|it is being deleted",
                "unbound|{spec: {storageClassName: now}}|it is not bound to a volume, and its storage "
                        + "class (now) does not wait for a pod to bind it",
                "unbound|{spec: {storageClassName: wait, volumeName: pv}}|it is not bound to a volume, "
                        + "and its storage class (wait) does not wait for a pod to bind it",
                "unbound|{spec: {storageClassName: \"\"}}|it is not bound to a volume, and its storage "
                        + "class (none) does not wait for a pod to bind it",
                "no-class|{spec: {storageClassName: none}}|it is not bound to a volume, and its storage "
                        + "class (none) does not exist",
            })
    void aClaimThatKeepsAPodEverywhereIsNamed(String state, String claim, String words) {
        storageClass("now", "Immediate", "");
        storageClass("wait", "WaitForFirstConsumer", "");
        if (claim != null) {
            add("data", claim);
        }

        Refusal refusal = refusal(plan(gang("g", 1, claim("data"))));

        assertThat(refusal.message()).isEqualTo("waiting for the volume claim user/data of pod user/g-0: " + words);
        assertThat(String.valueOf(refusal.figures().get("state"))).contains(state);
    }

    @Test
    void theDefaultClassStandsForNone() {
        storageClass(
                "old",
                "Immediate",
                "metadata: {annotations: {storageclass.kubernetes.io/is-default-class: \"true\"}, "
                        + "creationTimestamp: \"2020-01-01T00:00:00Z\"}");
        storageClass(
                "young",
                "WaitForFirstConsumer",
                "{metadata: {annotations: {storageclass.kubernetes.io/is-default-class: \"true\"}, "
                        + "creationTimestamp: \"2021-01-01T00:00:00Z\"}, allowedTopologies: "
                        + "[{matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [b]}]}]}");
        add("data", "{spec: {accessModes: [ReadWriteOnce]}}");

        assertThat(nodesFor(gang("g", 1, claim("data")))).isEqualTo("n3");
    }

    @Test
    void aClassThatWaitsLimitsNodesByItsTopologiesAndByTheNodeThatWasSelected() {
        storageClass(
                "wait",
                "WaitForFirstConsumer",
                "allowedTopologies: [{matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [a]}]}]");
        add("data", "{spec: {storageClassName: wait, accessModes: [ReadWriteOnce]}}");

        assertThat(nodesFor(gang("g", 1, claim("data")))).isEqualTo("n1 n2");

        claims.getFirst().getMetadata().setAnnotations(Map.of("volume.kubernetes.io/selected-node", "n2"));
        assertThat(nodesFor(gang("g", 1, claim("data")))).isEqualTo("n2");
    }

    @Test
    void anEphemeralVolumeIsTreatedByItsClass() {
        storageClass(
                "wait",
                "WaitForFirstConsumer",
                "allowedTopologies: [{matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [b]}]}]");
        storageClass("now", "Immediate", "");

        assertThat(nodesFor(gang("g", 1, ephemeral("wait")))).isEqualTo("n3");
        assertThat(refusal(plan(gang("g", 1, ephemeral("now")))))
                .isEqualTo(new Refusal.WaitingForVolume("user/g-0", "user/g-0-scratch", ClaimState.UNBOUND, "now"));

        add("g-0-scratch", "{spec: {storageClassName: wait}}");
        Pod[] pods = gang("g", 1, ephemeral("wait"));
        pods[0].getMetadata().setUid("u");
        assertThat(refusal(plan(pods)))
                .isEqualTo(new Refusal.WaitingForVolume("user/g-0", "user/g-0-scratch", ClaimState.FOREIGN, ""));
    }

    @Test
    void aClassThatMakesNoVolumesGivesEachPodAFreeOneOfTheNode() {
        storageClass("local", "WaitForFirstConsumer", "provisioner: kubernetes.io/no-provisioner");
        local("one", "n1", "Available", "10Gi");
        local("two", "n3", "Available", "10Gi");
        local("small", "n2", "Available", "1Gi");
        local("taken", "n3", "Bound", "10Gi");
        for (String name : List.of("c-0", "c-1", "c-2")) {
            add(
                    name,
                    "{spec: {storageClassName: local, accessModes: [ReadWriteOnce], resources: {requests: "
                            + "{storage: 5Gi}}}}");
        }

        assertThat(nodesFor(gang("g", 1, claim("c-0")))).isEqualTo("n1 n3");
        assertThat(nodes(plan(each("g", 2)))).containsExactlyInAnyOrder("n1", "n3");
        assertThat(refusal(plan(each("g", 3)))).isEqualTo(new Refusal.TooLarge(3, 2));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        resources: {requests: {storage: %dMi}}     | 201
        resources: {requests: {storage: 5Gi}}, selector: {matchExpressions: [{key: a, operator: NotIn, values: [v%d]}]} | 67
        """)
    void aNamespaceAsksForFreeVolumesInABoundedNumberOfWays(String asked, int pods) {
        storageClass("local", "WaitForFirstConsumer", "provisioner: kubernetes.io/no-provisioner");
        for (int i = 0; i < 300; i++) {
            local("v" + i, "n" + (1 + i % 3), "Available", "10Gi");
        }
        Pod[] each = new Pod[pods];
        for (int i = 0; i < pods; i++) {
            add(
                    "c-" + i,
                    "{spec: {storageClassName: local, accessModes: [ReadWriteOnce], %s}}"
                            .formatted(asked.formatted(1 + i)));
            each[i] = gang("g" + i, 1, claim("c-" + i))[0];
        }
        List<Refusal> refusals = new ArrayList<>();

        long steps = Steps.of(
                () -> taken(NODES, Map.of(), each).snapshot().held().forEach(one -> refusals.add(one.refusal())));

        assertThat(refusals)
                .filteredOn(refusal -> refusal.message().contains("free volumes"))
                .singleElement()
                .satisfies(refusal -> assertThat(refusal.message())
                        .contains("the claims of its namespace for free volumes have more than 200 different sizes, "
                                + "modes and selectors, with the values of these, together"));
        assertThat(steps).isLessThan(2L * 200 * volumes.size());
    }

    @Test
    void thePromisedGangsOfANamespaceAskForFreeVolumesBeforeItsNewPods() {
        storageClass("local", "WaitForFirstConsumer", "provisioner: kubernetes.io/no-provisioner");
        local("v", "n1", "Available", "10Gi");
        Pod[] pods = new Pod[FreeVolumes.MOST_KINDS + 1];
        for (int i = 0; i < pods.length; i++) {
            add(
                    "c-" + i,
                    ("{spec: {storageClassName: local, accessModes: [ReadWriteOnce], resources: {requests: {storage: "
                                    + "%dMi}}}}")
                            .formatted(1 + i));
            pods[i] = gang("g" + i, 1, claim("c-" + i))[0];
        }
        String last = "g" + FreeVolumes.MOST_KINDS;
        KnownGang promised = new KnownGang(promise(last, 0, false, last + "-0"), OptionalLong.empty(), Set.of());

        IntakeResult result = taken(NODES, Map.of(Samples.id(last), promised), pods);

        assertThat(result.snapshot().held())
                .filteredOn(held -> held.refusal().message().contains("free volumes"))
                .singleElement()
                .satisfies(held -> assertThat(held.gang().name()).isNotEqualTo(last));
    }

    @Test
    void classesWithLongNamesThatBeginAlikeHaveVolumesOfTheirOwn() {
        String begin = "x".repeat(200);
        for (String node : List.of("n1", "n2")) {
            storageClass(begin + node, "WaitForFirstConsumer", "provisioner: kubernetes.io/no-provisioner");
            local("v-" + node, node, "Available", "10Gi");
            volumes.getLast().getSpec().setStorageClassName(begin + node);
            add("c-" + node, "{spec: {storageClassName: %s, accessModes: [ReadWriteOnce]}}".formatted(begin + node));
        }

        assertThat(nodesFor(all(gang("g", 1, claim("c-n1")), gang("h", 1, claim("c-n2")))))
                .isEqualTo("n1 n2");
    }

    @Test
    void aFreeVolumeThatIsKeptForTheClaimIsTheOnlyOne() {
        storageClass("local", "WaitForFirstConsumer", "provisioner: kubernetes.io/no-provisioner");
        local("one", "n1", "Available", "10Gi");
        local("kept", "n3", "Available", "10Gi");
        volumes.getLast()
                .getSpec()
                .setClaimRef(
                        yaml("{namespace: user, name: data}", io.fabric8.kubernetes.api.model.ObjectReference.class));
        add(
                "data",
                "{spec: {storageClassName: local, accessModes: [ReadWriteOnce], resources: {requests: "
                        + "{storage: 5Gi}}}}");

        assertThat(nodesFor(gang("g", 1, claim("data")))).isEqualTo("n3");
    }

    @Test
    void aClaimForOnePodIsForTheOneThatRunsAndElseForTheGangThatCameFirst() {
        boundClaim("data", "ReadWriteOncePod");
        volume("pv-data", "");
        Pod[] later = gang("a", 1, claim("data"));
        later[0].getMetadata().setCreationTimestamp(Samples.at(-1));

        Plan plan = plan(all(later, gang("g", 1, claim("data"))));

        assertThat(plan.windows())
                .singleElement()
                .satisfies(planned -> assertThat(planned.gang().id().name()).isEqualTo("g"));
        assertThat(plan.pending())
                .singleElement()
                .satisfies(pending -> assertThat(pending.refusal())
                        .isEqualTo(
                                new Refusal.WaitingForVolume("user/a-0", "user/data", ClaimState.IN_USE, "user/g-0")));
        assertThat(refusal(plan(all(gang("g", 1, claim("data")), running("r", "n1", claim("data"))))))
                .isEqualTo(new Refusal.WaitingForVolume("user/g-0", "user/data", ClaimState.IN_USE, "user/r"));
        assertThat(refusal(plan(gang("g", 2, claim("data")))))
                .isEqualTo(new Refusal.WaitingForVolume("user/g-1", "user/data", ClaimState.IN_USE, "user/g-0"));
    }

    @Test
    void podsWithOneClaimForOneNodeAreOnOneNode() {
        boundClaim("data", "ReadWriteOnce");
        volume("pv-data", "");

        assertThat(nodes(plan(gang("g", 3, claim("data")))).distinct()).hasSize(1);
        Refusal refusal = refusal(plan(gang("g", 5, claim("data"))));
        assertThat(refusal.message())
                .isEqualTo("no window that keeps its volume claim user/data on one node at a time (ReadWriteOnce) "
                        + "for 5 pods: the eligible nodes have 3 values of kubernetes.io/hostname");
    }

    @Test
    void aClaimForOneNodeIsUsedWhereItIsAndElsewhereAfterwards() {
        boundClaim("data", "ReadWriteOnce");
        volume("pv-data", "");
        Pod there = running("r", "n3", claim("data"));

        assertThat(nodes(plan(all(gang("g", 2, claim("data")), there)))).containsExactly("n3", "n3");

        there.getMetadata().setAnnotations(Map.of(AnnotationKeys.RUNTIME, "30m"));
        Pod full = running("f", "n3", "");
        full.getSpec()
                .getContainers()
                .getFirst()
                .getResources()
                .getRequests()
                .putAll(Map.of("cpu", new io.fabric8.kubernetes.api.model.Quantity("3")));
        Plan plan = plan(all(gang("g", 2, claim("data")), there, full));
        assertThat(nodes(plan).distinct()).hasSize(1).doesNotContain("n3");
        assertThat(plan.windows().getFirst().window().start()).isEqualTo(NOW + 1740);
    }

    @Test
    void twoGangsThatWaitForOneClaimOfOneNodeAreThereTogetherOrOneAfterTheOther() {
        boundClaim("data", "ReadWriteOnce");
        volume("pv-data", "");

        Plan plan = plan(all(gang("g", 3, claim("data")), gang("h", 3, claim("data"))));

        assertThat(plan.windows()).hasSize(2);
        assertThat(plan.windows().stream().map(planned -> planned.window().start()))
                .containsExactlyInAnyOrder(NOW, NOW + 3600);
    }

    @Test
    void aNodeTakesAsManyVolumesOfADriverAsItSays() {
        storageClass("wait", "WaitForFirstConsumer", "provisioner: disk.example.com");
        attachable("n1", 2);
        attachable("n2", 1);
        attachable("n3", 0);
        for (int i = 0; i < 4; i++) {
            add("c-" + i, "{spec: {storageClassName: wait, accessModes: [ReadWriteOnce]}}");
        }
        boundClaim("old", "ReadWriteOnce");
        volume("pv-old", "csi: {driver: disk.example.com, volumeHandle: old}");

        assertThat(nodes(plan(each("g", 3)))).containsExactlyInAnyOrder("n1", "n1", "n2");
        assertThat(refusal(plan(each("g", 4)))).isEqualTo(new Refusal.TooLarge(4, 3));
        Pod holder = running("r", "n1", claim("old"));
        assertThat(nodes(plan(all(each("g", 2), holder)))).containsExactlyInAnyOrder("n1", "n2");
        holder.getMetadata().setAnnotations(Map.of(AnnotationKeys.RUNTIME, "30m"));
        assertThat(plan(all(each("g", 3), holder)).windows().getFirst().window().start())
                .isEqualTo(NOW + 1740);
    }

    @Test
    void unknownVolumesLimitNoPod() {
        IntakeResult result = take(objects(NODES, gang("g", 2, claim("data"))), Map.of());

        assertThat(result.snapshot().requests()).hasSize(1);
        assertThat(result.snapshot()
                        .cluster()
                        .inventory()
                        .getFirst()
                        .allocatable()
                        .places()
                        .size())
                .isZero();
        assertThat(result.warnings()).isEmpty();

        IntakeResult unread = take(
                objects(NODES, gang("g", 2, claim("data")))
                        .withOptional(OptionalObjects.UNKNOWN.without(PersistentVolumeClaim.class)),
                Map.of());
        assertThat(unread.snapshot().requests()).hasSize(1);
        assertThat(unread.warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.reason()).isEqualTo(IntakeWarning.Reason.NOT_READ);
            assertThat(warning.message()).startsWith("persistentvolumeclaims cannot be read");
        });
    }

    @Test
    void changedClaimsDoNotDelayAGangThatIsBeingReleased() {
        storageClass("wait", "WaitForFirstConsumer", "");
        add("data", "{spec: {storageClassName: wait, volumeName: pv-data, accessModes: [ReadWriteOnce]}}");
        Pod[] pods = gang("g", 1, claim("data"));
        var onItsWay = new KnownGang(promise("g", 0, true, "g-0"), OptionalLong.empty(), Set.of());
        var promised = new KnownGang(promise("g", 0, false, "g-0"), OptionalLong.empty(), Set.of());

        assertThat(taken(NODES, Map.of(id("g"), onItsWay), pods).snapshot().requests())
                .hasSize(1);
        assertThat(taken(NODES, Map.of(id("g"), promised), pods).snapshot().held())
                .singleElement()
                .satisfies(pending -> assertThat(pending.refusal()).isInstanceOf(Refusal.WaitingForVolume.class));
    }

    @Test
    void aVolumeWhoseAffinityCannotBeReadIsRefusedByName() {
        boundClaim("data", "ReadWriteMany");
        volume(
                "pv-data",
                "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: Near}]}]}}");

        Refusal refusal = refusal(plan(gang("g", 1, claim("data"))));

        assertThat(refusal).isInstanceOf(Refusal.InvalidRequest.class);
        assertThat(refusal.message()).contains("pod user/g-0", "Near");
    }

    /**
     * The runs never end, so a gang starts now or never. It has a window if and only if some choice of nodes satisfies
     * all its volumes.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aGangStartsIfAndOnlyIfSomeChoiceOfNodesKeepsWhatItsVolumesAsk(long seed) {
        Random random = new Random(seed);
        int planned = 0;
        int refused = 0;
        for (int round = 0; round < 80; round++) {
            RandomVolumes world = new RandomVolumes(random);

            Plan plan = plan(world.pods());

            boolean possible = world.isPossible();
            assertThat(plan.windows().size())
                    .as("seed %d, round %d: %s", seed, round, world)
                    .isEqualTo(possible ? 1 : 0);
            if (possible) {
                assertThat(world.isKept(plan.windows().getFirst().window().placements().stream()
                                .sorted(java.util.Comparator.comparing(Placement::pod))
                                .map(Placement::node)
                                .toList()))
                        .as("seed %d, round %d: %s", seed, round, world)
                        .isTrue();
                planned++;
            } else {
                refused++;
            }
        }
        assertThat(planned).isGreaterThan(10);
        assertThat(refused).isGreaterThan(10);
    }

    /** Three nodes, pods that run forever, and a gang whose pods have up to two PersistentVolumeClaims each. */
    private final class RandomVolumes {
        private final int size;
        private final int[] limits = new int[NODES.size()];
        private final int[] free = new int[NODES.size()];
        /** The nodes that reach a bound volume, by its name. */
        private final Map<String, Set<String>> reach = new java.util.TreeMap<>();

        private final List<List<String>> asked = new ArrayList<>();
        private final List<Pod> running = new ArrayList<>();
        private final Map<String, String> used = new java.util.TreeMap<>();

        RandomVolumes(Random random) {
            claims.clear();
            volumes.clear();
            classes.clear();
            attachments.clear();
            storageClass("local", "WaitForFirstConsumer", "provisioner: kubernetes.io/no-provisioner");
            storageClass("disk", "WaitForFirstConsumer", "provisioner: disk.example.com");
            for (int n = 0; n < NODES.size(); n++) {
                limits[n] = random.nextInt(4);
                attachable(name(n), limits[n]);
                free[n] = random.nextInt(3);
                for (int i = 0; i < free[n]; i++) {
                    local("free-" + n + "-" + i, name(n), "Available", "1Gi");
                }
            }
            for (String claim : List.of("b-0", "b-1", "b-2")) {
                Set<String> nodes = new java.util.TreeSet<>();
                IntStream.range(0, NODES.size())
                        .filter(_ -> random.nextInt(3) > 0)
                        .forEach(n -> nodes.add(name(n)));
                reach.put(claim, nodes);
                boundClaim(claim, claim.equals("b-0") ? "ReadWriteMany" : "ReadWriteOnce");
                volume(
                        "pv-" + claim,
                        "{csi: {driver: disk.example.com, volumeHandle: %s}, nodeAffinity: %s}"
                                .formatted(claim, in("kubernetes.io/hostname", nodes.toArray(String[]::new))));
            }
            for (String claim : List.of("b-1", "b-2")) {
                if (random.nextInt(3) == 0) {
                    String node = name(random.nextInt(NODES.size()));
                    used.put(claim, node);
                    running.add(running("r-" + claim, node, claim(claim)));
                }
            }
            size = random.nextInt(1, 4);
            for (int pod = 0; pod < size; pod++) {
                List<String> own = new ArrayList<>();
                for (int i = random.nextInt(3); i > 0; i--) {
                    own.add(
                            switch (random.nextInt(4)) {
                                case 0 -> "l-" + pod;
                                case 1 -> "d-" + pod;
                                default -> "b-" + random.nextInt(pod == 0 ? 3 : 2);
                            });
                }
                asked.add(own.stream().distinct().toList());
                add("l-" + pod, "{spec: {storageClassName: local, accessModes: [ReadWriteOnce]}}");
                add("d-" + pod, "{spec: {storageClassName: disk, accessModes: [ReadWriteOnce]}}");
            }
        }

        private String name(int n) {
            return NODES.get(n).getMetadata().getName();
        }

        Pod[] pods() {
            Stream<Pod> members = IntStream.range(0, size)
                    .mapToObj(pod -> with(
                            member("g", "g-" + pod, AnnotationKeys.GANG_SIZE, String.valueOf(size)),
                            asked.get(pod).stream().map(PodVolumesTest::claim).toArray(String[]::new)));
            return Stream.concat(members, running.stream()).toArray(Pod[]::new);
        }

        boolean isPossible() {
            return isPossible(new ArrayList<>());
        }

        private boolean isPossible(List<String> chosen) {
            if (chosen.size() == size) {
                return isKept(chosen);
            }
            for (int n = 0; n < NODES.size(); n++) {
                chosen.add(name(n));
                boolean possible = isPossible(chosen);
                chosen.removeLast();
                if (possible) {
                    return true;
                }
            }
            return false;
        }

        /** Checks the rules pod by pod, without code of the program. */
        boolean isKept(List<String> chosen) {
            int[] attached = new int[NODES.size()];
            int[] taken = new int[NODES.size()];
            Map<String, Set<String>> where = new java.util.TreeMap<>();
            used.forEach((claim, node) -> {
                attached[NODES.indexOf(node(node))]++;
                where.computeIfAbsent(claim, _ -> new java.util.TreeSet<>()).add(node);
            });
            boolean counted = false;
            for (int pod = 0; pod < size; pod++) {
                int n = NODES.indexOf(node(chosen.get(pod)));
                for (String claim : asked.get(pod)) {
                    if (claim.startsWith("l-")) {
                        taken[n]++;
                    } else {
                        attached[n]++;
                        counted = true;
                    }
                    if (claim.startsWith("b-")) {
                        if (!reach.getOrDefault(claim, Set.of()).contains(chosen.get(pod))) {
                            return false;
                        }
                        if (!claim.equals("b-0")) {
                            where.computeIfAbsent(claim, _ -> new java.util.TreeSet<>())
                                    .add(chosen.get(pod));
                        }
                    }
                }
            }
            for (int n = 0; n < NODES.size(); n++) {
                boolean asksHere = false;
                for (int pod = 0; pod < size; pod++) {
                    asksHere |= chosen.get(pod).equals(name(n))
                            && asked.get(pod).stream().anyMatch(claim -> !claim.startsWith("l-"));
                }
                if (taken[n] > free[n] || (counted && asksHere && attached[n] > limits[n])) {
                    return false;
                }
            }
            return where.entrySet().stream()
                    .filter(entry -> asked.stream().anyMatch(own -> own.contains(entry.getKey())))
                    .allMatch(entry -> entry.getValue().size() == 1);
        }

        private Node node(String name) {
            return NODES.stream()
                    .filter(one -> one.getMetadata().getName().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        public String toString() {
            return "limits %s, free %s, reach %s, used %s, asked %s"
                    .formatted(Arrays.toString(limits), Arrays.toString(free), reach, used, asked);
        }
    }

    /** Text that begins with a brace would be read as JSON. */
    private static <T> T yaml(String text, Class<T> type) {
        return Serialization.unmarshal("---" + System.lineSeparator() + text, type);
    }

    private void add(String name, String claim) {
        PersistentVolumeClaim object = yaml(claim, PersistentVolumeClaim.class);
        if (object.getMetadata() == null) {
            object.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMeta());
        }
        object.getMetadata().setNamespace("user");
        object.getMetadata().setName(name);
        claims.add(object);
    }

    private void boundClaim(String name, String mode) {
        add(
                name,
                ("{metadata: {annotations: {pv.kubernetes.io/bind-completed: \"yes\"}}, spec: "
                                + "{volumeName: pv-%s, accessModes: [%s]}}")
                        .formatted(name, mode));
    }

    /** Creates a volume with the access modes of its PersistentVolumeClaim. */
    private void volume(String name, String spec) {
        PersistentVolume object = new PersistentVolume();
        object.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMeta());
        object.getMetadata().setName(name);
        object.setSpec(yaml(spec.isEmpty() ? "{}" : spec, io.fabric8.kubernetes.api.model.PersistentVolumeSpec.class));
        claims.stream()
                .filter(claim -> name.equals("pv-" + claim.getMetadata().getName()))
                .forEach(
                        claim -> object.getSpec().setAccessModes(claim.getSpec().getAccessModes()));
        volumes.add(object);
    }

    private void local(String name, String node, String phase, String capacity) {
        volume(
                name,
                "{accessModes: [ReadWriteOnce], storageClassName: local, capacity: {storage: %s}, nodeAffinity: %s}"
                        .formatted(capacity, in("kubernetes.io/hostname", node)));
        volumes.getLast().setStatus(new io.fabric8.kubernetes.api.model.PersistentVolumeStatus());
        volumes.getLast().getStatus().setPhase(phase);
    }

    private static String in(String key, String... values) {
        return "{required: {nodeSelectorTerms: [{matchExpressions: [{key: %s, operator: In, values: [%s]}]}]}}"
                .formatted(key, String.join(", ", values));
    }

    private void storageClass(String name, String mode, String more) {
        StorageClass object = yaml(more.isEmpty() ? "{}" : more, StorageClass.class);
        if (object.getMetadata() == null) {
            object.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMeta());
        }
        object.getMetadata().setName(name);
        object.setVolumeBindingMode(mode);
        object.setProvisioner(object.getProvisioner() == null ? "some.example.com" : object.getProvisioner());
        classes.add(object);
    }

    private void attachable(String node, int count) {
        attachments.add(yaml(
                ("{metadata: {name: %s}, spec: {drivers: [{name: disk.example.com, nodeID: x, "
                                + "allocatable: {count: %d}}]}}")
                        .formatted(node, count),
                CSINode.class));
    }

    private static String claim(String name) {
        return "{name: %s, persistentVolumeClaim: {claimName: %s}}".formatted(name, name);
    }

    private static String ephemeral(String storageClass) {
        return ("{name: scratch, ephemeral: {volumeClaimTemplate: {spec: {storageClassName: %s, "
                        + "accessModes: [ReadWriteOnce]}}}}")
                .formatted(storageClass);
    }

    private static Pod with(PodBuilder pod, String... of) {
        List<Volume> all = Arrays.stream(of)
                .filter(text -> !text.isEmpty())
                .map(text -> yaml(text, Volume.class))
                .toList();
        return pod.editSpec()
                .withSchedulerName("slotwise-extender")
                .withVolumes(all)
                .endSpec()
                .build();
    }

    private static Pod[] gang(String name, int size, String volume) {
        Pod[] pods = new Pod[size];
        Arrays.setAll(
                pods, i -> with(member(name, name + "-" + i, AnnotationKeys.GANG_SIZE, String.valueOf(size)), volume));
        return pods;
    }

    private static Pod[] each(String name, int size) {
        Pod[] pods = new Pod[size];
        Arrays.setAll(
                pods,
                i -> with(
                        member(name, name + "-" + i, AnnotationKeys.GANG_SIZE, String.valueOf(size)), claim("c-" + i)));
        return pods;
    }

    private static Pod running(String name, String node, String volume) {
        return bound(
                new PodBuilder(with(pod(name), volume))
                        .editSpec()
                        .withSchedulerName("default-scheduler")
                        .endSpec(),
                node,
                -60);
    }

    private static Pod[] all(Pod[] some, Pod... more) {
        return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(Pod[]::new);
    }

    private IntakeResult taken(List<Node> nodes, Map<GangId, KnownGang> known, Pod... pods) {
        return take(
                objects(nodes, pods)
                        .withOptional(OptionalObjects.UNKNOWN
                                .with(PersistentVolumeClaim.class, claims)
                                .with(PersistentVolume.class, volumes)
                                .with(StorageClass.class, classes)
                                .with(CSINode.class, attachments)),
                known);
    }

    private Plan plan(Pod... pods) {
        return plan(NODES, pods);
    }

    private Plan plan(List<Node> nodes, Pod... pods) {
        IntakeResult result = taken(nodes, Map.of(), pods);
        Plan plan = new Planner(LoopSettings.EXACT.policy()).plan(result.snapshot());
        assertThat(PlanChecker.faults(result.snapshot(), LoopSettings.EXACT.policy(), plan))
                .isEmpty();
        return plan;
    }

    /** The nodes on which a gang of one may start, tried one by one. */
    private String nodesFor(Pod... pods) {
        return NODES.stream()
                .filter(node -> !plan(List.of(node), pods).windows().isEmpty())
                .map(node -> node.getMetadata().getName())
                .collect(java.util.stream.Collectors.joining(" "));
    }

    private static Refusal refusal(Plan plan) {
        assertThat(plan.windows()).isEmpty();
        assertThat(plan.pending()).hasSize(1);
        return plan.pending().getFirst().refusal();
    }

    private static Stream<String> nodes(Plan plan) {
        return plan.windows().stream()
                .map(Planned::window)
                .flatMap(window -> window.placements().stream())
                .map(Placement::node);
    }
}
