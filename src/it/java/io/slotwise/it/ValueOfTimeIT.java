package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * A node of the real control plane with a low price at night, and gangs with a higher or lower value of time, or with a
 * preferred start.
 */
@RealControlPlane
class ValueOfTimeIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int UNTIL_NIGHT = 75;
    private static final int RUNTIME = 600;

    private final ControlPlane plane;
    private final Cluster cluster;

    ValueOfTimeIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
    }

    /**
     * A pod takes a quarter of the node. Its 10 minutes cost 0.041667 at night, and up to 0.041667 more before. An hour
     * earlier costs 2 more, so a gang with a lower value of time waits.
     */
    @Test
    void aGangWaitsForTheCheapNightOnlyIfItsTimeIsWorthLess() throws JsonProcessingException {
        Installation chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
        Scenario scenario = new Scenario(cluster, "worth");
        try (SlotwiseProcess slotwise = chart.startSlotwise()) {
            Instant night = Scenario.in(UNTIL_NIGHT);
            cluster.node(
                    scenario.node(1),
                    4,
                    "9",
                    scenario.namespace(),
                    Map.of("slotwise.io/price-calendar", "1@" + night + "/PT3H"));
            GangSpec patient = valued(scenario, "patient", "0.10");
            GangSpec hasty = valued(scenario, "hasty", "1000");

            Instant later = night.plusSeconds(10);
            GangSpec fond = scenario.gang("fond", 1, 1000, RUNTIME)
                    .with("preferred-start", later + " weight 2")
                    .with("preferred-cost", "0.04");

            cluster.submitAsPods(patient);
            cluster.submitAsPods(hasty);
            cluster.submitAsPods(fond);

            scenario.awaitWhole(hasty, 40);
            assertThat(promisedStart(hasty)).isBefore(night);
            long day = night.getEpochSecond() - promisedStart(hasty).getEpochSecond();
            assertThat(cost(hasty)).isEqualTo(amount((RUNTIME + 8 * day) * 250_000));
            assertThat(scenario.awaitPromise(patient)).isEqualTo(night);
            assertThat(cost(patient)).isEqualTo("0.041667");

            JsonNode why = JSON.readTree(slotwise.get("/api/v1/gangs/worth/patient"));
            assertThat(why.path("criterion").asText()).isEqualTo("value");
            assertThat(why.path("valueOfTime").asText()).isEqualTo("0.100000");
            assertThat(why.path("delayValue").asText()).isEqualTo(worth(patient, night));
            JsonNode quote = JSON.readTree(slotwise.get("/api/v1/quote?gang=worth/patient"));
            assertThat(quote.path("valueOfTime").asText()).isEqualTo("0.100000");
            assertThat(quote.path("menu")).anySatisfy(window -> {
                assertThat(Instant.parse(window.path("start").asText())).isEqualTo(night);
                assertThat(window.path("cost").asText()).isEqualTo("0.041667");
                assertThat(window.path("delayValue").asText()).isEqualTo(worth(patient, night));
            });

            assertThat(scenario.awaitPromise(fond)).isEqualTo(later);
            JsonNode liked = JSON.readTree(slotwise.get("/api/v1/gangs/worth/fond"));
            assertThat(liked.path("criterion").asText()).isEqualTo("preference");
            assertThat(liked.at("/preferred/start").asText()).isEqualTo(later + " weight 2");
            // The cost is 0.041667, and the preferred cost is exceeded by the share 0.041675.
            assertThat(liked.at("/preferred/distance").asText()).isEqualTo("0.042");
            assertThat(Objects.requireNonNull(cluster.reservation(fond))
                            .<String>get("spec", "preferred", "cost", "value"))
                    .isEqualTo("0.040000");

            scenario.awaitWhole(patient, UNTIL_NIGHT + 30);
            assertThat(promisedStart(patient)).isEqualTo(night);
        }
    }

    private static GangSpec valued(Scenario scenario, String name, String hour) {
        return scenario.gang(name, 1, 1000, RUNTIME).with("value-of-time", hour);
    }

    private Instant promisedStart(GangSpec gang) {
        return Instant.parse(Objects.requireNonNull(cluster.promisedStart(gang)));
    }

    private String cost(GangSpec gang) {
        return Objects.requireNonNull(cluster.reservation(gang)).<String>get("spec", "window", "cost");
    }

    /** The value of the time from the arrival to the end at 0.10 an hour, rounded up to a millionth. */
    private String worth(GangSpec gang, Instant start) {
        Instant submitted =
                Instant.parse(Objects.requireNonNull(cluster.reservation(gang)).<String>get("spec", "submitted"));
        long seconds = start.plusSeconds(RUNTIME).getEpochSecond() - submitted.getEpochSecond();
        return amount(seconds * 100_000);
    }

    /** An amount below one currency unit, given in 1/3600 millionths, rounded up to a millionth. */
    private static String amount(long exact) {
        return "0.%06d".formatted(Math.ceilDiv(exact, 3600));
    }
}
