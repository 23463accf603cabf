package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.id;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.promise;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.manifest.gang.PromisePlacements;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PromisePlacementsTest {
    @Test
    void aPodWithASeatInItsGangAndOneOfItsOwnMayHaveTheNodesOfBoth() {
        Window own = Window.of(id("pod-a"), NOW, List.of(new Placement("a", "n2", NOW, NOW + 600, Cost.ZERO)));
        Map<GangId, Promise> promises =
                Map.of(id("g"), promise("g", 0, false, "a"), id("pod-a"), new Promise(own, WindowOrigin.CYCLIC, false));

        Map<String, Set<String>> promisedNodes =
                PromisePlacements.promisedNodes(List.of(member("g", "a").build()), promises::get);

        assertThat(promisedNodes).containsOnly(Map.entry("user/a", Set.of("n1", "n2")));
    }
}
