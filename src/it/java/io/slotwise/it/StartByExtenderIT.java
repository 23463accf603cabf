package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code start: extender}. Proves that every pod of Slotwise goes through kube-scheduler. */
@RealControlPlane
class StartByExtenderIT {

    @Test
    void aPodThatNeedsNothingGoesThroughKubeSchedulerToo(ControlPlane plane) {
        Installation.install(plane, Map.of("start", "extender")).awaitGate();

        var made = plane.client()
                .resource(Workload.pod("default", "p", "slotwise", 100, 64))
                .dryRun()
                .create();

        assertThat(made.getSpec().getSchedulerName()).isEqualTo("slotwise-extender");
        assertThat(made.getSpec().getSchedulingGates())
                .extracting(gate -> gate.getName())
                .containsExactly("slotwise.io/window");
    }
}
