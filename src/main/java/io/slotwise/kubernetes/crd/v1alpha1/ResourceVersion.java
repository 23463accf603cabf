package io.slotwise.kubernetes.crd.v1alpha1;

/**
 * Versions of objects of one kind, as the API server counts them: digits without leading zeros, which may be more than
 * a long holds.
 */
public final class ResourceVersion {
    private ResourceVersion() {}

    /** Whether the first came after the second. */
    public static boolean isLater(String version, String than) {
        return version.length() != than.length() ? version.length() > than.length() : version.compareTo(than) > 0;
    }
}
