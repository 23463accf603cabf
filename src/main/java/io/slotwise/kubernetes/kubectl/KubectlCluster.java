package io.slotwise.kubernetes.kubectl;

import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.live.record.GangRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The changes that commands make in kubectl's current cluster. Methods throw Unreachable if it does not answer. */
public interface KubectlCluster extends AutoCloseable {
    String namespace();

    /**
     * Returns what has to be deleted to remove a gang or an advance reservation; empty if there is none of this name.
     *
     * @throws IllegalArgumentException if the deletion would remove other gangs too
     */
    List<PodController> makersOf(String namespace, String gang);

    /**
     * Deletes a gang's controller, with everything that it made.
     *
     * @throws IllegalArgumentException if the API server does not allow it
     */
    void delete(PodController controller);

    /**
     * Creates a Reservation.
     *
     * @throws IllegalArgumentException if the API server does not accept it
     */
    void create(Reservation reservation);

    @Nullable
    GangRecord record(String namespace, String name);

    @Override
    void close();
}
