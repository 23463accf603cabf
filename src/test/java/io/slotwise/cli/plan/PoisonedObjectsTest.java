package io.slotwise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slotwise.cli.remote.WhyText;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Period;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.Steps;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.InvalidManifest;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.report.JsonReport;
import io.slotwise.report.Terminal;
import io.slotwise.testing.Nonsense;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.PoisonedObjects;
import io.slotwise.testing.Usual;
import io.slotwise.testing.WholeReplica;
import io.slotwise.web.GangAnswer;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Whole objects with absurd fields among honest ones. Proves that nothing throws, that the steps are bounded, and that
 * the honest gangs are planned as without the others. {@code -Dslotwise.poison.objects=20000 -Dslotwise.poison.seed=7}
 * sets number and seed.
 */
class PoisonedObjectsTest {
    private static final int AT_ONCE = 20;
    /** The largest number of failing batches that are shown. */
    private static final int MOST_SHOWN = 4;

    /** The frames of a stack trace to show, since a long message may hide them. */
    private static final int FRAMES = 6;

    private static final long NOW = Instant.parse("2030-01-01T00:00:00Z").getEpochSecond();
    private static final String HONEST = "honest";
    private static final PriceCatalogue PRICES =
            PriceCatalogue.read(new StringReader(PoisonedObjects.CATALOGUE), "prices.csv");
    private static final List<LoopSettings> SETTINGS = List.of(
            LoopSettings.EXACT,
            under(Policy.EXACT.withQueue(Policy.EXACT.queue().by(Policy.Order.FAIR))),
            under(Policy.EXACT.withCharge(Policy.Charge.WHOLE_NODE)),
            under(Policy.EXACT
                    .withPreemption(Policy.Preempting.RUNNING)
                    .withMigration(new MigrationPolicy(MigrationPolicy.Reach.EXTERNAL, 1, 300, 60))),
            under(Policy.EXACT.withBackfill(Policy.Backfill.EASY)),
            under(Policy.EXACT
                    .withProvisioning(new Provisioning(
                            Provisioning.Mode.PLAN,
                            10,
                            new Provisioning.Spending(new Money(1_000_000_000_000_000L), Period.WEEK),
                            Provisioning.MOST_RISK))
                    .withSlack(PromiseSlack.DEFAULT)));

    private final ClusterObjects honest = read(honest());

    @Test
    void honestGangsArePlannedAsIfThePoisonedObjectsWereNotThere() {
        List<Map<GangId, Object>> expected = SETTINGS.stream()
                .map(settings -> honestPart(plan(honest, settings)))
                .toList();
        assertThat(expected.getFirst().values()).hasSize(6).hasAtLeastOneElementOfType(Pending.class);

        forEachBatch((which, made) -> {
            ClusterObjects all = honest.plus(read(text(once(made))));

            Map<Steps.Kind, Long> steps = Steps.byKind(
                    () -> assertThat(honestPart(plan(all, SETTINGS.get(which)))).isEqualTo(expected.get(which)));
            assertThat(CostlyObjectsTest.above(steps, all.pods().size())).isEmpty();
        });
    }

    /** From the watch to the records, as in a replica: in the first cycle, and in the next one. */
    @Test
    void aReplicaPlansHonestGangsAsWithoutThePoisonedObjects() {
        List<List<Map<GangId, Object>>> expected =
                SETTINGS.stream().map(settings -> cycles(settings, "")).toList();
        assertThat(expected.getFirst().getFirst().values())
                .hasSize(6)
                .filteredOn(Window.class::isInstance)
                .hasSize(5);

        forEachBatch((which, made) ->
                assertThat(cycles(SETTINGS.get(which), text(made))).isEqualTo(expected.get(which)));
    }

