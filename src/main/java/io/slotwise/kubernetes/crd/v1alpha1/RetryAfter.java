package io.slotwise.kubernetes.crd.v1alpha1;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;

/**
 * What a call that failed says of another try, and how long an API server that is asked too much wants to be left
 * alone.
 */
public final class RetryAfter {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int MOST_PATIENT_SECONDS = 10;

    private RetryAfter() {}

    /** Whether the API server turned the call away unseen. */
    public static boolean isTooMany(KubernetesClientException e) {
        return e.getCode() == TOO_MANY_REQUESTS;
    }

    /** Whether it is unknown if the call had its effect: no answer, or a server error. */
    public static boolean isUnanswered(KubernetesClientException e) {
        return e.getCode() < HttpURLConnection.HTTP_BAD_REQUEST || e.getCode() >= HttpURLConnection.HTTP_INTERNAL_ERROR;
    }

    /**
     * What a refusal asks for, one second where it does not say, ten at most; nothing if it is none for too many
     * requests.
     */
    public static Duration of(KubernetesClientException e) {
        if (!isTooMany(e)) {
            return Duration.ZERO;
        }
        Integer seconds = e.getStatus() == null || e.getStatus().getDetails() == null
                ? null
                : e.getStatus().getDetails().getRetryAfterSeconds();
        return Duration.ofSeconds(seconds == null ? 1 : Math.clamp(seconds, 1, MOST_PATIENT_SECONDS));
    }
}
