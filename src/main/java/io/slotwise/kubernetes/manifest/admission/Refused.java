package io.slotwise.kubernetes.manifest.admission;

/** Thrown if the API server would refuse a pod. The message gives the reason without the pod's name. */
final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(String message) {
        super(message);
    }
}
