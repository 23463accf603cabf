package io.slotwise.kubernetes.manifest.workload;

/** A kind of object whose controller makes pods; has no state. */
interface WorkloadKind {
    /** Whether an object is of this kind, whatever the version of its API. */
    boolean is(String apiGroup, String kind);

    /**
     * Makes the pods that the controller would make at once; of a suspended object those that it would make when it is
     * resumed. O(pods).
     *
     * @throws IllegalArgumentException if a field cannot be read; the message names the field, its value and what was
     *     expected
     */
    void make(WrittenObject object, WorkloadExpansion expansion);
}
