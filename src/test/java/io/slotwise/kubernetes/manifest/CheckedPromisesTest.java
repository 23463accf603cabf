package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.window.Placement;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.PlanChecker;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Proves that pods in files that kube-scheduler or the kubelet would refuse get no promise. */
class CheckedPromisesTest {
    private static final String ZONE = "topology.kubernetes.io/zone";

    @Test
    void threePodsThatExcludeEachOtherByZoneAreInThreeZonesOrNowhere() throws IOException {
        String pods = gang("g", 3, "labels: {app: x}", """
                affinity:
                  podAntiAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                      - {topologyKey: %s, labelSelector: {matchLabels: {app: x}}}
                """.formatted(ZONE));

        assertThat(plan(nodes("a", "a", "b", "b") + pods).windows()).isEmpty();
        Plan plan = plan(nodes("a", "a", "b", "c") + pods);
        assertThat(starts(plan)).containsExactly(NOW);
        assertThat(placed(plan)).containsExactlyInAnyOrderEntriesOf(Map.of("n3", 1L, "n4", 1L, placedInA(plan), 1L));
    }

    @Test
    void aSpreadOfTwoIsOnTwoNodes() throws IOException {
        Plan plan = plan(nodes("a", "a") + gang("g", 2, "labels: {app: x}", """
                topologySpreadConstraints:
                  - {topologyKey: kubernetes.io/hostname, maxSkew: 1, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: x}}}
                """));

        assertThat(starts(plan)).containsExactly(NOW);
        assertThat(placed(plan)).containsOnly(Map.entry("n1", 1L), Map.entry("n2", 1L));
    }

    @Test
    void threeGangsThatShareADeviceClaimAreOnItsNodeWhileTheyRunTogether() throws IOException {
        String devices = """
                ---
                {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: {selectors: [{cel: {expression: "device.driver == 'd'"}}]}}
                ---
                {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, spec: {driver: d, nodeName: n2, pool: {name: n2, generation: 1, resourceSliceCount: 1}, devices: [{name: d0}, {name: d1}, {name: d2}]}}
                ---
                {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: data, namespace: user}, spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}
                """;
        String claim = "resourceClaims: [{name: c, resourceClaimName: data}]\n";

        Plan plan = plan(nodes("a", "a", "b")
                + devices
                + gang("f", 1, "labels: {}", claim)
                + gang("g", 1, "labels: {}", claim)
                + gang("h", 1, "labels: {}", claim));

        assertThat(starts(plan)).containsExactly(NOW, NOW, NOW);
        assertThat(placed(plan)).containsOnly(Map.entry("n2", 3L));
        assertThat(plan(nodes("a", "a", "b")
                                + devices.replace("nodeName: n2", "nodeName: n9")
                                + gang("f", 1, "labels: {}", claim))
                        .windows())
                .isEmpty();
    }

    @Test
    void twoGangsWithOneHostPortAreOnANodeOneAfterTheOther() throws IOException {
        String port = "hostNetwork: true\n";

        Plan plan = plan(nodes("a") + gang("g", 1, "labels: {}", port) + gang("h", 1, "labels: {}", port));

        assertThat(starts(plan)).hasSize(2).first().isEqualTo(NOW);
        assertThat(starts(plan).getLast()).isGreaterThan(NOW);
    }

    @Test
    void anAffinityToAPodThatIsNowhereKeepsTheGangWaiting() throws IOException {
        Plan plan = plan(nodes("a", "b") + gang("g", 2, "labels: {app: x}", """
                affinity:
                  podAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                      - {topologyKey: %s, labelSelector: {matchLabels: {app: other}}}
                """.formatted(ZONE)));

        assertThat(plan.windows()).isEmpty();
        assertThat(plan.pending().getFirst().refusal().message()).contains("required pod affinity");
    }

