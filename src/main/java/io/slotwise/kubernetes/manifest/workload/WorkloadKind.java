package io.slotwise.kubernetes.manifest.workload;

/** A kind of object whose controller creates pods. Stateless. */
interface WorkloadKind {
    boolean is(String apiGroup, String kind);

    /**
     * Adds the pods that the controller would create at once, or for a suspended object, at its resumption. O(pods).
     *
     * @throws IllegalArgumentException if a field cannot be read; the message names the field, its value and what was
     *     expected
     */
    void make(WrittenObject object, WorkloadExpansion expansion);
}
