package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.objects;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.file.LeanMapper;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.kubernetes.manifest.workload.ComingWaves;
import io.slotwise.live.settings.LoopSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gangs of JobSets whose pods come only after the ends of others. */
class ComingWavesTest {
    private static final String JOB_SET = """
        apiVersion: jobset.x-k8s.io/v1alpha2
        kind: JobSet
        metadata: {name: %s, namespace: team, creationTimestamp: "2030-01-01T00:00:00Z"}
        spec:
          replicatedJobs:
          - {name: load, template: {spec: {parallelism: 1, completions: 1, template: &pods
              {metadata: {annotations: {slotwise.io/runtime: 10m}}, spec: {schedulerName: slotwise,
                priorityClassName: high,
                containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}}}}}
          - name: train
            replicas: 2
            dependsOn: [{name: load, status: Complete}]
            template: {spec: {parallelism: 2, completions: 2, activeDeadlineSeconds: 900, template: *pods}}
          - name: driver
            dependsOn: [{name: load, status: Complete}]
            template: {spec: {parallelism: 1, completions: 1, template: *pods}}
          - name: judge
            dependsOn: [{name: train, status: Complete}]
            template: {spec: {parallelism: 1, completions: 1, template: *pods}}
        """;

    private static final String OURS = "{metadata: {annotations: {slotwise.io/runtime: 10m}}, spec: {schedulerName: "
            + "slotwise, containers: [{name: c, image: i, resources: {requests: {cpu: 100m}}}]}}";

    private static GenericKubernetesResource set(String name) {
        return Serialization.unmarshal(JOB_SET.formatted(name), GenericKubernetesResource.class);
    }

    private static Pod pod(String set, String role) {
        return Serialization.unmarshal("""
            apiVersion: v1
            kind: Pod
            metadata:
              name: %1$s-%2$s-0-0-x7k2p
              namespace: team
              uid: u
              labels: {jobset.sigs.k8s.io/jobset-name: %1$s, jobset.sigs.k8s.io/replicatedjob-name: %2$s}
              annotations: {slotwise.io/runtime: 10m}
            spec:
              schedulerName: slotwise
              priorityClassName: high
              priority: 7
              tolerations:
              - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
              containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]
            """.formatted(set, role), Pod.class);
    }

    private static ComingWaves.Coming coming(GenericKubernetesResource set, Pod... pods) {
        return new ComingWaves(LeanMapper.create(), _ -> true)
                .of(List.of(pods), GroupObjects.of(List.of(set)), Set.of());
    }

    private static Map<String, Integer> sizes(ComingWaves.Coming coming) {
        return coming.gangs().entrySet().stream()
                .collect(Collectors.toMap(
                        gang -> gang.getKey().name(), gang -> gang.getValue().size()));
    }

    @Test
    void eachWaveThatWaitsForTheEndOfOthersIsToCome() {
        ComingWaves.Coming coming = coming(set("set"), pod("set", "load"));

        assertThat(sizes(coming))
                .containsExactlyInAnyOrderEntriesOf(Map.of("jobset-set.train", 5, "jobset-set.judge", 1));
        assertThat(coming.pods().map(pod -> pod.getSpec().getPriority())).containsOnly(7);
    }

    @Test
    void theWavesArePlannedOneBehindTheOther() {
        Pod first = pod("set", "load");
        GroupObjects groups = GroupObjects.of(List.of(set("set")));
        ComingWaves.Coming coming = coming(set("set"), first);
        ClusterObjects objects = objects(
                        List.of(node("n1").build(), node("n2").build()),
                        Stream.concat(Stream.of(first), coming.pods()).toArray(Pod[]::new))
                .withGroups(groups.or(GroupObjects.of(coming.groups())));

        Snapshot snapshot = new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY)
                .take(objects, Map.of(), NOW)
                .snapshot();
        Plan plan = new Planner(Policy.EXACT).plan(snapshot);

