package io.slotwise.kubernetes.manifest.field;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.work.InternalFailure;
import org.jspecify.annotations.Nullable;

/**
 * A note for an admin about an object that is no gang's fault.
 *
 * @param reason also the reason of an event
 * @param kind such as {@code Node}
 * @param namespace empty if the object has none
 * @param message one sentence that names the object
 * @param field the path of the object's field, or of the field that names the object, or null
 * @param consequence the consequence for the plan, which ends the sentence, or null
 * @param failure the error behind it, of which the sentence has only the ID, or null
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
     * The object of a warning.
     *
     * @param namespace empty if the kind has none
     * @param name empty if it is about no single object
     */
    public record Subject(String kind, String namespace, String name) {
        public static Subject of(HasMetadata object) {
            String namespace = object.getMetadata().getNamespace();
            return new Subject(
                    object.getKind(),
                    namespace == null ? "" : namespace,
                    object.getMetadata().getName());
        }

        public static Subject of(String kind, String name) {
            return new Subject(kind, "", name);
        }
    }

    public IntakeWarning(Reason reason, Subject subject, String message, @Nullable InternalFailure failure) {
        this(reason, subject.kind(), subject.namespace(), subject.name(), message, null, null, failure);
    }

    public IntakeWarning(Reason reason, Subject subject, String message) {
        this(reason, subject, message, null);
    }

    /** Makes a warning whose sentence is a statement and its consequence. */
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

    /** Returns whether something may be wrong. Other warnings only inform. */
    public boolean isOfConcern() {
        return reason != Reason.EXPANDED
                && reason != Reason.TRIED
                && reason != Reason.ASSUMED
                && reason != Reason.UNCHECKED;
    }

    /**
     * Returns the object as {@code namespace/name}, or its name if it has no namespace, or an empty text for no single
     * object.
     */
    public String subject() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    public enum Reason {
        /** A node without a price, also in the catalogue. It counts as free. */
        PRICE_MISSING("PriceMissing"),
        INVALID_VALUE("InvalidValue"),
        NOT_SUPPORTED("NotSupported"),
        ASSUMED("Assumed"),
        /** A kind that the API server serves, but does not let Slotwise read. */
        NOT_READ("NotRead"),
        INTERNAL_ERROR("InternalError"),
        /** A workload that stands for the pods that its controller will create; nothing is wrong. */
        EXPANDED("Expanded"),
        OTHER_SCHEDULER("OtherScheduler"),
        /** Gangs that are planned hypothetically; in a cluster they are left to another scheduler. */
        TRIED("Tried"),
        /** An object of which not all gangs are planned before their pods exist. */
        NOT_AHEAD("NotPlannedAhead"),
        IGNORED("Ignored"),
        /** An object that others name and that is not in the files. */
        MISSING("Missing"),
        UNKNOWN_FIELD("UnknownField"),
        /**
         * Objects of other projects of which only pod templates are checked, so that misspelt fields elsewhere go
         * unnoticed.
         */
        UNCHECKED("Unchecked"),
        /** An object that the API server would refuse and that is planned. */
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
