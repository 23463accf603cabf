package io.slotwise.it;

import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Some minutes of gangs of three teams on each other's nodes, as the load behind the pictures of dashboards. */
final class BackgroundLoad {
    private static final List<String> TEAMS = List.of("team-vision", "team-speech", "team-weather");
    private static final String POOL = "shared";
    private static final int NODES = 3;
    private static final int GANGS = 48;
    private static final int SECONDS_BETWEEN = 5;

    private final Cluster cluster;
    private final RandomGenerator random =
            RandomGeneratorFactory.of("L64X128MixRandom").create(1);

    BackgroundLoad(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Runs the load. Returns after the last gang's promise. */
    void pass() {
        for (String team : TEAMS) {
            cluster.namespace(team);
            new NamespaceLedger(cluster, team).setBudget("0.3/month");
            for (int i = 1; i <= NODES; i++) {
                cluster.nodeOf(team, team + "-n" + i, 4, "1." + i, POOL);
            }
        }
        Instant next = Scenario.in(0);
        for (int i = 0; i < GANGS; i++) {
            cluster.submitAsPods(gang(i));
            next = next.plusSeconds(SECONDS_BETWEEN);
            Scenario.awaitClock(next);
        }
    }

    private GangSpec gang(int number) {
        int runtime = 15 + random.nextInt(30);
        GangSpec gang = GangSpec.of(
                        TEAMS.get(number % TEAMS.size()),
                        "g" + number,
                        1 + random.nextInt(4),
                        1000 * (1 + random.nextInt(3)),
                        runtime)
                .on("it.slotwise.io/pool", POOL)
                .with("criterion", List.of("start", "finish", "cost").get(random.nextInt(3)))
                .runningFor(runtime + random.nextInt(14) - 10);
        return random.nextInt(3) == 0 ? gang : gang.with("budget", "0.1");
    }
}
