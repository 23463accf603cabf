package io.slotwise.kubernetes.crd.v1alpha1.queue;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import org.jspecify.annotations.Nullable;

/** A queue as an admin writes it: the share of the cluster for a group of gangs. */
@Group(Reservation.GROUP)
@Version(Reservation.VERSION)
@Kind("Queue")
@Plural("queues")
@Singular("queue")
public final class QueueObject extends CustomResource<QueueSpec, QueueStatus> {
    private static final long serialVersionUID = 1L;

    @Override
    protected @Nullable QueueSpec initSpec() {
        return null;
    }

    @Override
    protected @Nullable QueueStatus initStatus() {
        return null;
    }
}
