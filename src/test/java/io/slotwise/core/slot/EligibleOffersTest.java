package io.slotwise.core.slot;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.Topology.Span;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import io.slotwise.testing.GangBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EligibleOffersTest {
    private static final long KILOWATT = 1_000_000;

    @Test
    void theEnergyOfAWideSpanIsKnownIfItCanBeSummed() {
        Span wide = new Span(null, Span.MOST);
        Gang gang = GangBuilder.gang("g", 512, 1000, 86_400)
                .criterion(Criterion.ENERGY)
                .build()
                .within(new Topology(List.of(new Span(TopologyLevel.of("rack"), Span.ONE), wide), null));
        Node node = new Node(
                        "n",
                        Map.of("rack", "r"),
                        List.of(),
                        true,
                        Resources.of(Map.of(Resources.CPU, 512_000L, Resources.PODS, 512L)),
                        Performance.REFERENCE,
                        "",
                        StepFunction.constant(0),
                        List.of())
                .withPower(KILOWATT);
        Timeline timeline = new Timeline(new Cluster(List.of(node), List.of()), 0, 0);

        Eligibility eligibility = new Eligibility(Eligibility.Kind.of(gang), timeline, true);

        assertThat(eligibility.offers(wide)).extracting(Offer::power).containsExactly(KILOWATT);
    }
}
