package io.slotwise.kubernetes.bind;

import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.WindowSpec;
import io.slotwise.live.record.GangRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Port: the pods as last seen. */
public interface PodRosterPort {
    /** Returns whether the view is current: the watches have recently proved that they are alive. */
    boolean isCurrent();

    /** See {@link io.slotwise.live.port.ClusterView#isAsPromised}. */
    boolean isAsPromised(GangRecord record);

    /** Returns the waiting pods of a window that Slotwise binds itself, each with its node. O(pods of the window). */
    List<BindRequest> direct(GangId gang, WindowSpec window);

    /** Returns whether a pod is created only when others of its gang are ready, which start without it. */
    default boolean isLate(String namespace, String pod) {
        return false;
    }

    /** Returns whether a pod with this UID exists and has not ended. */
    boolean isThere(String namespace, String pod, String uid);

    /**
     * Returns the version of the pod as last seen, or after this program's last write. Null if it does not exist or is
     * unknown.
     */
    @Nullable
    String version(BindRequest request);

    /** Returns the pod's schedulerName. Null if it does not exist or has another UID. */
    @Nullable
    String schedulerName(BindRequest request);
}
