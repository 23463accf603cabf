package io.slotwise.it.load;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.slotwise.it.load.BareWrites.Gang;
import io.slotwise.it.load.BareWrites.Rank;
import io.slotwise.kubernetes.bind.BindRequest;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The limit of direct starts: a program that makes only the calls that a gang scheduler with durable records cannot
 * avoid. When all pods of a gang have come and have places, a record is created and marked as running. Then all pods
 * are bound, each to the next node in turn, and an event is written for each pod and for the gang. When all have ended,
 * the record is updated.
 */
final class BareCalls {
    private final BareWrites writes;

    private BareCalls(BareWrites writes) {
        this.writes = writes;
    }

    /** Runs until it is killed. */
    public static void main(String[] arguments) throws InterruptedException {
        try (KubernetesClient client = BareWrites.client()) {
            BareWrites writes = new BareWrites(client);
            BareCalls program = new BareCalls(writes);
            writes.watch(
                    (name, placed) -> writes.call(Rank.START, () -> program.start(BareWrites.gang(name, placed))),
                    (name, ended) -> writes.call(Rank.START, () -> writes.end(namespace(ended), name)));
            new CountDownLatch(1).await();
        }
    }

    private static String namespace(List<Pod> pods) {
        return pods.getFirst().getMetadata().getNamespace();
    }

    private void start(Gang gang) {
        writes.bindFirst(gang);
        List<BindRequest> others = gang.members().stream().skip(1).toList();
        AtomicInteger left = new AtomicInteger(others.size());
        for (BindRequest member : others) {
            writes.call(Rank.BINDING, () -> {
                writes.bind(gang, member);
                if (left.decrementAndGet() == 0) {
                    bound(gang);
                }
            });
        }
        if (others.isEmpty()) {
            bound(gang);
        }
    }

    private void bound(Gang gang) {
        writes.tellPods(gang);
        writes.call(Rank.EVENT, () -> {
            Reservation created = writes.create(gang);
            writes.start(gang, created);
            writes.tell(gang, created);
        });
    }
}
