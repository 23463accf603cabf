package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Reason;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Proves that files' missing objects, ignored fields and assumptions are noted, each once. */
class InputNotesTest {
    private static final String NODE = """
            {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {slotwise.io/price: "1"}}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
            ---
            """;

    /** The beginning of a pod, to which metadata and a specification are added. */
    private static String pod(String name, String metadata, String spec) {
        return """
                {apiVersion: v1, kind: Pod, metadata: {name: %s%s, annotations: {slotwise.io/runtime: 1h}}, spec: {schedulerName: slotwise, containers: [{name: c, resources: {requests: {cpu: "1"}}}]%s}}
                ---
                """.formatted(name, metadata, spec);
    }

    private static IntakeResult take(String yaml) {
        return take(yaml, LoopSettings.EXACT);
    }

    private static IntakeResult take(String yaml, LoopSettings settings) {
        return new Intake(settings, PriceCatalogue.EMPTY, PodFilter.FILES)
                .take(
                        ManifestFile.read(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)), "test.yaml"),
                        Map.of(),
                        NOW);
    }

    private static List<String> messages(IntakeResult result) {
        return result.warnings().stream().map(IntakeWarning::message).toList();
    }

    @Test
    void missingReferencesAndMisspellingsOfAPodGetANoteEach() {
        IntakeResult result = take(NODE + """
                apiVersion: v1
                kind: Pod
                metadata: {name: p}
                spec:
                  schedulerName: slotwise
                  runtimeClassName: kata
                  priorityClassName: high
                  nodeSelectors: {gpu: "yes"}
                  resourceClaims: [{name: g, resourceClaimTemplateName: absent}]
                  containers: [{name: c, resources: {request: {cpu: "1000"}}}]
                """);

        assertThat(result.snapshot().requests()).hasSize(1);
        assertThat(result.warnings())
                .filteredOn(IntakeWarning::isOfConcern)
                .extracting(IntakeWarning::reason, IntakeWarning::kind, IntakeWarning::subject, IntakeWarning::field)
                .containsExactlyInAnyOrder(
                        tuple(Reason.UNKNOWN_FIELD, "Pod", "default/p", "spec.nodeSelectors"),
                        tuple(Reason.UNKNOWN_FIELD, "Pod", "default/p", "spec.containers[0].resources.request"),
                        tuple(Reason.MISSING, "PriorityClass", "high", "spec.priorityClassName"),
                        tuple(Reason.MISSING, "RuntimeClass", "kata", "spec.runtimeClassName"),
                        tuple(Reason.MISSING, "ResourceClaimTemplate", "default/absent", "spec.resourceClaims"));
        assertThat(result.warnings())
                .filteredOn(warning -> !warning.isOfConcern())
                .extracting(IntakeWarning::message)
                .containsExactly(
                        "gang default/pod-p states no runtime (`slotwise.io/runtime`): it is planned with 1h, the"
                                + " policy's `gangs.runtime.default`");
        assertThat(result.warnings()).allMatch(warning -> warning.message().endsWith(": " + warning.consequence()));
    }

    @Test
    void aFieldIsKnownByTheApisOwnSchemaAndToldOnceForAllObjects() {
        IntakeResult result = take(NODE
                + pod("a", "", ", nodeSelectorr: {a: b}, volumes: [{name: v, emptyDir: {medium: x, sizelimit: 1Gi}}]")
                + pod("b", "", ", nodeSelectorr: {a: b}")
                + """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: j}
                spec:
                  paralelism: 1
                  template:
                    metadata: {annotations: {slotwise.io/runtime: 1h}}
                    spec: {schedulerName: slotwise, restartpolicy: Never, containers: [{name: c}]}
                ---
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: s}
                spec:
                  replicatedJobs:
                  - name: w
                    replicas: 1
                    template:
                      spec:
                        template:
                          metadata: {annotations: {slotwise.io/runtime: 1h}}
                          spec: {schedulerName: slotwise, toleration: [], containers: [{name: c}]}
                ---
                apiVersion: slotwise.io/v1alpha1
                kind: Reservation
                metadata: {name: r}
                spec: {hold: {size: 1, resources: {cpu: "1"}, runtme: 1h, runtime: 1h}}
                ---
                {apiVersion: v1, kind: Node, metadata: {name: n2, lables: {a: b}}, spec: {taint: []}, status: {allocatable: {cpu: "4", pods: "110"}}}
                """);

        assertThat(result.warnings())
                .filteredOn(warning -> warning.reason() == Reason.UNKNOWN_FIELD)
                .extracting(IntakeWarning::message)
                .extracting(message -> message.substring(0, message.indexOf(':')))
                .containsExactly(
                        "`spec.nodeSelectorr` of Pod default/a, default/b is not known, maybe it is `nodeSelector`",
                        "`spec.volumes[0].emptyDir.sizelimit` of Pod default/a is not known, maybe it is `sizeLimit`",
                        "`spec.paralelism` of Job default/j is not known, maybe it is `parallelism`",
                        "`spec.template.spec.restartpolicy` of Job default/j is not known, maybe it is `restartPolicy`",
                        "`spec.replicatedJobs[0].template.spec.template.spec.toleration` of JobSet default/s is not"
                                + " known, maybe it is `tolerations`",
                        "`spec.hold.runtme` of Reservation default/r is not known, maybe it is `runtime`",
                        "`metadata.lables` of Node n2 is not known, maybe it is `labels`",
                        "`spec.taint` of Node n2 is not known, maybe it is `taints`");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            scheduling.k8s.io/v1beta1     | PodGroup        | spec: {schedulingPolicy: {gang: {minCount: 2}}, priorityclassName: a} | spec.priorityclassName | priorityClassName
            jobset.x-k8s.io/v1alpha2      | JobSet          | spec: {replicatedJob: []}                             | spec.replicatedJob     | replicatedJobs
            jobset.x-k8s.io/v1alpha2      | JobSet          | spec: {failurePolicy: {maxRestart: 3}}                | spec.failurePolicy.maxRestart | maxRestarts
            leaderworkerset.x-k8s.io/v1   | LeaderWorkerSet | spec: {replica: 2, leaderWorkerTemplate: {workerTemplate: {spec: {schedulerName: slotwise, containers: [{name: c}]}}}} | spec.replica | replicas
            leaderworkerset.x-k8s.io/v1   | LeaderWorkerSet | spec: {leaderWorkerTemplate: {sizes: 2, workerTemplate: {spec: {schedulerName: slotwise, containers: [{name: c}]}}}} | spec.leaderWorkerTemplate.sizes | size
            slotwise.io/v1alpha1          | Reservation     | spec: {hold: {size: 1, window: {start: "2030-01-01T02:00:00Z", end: "2030-01-01T03:00:00Z", ends: x}}} | spec.hold.window.ends | end
            slotwise.io/v1alpha1          | RunHistory      | spec: {workload: [], workloads: []}                   | spec.workload          | workloads
            """)
    void theFieldsOfDefinitionsAreKnownToo(String api, String kind, String spec, String field, String meant) {
        assertThat(messages(take("{apiVersion: %s, kind: %s, metadata: {name: x}, %s}".formatted(api, kind, spec))))
                .contains(("`%s` of %s default/x is not known, maybe it is `%s`: it does not count in the plan, and"
                                + " kubectl refuses the object")
                        .formatted(field, kind, meant));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ray.io/v1                      | RayCluster | {headGroupSpec: {template: {spec: {containers: [{name: h}]}}}, workerGroupSpecs: [{groupName: w, replica: 2, template: {spec: {containers: [{name: c}]}}}]}
            batch.volcano.sh/v1alpha1      | Job        | {minAvailble: 2, tasks: [{name: t, replicas: 2, template: {spec: {containers: [{name: c}]}}}]}
            kubeflow.org/v2beta1           | MPIJob     | {mpiReplicaSpec: {}, mpiReplicaSpecs: {Launcher: {replicas: 1, template: {spec: {containers: [{name: l}]}}}, Worker: {replicas: 2, template: {spec: {containers: [{name: c}]}}}}}
            kubeflow.org/v1                | PyTorchJob | {pytorchReplicaSpec: {}, pytorchReplicaSpecs: {Worker: {replicas: 2, template: {spec: {containers: [{name: c}]}}}}}
            scheduling.volcano.sh/v1beta1  | PodGroup   | {minMembers: 2}
            scheduling.x-k8s.io/v1alpha1   | PodGroup   | {minMembers: 2}
            jobset.x-k8s.io/v1beta1        | JobSet     | {replicatedJob: [], replicatedJobs: []}
            """)
    void aKindWithUnknownFieldsIsNotedOnceForAllItsObjects(String api, String kind, String spec) {
        String object = "{apiVersion: %s, kind: %s, metadata: {name: NAME}, spec: %s}\n---\n"
                .formatted(api, kind, spec)
                .replace("containers:", "schedulerName: slotwise, containers:");

        IntakeResult result = take(object.replace("NAME", "a") + object.replace("NAME", "b"));

        assertThat(messages(result))
                .filteredOn(message -> message.contains("not checked"))
                .containsExactly(("the fields of %s default/a, default/b (%s) are not checked beyond pod templates: a"
                                + " misspelt one does not count in the plan")
                        .formatted(kind, api));
    }

    @Test
    void objectsFromAnApiServerAreNotJudgedAgain() {
        IntakeResult result = take(NODE
                + pod(
                        "p",
                        ", uid: u-1",
                        ", fromTheFuture: 1, runtimeClassName: kata, priority: 7, "
                                + "priorityClassName: high, overhead: {cpu: 1}"));

        assertThat(result.warnings()).noneMatch(IntakeWarning::isOfConcern);
        assertThat(result.snapshot().requests().getFirst().gang().priority()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            volumes: [{name: v, persistentVolumeClaim: {claimName: data}}] | PersistentVolumeClaim default/data
            resourceClaims: [{name: g, resourceClaimName: gpu}]            | ResourceClaim default/gpu
            volumes: [{name: v, ephemeral: {volumeClaimTemplate: {spec: {storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}] | StorageClass fast
            """)
    void aReferenceThatTheInputLacksIsTold(String field, String missing) {
        IntakeResult result = take(NODE + pod("p", "", ", " + field) + pod("q", "", ", " + field));

        assertThat(messages(result))
                .filteredOn(message -> message.startsWith(missing + " is not in the input"))
                .singleElement()
                .asString()
                .contains("of pods default/p, default/q)", ": every node counts as ");
        assertThat(result.snapshot().requests()).hasSize(2);
    }

    @Test
    void missingReferencesOfAClaimAreNotedToo() {
        IntakeResult result = take(NODE
                + pod(
                        "p",
                        "",
                        ", volumes: [{name: a, persistentVolumeClaim: {claimName: bound}}, {name: b, "
                                + "persistentVolumeClaim: {claimName: free}}], resourceClaims: [{name: g, "
                                + "resourceClaimTemplateName: t}]")
                + """
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: bound}, spec: {volumeName: pv-1, storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
                ---
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: free}, spec: {storageClassName: slow, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
                ---
                {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t}, spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}}
                """);

        assertThat(result.warnings())
                .filteredOn(warning -> warning.reason() == Reason.MISSING)
                .extracting(warning -> warning.kind() + " " + warning.subject())
                .containsExactlyInAnyOrder(
                        "PersistentVolume pv-1", "StorageClass slow", "DeviceClass gpu", "ResourceSlice (any)");
    }

    @Test
    void aPodOnANodeThatIsNotThereTakesNoRoomAndThatIsTold() {
        IntakeResult result =
                take(NODE + pod("p", "", ", nodeName: gone") + pod("q", "", ", nodeName: n1") + pod("r", "", ""));

        assertThat(messages(result))
                .containsExactly(
                        "Node gone is not in the input (`spec.nodeName` of pod default/p): they take no room in "
                                + "the plan");
    }

    @Test
    void missingNamespacesAndLedgersLimitNoGang() {
        String budget = """
                {apiVersion: v1, kind: Namespace, metadata: {name: team, annotations: {slotwise.io/budget: 5/day}}}
                ---
                """;

        assertThat(messages(take(NODE + pod("p", ", namespace: team", "") + pod("q", "", ""))))
                .containsExactly("Namespace team is not in the input: no budget of a namespace limits the gangs there");
        assertThat(messages(take(NODE + budget + pod("p", ", namespace: team", "") + pod("q", "", ""))))
                .containsExactly(
                        "Namespace default is not in the input: no budget of a namespace limits the gangs there",
                        "Ledger team/slotwise is not in the input: the namespace is planned as if it had spent"
                                + " nothing of its budget");
    }

    @Test
    void ignoredFieldsOfAPodGroupAreNoted() {
        IntakeResult result = take(NODE + """
                apiVersion: scheduling.k8s.io/v1beta1
                kind: PodGroup
                metadata: {name: g}
                spec:
                  schedulingPolicy: {gang: {minCount: 1}}
                  schedulingConstraints: {topology: [{key: rack}]}
                  priorityClassName: high
                  resourceClaims: [{name: c, resourceClaimName: shared}]
                ---
                """ + pod("p", "", ", schedulingGroup: {podGroupName: g}"));

        assertThat(messages(result))
                .containsExactly(
                        "`spec.priorityClassName` of PodGroup default/g is not read: the priority of its pods counts",
                        "`spec.resourceClaims` of PodGroup default/g is not read: claims of its pods count, each as"
                                + " its own");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            batch/v1            | Job         | template: %s
            apps/v1             | Deployment  | selector: {matchLabels: {a: b}}, template: %s
            kubeflow.org/v1     | PyTorchJob  | pytorchReplicaSpecs: {Worker: {template: %s}}
            batch.volcano.sh/v1alpha1   | Job    | tasks: [{name: t, template: %s}]
            jobset.x-k8s.io/v1alpha2    | JobSet | replicatedJobs: [{name: r, template: {spec: {template: %s}}}]
            leaderworkerset.x-k8s.io/v1 | LeaderWorkerSet | leaderWorkerTemplate: {size: 1, workerTemplate: %s}
            """)
    void aKeyOnTheOwnerOfPodsIsExpectedInThePodTemplate(String api, String kind, String spec) {
        String template = "{metadata: {labels: {a: b}, annotations: {slotwise.io/runtime: 1h}}, spec: "
                + "{schedulerName: slotwise, restartPolicy: %s, containers: [{name: c, image: i}]}}"
                        .formatted(kind.equals("Deployment") ? "Always" : "Never");
        String owner = ("{apiVersion: %s, kind: %s, metadata: {name: x, labels: {slotwise.io/gang: g}, annotations: "
                        + "{slotwise.io/runtime: 1h}}, spec: {%s}}")
                .formatted(api, kind, spec.formatted(template));

        IntakeResult result = take(NODE + owner);

        assertThat(result.warnings())
                .filteredOn(warning -> warning.reason() == Reason.IGNORED)
                .extracting(IntakeWarning::message)
                .containsExactly(
                        "`slotwise.io/gang` (g) in metadata.labels of %s default/x does not count: expected it "
                                        .formatted(kind)
                                + "in the pod template");
        assertThat(result.snapshot().requests()).hasSize(1);
    }

    @Test
    void aKeyOnAJobOfAJobSetOrAPodGroupIsExpectedInThePodTemplate() {
        IntakeResult result = take(NODE + """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: x}
                spec:
                  replicatedJobs:
                  - name: r
                    template:
                      metadata: {annotations: {slotwise.io/runtime: 1h}}
                      spec: {template: {spec: {schedulerName: slotwise, restartPolicy: Never, containers: [{name: c}]}}}
                ---
                apiVersion: scheduling.k8s.io/v1beta1
                kind: PodGroup
                metadata: {name: g, annotations: {slotwise.io/budget: "2"}}
                spec: {schedulingPolicy: {gang: {minCount: 1}}}
                """);

        assertThat(result.warnings())
                .filteredOn(warning -> warning.reason() == Reason.IGNORED)
                .extracting(IntakeWarning::message)
                .containsExactly(
                        "`slotwise.io/runtime` (1h) in spec.replicatedJobs[0].template.metadata.annotations of JobSet "
                                + "default/x does not count: expected it in the pod template",
                        "`slotwise.io/budget` (2) in metadata.annotations of PodGroup default/g does not count: "
                                + "expected it in the pod template");
    }

    @Test
    void aLabelNextToABasicPodGroupIsNoted() {
        String group = """
                apiVersion: scheduling.k8s.io/v1beta1
                kind: PodGroup
                metadata: {name: g}
                spec: {schedulingPolicy: {basic: {}}}
                ---
                """;
        String labels = ", labels: {slotwise.io/gang: train}";
        String member = ", schedulingGroup: {podGroupName: g}";

        assertThat(messages(take(NODE + group + pod("p", labels, member) + pod("q", labels, member))))
                .containsExactly("`slotwise.io/gang` of pods does not count next to the policy basic of PodGroup "
                        + "default/g: each of its pods starts by itself");
        assertThat(messages(take(NODE + group + pod("p", "", member)))).isEmpty();
    }

    @Test
    void aLevelOfAnotherProjectIsNotedUnlessSlotwisesSaysTheSame() {
        String own = "{apiVersion: v1, kind: Pod, metadata: {name: p, annotations: {slotwise.io/runtime: 1h, "
                + "kueue.x-k8s.io/podset-required-topology: rack%s}}, spec: {schedulerName: slotwise, "
                + "containers: [{name: c}]}}";

        assertThat(messages(take(NODE + own.formatted("")))).isEmpty();
        assertThat(messages(take(NODE + own.formatted(", slotwise.io/topology: rack"))))
                .isEmpty();
        assertThat(messages(take(NODE + own.formatted(", slotwise.io/topology: zone"))))
                .containsExactly("the level rack does not count next to `slotwise.io/topology` "
                        + "(`kueue.x-k8s.io/podset-required-topology` of pod default/p): its gang is placed by the "
                        + "annotation");
    }

    @Test
    void aGangForBoughtNodesAloneIsToldWhereNoneIsBought() {
        String pod = "{apiVersion: v1, kind: Pod, metadata: {name: p, annotations: {slotwise.io/runtime: 1h, "
                + "slotwise.io/provision: only}}, spec: {schedulerName: slotwise, containers: [{name: c}]}}";
        Policy policy = LoopSettings.EXACT.policy();

        assertThat(messages(take(NODE + pod)))
                .containsExactly(
                        "`slotwise.io/provision` (only) of gang default/pod-p does not count, because the policy's "
                                + "`buying.mode` is none: it is planned on all nodes");
        assertThat(messages(take(
                        NODE + pod,
                        LoopSettings.EXACT.withPolicy(
                                policy.withProvisioning(policy.provisioning().in(Provisioning.Mode.PLAN))))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1h", "30m"})
    void aRuntimeThatIsAssumedIsToldForAllGangsAtOnce(String runtime) {
        String silent = "{apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {schedulerName: slotwise, containers: "
                + "[{name: c}]}}\n---\n";

        IntakeResult result = take(NODE
                + silent.formatted("a")
                + silent.formatted("b")
                + pod("c", "", "").replace("1h", runtime));

        assertThat(messages(result))
                .containsExactly(
                        "gangs default/pod-a, default/pod-b state no runtime (`slotwise.io/runtime`): they are "
                                + "planned with 1h, the policy's `gangs.runtime.default`");
        assertThat(result.snapshot().requests())
                .extracting(Request::gang)
                .extracting(gang -> gang.id().name())
                .containsExactly("pod-a", "pod-b", "pod-c");
    }

    @Test
    void objectsThatAreNotReadAreNamed() {
        IntakeResult result = take(NODE + pod("p", "", "") + """
                {apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: team}}
                ---
                {apiVersion: example.com/v1, kind: Quota, metadata: {generateName: q-}}
                ---
                {apiVersion: resource.k8s.io/v1beta1, kind: ResourceSlice, metadata: {name: s}}
                """);

        assertThat(messages(result))
                .containsExactly(
                        "test.yaml: ConfigMap team/c is not read: what they make and what they limit is not in the"
                                + " plan",
                        "test.yaml: Quota q- is not read: what they make and what they limit is not in the plan",
                        "test.yaml: ResourceSlice s is not read: what they make and what they limit is not in the"
                                + " plan");
    }
}
