package io.slotwise.kubernetes.crd.v1alpha1;

/** Versions of objects of one kind in the API server's order: digits without leading zeros, possibly beyond a long. */
public final class ResourceVersion {
    private ResourceVersion() {}

    /** Returns whether the first version is later than the second. */
    public static boolean isLater(String version, String than) {
        return version.length() != than.length() ? version.length() > than.length() : version.compareTo(than) > 0;
    }
}
