package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.HttpURLConnection;

/** Creates objects whose name says what is in them: one that is there already is the same. */
final class NewObjects {
    private NewObjects() {}

    /**
     * Creates one unless it is there.
     *
     * @throws KubernetesClientException if it is not known to be there
     */
    static void create(Resource<?> object) {
        try {
            object.create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
    }
}
