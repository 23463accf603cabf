package io.slotwise.kubernetes.bind;

import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.WindowSpec;
import io.slotwise.live.record.GangRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Port: the pods as seen last. */
public interface PodRosterPort {
    /** Whether this is the cluster as it is: the watches have proved a short while ago that they live. */
    boolean isCurrent();

    /** See {@link io.slotwise.live.port.ClusterView#isAsPromised}. */
    boolean isAsPromised(GangRecord record);

    /** The pods of a window that Slotwise binds itself and that wait, each with its place; O(pods of the window). */
    List<BindRequest> direct(GangId gang, WindowSpec window);

    /** Whether a pod comes only when others of its gang are ready: these start without it. */
    default boolean isLate(String namespace, String pod) {
        return false;
    }

    /** Whether a pod with this UID is there and has not ended. */
    boolean isThere(String namespace, String pod, String uid);

    /**
     * The version of the pod as it was seen last, or as this program left it since; null: it is not there, or that is
     * not known.
     */
    @Nullable
    String version(BindRequest request);

    /** The schedulerName of this very pod; null: it is not there, or has another UID. */
    @Nullable
    String schedulerName(BindRequest request);
}
