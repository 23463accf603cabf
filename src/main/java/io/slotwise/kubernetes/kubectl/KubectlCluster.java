package io.slotwise.kubernetes.kubectl;

import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.live.record.GangRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What commands change in the cluster that kubectl would talk to; Unreachable where it does not answer. */
public interface KubectlCluster extends AutoCloseable {
    /** The namespace that kubectl works in. */
    String namespace();

    /**
     * What has to be deleted for a gang, or an advance reservation, to go; empty: there is none of this name.
     *
     * @throws IllegalArgumentException if it would take other gangs along
     */
    List<PodController> makersOf(String namespace, String gang);

    /**
     * Deletes what made a gang, with all that it made.
     *
     * @throws IllegalArgumentException if the API server does not allow it
     */
    void delete(PodController controller);

    /**
     * Writes a Reservation that is not there yet.
     *
     * @throws IllegalArgumentException if the API server does not accept it
     */
    void create(Reservation reservation);

    /** What one Reservation says; null: it is not there. */
    @Nullable
    GangRecord record(String namespace, String name);

    @Override
    void close();
}
