package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The objects that the installed chart's admission policies accept, change and refuse. */
@RealControlPlane
class ChartIT {
    private static final String GATE = "slotwise.io/window";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @BeforeAll
    static void install(ControlPlane plane) {
        plane.client()
                .resource(request("old", "annotations", "budget", "cheap"))
                .create();
        Installation.install(plane, Map.of());
        Pod bad = request("probe", "annotations", "gang-size", "two");
        Node badNode = Workload.node("probe", 4, 8, Map.of("slotwise.io/price", "free"));
        // Each policy takes effect separately, and the API server looks for new policies once a second.
        await("the admission policies are in force").atMost(PATIENCE).until(() -> {
            Pod good = dryRun(plane, request("probe", "annotations", "gang-size", "2"));
            return isGated(good)
                    && isRefused(plane, bad)
                    && isRefused(plane, Workload.job(bad, 2))
                    && isRefused(plane, badNode)
                    && isRefused(plane, rich("100"));
        });
    }

    @Test
    void theApiServerAcceptsEveryObjectWithEveryPartSwitchedOn(ControlPlane plane) {
        String rendered = Installation.render(
                plane,
                Map.of(
                        "priorityClass.create",
                        "true",
                        "ingress.enabled",
                        "true",
                        "ingress.hosts",
                        "{slots.example.com}",
                        "ingress.tlsSecret",
                        "edge",
                        "tls.secret",
                        "board",
                        "auth.audiences",
                        "{slotwise}"));

        List<HasMetadata> objects = Installation.load(plane, rendered);

        assertThat(objects).hasSizeGreaterThan(25);
        for (HasMetadata object : objects) {
            HasMetadata answered =
                    plane.client().resource(object).dryRun().forceConflicts().serverSideApply();
            assertThat(answered.getMetadata().getName())
                    .isEqualTo(object.getMetadata().getName());
        }
    }

    @Test
    void theResourceDefinitionsAreServed(ControlPlane plane) {
        for (String name : List.of("reservations.slotwise.io", "ledgers.slotwise.io", "runhistories.slotwise.io")) {
            assertThat(plane.client()
                            .apiextensions()
                            .v1()
                            .customResourceDefinitions()
                            .withName(name)
                            .get())
                    .isNotNull();
        }
    }

