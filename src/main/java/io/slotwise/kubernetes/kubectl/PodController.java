package io.slotwise.kubernetes.kubectl;

/**
 * What has to be deleted for a gang to go.
 *
 * @param apiVersion such as {@code batch/v1}
 * @param kind such as {@code Job}
 */
public record PodController(String apiVersion, String kind, String namespace, String name, String uid) {
    @Override
    public String toString() {
        return "%s %s/%s".formatted(kind, namespace, name);
    }
}
