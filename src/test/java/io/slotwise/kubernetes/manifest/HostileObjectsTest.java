package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.objects;
import static io.slotwise.kubernetes.manifest.Samples.pod;
import static io.slotwise.kubernetes.manifest.Samples.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.Intervals;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.kubernetes.manifest.prices.PriceCalendar;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.Nonsense;
import io.slotwise.testing.PlanChecker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Proves that any object gets an answer or a readable refusal of one line, soon. */
@Timeout(120)
class HostileObjectsTest {
    private static final List<String> OF_OTHERS = List.of(
            "gang.scheduling.koordinator.sh/name",
            "gang.scheduling.koordinator.sh/min-available",
            "gang.scheduling.koordinator.sh/groups",
            "scheduling.k8s.io/group-name",
            "scheduling.volcano.sh/group-name",
            "scheduling.volcano.sh/group-min-member",
            "yunikorn.apache.org/app-id",
            "yunikorn.apache.org/task-group-name",
            "yunikorn.apache.org/task-groups",
            "slurmjob.slinky.slurm.net/timelimit",
            "kueue.x-k8s.io/pod-group-total-count",
            "batch.kubernetes.io/job-completion-index");
    private static final List<String> LABELS_OF_OTHERS = List.of(
            "scheduling.x-k8s.io/pod-group",
            "pod-group.scheduling.sigs.k8s.io",
            "pod-group.scheduling.sigs.k8s.io/name",
            "kueue.x-k8s.io/pod-group-name",
            "kueue.x-k8s.io/max-exec-time-seconds",
            "applicationId",
            "jobset.sigs.k8s.io/jobset-name",
            "leaderworkerset.sigs.k8s.io/name",
            "training.kubeflow.org/job-name",
            "ray.io/cluster");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void everyPodGetsAnAnswerOrARefusal(long seed) {
        for (int i = 0; i < 250; i++) {
            Nonsense nonsense = new Nonsense(seed * 1000 + i);
            List<Pod> pods = new ArrayList<>();
            for (int p = 0; p < 1 + nonsense.number(4); p++) {
                pods.add(hostilePod(nonsense, p));
            }

            IntakeResult result = take(objects(List.of(node("n1").build()), pods.toArray(new Pod[0])), Map.of());

            assertReadable(result);
            Set<GangId> answered =
                    result.snapshot().held().stream().map(Pending::gang).collect(Collectors.toCollection(HashSet::new));
            result.snapshot()
                    .requests()
                    .forEach(request -> answered.add(request.gang().id()));
            assertThat(pods)
                    .as("seed %d, case %d", seed, i)
                    .allMatch(one -> answered.contains(Pods.gangOf(one)) || answered.contains(Pods.ownGang(one)));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void readableObjectsCanBePlanned(long seed) {
        for (int i = 0; i < 60; i++) {
            Nonsense nonsense = new Nonsense(seed * 1000 + i);
            List<Node> nodes = IntStream.range(0, 3)
                    .mapToObj(n -> hostileNode(nonsense, "n" + n))
                    .collect(Collectors.toCollection(ArrayList::new));
            nodes.add(node("sound").build());
            List<Pod> pods =
                    IntStream.range(0, 4).mapToObj(p -> hostilePod(nonsense, p)).toList();

            IntakeResult result = take(objects(nodes, pods.toArray(new Pod[0])), Map.of());
            Plan plan = new Planner(LoopSettings.EXACT.policy()).plan(result.snapshot());

            assertReadable(result);
            assertThat(PlanChecker.faults(result.snapshot(), LoopSettings.EXACT.policy(), plan))
                    .isEmpty();
            assertThat(plan.pending())
                    .allSatisfy(pending -> assertThat(
                                    SafeText.line(pending.refusal().message()))
                            .isEqualTo(pending.refusal().message()));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void everyNodeAndNamespaceIsPlannedOnOrWarnedOf(long seed) {
        for (int i = 0; i < 250; i++) {
            Nonsense nonsense = new Nonsense(seed * 1000 + i);
            Node node = hostileNode(nonsense, "n1");
            var namespace = new NamespaceBuilder()
                    .withNewMetadata()
                    .withName("user")
                    .addToAnnotations(AnnotationKeys.BUDGET, nonsense.text())
                    .endMetadata()
                    .build();

            IntakeResult result = take(objects(List.of(node)).withNamespaces(List.of(namespace)), Map.of());

            assertReadable(result);
        }
    }

    private static Pod hostilePod(Nonsense nonsense, int index) {
        Map<String, String> annotations = new HashMap<>();
        List<String> keys =
                new ArrayList<>(AnnotationKeys.POD_ANNOTATIONS.stream().sorted().toList());
        keys.addAll(OF_OTHERS);
        for (int k = 0; k < 1 + nonsense.number(4); k++) {
            annotations.put(nonsense.pick(keys), nonsense.text());
        }
        if (nonsense.number(4) == 0) {
            annotations.put(AnnotationKeys.PREFIX + nonsense.text(), nonsense.text());
        }
        PodBuilder pod =
                pod("p-" + index).editMetadata().withAnnotations(annotations).endMetadata();
        if (nonsense.number(2) == 0) {
            pod.editMetadata().addToLabels(AnnotationKeys.GANG, nonsense.text()).endMetadata();
        }
        if (nonsense.number(4) == 0) {
            pod.editMetadata()
                    .addToLabels(nonsense.pick(LABELS_OF_OTHERS), nonsense.text())
                    .endMetadata();
        }
        return pod.build();
    }

    private static Node hostileNode(Nonsense nonsense, String name) {
        var node = node(name).editMetadata();
        List<String> labels = AnnotationKeys.NODE_LABELS.stream().sorted().toList();
        List<String> annotations =
                AnnotationKeys.NODE_ANNOTATIONS.stream().sorted().toList();
        for (int k = 0; k < 1 + nonsense.number(3); k++) {
            if (nonsense.number(2) == 0) {
                node.addToLabels(nonsense.pick(labels), nonsense.text());
            } else {
                node.addToAnnotations(nonsense.pick(annotations), nonsense.text());
            }
        }
        return node.endMetadata().build();
    }

    private static void assertReadable(IntakeResult result) {
        assertThat(result.warnings()).allSatisfy(warning -> assertReadable(warning.message()));
        for (Pending held : result.snapshot().held()) {
            assertReadable(held.refusal().message());
            assertThat(held.gang().name()).matches(name -> SafeText.isPlain(name, 300));
        }
    }

    private static void assertReadable(String message) {
        assertThat(message).isNotBlank().hasSizeLessThanOrEqualTo(SafeText.LONGEST_LINE);
        assertThat(SafeText.escaped(message)).isEqualTo(message);
    }

    private static String refusal(IntakeResult result) {
        assertThat(result.snapshot().held()).hasSize(1);
        return result.snapshot().held().getFirst().refusal().message();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                AnnotationKeys.GANG_SIZE,
                AnnotationKeys.RUNTIME,
                AnnotationKeys.BUDGET,
                AnnotationKeys.MAX_PRICE,
                AnnotationKeys.DATA_SIZE,
                AnnotationKeys.TIME_WEIGHT,
                AnnotationKeys.TOPOLOGY,
                AnnotationKeys.RESERVATION,
                AnnotationKeys.DEADLINE
            })
    @Timeout(10)
    void aMegabyteIsRefusedByItsKeyItsBeginningAndItsLength(String key) {
        String digits = "9".repeat(1 << 20);

        String message = refusal(take(
                member("g", "g-0", AnnotationKeys.GANG_SIZE, "1", key, digits).build()));

        assertReadable(message);
        assertThat(message)
                .contains(
                        "`" + key + "` (99999",
                        "(1048576 characters)",
                        "pod user/g-0",
                        "expected at most 512 characters");
    }

    @ParameterizedTest
    @CsvSource({"1e-999999999", "1e-99999999", "1e999999999", "1e99999999", "-1e-99999999"})
    @Timeout(5)
    void anAmountThatTakesLongToRoundIsRefused(String amount) {
        assertThat(refusal(take(member("g", "g-0", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.DATA_SIZE, amount)
                        .build())))
                .contains("`slotwise.io/data-size` (" + amount
                        + ") of pod user/g-0 is not valid: expected a number of bytes");
        assertThat(refusal(take(pod("p").editSpec()
                        .editFirstContainer()
                        .editResources()
                        .addToRequests("memory", new Quantity(amount))
                        .endResources()
                        .endContainer()
                        .endSpec()
                        .build())))
                .contains("(" + amount + ") of memory is not valid");
    }

    @Test
    @Timeout(10)
    void anUnreadableGangNameIsRefusedByItsKey() {
        IntakeResult result = take(pod("p").editMetadata()
                .addToAnnotations("gang.scheduling.koordinator.sh/name", "\u001b[2Jg".repeat(100_000))
                .addToAnnotations("gang.scheduling.koordinator.sh/min-available", "1")
                .endMetadata()
                .build());

        assertReadable(refusal(result));
        assertThat(refusal(result))
                .contains("`gang.scheduling.koordinator.sh/name` (\\u001b[2Jg", "expected a name of at most 253");
        assertThat(result.snapshot().held().getFirst().gang().name()).matches("unreadable-[0-9a-f]+");
    }

    @ParameterizedTest
    @ValueSource(strings = {"größe", "名前", "שלום", "مرحبا", "Ζεύς"})
    void aGangMayHaveANameOfAnyAlphabet(String name) {
        IntakeResult result = take(pod("p").editMetadata()
                .addToAnnotations("gang.scheduling.koordinator.sh/name", name)
                .addToAnnotations("gang.scheduling.koordinator.sh/min-available", "1")
                .endMetadata()
                .build());

        assertThat(result.snapshot().requests())
                .singleElement()
                .satisfies(request -> assertThat(request.gang().id().name()).isEqualTo(name));
    }

    @ParameterizedTest
    @ValueSource(ints = {5_000, 10_000})
    @Timeout(60)
    void aGangOfTenThousandIsRefusedAndOneOfHalfTheSizePlanned(int size) {
        String stated = Integer.toString(size);
        List<Pod> pods = IntStream.range(0, size)
                .mapToObj(i -> member("g", "g-" + i, AnnotationKeys.GANG_SIZE, stated, AnnotationKeys.RUNTIME, "1h")
                        .build())
                .toList();
        List<Node> nodes =
                IntStream.range(0, 2500).mapToObj(i -> node("n" + i).build()).toList();

        IntakeResult result = take(objects(nodes, pods.toArray(new Pod[0])), Map.of());
        Plan plan = new Planner(LoopSettings.EXACT.policy()).plan(result.snapshot());

        if (size == 5_000) {
            assertThat(plan.windows())
                    .singleElement()
                    .satisfies(
                            planned -> assertThat(planned.window().placements()).hasSize(size));
        } else {
            assertThat(plan.pending())
                    .singleElement()
                    .satisfies(pending -> assertThat(pending.refusal().message())
                            .contains("10000 pods", "do not fit into one Reservation"));
        }
    }

    @Test
    @Timeout(30)
    void tenThousandPodsThatDisagreeAreRefusedInOneLine() {
        Pod[] pods = IntStream.range(0, 10_000)
                .mapToObj(i -> member("g", "g-" + i, AnnotationKeys.GANG_SIZE, "10000", AnnotationKeys.BUDGET, "" + i)
                        .build())
                .toArray(Pod[]::new);

        String message = refusal(take(pods));

        assertReadable(message);
        assertThat(message).contains("`slotwise.io/budget` differs: 0 of pod user/g-0, 1 of pod user/g-1");
    }

    @Test
    void manyUnknownKeysAreNotAsManyWarnings() {
        var node = node("n1").editMetadata();
        for (int i = 0; i < 10_000; i++) {
            node.addToAnnotations(AnnotationKeys.PREFIX + "k" + i, "v");
        }

        IntakeResult result = take(objects(List.of(node.endMetadata().build())), Map.of());

        assertThat(result.warnings()).hasSizeBetween(1, 20);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1@2030-01-01T08:00:00Z/PT1H;|101|expected at most 100 items",
                "1@* * * * */PT1S;|100|expected at most 100000 intervals in the time that is planned",
                "1@2030-01-01T08:00:00Z/PT1H;|100000|expected at most 65536 characters"
            })
    @Timeout(20)
    void aCalendarHasBounds(String item, int times, String expected) {
        IntakeResult result = take(
                objects(List.of(node("n1")
                        .editMetadata()
                        .addToAnnotations(AnnotationKeys.PRICE_CALENDAR, item.repeat(times))
                        .endMetadata()
                        .build())),
                Map.of());

        assertThat(result.warnings()).singleElement().satisfies(warning -> {
            assertReadable(warning.message());
            assertThat(warning.message())
                    .contains("`slotwise.io/price-calendar`", "node n1", expected, "nothing is planned on this node");
        });
    }

    @Test
    @Timeout(20)
    void aListOfTimesHasABound() {
        IntakeResult result = take(
                objects(List.of(node("n1")
                        .editMetadata()
                        .addToAnnotations(AnnotationKeys.UNAVAILABLE, "2030-01-01T08:00:00Z/PT1H,".repeat(1001))
                        .endMetadata()
                        .build())),
                Map.of());

        assertThat(result.warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning.message()).contains("expected at most 1000 intervals"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NaN",
                "Infinity",
                "-1",
                "1e400",
                "-1e400",
                "1e-400",
                "1e2147483647",
                "1e-2147483647",
                "0x10",
                "1,5",
                "1000000.000001"
            })
    void aPriceIsADecimalInItsBounds(String price) {
        IntakeResult result = take(
                objects(List.of(node("n1")
                        .editMetadata()
                        .addToLabels(AnnotationKeys.PRICE, price)
                        .endMetadata()
                        .build())),
                Map.of());

        assertThat(result.warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning.message())
                        .contains("`slotwise.io/price` (" + price + ") of node n1 is not valid: expected"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+1000000000-12-31T23:59:59Z",
                "-0001-01-01T00:00:00Z",
                "2030-01-01T00:00:00+99:00",
                "2030-01-01T00:00:00[Europe/Paris]",
                "2030-02-30T00:00:00Z",
                "2030-01-01"
            })
    void anInstantIsOneOfTheCalendar(String instant) {
        assertThatThrownBy(() -> Intervals.parseDown(instant)).hasMessageContaining("expected an RFC 3339 instant");
    }

    @Test
    void overlapsAreOneIntervalAndTheFirstPriceWins() {
        assertThat(Intervals.parseList("2030-01-01T08:00:00Z/PT4H,2030-01-01T09:00:00Z/PT1H,2030-01-01T11:00:00Z/PT2H"))
                .containsExactly(Intervals.parse("2030-01-01T08:00:00Z/PT5H"));
        assertThat(PriceCalendar.parse("5@2030-01-01T08:00:00Z/PT4H;7@2030-01-01T08:00:00Z/PT6H")
                        .over(1, NOW, NOW + 86_400)
                        .at(NOW + 9 * 3600))
                .isEqualTo(5_000_000);
    }
}