    @Test
    void aRowOfThePriceCatalogueIsReadOrRefusedInOneLine() {
        int rows = Integer.getInteger("slotwise.poison.objects", 2000) / AT_ONCE;
        Nonsense nonsense = new Nonsense(Long.getLong("slotwise.poison.seed", 1));
        for (int i = 0; i < rows; i++) {
            String row = IntStream.range(0, 5 + nonsense.number(2))
                    .mapToObj(_ -> nonsense.text())
                    .collect(Collectors.joining(","));
            try {
                PriceCatalogue.read(new StringReader(PoisonedObjects.CATALOGUE + row), "prices.csv");
            } catch (InvalidManifest refusal) {
                assertThat(refusal.getMessage()).startsWith("prices.csv");
            }
        }
    }

    private void forEachBatch(BiConsumer<Integer, List<ObjectNode>> check) {
        int objects = Integer.getInteger("slotwise.poison.objects", 2000);
        long seed = Long.getLong("slotwise.poison.seed", 1);
        List<String> failures = new ArrayList<>();
        for (int i = 0; i < objects / AT_ONCE && failures.size() < MOST_SHOWN; i++) {
            PoisonedObjects poisoned = new PoisonedObjects(seed * 1_000_003 + i, "x");
            List<ObjectNode> made =
                    IntStream.range(0, AT_ONCE).mapToObj(_ -> poisoned.next()).toList();
            try {
                check.accept(i % SETTINGS.size(), made);
            } catch (RuntimeException | AssertionError e) {
                failures.add("seed %d, batch %d: %s at %s:\n%s"
                        .formatted(seed, i, e, List.of(e.getStackTrace()).subList(0, FRAMES), text(made)));
            }
        }
        assertThat(failures).isEmpty();
    }

    /** A file has only one record of a name, while a replica sees them all, each replacing the last. */
    private static List<ObjectNode> once(List<ObjectNode> made) {
        Set<String> names = new HashSet<>();
        return made.stream()
                .filter(object -> !object.path("kind").asText().equals("Reservation")
                        || names.add(object.at("/metadata/namespace").asText() + "/"
                                + object.at("/metadata/name").asText()))
                .toList();
    }

    private static String text(List<ObjectNode> objects) {
        return objects.stream().map(ObjectNode::toString).collect(Collectors.joining("\n"));
    }

    private static List<Map<GangId, Object>> cycles(LoopSettings settings, String poison) {
        List<Map<GangId, Object>> cycles = new ArrayList<>();
        try (WholeReplica replica = new WholeReplica(settings, PRICES, Instant.ofEpochSecond(NOW))) {
            replica.seeing(poison).seeing(honest());
            for (int cycle = 0; cycle < 2; cycle++) {
                replica.cycle();
                assertThat(replica.notices())
                        .noneMatch(notice -> notice.reason().equals(IntakeWarning.Reason.INTERNAL_ERROR.key()));
                cycles.add(honestPart(replica.records()));
                for (GangAnswer answer : replica.answers()) {
                    assertThat(WhyText.of(answer, new Terminal(120, false, true)))
                            .isNotBlank();
                }
                replica.pass(Duration.ofSeconds(1));
            }
        }
        return cycles;
    }

    private static Map<GangId, Object> honestPart(Collection<GangRecord> records) {
        Map<GangId, Object> parts = new TreeMap<>();
        for (GangRecord record : records) {
            if (record.gang().namespace().equals(HONEST)) {
                parts.put(
                        record.gang(),
                        record.promise() == null
                                ? record.plannedAspect().message()
                                : record.promise().window());
            }
        }
        return parts;
    }

    private static LoopSettings under(Policy policy) {
        return Usual.settings(
                policy,
                10,
                1,
                3600,
                LoopSettings.Overrun.EXTEND,
                60,
                10,
                LoopSettings.MemberLoss.CONTINUE,
                3600,
                900,
                Criterion.START,
                0);
    }

