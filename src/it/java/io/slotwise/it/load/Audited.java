package io.slotwise.it.load;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.slotwise.it.AuditLog.Entry;
import java.time.Instant;

/** Entries of an audit log for tests, in milliseconds after a beginning. */
final class Audited {
    static final Instant BEGAN = Instant.parse("2030-01-01T00:00:00Z");
    static final String SLOTWISE = "system:serviceaccount:slotwise:slotwise";
    static final String ADMIN = "admin";

    private Audited() {}

    static Entry binding(String pod, int millis) {
        return entry(SLOTWISE, "create", "pods/binding", pod, 201, millis);
    }

    static Entry creation(String pod, int millis) {
        return entry(ADMIN, "create", "pods", pod, 201, millis);
    }

    /** A request that was answered a millisecond after its receipt. */
    static Entry entry(String user, String verb, String resource, String name, int code, int millis) {
        return new Entry(
                BEGAN.plusMillis(millis - 1),
                BEGAN.plusMillis(millis),
                verb,
                user,
                "program",
                "",
                resource,
                Load.NAMESPACE,
                name,
                code,
                MissingNode.getInstance(),
                MissingNode.getInstance());
    }

    /** The write of kwok when a pod ends. */
    static Entry end(String pod, int millis) {
        Entry entry = entry(ADMIN, "patch", "pods/status", pod, 200, millis);
        var request = JsonNodeFactory.instance.objectNode();
        request.putObject("status").put("phase", "Succeeded");
        return new Entry(
                entry.received(),
                entry.answered(),
                entry.verb(),
                entry.user(),
                entry.agent(),
                entry.group(),
                entry.resource(),
                entry.namespace(),
                entry.name(),
                entry.code(),
                request,
                entry.response());
    }
}
