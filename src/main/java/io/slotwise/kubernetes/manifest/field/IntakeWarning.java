package io.slotwise.kubernetes.manifest.field;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.work.InternalFailure;
import org.jspecify.annotations.Nullable;

/**
 * Something that an admin should know about an object, without a gang being at fault.
 *
 * @param reason what kind of thing, also the reason of an event
 * @param kind the object's kind, such as {@code Node}
 * @param namespace the object's namespace, empty if it has none
 * @param message one sentence that names the object
 * @param field the path of the object's field, or of the field that names the object; null: it is about none
 * @param consequence what follows for the plan, the end of the sentence; null: the sentence does not say it apart
 * @param failure the error behind it, of which the sentence has only the id; null: there is none
 */
public record IntakeWarning(
        Reason reason,
        String kind,
        String namespace,
        String name,
        String message,
        @Nullable String field,
        @Nullable String consequence,
        @Nullable InternalFailure failure) {
    public IntakeWarning {
        message = SafeText.line(message);
    }

    /**
     * What a warning is about.
     *
     * @param namespace empty: the kind has none
     * @param name empty: no single object
     */
    public record Subject(String kind, String namespace, String name) {
        public static Subject of(HasMetadata object) {
            String namespace = object.getMetadata().getNamespace();
            return new Subject(
                    object.getKind(),
                    namespace == null ? "" : namespace,
                    object.getMetadata().getName());
        }

        /** An object of a kind without namespaces. */
        public static Subject of(String kind, String name) {
            return new Subject(kind, "", name);
        }
    }

    /** A warning with the error behind it; null: there is none. */
    public IntakeWarning(Reason reason, Subject subject, String message, @Nullable InternalFailure failure) {
        this(reason, subject.kind(), subject.namespace(), subject.name(), message, null, null, failure);
    }

    public IntakeWarning(Reason reason, Subject subject, String message) {
        this(reason, subject, message, null);
    }

    /**
     * What is so, and what follows for the plan.
     *
     * @param statement what is so, the beginning of the sentence
     */
    public static IntakeWarning of(
            Reason reason, Subject subject, @Nullable String field, String statement, String consequence) {
        return new IntakeWarning(
                reason,
                subject.kind(),
                subject.namespace(),
                subject.name(),
                statement + ": " + consequence,
                field,
                consequence,
                null);
    }

    /** Whether something may be wrong; else it only says what is there. */
    public boolean isOfConcern() {
        return reason != Reason.EXPANDED
                && reason != Reason.TRIED
                && reason != Reason.ASSUMED
                && reason != Reason.UNCHECKED;
    }

    /** The object as {@code namespace/name}, or its name if it has no namespace; empty: it is about no single one. */
    public String subject() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

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
        /** Not all gangs of an object are planned before their pods come. */
        NOT_AHEAD("NotPlannedAhead"),
        /** Objects that the planner has no use for. */
        IGNORED("Ignored"),
        /** An object that others name is not in the files. */
        MISSING("Missing"),
        /** A field that the API does not know. */
        UNKNOWN_FIELD("UnknownField"),
        /** Objects of other projects whose own fields are not known, so that a misspelt one is not told. */
        UNCHECKED("Unchecked"),
        /** What the API server would refuse, and is planned. */
        REFUSED("Refused");

        private final String key;

        Reason(String key) {
            this.key = key;
        }

        public String key() {
            return key;
        }
    }
}
