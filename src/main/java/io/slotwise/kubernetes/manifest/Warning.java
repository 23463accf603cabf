package io.slotwise.kubernetes.manifest;

import io.slotwise.core.text.Shown;
import io.slotwise.core.work.Bug;
import org.jspecify.annotations.Nullable;

/**
 * Something that an admin should know about an object, without a gang being at fault.
 *
 * @param reason what kind of thing, also the reason of an event
 * @param kind the object's kind, such as {@code Node}
 * @param namespace the object's namespace, empty if it has none
 * @param name the object's name
 * @param message one sentence that names the object
 * @param bug the error behind it, of which the sentence has only the id; null: there is none
 */
public record Warning(
        Reason reason,
        String kind,
        String namespace,
        String name,
        String message,
        @Nullable Bug bug) {
    public Warning {
        message = Shown.line(message);
    }

    /** One without an error behind it. */
    public Warning(Reason reason, String kind, String namespace, String name, String message) {
        this(reason, kind, namespace, name, message, null);
    }

    /** Whether something may be wrong; else it only says what is there. */
    public boolean isOfConcern() {
        return reason != Reason.EXPANDED && reason != Reason.TRIED;
    }

    /** What kind of thing. */
    public enum Reason {
        /** A node has no price and the catalogue knows none: it is free of charge. */
        PRICE_MISSING("PriceMissing"),
        /** A value on an object cannot be read. */
        INVALID_VALUE("InvalidValue"),
        /** A value belongs to a later version. */
        NOT_SUPPORTED("NotSupported"),
        /** A value was assumed because the object does not state it. */
        ASSUMED("Assumed"),
        /** The API server serves a kind of objects, and does not hand them out. */
        NOT_READ("NotRead"),
        /** Slotwise met an error of its own over an object. */
        INTERNAL_ERROR("InternalError"),
        /** A workload stands for the pods that its controller will make: nothing is wrong. */
        EXPANDED("Expanded"),
        /** Gangs that are left to another scheduler. */
        OTHER_SCHEDULER("OtherScheduler"),
        /** Gangs that are planned to see what would become of them, and in a cluster are left to another scheduler. */
        TRIED("Tried"),
        /** Objects that the planner has no use for. */
        IGNORED("Ignored");

        private final String key;

        Reason(String key) {
            this.key = key;
        }

        /** The reason of an event. */
        public String key() {
            return key;
        }
    }
}
