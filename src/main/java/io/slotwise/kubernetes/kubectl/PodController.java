package io.slotwise.kubernetes.kubectl;

/**
 * An object that has to be deleted to remove a gang.
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
