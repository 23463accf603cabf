package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A namespace's budget and its ledger on the real API server, with the roles and the schema of the chart. */
@RealControlPlane
class NamespaceBudgetIT {
    private static final ResourceDefinitionContext LEDGERS = new ResourceDefinitionContext.Builder()
            .withGroup("slotwise.io")
            .withVersion("v1alpha1")
            .withKind("Ledger")
            .withPlural("ledgers")
            .withNamespaced(true)
            .build();

    private final ControlPlane plane;
    private final Cluster cluster;

    NamespaceBudgetIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
    }

    @Test
    void aGangWaitsUntilAnEarlyEndRefundsEnoughForIt() {
        Installation chart = Installation.install(plane, Map.of("policy.turnover", "3s"));
        try (SlotwiseProcess slotwise = chart.startSlotwise();
                KubeScheduler scheduler = chart.startScheduler(slotwise.url())) {
            assertThat(scheduler).isNotNull();
            waitForTheGate();
            Scenario scenario = new Scenario(cluster, "budgeted").withNodes(2);
            setBudget("0.025/month");
            GangSpec first = scenario.gang("first", 2, 3000, 40).runningFor(8);
            GangSpec second = scenario.gang("second", 2, 3000, 40).runningFor(8);

            cluster.submitAsPods(first);
            scenario.awaitWhole(first, 40);
            cluster.submitAsPods(second);

            scenario.awaitPending(second, "OverBudget", 20);
            assertThat(cluster.condition(second, "Planned"))
                    .contains("no window within the budget of namespace budgeted");
            Scenario.within("the ledger to hold the first gang", 10).untilAsserted(() -> {
                assertThat(figure("exactHeld")).isPositive();
                assertThat(figure("exactSpent")).isZero();
                assertThat(entries())
                        .singleElement()
                        .satisfies(entry -> assertThat(entry)
                                .containsEntry("gang", "first")
                                .containsEntry("uid", uid(first))
                                .doesNotContainKey("endedAt"));
            });

            long promised = figure("exactHeld");
            scenario.awaitWhole(second, 40);
            long charged = charged();
            assertThat(charged).isPositive().isLessThan(promised * 3 / 4);
            Scenario.within("the ledger to hold the second gang", 10)
                    .untilAsserted(() -> assertThat(figure("exactHeld")).isEqualTo(promised));

            cluster.client().pods().inNamespace("budgeted").withGracePeriod(0).delete();
            Scenario.within("the Reservations to go", 30)
                    .untilAsserted(
                            () -> assertThat(cluster.reservations("budgeted")).isEmpty());
            assertThat(figure("exactHeld")).isZero();
            assertThat(figure("exactSpent")).isEqualTo(charged()).isGreaterThan(charged);
            assertThat(entries()).hasSize(2);
        }
    }

    private void waitForTheGate() {
        cluster.namespace("probe");
        Scenario.within("the admission policy to be in force", 20).until(() -> {
            Pod probe = cluster.client()
                    .resource(new PodBuilder(Workload.pod("probe", "unused", "slotwise", 100, 64))
                            .editMetadata()
                            .withName(null)
                            .withGenerateName("probe-")
                            .endMetadata()
                            .build())
                    .create();
            cluster.client().resource(probe).withGracePeriod(0).delete();
            return !probe.getSpec().getSchedulingGates().isEmpty();
        });
    }

    private void setBudget(String budget) {
        cluster.client()
                .namespaces()
                .withName("budgeted")
                .edit(namespace -> new NamespaceBuilder(namespace)
                        .editMetadata()
                        .addToAnnotations("slotwise.io/budget", budget)
                        .endMetadata()
                        .build());
        Scenario.within("the ledger to show the budget", 10).untilAsserted(() -> {
            GenericKubernetesResource ledger = ledger();
            assertThat(ledger).isNotNull();
            assertThat(Objects.requireNonNull(ledger).<String>get("spec", "budget"))
                    .isEqualTo(budget);
        });
    }

    private @Nullable GenericKubernetesResource ledger() {
        return cluster.client()
                .genericKubernetesResources(LEDGERS)
                .inNamespace("budgeted")
                .withName("slotwise")
                .get();
    }

    private long figure(String name) {
        List<Map<String, Object>> periods = Objects.requireNonNull(ledger()).get("spec", "periods");
        return exact(periods.getFirst(), name);
    }

    private static long exact(Map<String, Object> row, String name) {
        return ((Number) Objects.requireNonNull(row.get(name), name)).longValue();
    }

    private List<Map<String, Object>> entries() {
        return Objects.requireNonNull(ledger()).get("spec", "entries");
    }

    private long charged() {
        return entries().stream()
                .filter(entry -> entry.containsKey("endedAt"))
                .mapToLong(entry -> exact(entry, "exactCharged") + exact(entry, "exactOverrun"))
                .sum();
    }

    private String uid(GangSpec gang) {
        return Objects.requireNonNull(cluster.reservation(gang)).getMetadata().getUid();
    }
}
