package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A gang in an online mode under its namespace's budget, and a tariff in a time zone, on the real API server. */
@RealControlPlane
class DomainsAndTariffsIT {
    private final ControlPlane plane;
    private final Cluster cluster;

    DomainsAndTariffsIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
    }

    @Test
    void aGangTakesAnAffordableDomainAndPaysByTheNodesTimeZone() {
        Installation chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
        try (SlotwiseProcess slotwise = chart.startSlotwise()) {
            assertThat(slotwise.url()).isNotNull();
            // The gang costs 0.375 on the fast node, and 0.25 on the slow one.
            Scenario rich = new Scenario(cluster, "rich");
            Scenario poor = new Scenario(cluster, "poor");
            new NamespaceLedger(cluster, "poor").setBudget("0.3/day");
            for (Scenario scenario : new Scenario[] {rich, poor}) {
                node(scenario, "slow", Map.of("topology.kubernetes.io/zone", "a", "slotwise.io/price", "2"));
                node(
                        scenario,
                        "fast",
                        Map.of(
                                "topology.kubernetes.io/zone",
                                "b",
                                "slotwise.io/price",
                                "12",
                                "slotwise.io/performance",
                                "4"));
            }
            GangSpec free = online(rich);
            GangSpec bound = online(poor);

            cluster.submitAsPods(free);
            cluster.submitAsPods(bound);

            rich.awaitWhole(free, 40);
            poor.awaitWhole(bound, 40);
            assertThat(cluster.promisedNodes(free).values()).containsExactly("rich-fast");
            assertThat(cluster.promisedNodes(bound).values()).containsExactly("poor-slow");

            // Two hours from an hour ago by the clock in Kolkata, which differs from UTC by half an hour more than
            // whole hours.
            Scenario tariff = new Scenario(cluster, "tariff");
            ZonedDateTime hourAgo =
                    Scenario.now().atZone(ZoneId.of("Asia/Kolkata")).minusHours(1);
            String calendar =
                    "CRON_TZ=Asia/Kolkata 1.5@%d %d * * */PT2H".formatted(hourAgo.getMinute(), hourAgo.getHour());
            cluster.node("tariff-n1", 4, "9", "tariff", Map.of("slotwise.io/price-calendar", calendar));
            GangSpec paying = tariff.gang("paying", 1, 4000, 600);

            cluster.submitAsPods(paying);

            tariff.awaitWhole(paying, 40);
            String cost = Objects.requireNonNull(cluster.reservation(paying)).get("spec", "window", "cost");
            assertThat(cost).isEqualTo("0.250000");
        }
    }

    private static GangSpec online(Scenario scenario) {
        return scenario.gang("online", 1, 3000, 600)
                .with("mode", "emct")
                .with("time-weight", "1")
                .with("cost-weight", "0");
    }

    private void node(Scenario scenario, String speed, Map<String, String> labels) {
        Map<String, String> all = new HashMap<>(labels);
        all.put("it.slotwise.io/pool", scenario.namespace());
        cluster.client()
                .resource(Workload.node(scenario.namespace() + "-" + speed, 4, 16, all))
                .create();
    }
}
