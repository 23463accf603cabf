package io.slotwise.kubernetes.kubectl;

import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;

/** Thrown if the cluster, or Slotwise in it, does not answer. The message states which, why, and what may help. */
public class Unreachable extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Unreachable(String message) {
        super(message);
    }

    /** Thrown if Slotwise answers, and denies a single request. */
    public static final class Denied extends Unreachable {
        private static final long serialVersionUID = 1;

        public Denied(String message) {
            super(message);
        }
    }

    /**
     * Returns the reason of a failed call to the cluster, from the innermost cause. The outer ones only state the call.
     */
    public static String words(Throwable why) {
        Throwable cause = why;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        // An unknown host has no message other than its name, or a resolver's code.
        if (cause instanceof UnknownHostException
                || cause instanceof UnresolvedAddressException
                || (message != null && message.contains("NXDOMAIN"))) {
            return "its host is unknown";
        }
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
