package io.slotwise.kubernetes.manifest.inquiry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.InvalidField;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InquiryTest {
    private static final long NOW = 1_893_456_000L;

    private static Gang gang(Map<String, String> fields) {
        return new Inquiry(LoopSettings.EXACT).gang(fields, NOW);
    }

    @Test
    void isReadAsThePodsOfSuchAGangWouldBe() {
        Gang gang = gang(Map.of(
                "namespace", "research",
                "size", "3",
                "cpu", "500m",
                "memory", "1Gi",
                "nvidia.com/gpu", "1",
                "runtime", "1h30m",
                "budget", "2.5",
                "criterion", "cost",
                "deadline", "2030-01-02T00:00:00Z",
                "node-selector", "kind=fast,zone=a"));

        assertThat(gang.id()).hasToString("research/quote");
        assertThat(gang.pods()).containsExactly("quote-0", "quote-1", "quote-2");
        assertThat(gang.runtime()).isEqualTo(5400);
        assertThat(gang.budget().total()).isEqualTo(Money.parse("2.5"));
        assertThat(gang.criterion()).isEqualTo(Criterion.COST);
        assertThat(gang.deadline())
                .isEqualTo(Instant.parse("2030-01-02T00:00:00Z").getEpochSecond());
        assertThat(gang.request().resources())
                .isEqualTo(Resources.of(
                        Map.of("cpu", 500L, "memory", 1L << 30, "nvidia.com/gpu", 1L, Resources.PODS, 1L)));
        assertThat(gang.request().constraint().selector()).isEqualTo(Map.of("kind", "fast", "zone", "a"));
    }

    @Test
    void aQuestionIsTheGangThatPodsWithTheseWordsWouldBe() {
        Random random = new Random(11);
        Map<String, List<String>> words = Map.ofEntries(
                Map.entry("runtime", List.of("90s", "1h30m", "7d")),
                Map.entry("budget", List.of("2.5", "0")),
                Map.entry("max-price", List.of("0.125", "3")),
                Map.entry("criterion", Criterion.keys()),
                Map.entry("value-of-time", List.of("1.5", "2.5 until 2030-01-01T18:00:00Z")),
                Map.entry("preferred-start", List.of("2030-01-01T14:00:00Z", "2030-01-01T14:00:00Z weight 2")),
                Map.entry("preferred-cost", List.of("5", "5 weight 0.25")),
                Map.entry("earliest-start", List.of("2030-01-01T01:00:00Z")),
                Map.entry("deadline", List.of("2030-01-02T00:00:00Z")),
                Map.entry("topology", List.of("topology.kubernetes.io/zone")),
                Map.entry("topology-preferred", List.of("topology.kubernetes.io/zone")),
                Map.entry("max-per-node", List.of("1", "3")),
                Map.entry("lockstep", List.of("true", "false")));
        for (int i = 0; i < 300; i++) {
            Map<String, String> terms = new TreeMap<>();
            new TreeMap<>(words).forEach((word, values) -> {
                if (random.nextBoolean()) {
                    terms.put(word, values.get(random.nextInt(values.size())));
                }
            });
            if (terms.containsKey("max-price") && random.nextBoolean()) {
                terms.put("price-limit", "slot");
            }
            boolean prefers = terms.keySet().stream().anyMatch(word -> word.startsWith("preferred-"));
            if (terms.containsKey("criterion")
                    && prefers != terms.get("criterion").equals("preference")) {
                terms.remove("criterion");
            }
            int size = 1 + random.nextInt(12);
            Map<String, String> fields = new TreeMap<>(terms);
            fields.put("size", Integer.toString(size));
            fields.put("cpu", "250m");
            fields.put("node-selector", "kind=fast");

            assertThat(gang(fields)).isEqualTo(ofPods(terms, size));
            assertThat(gang(new Inquiry(LoopSettings.EXACT).fields(gang(fields))))
                    .isEqualTo(gang(fields));
        }
    }

    private static Gang ofPods(Map<String, String> terms, int size) {
        Map<String, String> annotations = new TreeMap<>();
        annotations.put(AnnotationKeys.GANG_SIZE, Integer.toString(size));
        terms.forEach((word, text) -> annotations.put(AnnotationKeys.PREFIX + word, text));
        List<Pod> pods = IntStream.range(0, size)
                .mapToObj(i -> new PodBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("quote-" + i)
                        .addToLabels(AnnotationKeys.GANG, "quote")
                        .withAnnotations(i == 0 ? annotations : Map.of())
                        .endMetadata()
                        .withNewSpec()
                        .withSchedulerName(PodFilter.FILES.schedulerName())
                        .withNodeSelector(Map.of("kind", "fast"))
                        .addNewContainer()
                        .withNewResources()
                        .withRequests(Map.of("cpu", new Quantity("250m")))
                        .endResources()
                        .endContainer()
                        .endSpec()
                        .build())
                .toList();
        IntakeResult result = new Intake(LoopSettings.EXACT, PriceCatalogue.bundled(), PodFilter.FILES)
                .take(ClusterObjects.NONE.withPods(pods), Map.of(), NOW);
        assertThat(result.snapshot().held()).isEmpty();
        return result.snapshot().requests().getFirst().gang();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "budget|much|`budget` (much) is not valid: expected a decimal number such as 1.25",
                "runtime|soon|`runtime` (soon) is not valid: expected a duration in whole seconds",
                "criterion|speed|`criterion` (speed) is not valid: expected start or finish",
                "size|0|`size` (0) is not valid: expected a whole number from 1 to 10000",
                "size|10001|`size` (10001) is not valid: expected a whole number from 1 to 10000",
                "cpu|lots|`cpu` (lots) is not valid: expected a number such as 500m, 2 or 4Gi",
                "colour|red|`colour` (red) is not known: expected one of after, after-transfer, budget, cpu",
                "namespace|A B|`namespace` (A B) is not valid: expected a name of lower-case letters",
                "node-selector|fast|`node-selector` (fast) is not valid: expected KEY=VALUE",
                "max-per-node|0|`max-per-node` (0) is not valid",
                "cpu|-1|the quantity (-1) of cpu is not valid: expected between 0 and",
                "price-limit|slot|`price-limit` (slot) needs `max-price`: expected the highest price per hour and pod",
                "budget|of pod default/quote-0|`budget` (of pod default/quote-0) is not valid: expected "
                        + "a decimal number"
            })
    void aFieldThatCannotBeReadIsNamedWithItsValue(String field, String value, String message) {
        assertThatThrownBy(() -> gang(
                        field.equals("size")
                                ? Map.of(field, value)
                                : Map.of("size", "2", "memory", "1Gi", field, value)))
                .isInstanceOfSatisfying(
                        InvalidField.class, e -> assertThat(e.field()).isEqualTo(field))
                .hasMessageStartingWith(message)
                .message()
                .doesNotContain("of pod default/quote-0 is", "slotwise.io/");
    }

    @Test
    void theSizeIsMissed() {
        assertThatThrownBy(() -> gang(Map.of("cpu", "1"))).hasMessage("`size` is missing: expected the number of pods");
    }
}