        assertThat(snapshot.requests().stream().map(Request::gang))
                .filteredOn(gang -> gang.id().name().equals("jobset-set.train"))
                .singleElement()
                .satisfies(gang -> assertThat(gang.size()).isEqualTo(5));
        assertThat(plan.windows().stream()
                        .collect(Collectors.toMap(
                                planned -> planned.gang().id().name(),
                                planned -> planned.window().start() - NOW)))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("jobset-set", 0L, "jobset-set.train", 600L, "jobset-set.judge", 1200L));
    }

    /** The pods request what was planned, although the API server and the controller have added fields. */
    @Test
    void aPodThatComesHasTheGangThatWasPlanned() {
        Pod pod = pod("set", "train");

        ComingWaves.name(pod, GroupObjects.of(List.of(set("set"))), null);

        assertThat(Pods.gangOf(pod)).isEqualTo(new GangId("team", "jobset-set.train"));
        assertThat(pod.getMetadata().getAnnotations()).doesNotContainKey("slotwise.io/after");
        Pod first = pod("set", "load");
        ComingWaves.name(first, GroupObjects.of(List.of(set("set"))), null);
        assertThat(Pods.gangOf(first)).isEqualTo(new GangId("team", "jobset-set"));
    }

    @Test
    void aWaveOfWhichAPodIsThereIsNotToCome() {
        assertThat(sizes(coming(set("set"), pod("set", "load"), pod("set", "driver"))))
                .containsOnlyKeys("jobset-set.judge");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        - | suspend: false | terminalState: Failed
        - | suspend: false | replicatedJobsStatus: [{name: driver, active: 1}, {name: judge, succeeded: 1}]
        - | suspend: true | restarts: 0
        deletionTimestamp: 2030-01-01T00:00:00Z | suspend: false | restarts: 0
        annotations: {alpha.jobset.sigs.k8s.io/exclusive-topology: zone} | suspend: false | restarts: 0
        """)
    void nothingComesOfAJobSetThatIsOverOrHasMadeItAlready(@Nullable String metadata, String spec, String status) {
        String changed = JOB_SET.formatted("set")
                        .replace("creationTimestamp", (metadata == null ? "" : metadata + ", ") + "creationTimestamp")
                        .replace("  replicatedJobs", "  " + spec + "\n  replicatedJobs")
                + "status: {" + status + "}\n";

        assertThat(sizes(coming(Serialization.unmarshal(changed, GenericKubernetesResource.class), pod("set", "load"))))
                .isEmpty();
    }

    @Test
    void aNamespaceHasSoManyGangsToComeAtMost() {
        List<GenericKubernetesResource> sets = new ArrayList<>();
        List<Pod> pods = new ArrayList<>();
        IntStream.range(0, 40).forEach(i -> {
            sets.add(set("s" + i));
            pods.add(pod("s" + i, "load"));
        });

        ComingWaves.Coming coming =
                new ComingWaves(LeanMapper.create(), _ -> true).of(pods, GroupObjects.of(sets), Set.of());

        assertThat(coming.gangs()).hasSize(ComingWaves.MOST);
        assertThat(coming.warnings()).hasSize(15).first().satisfies(warning -> {
            assertThat(warning.kind()).isEqualTo("JobSet");
            assertThat(warning.subject()).isEqualTo("team/s31");
            assertThat(warning.message())
                    .isEqualTo("as many gangs of namespace team are to come as are planned ahead (50, or 10000 pods): "
                            + "not all pods of JobSet s31 that come later are planned before they come");
        });
    }

    /** The nodes are labelled, and all pods of each Job come at once. */
    @Test
    void wavesAreExpectedOfAJobSetWithLabelledNodes() {
        String labelled = JOB_SET.formatted("set")
                .replace(
                        "creationTimestamp",
                        "annotations: {alpha.jobset.sigs.k8s.io/exclusive-topology: zone, "
                                + "alpha.jobset.sigs.k8s.io/node-selector: \"true\"}, creationTimestamp");

        assertThat(sizes(
                        coming(Serialization.unmarshal(labelled, GenericKubernetesResource.class), pod("set", "load"))))
                .containsOnlyKeys("jobset-set.train", "jobset-set.judge");
    }

    @Test
    void nothingComesOfAJobSetOfWhichARoleIsAloneInItsTopology() {
        String exclusive = JOB_SET.formatted("set")
                .replace(
                        "template: {spec: {parallelism: 2,",
                        "template: {metadata: {annotations: {alpha.jobset.sigs.k8s.io/exclusive-topology: zone}}, "
                                + "spec: {parallelism: 2,");

        assertThat(sizes(coming(
                        Serialization.unmarshal(exclusive, GenericKubernetesResource.class), pod("set", "load"))))
                .isEmpty();
    }

    /** No quota counts them. */
    @Test
    void theGangsToComeOfANamespaceHaveSoManyPodsAtMost() {
        String large = JOB_SET.replace("replicas: 2", "replicas: 2000");
        List<GenericKubernetesResource> sets = IntStream.range(0, 9)
                .mapToObj(i -> Serialization.unmarshal(large.formatted("s" + i), GenericKubernetesResource.class))
                .toList();
        Pod[] pods = IntStream.range(0, 9).mapToObj(i -> pod("s" + i, "load")).toArray(Pod[]::new);

        ComingWaves.Coming coming =
                new ComingWaves(LeanMapper.create(), _ -> true).of(List.of(pods), GroupObjects.of(sets), Set.of());

        assertThat(coming.pods().count()).isBetween((long) ComingWaves.MOST_PODS, ComingWaves.MOST_PODS + 4001L);
    }

    /** The JobSet that is kept shows how the later pods will be made. */
    @Test
    void aJobSetWithLaterWavesIsKeptWhole() {
        GenericKubernetesResource set = set("set");
        GroupObjects.strip(set);

        assertThat(sizes(coming(set, pod("set", "load")))).isNotEmpty();
    }

    private static GenericKubernetesResource twoRoles(String first, String later) {
        return Serialization.unmarshal("""
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata: {name: set, namespace: team, creationTimestamp: "2030-01-01T00:00:00Z"}
            spec:
              replicatedJobs:
              - name: load
                template: {spec: {parallelism: 1, completions: 1, template: %s}}
              - name: train
                dependsOn: [{name: load, status: Complete}]
                template: {spec: {parallelism: 1, completions: 1, template: %s}}
            """.formatted(first, later), GenericKubernetesResource.class);
    }

    /** The existing pod has the class high, from its template or by default. */
    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
        high, high, 7
        high, -, -
        high, low, -
        -, -, 7
        -, high, 7
        -, low, -
        """)
    void aPodToComeHasThePriorityOfTheFirstOneWhereItsTemplateAsksForTheSame(
            @Nullable String first, @Nullable String later, @Nullable Integer priority) {
        String template = "{spec: {schedulerName: slotwise, priorityClassName: %s, containers: [{name: c, image: i}]}}";
        GenericKubernetesResource set = twoRoles(
                template.formatted(Objects.requireNonNullElse(first, "null")),
                template.formatted(Objects.requireNonNullElse(later, "null")));

        assertThat(coming(set, pod("set", "load"))
                        .pods()
                        .map(pod -> pod.getSpec().getPriority()))
                .containsExactly(priority);
    }

    /** The role is planned by its pods when they come. Gangs that wait for its end know its name before. */
    @ParameterizedTest
    @CsvSource({"slotwise.io/reservation", "slotwise.io/after"})
    void aRoleThatSaysItselfWhenItStartsIsNamedAndNotToCome(String key) {
        GenericKubernetesResource set = Serialization.unmarshal(
                JOB_SET.formatted("set")
                        .replace(
                                "activeDeadlineSeconds: 900, template: *pods",
                                "template: {metadata: {annotations: {%s: other}}, spec: {schedulerName: slotwise,"
                                                .formatted(key)
                                        + " containers: [{name: c, image: i}]}}")
                        .replaceFirst("(?s)  - name: driver.*?pods}}\\n", ""),
                GenericKubernetesResource.class);
        Pod pod = pod("set", "train");

        ComingWaves.name(pod, GroupObjects.of(List.of(set)), null);

        assertThat(Pods.gangOf(pod)).isEqualTo(new GangId("team", "jobset-set.train"));
        assertThat(coming(set, pod("set", "load")).gangs()).isEmpty();
        ComingWaves.Coming coming = coming(set, pod("set", "load"), pod);
        assertThat(coming.gangs()).containsOnlyKeys(new GangId("team", "jobset-set.judge"));
        assertThat(coming.pods().map(one -> one.getMetadata().getAnnotations().get("slotwise.io/after")))
                .containsExactly("jobset-set.train");
    }

    private static List<String> held(GroupObjects groups, ComingWaves.Coming coming, Pod... there) {
        ClusterObjects objects = objects(
                        List.of(node("n1").build(), node("n2").build()),
                        Stream.concat(Stream.of(there), coming.pods()).toArray(Pod[]::new))
                .withGroups(groups.or(GroupObjects.of(coming.groups())));
        Snapshot snapshot = new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY)
                .take(objects, Map.of(), NOW)
                .snapshot();
        return Stream.concat(
                        snapshot.held().stream()
                                .map(pending -> pending.gang().name() + ": "
                                        + pending.refusal().message()),
                        new Planner(Policy.EXACT)
                                .plan(snapshot).pending().stream()
                                        .map(pending -> pending.gang().name() + ": "
                                                + pending.refusal().message()))
                .toList();
    }

    private static Pod ofOthers(Pod pod) {
        pod.getSpec().setSchedulerName("default-scheduler");
        return pod;
    }

    /** Slotwise knows no gang of the first role, which has another scheduler. */
    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void aLaterWaveWaitsForNoGangOfAnotherScheduler(boolean ended, boolean waitsForBoth) {
        GenericKubernetesResource set = Serialization.unmarshal(
                JOB_SET.formatted("set")
                        .replace("schedulerName: slotwise", "schedulerName: default-scheduler")
                        .replace("activeDeadlineSeconds: 900, template: *pods", "template: " + OURS)
                        .replaceAll("(completions: 1, template: )[*]pods", "$1" + OURS)
                        .replace(
                                "{name: train, status: Complete}",
                                waitsForBoth
                                        ? "{name: load, status: Complete}, {name: train, status: Complete}"
                                        : "{name: train, status: Complete}"),
                GenericKubernetesResource.class);
        GroupObjects groups = GroupObjects.of(List.of(set));
        List<Pod> pods = new ArrayList<>(List.of(ofOthers(pod("set", "load"))));
        if (ended) {
            pods.getFirst()
                    .setStatus(new PodStatusBuilder().withPhase("Succeeded").build());
            for (int i = 0; i < 5; i++) {
                Pod later = pod("set", i == 4 ? "driver" : "train");
                later.getMetadata().setName("later-" + i);
                later.getMetadata().setUid("later-" + i);
                ComingWaves.name(later, groups, null);
                pods.add(later);
            }
        }
        Pod[] there = pods.toArray(Pod[]::new);
        ComingWaves.Coming coming = new ComingWaves(
                        LeanMapper.create(),
                        pod -> "slotwise".equals(pod.getSpec().getSchedulerName()))
                .of(pods, groups, Set.of());

        assertThat(sizes(coming)).isEqualTo(ended && !waitsForBoth ? Map.of("jobset-set.judge", 1) : Map.of());
        assertThat(held(groups, coming, there)).isEmpty();
    }
}
