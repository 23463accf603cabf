package io.slotwise.kubernetes.crd.v1alpha1.queue;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/**
 * The state of a queue, written by Slotwise.
 *
 * @param conditions at most one, {@value #ACTIVE}
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record QueueStatus(List<Condition> conditions) {
    /** The condition of a queue whose gangs get windows. */
    public static final String ACTIVE = "Active";

    /** A reader passes null for a field that the server does not have. */
    public QueueStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
    }
}
