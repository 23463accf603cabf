package io.slotwise.kubernetes.manifest.device;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.bound;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.objects;
import static io.slotwise.kubernetes.manifest.Samples.pod;
import static io.slotwise.kubernetes.manifest.Samples.promise;
import static io.slotwise.kubernetes.manifest.Samples.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.RefusalKind;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.window.Placement;
import io.slotwise.core.work.Steps;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.PlanChecker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodDevicesTest {
    private static final List<Node> NODES = List.of(host("n1"), host("n2"), host("n3"));
    private static final String DRIVER = "gpu.example.com";

    private final List<ResourceSlice> slices = new ArrayList<>();
    private final List<DeviceClass> classes = new ArrayList<>();
    private final List<ResourceClaim> claims = new ArrayList<>();
    private final List<ResourceClaimTemplate> templates = new ArrayList<>();

    private static Node host(String name) {
        return node(name)
                .editMetadata()
                .addToLabels("kubernetes.io/hostname", name)
                .endMetadata()
                .editStatus()
                .addToAllocatable("cpu", new Quantity("64"))
                .addToAllocatable("memory", new Quantity("64Gi"))
                .endStatus()
                .build();
    }

    @Test
    void aGangGoesWhereTheDevicesOfItsClassAre() {
        deviceClass("gpu", "device.driver == '%s'".formatted(DRIVER));
        slice("n2", "a100", "a100");
        template("one", exactly("gpu", 1));

        Plan plan = plan(gang("g", 2, fromTemplate("one")));

        assertThat(nodes(plan)).containsExactly("n2", "n2");
        assertThat(plan.windows().getFirst().window().start()).isEqualTo(NOW);
    }

    @Test
    void aNodeHasADeviceForOnePodAtATime() {
        deviceClass("gpu", "true");
        slice("n2", "a100");
        template("one", exactly("gpu", 1));

        Plan plan = plan(all(gang("g", 1, fromTemplate("one")), gang("h", 1, fromTemplate("one"))));

        assertThat(nodes(plan)).containsExactly("n2", "n2");
        assertThat(plan.windows().stream().map(one -> one.window().start()).sorted())
                .satisfies(starts -> assertThat(starts.getFirst()).isEqualTo(NOW))
                .satisfies(starts -> assertThat(starts.getLast()).isGreaterThan(NOW));
    }

    @Test
    void moreDevicesThanANodeHasLeaveNoNode() {
        deviceClass("gpu", "true");
        slice("n2", "a100", "a100");
        template("three", exactly("gpu", 3));

        assertThat(refusal(plan(gang("g", 1, fromTemplate("three")))))
                .isEqualTo(new Refusal.NoEligibleNode(
                        3, Map.of(Exclusion.TOO_SMALL, 3), Map.of("devices of class gpu", 3)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "device.attributes['gpu.example.com'].model == 'a100'|n1",
                "device.attributes['gpu.example.com'].model != 'a100' && device.driver == 'gpu.example.com'|n2 n3",
                "device.capacity['gpu.example.com'].memory.compareTo(quantity('64Gi')) >= 0|n2 n3",
                "device.capacity['gpu.example.com'].memory.isLessThan(quantity('80Gi'))|n1",
                "device.attributes['gpu.example.com'].driverVersion.isGreaterThan(semver('1.10.0-rc.1'))|n3",
                "device.attributes['gpu.example.com'].index >= 0 && "
                        + "device.attributes['gpu.example.com'].ready|n1 n2 n3",
                "cel.bind(gpu, device.attributes['gpu.example.com'], gpu.model in ['h100', 'b200'])|n2 n3",
                "'nowhere.example.com' in device.attributes|",
                "'model' in device.attributes['nowhere.example.com']|",
                "device.attributes['gpu.example.com'].model.startsWith('h')|n2",
                "device.attributes['gpu.example.com'].model.lowerAscii().matches('^b[0-9]+$')|n3",
                "device.allowMultipleAllocations|",
            })
    void selectorsAreReadAsInKubeScheduler(String selector, String allowed) {
        deviceClass("gpu", "device.driver == 'gpu.example.com'");
        slice("n1", "a100");
        slice("n2", "h100");
        slice("n3", "b200");
        template("one", exactly("gpu", 1, selector));

        assertThat(nodesFor(gang("g", 1, fromTemplate("one")))).isEqualTo(allowed == null ? "" : allowed);
    }

    @Test
    void theSelectorsOfTheClassAreLookedAtFirst() {
        deviceClass("gpu", "device.driver == 'gpu.example.com'");
        slice("n1", "a100");
        slices.add(yaml(
                "{metadata: {name: other}, spec: {driver: nic.example.com, nodeName: n2, pool: {name: p, "
                        + "generation: 1, resourceSliceCount: 1}, devices: [{name: d}]}}",
                ResourceSlice.class));
        template("one", exactly("gpu", 1, "device.attributes['gpu.example.com'].model == 'a100'"));

        assertThat(nodes(plan(gang("g", 1, fromTemplate("one"))))).containsExactly("n1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "device.attributes['gpu.example.com'].colour == 'red'|fails for device gpu.example.com/n1/n1-0",
                "device.attributes['gpu.example.com'].model|gives a100 for device "
                        + "gpu.example.com/n1/n1-0: expected true or false",
                "device.driver ==|cannot be read",
                "futureFunction(device)|fails for device",
            })
    void aSelectorThatCannotBeEvaluatedIsNamed(String selector, String words) {
        deviceClass("gpu", "true");
        slice("n1", "a100");
        template("one", exactly("gpu", 1, selector));

        Refusal refusal = refusal(plan(gang("g", 1, fromTemplate("one"))));

        assertThat(refusal.message())
                .startsWith("waiting for the device claim user/g-0-one of pod user/g-0: the selector ")
                .contains(words);
        assertThat(refusal.ofKind()).isEqualTo(RefusalKind.WAITING_FOR_DEVICE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LIST.all(x, LIST.all(y, device.driver.matches('(a|aa)+b$') == false))",
                "LIST.all(x, LIST.all(y, device.driver.matches('(a|aa)+b$') == false)) || true",
                "LIST.map(x, LIST.map(y, LIST)) == [LIST]",
                "device.driver.matches('((a{1000}){1000})')",
                "device.driver.matches('((a{30}){30}){30}')",
                "lists.range(100000000).size() > 1",
                "cel.bind(a, LIST, cel.bind(b, [a,a,a,a,a,a,a,a], cel.bind(c, [b,b,b,b,b,b,b,b], "
                        + "cel.bind(d, [c,c,c,c,c,c,c,c], cel.bind(e, [d,d,d,d,d,d,d,d], "
                        + "cel.bind(f, [e,e,e,e,e,e,e,e], f == f))))))",
                "cel.bind(a, 'TEXT', a.replace('a', a).replace('a', a).size() > 1)",
                "cel.bind(a, 'LONG', a.replace('a', a).size() > 1)",
            })
    void aSelectorThatTakesTooManyStepsIsRefusedByName(String selector) {
        deviceClass("gpu", "true");
        slice("n1", "a100");
        template(
                "one",
                exactly(
                        "gpu",
                        1,
                        selector.replace("LIST", "[" + "0,".repeat(94) + "0]")
                                .replace("TEXT", "a".repeat(1000))
                                .replace("LONG", "a".repeat(10_000))));

        Refusal refusal = refusal(plan(gang("g", 1, fromTemplate("one"))));

        assertThat(refusal.message())
                .startsWith("waiting for the device claim user/g-0-one of pod user/g-0: the selector ")
                .contains("fails for device gpu.example.com/n1/n1-0: more than 1,000,000 steps");
        assertThat(refusal.ofKind()).isEqualTo(RefusalKind.WAITING_FOR_DEVICE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "device.driver != 'TEXT'|10000",
                "!(device.driver in ['TEXT', 'TEXT'])|5000",
                "!(device.driver in ['TEXT'] + ['TEXT'])|2000",
                "cel.bind(a, 'TEXT', a != device.driver)|2000",
                "'TEXT' + 'TEXT' != device.driver|1000",
            })
    void aLongTextInASelectorCostsItsLength(String selector, int length) {
        deviceClass("gpu", "true");
        slice("n2", "a100");
        template("one", exactly("gpu", 1, selector.replace("TEXT", "a".repeat(length))));

        assertThat(nodes(plan(gang("g", 1, fromTemplate("one"))))).containsExactly("n2");
    }

    @Test
    void aNamespacesSelectorStepsAreBoundedPerCycleAndTheNextContinues() {
        String[] models = new String[32];
        Arrays.fill(models, "a100");
        slice("n1", models);
        List<Device> there = new NodeDevices(slices).all();
        List<String> dear = List.of("[%s0].all(x, [%s0].all(y, device.driver.startsWith('a') == false))"
                .formatted("0,".repeat(94), "0,".repeat(94)));
        DeviceSelectors selectors = new DeviceSelectors();
        int cycles = 0;
        boolean isKnown = false;

        while (!isKnown) {
            DeviceSelectors.Cycle cycle = selectors.new Cycle();
            isKnown = there.stream().allMatch(device -> cycle.allTake("user", dear, device) != null);
            cycles++;
            assertThat(cycle.taken("user")).isLessThanOrEqualTo(DeviceSelectors.MOST_STEPS + SelectorSteps.MOST);
            if (!isKnown) {
                assertThat(cycle.allTake("other", List.of("true"), there.getLast()))
                        .isEqualTo(DeviceSelectors.Answer.YES);
            }
        }

        assertThat(cycles).isBetween(2, 32);
        DeviceSelectors.Cycle start = selectors.new Cycle();
        assertThat(there.stream().allMatch(device -> start.allTake("user", dear, device) != null))
                .isTrue();
        assertThat(start.taken("user")).isZero();
    }

    /** A selector that uses almost all steps allowed for one device, different for each number. */
    private static String dear(int number) {
        String many = "0,".repeat(94);
        return "[%s0].all(x, [%s0].all(y, device.driver.startsWith('a') == false)) && %d > 0"
                .formatted(many, many, number);
    }

    @Test
    void aPodWhoseNamespaceHasNoStepsLeftWaitsForTheNextCycleAndOthersDoNot() {
        deviceClass("gpu", "true");
        slice("n1", "a100", "a100");
        List<Pod> pods = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            template("t" + i, exactly("gpu", 1, dear(i)));
            pods.addAll(List.of(gang("g" + i, 1, fromTemplate("t" + i))));
        }

        List<String> messages = plan(pods.toArray(Pod[]::new)).pending().stream()
                .map(pending -> pending.refusal().message())
                .toList();

        assertThat(messages)
                .anyMatch(message -> message.contains("the selectors of its namespace take more than 2,000,000 steps "
                        + "in one cycle, which goes on in the next one"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{firstAvailable: [{name: a, deviceClassName: gpu}]}|firstAvailable",
                "{exactly: {deviceClassName: gpu, adminAccess: true}}|adminAccess",
                "{exactly: {deviceClassName: gpu, tolerations: [{operator: Exists}]}}|tolerations of a request",
                "{exactly: {deviceClassName: gpu, capacity: {requests: {memory: 1Gi}}}}|capacity of a request",
                "{exactly: {deviceClassName: gpu, allocationMode: Some}}|allocationMode Some",
                "{exactly: {deviceClassName: gpu, count: 0}}|a count that is not positive",
                "{exactly: {deviceClassName: gpu, selectors: [{}]}}|a selector of another kind than cel",
                "{exactly: {deviceClassName: gpu, derivedAttributes: [{name: x}]}}|derivedAttributes",
                "{}|a request of another kind than exactly",
            })
    void aRequestBeyondTheModelIsRefusedByName(String request, String feature) {
        deviceClass("gpu", "true");
        slice("n1", "a100");
        template(
                "odd",
                "{requests: [%s]}"
                        .formatted(request.replaceFirst("[{]", "{name: r, ").replace("{name: r, }", "{name: r}")));

        assertThat(refusal(plan(gang("g", 1, fromTemplate("odd")))))
                .isEqualTo(new Refusal.UnplannedDevice("user/g-0", "user/g-0-odd", feature));
    }

    @Test
    void aNamespaceWhoseSelectorsOverlapInTooManyWaysIsRefusedAlone() {
        deviceClass("gpu", "true");
        String[] models = new String[13];
        Arrays.fill(models, "a100");
        slice("n1", models);
        template("one", exactly("gpu", 1));
        List<Pod> pods = new ArrayList<>(List.of(gang("g", 1, fromTemplate("one"))));
        for (int i = 0; i < 12; i++) {
            template(
                    "t" + i,
                    exactly("gpu", 1, "device.attributes['gpu.example.com'].index in [%d, %d]".formatted(i, i + 1)));
            templates.getLast().getMetadata().setNamespace("crowd");
            pods.add(in("crowd", gang("h" + i, 1, fromTemplate("t" + i))[0]));
        }

        Plan plan = plan(pods.toArray(Pod[]::new));

        assertThat(nodes(plan)).containsExactly("n1");
        assertThat(plan.pending())
                .hasSize(12)
                .allMatch(pending -> pending.refusal().message().contains("in more than 64 combinations"));
    }

    @Test
    void aPromiseKeepsItsDevicesWhereItsNamespaceHasNoStepsLeft() {
        deviceClass("gpu", "true");
        slice("n1", "a100");
        List<Pod> pods = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            template("t" + i, exactly("gpu", 1, dear(i)));
            pods.addAll(List.of(gang("g" + i, 1, fromTemplate("t" + i))));
        }
        template("one", exactly("gpu", 1));
        templates.getLast().getMetadata().setNamespace("others");
        pods.add(in("others", gang("h", 1, fromTemplate("one"))[0]));

        Plan plan = plan(promise("g20", 0, false, "g20-0"), pods.toArray(Pod[]::new));

        assertThat(startOf(plan, "h")).isGreaterThanOrEqualTo(NOW + 600);
        assertThat(startOf(plan, "g20")).isEqualTo(NOW);
    }

    /** The ResourceClaim of a promised pod was made again under its name, with another selector. */
    @Test
    void theSelectorsOfPromisedPodsTakeABoundedNumberOfStepsToo() {
        deviceClass("gpu", "true");
        for (String node : List.of("n1", "n2", "n3")) {
            String[] models = new String[334];
            Arrays.fill(models, "a100");
            slice(node, models);
        }
        template("one", exactly("gpu", 1, dear(1)));
        Pod[] pods = gang("g", 1, fromTemplate("one"));

        long steps = Steps.of(() -> plan(promise("g", 0, false, "g-0"), pods));

        assertThat(steps).isBetween(DeviceSelectors.MOST_STEPS, 2 * (DeviceSelectors.MOST_STEPS + SelectorSteps.MOST));
    }

    @Test
    void aPromiseHasAllDevicesOfItsNodeWhereItTakesTooManyStepsToFindOutWhich() {
        deviceClass("gpu", "true");
        slice("n1", Collections.nCopies(30, "a100").toArray(String[]::new));
        template("dear", exactly("gpu", 1, dear(1), dear(2), dear(3)));
        template("one", exactly("gpu", 1));
        templates.getLast().getMetadata().setNamespace("others");
        Pod other = in("others", gang("h", 1, fromTemplate("one"))[0]);

        Plan plan = plan(promise("g", 0, false, "g-0"), all(gang("g", 1, fromTemplate("dear")), other));

        assertThat(startOf(plan, "g")).isEqualTo(NOW);
        assertThat(startOf(plan, "h")).isGreaterThanOrEqualTo(NOW + 600);
    }

    @Test
    void aPromiseWithoutDeviceRoomNamesTheSelectorsThatExceedTheirSteps() {
        deviceClass("gpu", "true");
        for (String node : List.of("n1", "n2", "n3")) {
            String[] models = new String[334];
            Arrays.fill(models, "a100");
            slice(node, models);
        }
        template("one", exactly("gpu", 1, dear(1)));

        assertThat(refusal(plan(promise("g", 0, false, "g-0"), gang("g", 1, fromTemplate("one"))))
                        .message())
                .contains(
                        "all devices on n1, as the selectors of user/g-0-one have used up the 2,000,000 steps of their"
                                + " namespace in a cycle");
    }

    @Test
    void aPromiseKeepsTheDevicesOfItsNodeWhereThoseOfOthersTakeTooManySteps() {
        deviceClass("gpu", "true");
        slice("n1", "a100", "a100");
        slice("n0", Collections.nCopies(20, "a100").toArray(String[]::new));
        template("dear", exactly("gpu", 1, dear(1), dear(2), dear(3)));
        template("one", exactly("gpu", 1));
        templates.getLast().getMetadata().setNamespace("others");
        Pod other = in("others", gang("h", 1, fromTemplate("one"))[0]);

        Plan plan = plan(
                List.of(host("n0"), host("n1")),
                promise("g", 0, false, "g-0"),
                all(gang("g", 1, fromTemplate("dear")), other));

        assertThat(nodes(plan)).contains("n1");
        assertThat(startOf(plan, "g")).isEqualTo(NOW);
        assertThat(startOf(plan, "h")).isEqualTo(NOW);
    }

    @Test
    void aPromiseKeepsItsDevicesIfSelectorsOverlapInTooManyWays() {
        deviceClass("gpu", "true");
        String[] models = new String[13];
        Arrays.fill(models, "a100");
        slice("n1", models);
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            template("t" + i, two(i));
            pods.addAll(List.of(gang("g" + i, 1, fromTemplate("t" + i))));
        }
        template("two", two(1));
        templates.getLast().getMetadata().setNamespace("others");
        pods.add(in("others", gang("h", 1, fromTemplate("two"))[0]));

        Plan plan = plan(promise("g0", 0, false, "g0-0"), pods.toArray(Pod[]::new));

        assertThat(startOf(plan, "h")).isGreaterThanOrEqualTo(NOW + 600);
        assertThat(startOf(plan, "g0")).isEqualTo(NOW);
        assertThat(plan.pending())
                .hasSize(11)
                .allMatch(pending -> pending.refusal().message().contains("in more than 64 combinations"));
    }

    @Test
    void podsWithoutASeatOfAPromiseHaveNoMoreStepsForIt() {
        deviceClass("gpu", "true");
        slice("n1", "a100", "a100");
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            template("t" + i, exactly("gpu", 1, dear(i + 1)));
            pods.add(with(member("g", "g-" + i, AnnotationKeys.GANG_SIZE, "1").build(), fromTemplate("t" + i)));
        }

        assertThat(plan(promise("g", 0, false, "g-19"), pods.toArray(Pod[]::new))
                        .pending())
                .anyMatch(pending -> pending.refusal().message().contains("more than 2,000,000 steps in one cycle"));
    }

    private static String two(int first) {
        return exactly("gpu", 2, "device.attributes['gpu.example.com'].index in [%d, %d]".formatted(first, first + 1));
    }

    private static Pod in(String namespace, Pod pod) {
        return new PodBuilder(pod)
                .editMetadata()
                .withNamespace(namespace)
                .endMetadata()
                .build();
    }

    private static long startOf(Plan plan, String gang) {
        return plan.windows().stream()
                .filter(one -> one.gang().id().name().equals(gang))
                .mapToLong(one -> one.window().start())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void constraintsOverAttributesAreRefusedByName() {
        deviceClass("gpu", "true");
        slice("n1", "a100", "a100");
        template(
                "pair",
                "{requests: [{name: r, exactly: {deviceClassName: gpu, count: 2}}], constraints: "
                        + "[{matchAttribute: gpu.example.com/model}]}");

        assertThat(refusal(plan(gang("g", 1, fromTemplate("pair")))))
                .isEqualTo(new Refusal.UnplannedDevice("user/g-0", "user/g-0-pair", "constraints"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "nodeName: n1|consumesCounters: [{counterSet: c, counters: {}}]|partitionable devices "
                        + "(consumesCounters)",
                "nodeName: n1|allowMultipleAllocations: true|devices that several claims share "
                        + "(allowMultipleAllocations)",
                "nodeName: n1|bindingConditions: [ready]|devices with bindingConditions",
                "allNodes: true|attributes: {}|devices that several nodes reach",
            })
    void devicesBeyondTheModelAreRefusedByName(String where, String more, String feature) {
        deviceClass("gpu", "true");
        slices.add(yaml(
                ("{metadata: {name: s}, spec: {driver: d, %s, pool: {name: p, generation: 1, "
                                + "resourceSliceCount: 1}, devices: [{name: d, %s}]}}")
                        .formatted(where, more),
                ResourceSlice.class));
        template("one", exactly("gpu", 1));

        assertThat(refusal(plan(gang("g", 1, fromTemplate("one")))))
                .isEqualTo(new Refusal.UnplannedDevice("user/g-0", "user/g-0-one", feature));
    }

    @Test
    void aDeviceWithATaintIsNotTaken() {
        deviceClass("gpu", "true");
        slice("n1", "a100");
        slice("n2", "a100");
        slices.getFirst()
                .getSpec()
                .getDevices()
                .getFirst()
                .setTaints(List.of(yaml(
                        "{key: broken, effect: NoExecute}",
                        io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint.class)));
        template("one", exactly("gpu", 1));

        assertThat(nodesFor(gang("g", 1, fromTemplate("one")))).isEqualTo("n2");
    }

    @Test
    void anIncompletePoolAndAnOldGenerationOfferNothing() {
        deviceClass("gpu", "true");
        slice("n1", "a100");
        slices.getFirst().getSpec().getPool().setResourceSliceCount(2L);
        slice("n2", "a100");
        slices.getLast().getSpec().getPool().setGeneration(1L);
        slice("n2", "a100", "a100");
        slices.getLast().getMetadata().setName("newer");
        slices.getLast().getSpec().getPool().setGeneration(2L);
        template("two", exactly("gpu", 2));

        assertThat(nodesFor(gang("g", 1, fromTemplate("two")))).isEqualTo("n2");
    }

    @Test
    void devicesThatAreAllocatedAreHeldUntilTheEndOfTheirPod() {
        deviceClass("gpu", "true");
        slice("n1", "a100", "a100");
        claim("held", exactly("gpu", 1), allocation("n1", "n1-1", "r"));
        template("two", exactly("gpu", 2));
        Pod running = with(running("r", "n1", 3600), "{name: c, resourceClaimName: held}");

        Plan plan = plan(all(gang("g", 1, fromTemplate("two")), running));

        assertThat(nodes(plan)).containsExactly("n1");
        assertThat(plan.windows().getFirst().window().start()).isGreaterThan(NOW + 3000);
    }

    @ParameterizedTest
    @CsvSource({"0,0,1", "1,0,2", "0,5,5", "4,5,1", "5,5,1", "7,5,1", "9,5,3"})
    void devicesOfAPodThatHasEndedAreTakenUntilTheClaimIsGivenBack(long ago, long turnover, long waits) {
        deviceClass("gpu", "true");
        slice("n1", "a100");
        claim("held", exactly("gpu", 1), allocation("n1", "n1-0", "r"));
        template("one", exactly("gpu", 1));
        Pod over = ended(with(running("r", "n1", 3600), "{name: c, resourceClaimName: held}"), NOW - ago);
        LoopSettings settings =
                LoopSettings.EXACT.withPolicy(LoopSettings.EXACT.policy().withTurnover(turnover));

        long before = start(settings, all(gang("g", 1, fromTemplate("one")), over));
        claims.getFirst().setStatus(null);
        long after = start(settings, all(gang("g", 1, fromTemplate("one")), over));

        assertThat(before).isEqualTo(NOW + waits);
        assertThat(after).isEqualTo(NOW);
    }

    @Test
    void aClaimWithDevicesPinsItsPodsToTheirNode() {
        deviceClass("gpu", "true");
        slice("n1", "a100");
        slice("n3", "a100");
        claim("data", exactly("gpu", 1), allocation("n3", "n3-0", "r"));

        assertThat(nodesFor(gang("g", 2, "{name: c, resourceClaimName: data}"))).isEqualTo("n3");
        assertThat(nodes(plan(all(
                        gang("g", 2, "{name: c, resourceClaimName: data}"),
                        with(running("r", "n3", 3600), "{name: c, resourceClaimName: data}")))))
                .containsExactly("n3", "n3");
    }

    @Test
    void podsThatShareAClaimAreOnOneNodeAndCountOnce() {
        deviceClass("gpu", "true");
        slice("n1", "a100");
        slice("n2", "a100");
        claim("data", exactly("gpu", 1), "");

        Plan plan = plan(gang("g", 3, "{name: c, resourceClaimName: data}"));

        assertThat(nodes(plan).distinct()).hasSize(1);
        assertThat(plan.windows().getFirst().window().start()).isEqualTo(NOW);
    }

    @Test
    void threeGangsThatShareOneClaimAreNeverOnTwoNodesAtATime() {
        deviceClass("gpu", "true");
        slice("n1", "a100");
        slice("n2", "a100", "a100", "a100");
        claim("data", exactly("gpu", 1), "");
        String shared = "{name: c, resourceClaimName: data}";

        Plan plan = plan(all(gang("a", 1, shared), all(gang("b", 1, shared), gang("c", 1, shared))));

        assertThat(plan.windows()).hasSize(3);
        plan.windows()
                .forEach(one -> plan.windows().forEach(other -> {
                    boolean atOnce = one.window().start() < other.window().end()
                            && other.window().start() < one.window().end();
                    assertThat(atOnce
                                    && !one.window()
                                            .placements()
                                            .getFirst()
                                            .node()
                                            .equals(other.window()
                                                    .placements()
                                                    .getFirst()
                                                    .node()))
                            .isFalse();
                }));
    }

    @Test
    void aPodThatRequestsAllDevicesHasThemAlone() {
        deviceClass("gpu", "true");
        slice("n1", "a100", "a100");
        slice("n2", "a100", "a100");
        claim("held", exactly("gpu", 1), allocation("n1", "n1-0", "r"));
        template("all", "{requests: [{name: r, exactly: {deviceClassName: gpu, allocationMode: All}}]}");
        template("one", exactly("gpu", 1));
        Pod running = with(running("r", "n1", 3600), "{name: c, resourceClaimName: held}");

        assertThat(nodesFor(all(gang("g", 1, fromTemplate("all")), running))).contains("n2");
        Plan plan = plan(all(gang("g", 1, fromTemplate("all")), all(gang("h", 2, fromTemplate("one")), running)));
        assertThat(plan.windows()).hasSize(2);
        long together = plan.windows().stream()
                .filter(one -> one.window().start() == NOW)
                .count();
        assertThat(together).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"false,missing,it does not exist", "true,deleting,it is being deleted"})
    void aClaimThatKeepsAPodEverywhereIsNamed(boolean isThere, String state, String words) {
        deviceClass("gpu", "true");
        slice("n1", "a100");
        if (isThere) {
            claim("data", exactly("gpu", 1), "");
            claims.getFirst().getMetadata().setDeletionTimestamp("2030-01-01T00:00:00Z");
        }

        Refusal refusal = refusal(plan(gang("g", 1, "{name: c, resourceClaimName: data}")));

        assertThat(refusal.message()).isEqualTo("waiting for the device claim user/data of pod user/g-0: " + words);
        assertThat(String.valueOf(refusal.figures().get("state"))).contains(state);
    }

    @Test
    void aMissingTemplateOrClassIsNamed() {
        slice("n1", "a100");

        assertThat(refusal(plan(gang("g", 1, fromTemplate("one")))).message())
                .isEqualTo("waiting for the device claim user/g-0-one of pod user/g-0: its ResourceClaimTemplate "
                        + "(user/one) does not exist");

        template("one", exactly("gpu", 1));
        assertThat(refusal(plan(gang("g", 1, fromTemplate("one")))).message())
                .isEqualTo("waiting for the device claim user/g-0-one of pod user/g-0: its DeviceClass (gpu) does "
                        + "not exist");
    }

    @Test
    void aClaimTakesThirtyTwoDevicesAtMost() {
        deviceClass("gpu", "true");
        slice("n1", "a100");
        template(
                "many",
                "{requests: [{name: a, exactly: {deviceClassName: gpu, count: 20}}, {name: b, exactly: "
                        + "{deviceClassName: gpu, count: 20}}]}");

        assertThat(refusal(plan(gang("g", 1, fromTemplate("many")))).message())
                .endsWith("it asks for 40 devices, and a claim has at most 32");
    }

    @ParameterizedTest
    @ValueSource(strings = {"deviceclass.resource.kubernetes.io/gpu", "example.com/gpu"})
    void anExtendedResourceThatAClassServesIsARequestForItsDevices(String resource) {
        deviceClass("gpu", "true");
        classes.getFirst().getSpec().setExtendedResourceName("example.com/gpu");
        slice("n2", "a100", "a100");

        Plan plan = plan(asking("g", 2, resource, "slotwise-extender"));

        assertThat(nodes(plan)).containsExactly("n2", "n2");
        assertThat(refusal(plan(asking("g", 3, resource, "slotwise-extender")))).isInstanceOf(Refusal.TooLarge.class);
    }

    @Test
    void anExtendedResourceOfDevicesNeedsKubeScheduler() {
        deviceClass("gpu", "true");
        classes.getFirst().getSpec().setExtendedResourceName("example.com/gpu");
        slice("n2", "a100");

        assertThat(refusal(plan(asking("g", 1, "example.com/gpu", "slotwise"))).message())
                .isEqualTo("the devices of pod user/g-0 (example.com/gpu) cannot be planned: DeviceClass gpu serves "
                        + "it, which needs kube-scheduler");
    }

    @Test
    void anExtendedResourceOfNodesStaysWhatItIs() {
        deviceClass("gpu", "true");
        classes.getFirst().getSpec().setExtendedResourceName("example.com/gpu");
        Node own = node("n4")
                .editStatus()
                .addToAllocatable("example.com/gpu", new Quantity("1"))
                .endStatus()
                .build();

        assertThat(nodes(plan(List.of(NODES.getFirst(), own), asking("g", 1, "example.com/gpu", "slotwise"))))
                .containsExactly("n4");
        slice("n1", "a100");
        assertThat(refusal(
                        plan(List.of(NODES.getFirst(), own), asking("g", 1, "example.com/gpu", "slotwise-extender"))))
                .isEqualTo(new Refusal.UnplannedDevice(
                        "user/g-0",
                        "example.com/gpu",
                        "some nodes have it from a device plugin, others by dynamic allocation"));
    }

    @Test
    void unreadableDevicesLimitNoPod() {
        Plan plan = plan(
                NODES,
                OptionalObjects.DEVICES.stream()
                        .reduce(OptionalObjects.UNKNOWN, OptionalObjects::without, OptionalObjects::plus),
                gang("g", 2, fromTemplate("one")));

        assertThat(plan.windows()).hasSize(1);
    }

    @Test
    void gangsStartAtOnceExactlyWhereTheirDevicesAllowIt() {
        Random random = new Random(20);
        int starts = 0;
        for (int i = 0; i < 500; i++) {
            PodDevicesTest one = new PodDevicesTest();
            SmallCluster cluster = one.new SmallCluster(random);
            boolean possible = cluster.isPossible(new ArrayList<>());

            Plan plan = one.plan(NODES, one.known(), cluster.pods());

            boolean atOnce = plan.windows().stream()
                    .anyMatch(planned -> planned.window().gang().name().equals("g")
                            && planned.window().start() == NOW);
            assertThat(atOnce).as("%s: %s", i, cluster).isEqualTo(possible);
            if (atOnce) {
                Map<String, String> places = new TreeMap<>();
                plan.windows()
                        .forEach(planned -> planned.window()
                                .placements()
                                .forEach(placement -> places.put(placement.pod(), placement.node())));
                assertThat(cluster.isKept(List.copyOf(places.values())))
                        .as("%s: %s", i, cluster)
                        .isTrue();
                starts++;
            }
        }
        assertThat(starts).isBetween(100, 400);
    }

    /** A gang whose pods request devices, on three nodes on which some are in use. */
    private final class SmallCluster {
        private static final List<String> MODELS = List.of("a", "b", "c");
        /** The models that each kind of request selects: two disjoint, one with both, one that overlaps. */
        private static final Map<String, String> KINDS =
                new TreeMap<>(Map.of("a", "a", "b", "b", "ab", "ab", "bc", "bc"));

        private final int size;
        /** The models of the free devices, by node. */
        private final List<List<String>> free = new ArrayList<>();
        /** The number of devices, by node and model. */
        private final List<List<String>> there = new ArrayList<>();

        private final List<List<String>> asked = new ArrayList<>();

        private final boolean shared;
        private final List<Pod> pods = new ArrayList<>();

        SmallCluster(Random random) {
            size = random.nextInt(1, 4);
            shared = size > 1 && random.nextInt(4) == 0;
            KINDS.forEach((kind, models) -> deviceClass(
                    kind,
                    "device.attributes['gpu.example.com'].model in [%s]"
                            .formatted(models.chars()
                                    .mapToObj(model -> "'" + (char) model + "'")
                                    .collect(Collectors.joining(", ")))));
            for (Node node : NODES) {
                String name = node.getMetadata().getName();
                List<String> models = IntStream.range(0, random.nextInt(5))
                        .mapToObj(_ -> MODELS.get(random.nextInt(3)))
                        .toList();
                List<String> left = new ArrayList<>();
                slice(name, models.toArray(String[]::new));
                for (int d = 0; d < models.size(); d++) {
                    if (random.nextInt(4) == 0) {
                        String holder = "r-" + name + d;
                        claim(holder, exactly("a", 1), allocation(name, name + "-" + d, holder));
                        pods.add(with(
                                running(holder, name, 3600), "{name: c, resourceClaimName: %s}".formatted(holder)));
                    } else {
                        left.add(models.get(d));
                    }
                }
                there.add(models);
                free.add(left);
            }
            List<String> kinds = List.copyOf(KINDS.keySet());
            for (int pod = 0; pod < size; pod++) {
                asked.add(IntStream.range(0, random.nextInt(1, 3))
                        .mapToObj(_ -> kinds.get(random.nextInt(4)))
                        .toList());
                List<String> own = shared ? asked.getFirst() : asked.get(pod);
                String requests = IntStream.range(0, own.size())
                        .mapToObj(i -> "{name: r%d, exactly: {deviceClassName: %s}}".formatted(i, own.get(i)))
                        .collect(Collectors.joining(", ", "{requests: [", "]}"));
                if (shared && pod == 0) {
                    claim("together", requests, "");
                } else if (!shared) {
                    template("t" + pod, requests);
                }
                pods.add(with(
                        member("g", "g-" + pod, AnnotationKeys.GANG_SIZE, String.valueOf(size))
                                .build(),
                        shared ? "{name: c, resourceClaimName: together}" : fromTemplate("t" + pod)));
            }
        }

        Pod[] pods() {
            return pods.toArray(Pod[]::new);
        }

        boolean isPossible(List<String> chosen) {
            if (chosen.size() == size) {
                return isKept(chosen);
            }
            for (Node node : NODES) {
                chosen.add(node.getMetadata().getName());
                boolean possible = isPossible(chosen);
                chosen.removeLast();
                if (possible) {
                    return true;
                }
            }
            return false;
        }

        /** Tries to give every request a device of its own, one after another, without code of the program. */
        boolean isKept(List<String> chosen) {
            if (shared) {
                int n = index(chosen.getFirst());
                return new HashSet<>(chosen).size() == 1 && isMet(asked.getFirst(), 0, new ArrayList<>(free.get(n)));
            }
            for (int n = 0; n < NODES.size(); n++) {
                List<String> requests = new ArrayList<>();
                for (int pod = 0; pod < size; pod++) {
                    if (index(chosen.get(pod)) == n) {
                        requests.addAll(asked.get(pod));
                    }
                }
                if (!isMet(requests, 0, new ArrayList<>(free.get(n)))) {
                    return false;
                }
            }
            return true;
        }

        private boolean isMet(List<String> requests, int next, List<String> left) {
            if (next == requests.size()) {
                return true;
            }
            for (int d = 0; d < left.size(); d++) {
                if (KINDS.getOrDefault(requests.get(next), "").contains(left.get(d))) {
                    String taken = left.remove(d);
                    boolean met = isMet(requests, next + 1, left);
                    left.add(d, taken);
                    if (met) {
                        return true;
                    }
                }
            }
            return false;
        }

        private int index(String node) {
            return IntStream.range(0, NODES.size())
                    .filter(n -> NODES.get(n).getMetadata().getName().equals(node))
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        public String toString() {
            return "devices %s, free %s, asked %s%s".formatted(there, free, asked, shared ? ", shared" : "");
        }
    }

    /** Text that begins with a brace would be read as JSON. */
    private static <T> T yaml(String text, Class<T> type) {
        return Serialization.unmarshal("---" + System.lineSeparator() + text, type);
    }

    private void deviceClass(String name, String selector) {
        classes.add(yaml(
                "{metadata: {name: %s}, spec: {selectors: [{cel: {expression: \"%s\"}}]}}".formatted(name, selector),
                DeviceClass.class));
    }

    private void slice(String node, String... models) {
        String devices = IntStream.range(0, models.length)
                .mapToObj(
                        i -> ("{name: %s-%d, attributes: {model: {string: %s}, index: {int: %d}, ready: {bool: true}, "
                                        + "driverVersion: {version: %s}}, capacity: {memory: {value: %s}}}")
                                .formatted(
                                        node,
                                        i,
                                        models[i],
                                        i,
                                        models[i].equals("b200") ? "1.10.0" : "1.9.0",
                                        models[i].equals("a100") ? "40Gi" : "80Gi"))
                .collect(Collectors.joining(", "));
        slices.add(yaml(
                ("{metadata: {name: slice-%s}, spec: {driver: %s, nodeName: %s, pool: {name: %s, "
                                + "generation: 1, resourceSliceCount: 1}, devices: [%s]}}")
                        .formatted(node, DRIVER, node, node, devices),
                ResourceSlice.class));
    }

    private static String exactly(String deviceClass, int count, String... selectors) {
        return "{requests: [{name: r, exactly: {deviceClassName: %s, count: %d, selectors: [%s]}}]}"
                .formatted(
                        deviceClass,
                        count,
                        Arrays.stream(selectors)
                                .map(selector ->
                                        "{cel: {expression: \"%s\"}}".formatted(selector.replace("\\", "\\\\")))
                                .collect(Collectors.joining(", ")));
    }

    private void template(String name, String devices) {
        templates.add(yaml(
                "{metadata: {name: %s, namespace: user}, spec: {spec: {devices: %s}}}".formatted(name, devices),
                ResourceClaimTemplate.class));
    }

    private void claim(String name, String devices, String allocation) {
        claims.add(yaml(
                "{metadata: {name: %s, namespace: user}, spec: {devices: %s}%s}"
                        .formatted(name, devices, allocation.isEmpty() ? "" : ", status: " + allocation),
                ResourceClaim.class));
    }

    private static String allocation(String node, String device, String user) {
        return ("{allocation: {devices: {results: [{request: r, driver: %s, pool: %s, device: %s}]}, "
                        + "nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, "
                        + "values: [%s]}]}]}}, reservedFor: [{resource: pods, name: %s, uid: %s}]}")
                .formatted(DRIVER, node, device, node, user, user);
    }

    private static String fromTemplate(String name) {
        return "{name: %s, resourceClaimTemplateName: %s}".formatted(name, name);
    }

    private static Pod with(Pod pod, String claim) {
        return new PodBuilder(pod)
                .editSpec()
                .withSchedulerName(pod.getSpec().getNodeName() == null ? "slotwise-extender" : "default-scheduler")
                .withResourceClaims(yaml(claim, PodResourceClaim.class))
                .endSpec()
                .build();
    }

    private static Pod[] gang(String name, int size, String claim) {
        Pod[] pods = new Pod[size];
        Arrays.setAll(
                pods,
                i -> with(
                        member(name, name + "-" + i, AnnotationKeys.GANG_SIZE, String.valueOf(size))
                                .build(),
                        claim));
        return pods;
    }

    private static Pod[] asking(String name, int size, String resource, String scheduler) {
        Pod[] pods = new Pod[size];
        Arrays.setAll(
                pods,
                i -> member(name, name + "-" + i, AnnotationKeys.GANG_SIZE, String.valueOf(size))
                        .editSpec()
                        .withSchedulerName(scheduler)
                        .editFirstContainer()
                        .editOrNewResources()
                        .addToRequests(resource, new Quantity("1"))
                        .addToLimits(resource, new Quantity("1"))
                        .endResources()
                        .endContainer()
                        .endSpec()
                        .build());
        return pods;
    }

    private static Pod running(String name, String node, long seconds) {
        return new PodBuilder(bound(pod(name), node, -60))
                .editMetadata()
                .withUid(name)
                .addToAnnotations(AnnotationKeys.RUNTIME, seconds + "s")
                .endMetadata()
                .editSpec()
                .withSchedulerName("default-scheduler")
                .endSpec()
                .build();
    }

    private static Pod ended(Pod pod, long at) {
        return new PodBuilder(pod)
                .withNewStatus()
                .withPhase("Succeeded")
                .addNewContainerStatus()
                .withNewState()
                .withNewTerminated()
                .withFinishedAt(Instant.ofEpochSecond(at).toString())
                .endTerminated()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();
    }

    private long start(LoopSettings settings, Pod... pods) {
        IntakeResult result = new Intake(settings, PriceCatalogue.EMPTY)
                .take(objects(NODES, pods).withOptional(known()), Map.of(), NOW);
        Plan plan = new Planner(settings.policy()).plan(result.snapshot());
        assertThat(PlanChecker.faults(result.snapshot(), settings.policy(), plan))
                .isEmpty();
        return plan.windows().getFirst().window().start();
    }

    private static Pod[] all(Pod[] some, Pod... more) {
        return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(Pod[]::new);
    }

    private OptionalObjects known() {
        return OptionalObjects.UNKNOWN
                .with(ResourceSlice.class, slices)
                .with(DeviceClass.class, classes)
                .with(ResourceClaim.class, claims)
                .with(ResourceClaimTemplate.class, templates);
    }

    private Plan plan(Pod... pods) {
        return plan(NODES, pods);
    }

    private Plan plan(List<Node> nodes, Pod... pods) {
        return plan(nodes, known(), pods);
    }

    private Plan plan(Promise promise, Pod... pods) {
        return plan(NODES, promise, pods);
    }

    private Plan plan(List<Node> nodes, Promise promise, Pod... pods) {
        KnownGang promised = new KnownGang(promise, OptionalLong.empty(), Set.of());
        return plan(nodes, known(), Map.of(promise.window().gang(), promised), pods);
    }

    private Plan plan(List<Node> nodes, OptionalObjects devices, Pod... pods) {
        return plan(nodes, devices, Map.of(), pods);
    }

    private Plan plan(List<Node> nodes, OptionalObjects devices, Map<GangId, KnownGang> gangs, Pod... pods) {
        IntakeResult result = take(objects(nodes, pods).withOptional(devices), gangs);
        Plan plan = new Planner(LoopSettings.EXACT.policy()).plan(result.snapshot());
        assertThat(PlanChecker.faults(result.snapshot(), LoopSettings.EXACT.policy(), plan))
                .isEmpty();
        return plan;
    }

    /** The nodes on which a gang of one may start at once, tried one by one. */
    private String nodesFor(Pod... pods) {
        return NODES.stream()
                .filter(node -> plan(List.of(node), pods).windows().stream()
                        .anyMatch(one -> one.window().start() == NOW))
                .map(node -> node.getMetadata().getName())
                .collect(Collectors.joining(" "));
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
