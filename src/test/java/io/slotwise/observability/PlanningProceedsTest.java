package io.slotwise.observability;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.live.cycle.Replica;
import java.lang.reflect.Proxy;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The health of a leader whose cycles do not end, as a load balancer and a rollout see it. */
class PlanningProceedsTest {
    @ParameterizedTest
    @CsvSource({"true, UP", "false, DOWN"})
    void aReplicaIsReadyAsLongAsItsDueCyclesEnd(boolean proceeds, Status expected) {
        Replica replica = (Replica) Proxy.newProxyInstance(
                Replica.class.getClassLoader(),
                new Class<?>[] {Replica.class},
                (_, method, _) -> method.getName().equals("proceeds") ? proceeds : null);

        assertThat(new PlanningProceeds(replica).call().getStatus()).isEqualTo(expected);
    }
}
