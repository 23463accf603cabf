package io.slotwise.kubernetes.kubectl;

import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;

/** The cluster, or Slotwise in it, does not answer; the message says which, why, and what may help. */
public final class Unreachable extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Unreachable(String message) {
        super(message);
    }

    /** What is wrong where a call to the cluster failed: the innermost cause says it; what is around that says what was asked. */
    public static String words(Throwable why) {
        Throwable cause = why;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        // A host that is not known has no other words than its name, or a resolver's code.
        if (cause instanceof UnknownHostException
                || cause instanceof UnresolvedAddressException
                || (message != null && message.contains("NXDOMAIN"))) {
            return "its host is unknown";
        }
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
