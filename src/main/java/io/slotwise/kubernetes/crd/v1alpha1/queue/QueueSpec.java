package io.slotwise.kubernetes.crd.v1alpha1.queue;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The share of a queue, written by an admin. Amounts are texts: a quantity, or a percentage, optionally followed by
 * {@code ;AMOUNT@INTERVAL} items as in a price calendar.
 *
 * @param parent the name of the queue above; null for root
 * @param weight null for 1
 * @param guarantee by resource, what its gangs have before all others
 * @param limit by resource, what its gangs use at most together
 * @param lending what others may use of the guarantee; null for all of it
 * @param budget AMOUNT/PERIOD, what its gangs and those below may cost together; null for no bound
 * @param priorityClasses the classes that its gangs may have; empty for every class
 * @param namespaces the namespaces whose gangs are in this queue if they name no other
 * @param namespaceSelector the labels of these namespaces, or null
 * @param suspended whether its gangs get no new windows; null for no
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
@RecordBuilder
public record QueueSpec(
        @Nullable String parent,
        @Nullable Integer weight,
        Map<String, String> guarantee,
        Map<String, String> limit,
        @Nullable Lending lending,
        @Nullable String budget,
        List<String> priorityClasses,
        List<String> namespaces,
        @Nullable LabelSelector namespaceSelector,
        @Nullable Boolean suspended) {
    /** A reader passes null for a field that the server does not have. */
    public QueueSpec {
        guarantee = sorted(guarantee);
        limit = sorted(limit);
        priorityClasses = priorityClasses == null ? List.of() : List.copyOf(priorityClasses);
        namespaces = namespaces == null ? List.of() : List.copyOf(namespaces);
    }

    /**
     * The part of a guarantee that others may use.
     *
     * @param limit by resource, the most that others may use
     * @param until the second from which others may use none of it, RFC 3339, or null
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Lending(
            Map<String, String> limit, @Nullable String until) {
        public Lending {
            limit = sorted(limit);
        }
    }

    private static SortedMap<String, String> sorted(@Nullable Map<String, String> map) {
        return Collections.unmodifiableSortedMap(map == null ? new TreeMap<>() : new TreeMap<>(map));
    }
}
