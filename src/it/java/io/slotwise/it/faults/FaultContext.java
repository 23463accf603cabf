package io.slotwise.it.faults;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.slotwise.it.ApiProxy;
import io.slotwise.it.ExtenderRelay;
import io.slotwise.it.KubeScheduler;
import io.slotwise.it.RunningProgram;
import io.slotwise.it.SlotwiseProcess;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/**
 * The participants of a run.
 *
 * @param client of the API server itself, past the proxies
 * @param proxies in front of the API server: that of Slotwise, then that of kube-scheduler
 * @param relay between kube-scheduler and Slotwise
 * @param slotwise the replica that kube-scheduler calls
 * @param replicas returns one more replica, which does not run yet
 * @param time the clock of all replicas
 * @param nodes as created
 * @param store the API server's etcd
 */
record FaultContext(
        KubernetesClient client,
        List<ApiProxy> proxies,
        ExtenderRelay relay,
        SlotwiseProcess slotwise,
        KubeScheduler scheduler,
        GangOwner owner,
        Supplier<SlotwiseProcess> replicas,
        SteppedClock time,
        List<Node> nodes,
        RunningProgram store) {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Returns a node by any number. */
    Node node(int number) {
        return nodes.get(number % nodes.size());
    }

    SlotwiseProcess another() {
        return replicas.get();
    }

    void until(String what, BooleanSupplier condition) {
        Awaitility.await(what)
                .pollInterval(Duration.ofMillis(200))
                .atMost(PATIENCE)
                .ignoreExceptions()
                .until(condition::getAsBoolean);
    }
}
