package io.slotwise.kubernetes.manifest.admission;

/** The API server would refuse a pod; the message says why, without the pod's name. */
final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(String message) {
        super(message);
    }
}
