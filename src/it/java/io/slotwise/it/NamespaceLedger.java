package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A namespace's budget and its ledger. Exact amounts are 1/3600 millionths of the currency unit. */
final class NamespaceLedger {
    private static final ResourceDefinitionContext LEDGERS = new ResourceDefinitionContext.Builder()
            .withGroup("slotwise.io")
            .withVersion("v1alpha1")
            .withKind("Ledger")
            .withPlural("ledgers")
            .withNamespaced(true)
            .build();

    private final Cluster cluster;
    private final String namespace;

    NamespaceLedger(Cluster cluster, String namespace) {
        this.cluster = cluster;
        this.namespace = namespace;
    }

    void setBudget(String budget) {
        cluster.annotateNamespace(namespace, "slotwise.io/budget", budget);
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
                .inNamespace(namespace)
                .withName("slotwise")
                .get();
    }

    /** The amount held for windows of the present period. */
    long held() {
        return figure("exactHeld");
    }

    /** The amount spent in the present period. */
    long spent() {
        return figure("exactSpent");
    }

    private long figure(String name) {
        return exact(period(), name);
    }

    Instant since() {
        return Instant.parse(String.valueOf(period().get("start")));
    }

    private Map<String, Object> period() {
        List<Map<String, Object>> periods = Objects.requireNonNull(ledger()).get("spec", "periods");
        return periods.getFirst();
    }

    /** The sum of the payments of all recorded days. */
    long paid() {
        List<Map<String, Object>> days = Objects.requireNonNull(ledger()).get("spec", "days");
        return days.stream().mapToLong(day -> exact(day, "exactSpent")).sum();
    }

    /** The entries, one for each run. Empty before the ledger is written. */
    List<Map<String, Object>> entries() {
        GenericKubernetesResource there = ledger();
        return there == null ? List.of() : there.get("spec", "entries");
    }

    /** The sum of the charges of all ended runs. */
    long charged() {
        return entries().stream()
                .filter(entry -> entry.containsKey("endedAt"))
                .mapToLong(entry -> exact(entry, "exactCharged") + exact(entry, "exactOverrun"))
                .sum();
    }

    static long exact(Map<String, Object> row, String name) {
        return ((Number) Objects.requireNonNull(row.get(name), name)).longValue();
    }
}
