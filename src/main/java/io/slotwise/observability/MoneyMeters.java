package io.slotwise.observability;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The meters of money: costs and budgets of gangs, and income of nodes. */
record MoneyMeters(MeterRegistry registry) {
    /** Registers series as zero: the first gang of a namespace or owner is only visible as an increase from zero. */
    void expect(Snapshot snapshot, Collection<GangRecord> records) {
        snapshot.cluster().inventory().stream().map(Node::owner).distinct().forEach(this::income);
        records.stream().map(record -> record.gang().namespace()).distinct().forEach(this::cost);
        records.stream()
                .filter(record -> record.terms().budget() != null)
                .map(record -> record.gang().namespace())
                .distinct()
                .forEach(this::budget);
    }

    private Counter cost(String namespace) {
        return money(
                "slotwise_gang_cost",
                "what started gangs were promised to cost, and what advance reservations cost",
                "namespace",
                namespace);
    }

    private Counter budget(String namespace) {
        return money("slotwise_gang_budget", "the budgets of started gangs that have one", "namespace", namespace);
    }

    private Counter income(String owner) {
        return money("slotwise_owner_income", "what nodes earn by started gangs", "owner", owner);
    }

    private Counter money(String name, String description, String key, String value) {
        return Counter.builder(name).description(description).tag(key, value).register(registry);
    }

    /** Returns currency units. */
    static double units(Cost cost) {
        return cost.exact().doubleValue() / 3600.0 / Money.MICROS_PER_UNIT;
    }

    /** Records the start of a gang in this window. */
    void started(GangRecord record, Window window, Cluster cluster) {
        String namespace = record.gang().namespace();
        cost(namespace).increment(units(window.cost()));
        Money budget = record.terms().budget();
        if (budget != null && record.history().history() == null) {
            budget(namespace).increment((double) budget.micros() / Money.MICROS_PER_UNIT);
        }
        Map<String, String> owners = owners(cluster);
        window.placements().forEach(placement -> income(placement, placement.cost(), owners));
    }

    /** Counts the seconds for which the room was really kept. */
    void held(GangRecord record, Cluster cluster) {
        Promise promise = record.promise();
        if (promise == null) {
            return;
        }
        Window window = promise.window();
        long endedAt = record.history().endedAt().orElse(window.end());
        Map<String, String> owners = owners(cluster);
        record.tariff().kept(window, endedAt).forEach((placement, cost) -> {
            cost(record.gang().namespace()).increment(units(cost));
            income(placement, cost, owners);
        });
    }

    private static Map<String, String> owners(Cluster cluster) {
        Map<String, String> owners = new HashMap<>();
        cluster.inventory().forEach(node -> owners.put(node.name(), node.owner()));
        return owners;
    }

    private void income(Placement placement, Cost cost, Map<String, String> owners) {
        income(owners.getOrDefault(placement.node(), "unknown")).increment(units(cost));
    }
}