    @Test
    void theApiServersOwnCheckFindsNothingWrongInThePolicies(ControlPlane plane) {
        var policies = plane.client()
                .genericKubernetesResources("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy");

        await("the policies were checked")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(policies.list().getItems())
                        .hasSize(12)
                        .allSatisfy(policy -> {
                            assertThat(policy.<Number>get("status", "observedGeneration"))
                                    .isNotNull()
                                    .extracting(Number::longValue)
                                    .isEqualTo(policy.getMetadata().getGeneration());
                            assertThat(policy.<Object>get("status", "typeChecking", "expressionWarnings"))
                                    .isNull();
                        }));
    }

    @Test
    void theApiServerTakesUpTheSharesOfRequests(ControlPlane plane) {
        var flows = plane.client().flowControl().v1().flowSchema();

        await("the flow schemas were taken up")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(List.of("slotwise", "slotwise-leases"))
                        .allSatisfy(name -> assertThat(
                                        flows.withName(name).get().getStatus().getConditions())
                                .anySatisfy(condition -> {
                                    assertThat(condition.getType()).isEqualTo("Dangling");
                                    assertThat(condition.getStatus()).isEqualTo("False");
                                })));
    }

    @Test
    void aSlotwisePodGetsTheGateAndKeepsForeignOnes(ControlPlane plane) {
        Pod pod = new PodBuilder(pod("ours"))
                .editSpec()
                .addNewSchedulingGate("example.com/quota")
                .endSpec()
                .build();

        Pod made = dryRun(plane, pod);

        assertThat(made.getSpec().getSchedulingGates())
                .extracting(gate -> gate.getName())
                .containsExactlyInAnyOrder("example.com/quota", GATE);
    }

    @Test
    void aPodThatHasTheGateAlreadyKeepsItOnce(ControlPlane plane) {
        Pod pod = new PodBuilder(pod("ours"))
                .editSpec()
                .addNewSchedulingGate(GATE)
                .endSpec()
                .build();

        assertThat(dryRun(plane, pod).getSpec().getSchedulingGates()).hasSize(1);
    }

    @Test
    void aPodThatIsPlacedAlreadyGetsNoGate(ControlPlane plane) {
        Pod pod = new PodBuilder(pod("placed"))
                .editSpec()
                .withNodeName("n1")
                .endSpec()
                .build();

        assertThat(isGated(dryRun(plane, pod))).isFalse();
    }

    @Test
    void podsOfOtherSchedulersAreLeftAloneWhateverTheySay(ControlPlane plane) {
        Pod pod = new PodBuilder(request("foreign", "annotations", "budget", "cheap"))
                .editSpec()
                .withSchedulerName("default-scheduler")
                .endSpec()
                .build();

        assertThat(isGated(dryRun(plane, pod))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            labels      | gang           | ''                     | the name of a gang
            annotations | gang-size      | 0                      | a whole number from 1 to 100000, such as 8
            annotations | runtime        | 90                     | a duration of at least a second, such as 90s, 1h30m, 7d or PT1H30M
            annotations | budget         | -1                     | currency units, a decimal from 0 to 1000000000
            annotations | max-price      | 1.2345678              | currency units per hour, a decimal
            annotations | price-limit    | each                   | total or slot
            annotations | criterion      | speed                  | start, finish, runtime, cost, processor-time, energy, value or preference
            annotations | earliest-start | tomorrow               | an RFC 3339 instant, such as 2030-01-01T08:00:00Z
            annotations | deadline       | 2030-01-01             | an RFC 3339 instant, such as 2030-01-01T18:00:00Z
            annotations | topology       | rack 7                 | the key of a node label, such as topology.kubernetes.io/zone
            annotations | max-per-node   | one                    | a whole number from 1
            annotations | lockstep       | yes                    | true or false
            annotations | mode           | online                 | batch, emct or emet
            annotations | migratable     | yes                    | true or false
            annotations | data-size      | much                   | bytes, such as 10Gi
            annotations | reservation    | 0.5 b                  | the name of an advance Reservation of the same namespace, such as friday
            """)
    void aMalformedRequestIsRefusedWithItsKeyItsValueAndWhatWasExpected(
            String place, String key, String value, String expected, ControlPlane plane) {
        String kind = place.equals("labels") ? "label" : "annotation";

        assertThatThrownBy(() -> dryRun(plane, request("bad", place, key, value)))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(
                        "The %s slotwise.io/%s (%s) is malformed; expected %s".formatted(kind, key, value, expected));
    }

    @Test
    void aKeyThatMeansNothingIsRefused(ControlPlane plane) {
        assertThatThrownBy(() -> dryRun(plane, request("typo", "annotations", "gangsize", "4")))
                .hasMessageContaining("The annotation slotwise.io/gangsize is not known to Slotwise on a pod")
                .hasMessageContaining("slotwise.io/gang-size");
        assertThatThrownBy(() -> dryRun(plane, request("typo", "labels", "budget", "4")))
                .hasMessageContaining("The label slotwise.io/budget is not known to Slotwise on a pod");
    }

    @Test
    void aDeadlineBeforeTheEarliestStartIsRefused(ControlPlane plane) {
        Pod pod = new PodBuilder(request("late", "annotations", "earliest-start", "2030-01-01T10:00:00Z"))
                .editMetadata()
                .addToAnnotations("slotwise.io/deadline", "2030-01-01T10:00:00+02:00")
                .endMetadata()
                .build();

        assertThatThrownBy(() -> dryRun(plane, pod))
                .hasMessageContaining("The annotation slotwise.io/deadline (2030-01-01T10:00:00+02:00) leaves no time");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            labels      | gang           | My_gang.1
            annotations | gang-size      | 100000
            annotations | runtime        | 90s
            annotations | runtime        | 1h30m
            annotations | runtime        | PT1H30M
            annotations | runtime        | P1DT2H
            annotations | budget         | 0
            annotations | budget         | 12.500000
            annotations | max-price      | 0.75
            annotations | price-limit    | slot
            annotations | criterion      | cost
            annotations | earliest-start | 2030-01-01T08:00:00.5+02:00
            annotations | deadline       | 2030-01-01T18:00:00Z
            annotations | topology       | topology.kubernetes.io/zone
            annotations | topology       | rack
            annotations | max-per-node   | 1
            annotations | lockstep       | false
            annotations | mode           | batch
            annotations | migratable     | true
            annotations | data-size      | 0
            annotations | window-start   | 2030-01-01T08:00:00Z
            """)
    void aWellFormedRequestIsLetIn(String place, String key, String value, ControlPlane plane) {
        assertThat(isGated(dryRun(plane, request("good", place, key, value)))).isTrue();
    }

    @Test
    void aJobIsRefusedForWhatItsPodTemplateSays(ControlPlane plane) {
        var job = Workload.job(request("work", "annotations", "runtime", "soon"), 2);

        assertThatThrownBy(() -> plane.client().resource(job).dryRun().create())
                .hasMessageContaining("The annotation slotwise.io/runtime (soon) is malformed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"job.yaml", "jobset-like.yaml", "training.yaml"})
    void theExampleGangsAreLetIn(String file, ControlPlane plane) throws IOException {
        String example =
                Files.readString(ProjectFiles.root().resolve("deploy/examples").resolve(file));

        assertThat(Installation.load(plane, example))
                .isNotEmpty()
                .allSatisfy(job -> assertThat(plane.client()
                                .resource(job)
                                .inNamespace("default")
                                .dryRun()
                                .create())
                        .isNotNull());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            labels      | price            | free
            labels      | performance      | 0
            labels      | owner            | ''
            labels      | watts            | many
            annotations | domain-bandwidth | fast
            annotations | price-calendar   | 0.2@night
            annotations | price-calendar   | 0.2@2030-01-01T08:00:00/PT4H
            annotations | price-calendar   | CRON_TZ=Berlin? 0.2@0 20 * * */PT10H
            annotations | unavailable      | 2030-01-01
            annotations | unavailable      | 2030-01-01T08:00:00/PT4H
            """)
    void aNodeIsRefusedForAMalformedValue(String place, String key, String value, ControlPlane plane) {
        var node = Workload.node("n-bad", 4, 8, Map.of());
        put(node, place, key, value);

        assertThatThrownBy(() -> plane.client().resource(node).dryRun().create())
                .hasMessageContaining("slotwise.io/%s (%s) is malformed; expected".formatted(key, value));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            labels      | price            | 0.75
            labels      | performance      | 1.5
            labels      | owner            | team-a
            labels      | watts            | 450
            annotations | domain-bandwidth | 10G
            annotations | price-calendar   | 0.2@0 20 * * */PT10H
            annotations | price-calendar   | 0.2@0 20 * * MON-FRI/10h; 0.1@2030-01-01T08:00:00Z/2030-01-02T08:00:00Z
            annotations | price-calendar   | CRON_TZ=Europe/Berlin 0.2@0 20 * * */PT10H; 0.1@2030-01-01T08:00:00/P1D
            annotations | unavailable      | CRON_TZ=Europe/Berlin 2030-01-01T08:00:00/PT4H, 2030-01-02T08:00:00Z/PT1H
            annotations | unavailable      | 2030-01-01T08:00:00Z/PT4H, 2030-01-02T08:00:00Z/2030-01-03T08:00:00Z
            """)
    void aNodeIsLetInWithAWellFormedValue(String place, String key, String value, ControlPlane plane) {
        var node = Workload.node("n-good", 4, 8, Map.of());
        put(node, place, key, value);

        assertThat(plane.client().resource(node).dryRun().create()).isNotNull();
    }

    @Test
    void aBudgetOfANamespaceHasAPeriod(ControlPlane plane) {
        assertThat(plane.client().resource(rich("100/day")).dryRun().create()).isNotNull();
        assertThat(plane.client().resource(rich("0.5 / month")).dryRun().create())
                .isNotNull();
        for (String malformed : List.of("100", "100/year", "-1/day", "100 a day")) {
            assertThatThrownBy(() ->
                            plane.client().resource(rich(malformed)).dryRun().create())
                    .hasMessageContaining("The annotation slotwise.io/budget (" + malformed
                            + ") is malformed; expected AMOUNT/PERIOD with "
                            + "day, week or month (UTC), such as 500/month.");
        }
    }

    private static Namespace rich(String budget) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName("rich")
                .addToAnnotations("slotwise.io/budget", budget)
                .endMetadata()
                .build();
    }

    @Test
    void aPodFromBeforeThePoliciesCanStillBeEditedButNotForTheWorse(ControlPlane plane) {
        var old = plane.client().pods().inNamespace("default").withName("old");

        Pod edited = old.edit(pod -> new PodBuilder(pod)
                .editMetadata()
                .addToAnnotations("example.com/note", "seen")
                .endMetadata()
                .build());

        assertThat(edited.getMetadata().getAnnotations()).containsEntry("slotwise.io/budget", "cheap");
        assertThatThrownBy(() -> old.edit(pod -> new PodBuilder(pod)
                        .editMetadata()
                        .addToAnnotations("slotwise.io/budget", "cheaper")
                        .endMetadata()
                        .build()))
                .hasMessageContaining("The annotation slotwise.io/budget (cheaper) is malformed");
    }

    @Test
    void theChartsPodsPassRestrictedPodSecurity(ControlPlane plane) {
        KubernetesClient client = plane.client();
        client.namespaces()
                .withName(Installation.RELEASE)
                .edit(namespace -> new NamespaceBuilder(namespace)
                        .editMetadata()
                        .addToLabels("pod-security.kubernetes.io/enforce", "restricted")
                        .endMetadata()
                        .build());
        PodTemplateSpec template = Objects.requireNonNull(client.apps()
                        .deployments()
                        .inNamespace(Installation.RELEASE)
                        .withName(Installation.RELEASE)
                        .get())
                .getSpec()
                .getTemplate();
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(Installation.RELEASE)
                .withName("restricted")
                .endMetadata()
                .withSpec(template.getSpec())
                .build();

        SecurityContext context = pod.getSpec().getContainers().getFirst().getSecurityContext();
        context.setAllowPrivilegeEscalation(true);
        // The API server learns a namespace's labels by a watch.
        await("the pod to be refused")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThatThrownBy(
                                () -> client.resource(pod).dryRun().create())
                        .hasMessageContaining("violates PodSecurity"));
        context.setAllowPrivilegeEscalation(false);
        assertThat(client.resource(pod).dryRun().create()).isNotNull();
    }

    @Test
    void theServiceAccountMayNotReadSecretsOrTouchWorkloads(ControlPlane plane) {
        KubernetesClient slotwise = plane.clientAs(Installation.RELEASE, Installation.RELEASE);

        assertThat(slotwise.pods().inAnyNamespace().list()).isNotNull();
        assertThatThrownBy(() -> slotwise.secrets().inNamespace("kube-system").list())
                .hasMessageContaining("is forbidden");
        assertThatThrownBy(() -> slotwise.pods()
                        .inNamespace("default")
                        .resource(pod("mine"))
                        .dryRun()
                        .create())
                .hasMessageContaining("is forbidden");
    }

    private static Pod pod(String name) {
        return Workload.pod("default", name, "slotwise-extender", 100, 64);
    }

    private static Pod request(String name, String place, String key, String value) {
        Pod pod = pod(name);
        put(pod, place, key, value);
        return pod;
    }

    private static void put(HasMetadata object, String place, String key, String value) {
        Map<String, String> one = Map.of("slotwise.io/" + key, value);
        if (place.equals("labels")) {
            object.getMetadata().setLabels(one);
        } else {
            object.getMetadata().setAnnotations(one);
        }
    }

    private static Pod dryRun(ControlPlane plane, Pod pod) {
        return plane.client().resource(pod).dryRun().create();
    }

    private static boolean isGated(Pod pod) {
        return pod.getSpec().getSchedulingGates().stream()
                .anyMatch(gate -> gate.getName().equals(GATE));
    }

    private static boolean isRefused(ControlPlane plane, HasMetadata object) {
        try {
            plane.client().resource(object).dryRun().create();
            return false;
        } catch (KubernetesClientException e) {
            return e.getCode() == 422;
        }
    }
}