    /** Plans as {@code slotwise plan} does, with all output. */
    private static FilePlan plan(ClusterObjects objects, LoopSettings settings) {
        FilePlan planning = FilePlan.of(objects, settings, PRICES, NOW);
        assertThat(PlanChecker.faults(planning.result().snapshot(), settings.policy(), planning.plannersPlan()))
                .isEmpty();
        assertThat(planning.table(new Terminal(120, false, true))).isNotEmpty();
        assertThat(JsonReport.write(planning.report(), List.of())).isNotEmpty();
        assertThat(planning.result().warnings())
                .noneMatch(warning -> warning.reason() == IntakeWarning.Reason.INTERNAL_ERROR);
        planning.plan()
                .pending()
                .forEach(pending -> assertThat(pending.refusal()).isNotInstanceOf(Refusal.Failed.class));
        planning.plan()
                .pending()
                .forEach(pending -> assertThat(SafeText.line(pending.refusal().message()))
                        .isNotBlank()
                        .isEqualTo(pending.refusal().message()));
        return planning;
    }

    /** The window or the reason of every honest gang. */
    private static Map<GangId, Object> honestPart(FilePlan planning) {
        Map<GangId, Object> parts = new TreeMap<>();
        planning.plan().windows().stream()
                .map(planned -> planned.window())
                .filter(window -> window.gang().namespace().equals(HONEST))
                .forEach((Window window) -> parts.put(window.gang(), window));
        planning.plan().pending().stream()
                .filter(pending -> pending.gang().namespace().equals(HONEST))
                .forEach(pending -> parts.put(pending.gang(), pending));
        return parts;
    }

    private static ClusterObjects read(String text) {
        return ManifestFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "objects.json");
    }

    /**
     * Two kinds of nodes that poisoned pods may not use, a budget that does not pay for all, and a gang of each kind.
     */
    private static String honest() {
        List<String> objects = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            objects.add("""
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "honest-%d", "labels": {"pool": "honest",
                  "slotwise.io/price": "%d", "slotwise.io/performance": "%d", "slotwise.io/watts": "200"}},
                 "status": {"allocatable": {"cpu": "8", "memory": "32Gi", "pods": "110"}}}
                """.formatted(i, 1 + i % 2, 1 + i % 2));
        }
        objects.add("""
            {"apiVersion": "v1", "kind": "Namespace",
             "metadata": {"name": "honest", "annotations": {"slotwise.io/budget": "20/month"}}}
            """);
        objects.add("""
            {"apiVersion": "slotwise.io/v1alpha1", "kind": "Ledger", "metadata": {"name": "slotwise", "namespace": "honest"},
             "spec": {"periods": [], "days": [{"date": "2029-12-30", "exactSpent": 3600000000, "exactOverrun": 0}], "entries": []}}
            """);
        objects.add(gang("early", 3, "\"slotwise.io/runtime\": \"1h\""));
        objects.add(gang("cheap", 2, "\"slotwise.io/runtime\": \"2h\", \"slotwise.io/criterion\": \"cost\""));
        objects.add(gang("lean", 2, "\"slotwise.io/runtime\": \"1h\", \"slotwise.io/criterion\": \"energy\""));
        objects.add(gang("stepwise", 4, "\"slotwise.io/runtime\": \"3h\", \"slotwise.io/lockstep\": \"true\""));
        objects.add(gang("broke", 2, "\"slotwise.io/runtime\": \"4h\", \"slotwise.io/budget\": \"0.01\""));
        objects.add(gang("online", 1, "\"slotwise.io/runtime\": \"1h\", \"slotwise.io/mode\": \"emct\""));
        return String.join("\n", objects);
    }

    private static String gang(String name, int size, String annotations) {
        return IntStream.range(0, size)
                .mapToObj(i -> """
                    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s-%d", "namespace": "honest",
                      "creationTimestamp": "2029-12-31T23:00:00Z", "labels": {"slotwise.io/gang": "%s"},
                      "annotations": {"slotwise.io/gang-size": "%d", %s}},
                     "spec": {"schedulerName": "slotwise", "nodeSelector": {"pool": "honest"},
                      "containers": [{"name": "c", "resources": {"requests": {"cpu": "3", "memory": "1Gi"}}}]}}
                    """.formatted(name, i, name, size, annotations))
                .collect(Collectors.joining("\n"));
    }
}
