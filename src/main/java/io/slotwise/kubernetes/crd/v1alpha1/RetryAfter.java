package io.slotwise.kubernetes.crd.v1alpha1;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;

/** Tells whether and when to retry a failed call. */
public final class RetryAfter {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int MOST_PATIENT_SECONDS = 10;

    private RetryAfter() {}

    /** Returns whether the API server rejected the call without processing it. */
    public static boolean isTooMany(KubernetesClientException e) {
        return e.getCode() == TOO_MANY_REQUESTS;
    }

    /** Returns whether the effect of the call is unknown: no answer, or a server error. */
    public static boolean isUnanswered(KubernetesClientException e) {
        return e.getCode() < HttpURLConnection.HTTP_BAD_REQUEST || e.getCode() >= HttpURLConnection.HTTP_INTERNAL_ERROR;
    }

    /**
     * Returns the requested pause: one second if the answer states none, at most ten. Zero unless the answer is 429.
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