    @Test
    void aVolumeInAnotherZoneLeavesTheNodesThere() throws IOException {
        Plan plan = plan(nodes("a", "a", "b")
                + """
                ---
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: pv}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteMany], hostPath: {path: /d}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: %s, operator: In, values: [b]}]}]}}}}
                ---
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, namespace: user}, spec: {volumeName: pv, accessModes: [ReadWriteMany], resources: {requests: {storage: 1Gi}}}}
                """.formatted(ZONE)
                + gang("g", 2, "labels: {}", "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]\n"));

        assertThat(starts(plan)).containsExactly(NOW);
        assertThat(placed(plan)).containsOnly(Map.entry("n3", 2L));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UserNamespacesHostNetworkSupport|{hostNetwork: true, hostUsers: false}",
                "RestartAllContainersOnContainerExits|{initContainers: [{name: i, image: none, "
                        + "restartPolicyRules: [{action: RestartAllContainers}]}]}",
                "VolumeBindMountOptions|{initContainers: [{name: i, image: none, volumeMounts: [{name: "
                        + "v, mountPath: /v, bindMountOptions: [noexec]}]}], volumes: [{name: v, emptyDir: {}}]}",
            })
    void aFeatureOfSomeNodesRestrictsPodsToThem(String feature, String spec) throws IOException {
        String nodes = nodes("a", "a", "b");
        String pods = gang(
                "g",
                1,
                "labels: {}",
                spec.substring(1, spec.length() - 1).replaceFirst(", (hostUsers|volumes:)", "\n$1") + "\n");

        assertThat(plan(nodes + pods).windows()).isEmpty();
        assertThat(placed(plan(nodes.replace("n3}}, status: {", "x}}, status: {")
                                .replaceFirst(
                                        "(name: n2,.*)status: \\{", "$1status: {declaredFeatures: [" + feature + "], ")
                        + pods)))
                .containsOnly(Map.entry("n2", 1L));
    }

    private static String placedInA(Plan plan) {
        return placed(plan).containsKey("n1") ? "n1" : "n2";
    }

    private static String nodes(String... zones) {
        return IntStream.range(0, zones.length)
                .mapToObj(i -> """
                        ---
                        {apiVersion: v1, kind: Node, metadata: {name: n%1$d, labels: {slotwise.io/price: "1", kubernetes.io/hostname: n%1$d, %2$s: %3$s}}, status: {allocatable: {cpu: 8, memory: 8Gi, pods: 110}}}
                        """.formatted(i + 1, ZONE, zones[i]))
                .collect(Collectors.joining());
    }

    private static String gang(String name, int size, String labels, String spec) {
        return IntStream.range(0, size)
                .mapToObj(i -> """
                        ---
                        apiVersion: v1
                        kind: Pod
                        metadata:
                          name: %1$s-%2$d
                          namespace: user
                          %4$s
                          annotations: {slotwise.io/gang-size: "%3$d", slotwise.io/runtime: 10m}
                        spec:
                          schedulerName: slotwise
                          containers: [{name: a, image: none, ports: [{containerPort: 8080}], resources: {requests: {cpu: 1}}}]
                        """.formatted(
                                        name,
                                        i,
                                        size,
                                        labels.replace("{", "{slotwise.io/gang: " + name + ", ")
                                                .replace(", }", "}"))
                        + spec.indent(2))
                .collect(Collectors.joining());
    }

    private static Plan plan(String files) throws IOException {
        ClusterObjects objects =
                ManifestFile.read(new ByteArrayInputStream(files.getBytes(StandardCharsets.UTF_8)), "files");
        IntakeResult result =
                new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, PodFilter.FILES).take(objects, Map.of(), NOW);
        Plan plan = new Planner(LoopSettings.EXACT.policy()).plan(result.snapshot());
        assertThat(PlanChecker.faults(result.snapshot(), LoopSettings.EXACT.policy(), plan))
                .isEmpty();
        return plan;
    }

    private static List<Long> starts(Plan plan) {
        return plan.windows().stream()
                .map(planned -> planned.window().start())
                .sorted()
                .toList();
    }

    private static Map<String, Long> placed(Plan plan) {
        return plan.windows().stream()
                .map(Planned::window)
                .flatMap(window -> window.placements().stream())
                .collect(Collectors.groupingBy(Placement::node, Collectors.counting()));
    }
}
