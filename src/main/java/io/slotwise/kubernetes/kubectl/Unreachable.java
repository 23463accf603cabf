package io.slotwise.kubernetes.kubectl;

/** The cluster, or Slotwise in it, does not answer; the message says which, why, and what may help. */
public final class Unreachable extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Unreachable(String message) {
        super(message);
    }
}
