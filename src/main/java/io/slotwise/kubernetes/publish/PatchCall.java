package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.slotwise.core.gang.GangId;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends a strategic merge patch unchanged. The client's own patch methods read the object first, which a release has no
 * time for. It is not needed either, because the patch names the pod's UID.
 */
final class PatchCall {
    private static final String TYPE = "application/strategic-merge-patch+json";
    private static final long PATIENCE_SECONDS = 10;

    private final KubernetesClient client;

    PatchCall(KubernetesClient client) {
        this.client = client;
    }

    /**
     * Patches a pod.
     *
     * @param subresource such as {@code /status}; empty for the pod itself
     * @return the patched pod as JSON
     * @throws IOException if it is refused or not answered
     */
    String pod(GangId gang, String pod, String subresource, String patch) throws IOException {
        return patch(
                "api/v1/namespaces/%s/pods/%s%s".formatted(encoded(gang.namespace()), encoded(pod), subresource),
                patch);
    }

    /**
     * Patches the status of a Kubernetes PodGroup.
     *
     * @throws IOException if it is refused or not answered
     */
    void podGroupStatus(String namespace, String group, String patch) throws IOException {
        patch(
                "apis/scheduling.k8s.io/v1beta1/namespaces/%s/podgroups/%s/status"
                        .formatted(encoded(namespace), encoded(group)),
                patch);
    }

    private String patch(String path, String patch) throws IOException {
        URI uri = client.getMasterUrl()
                .toString()
                .transform(base -> URI.create(base.endsWith("/") ? base : base + "/"))
                .resolve(path + "?fieldManager=" + ReservationWriter.FIELD_MANAGER);
        HttpRequest request = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(uri)
                .method("PATCH", TYPE, patch)
                .build();
        HttpResponse<String> response = send(request);
        if (!response.isSuccessful()) {
            throw new IOException(
                    "the API server answered %d: %s".formatted(response.code(), message(response.body())));
        }
        return response.body();
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException {
        try {
            return client.getHttpClient().sendAsync(request, String.class).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IOException("no answer: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IOException("no answer in %d s".formatted(PATIENCE_SECONDS), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (KubernetesClientException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private String message(String body) {
        try {
            return client.getKubernetesSerialization()
                    .unmarshal(body, Status.class)
                    .getMessage();
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return body;
        }
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }
}
