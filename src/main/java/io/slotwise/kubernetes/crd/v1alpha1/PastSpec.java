package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The history of a gang before it was moved while it ran. Amounts are as in {@code LedgerSpec}.
 *
 * @param runs runs that moves ended, oldest first, as far back as the ledger or a limit per hour needs
 * @param workSeconds the work left at the last move, on a node of performance 1
 * @param overheadSeconds the overhead of the next run for its restart, on a node of performance 1
 * @param exactSpent the charge of all runs until the last move
 * @param request the most of each resource that a pod requests
 * @param leaving UIDs of the pods that the last move evicts
 * @param podsBackAt when they are expected to be back, as far as their controller is known, RFC 3339
 * @param moves the number of moves
 * @param exactPerSecond the cost of each second for which disruption budgets keep pods after the last move
 * @param lostPodSeconds the work that all moves have lost
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PastSpec(
        List<Run> runs,
        long workSeconds,
        long overheadSeconds,
        long exactSpent,
        @Nullable String wholeSpent,
        List<Amount> request,
        List<String> leaving,
        @Nullable String podsBackAt,
        int moves,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long exactPerSecond,
        @Nullable String wholePerSecond,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long lostPodSeconds) {
    /** Replaces absent values by defaults: the JSON reader passes null for an absent field. */
    public PastSpec {
        runs = runs == null ? List.of() : List.copyOf(runs);
        request = request == null ? List.of() : List.copyOf(request);
        leaving = leaving == null ? List.of() : List.copyOf(leaving);
    }

    /**
     * A run that a move ended.
     *
     * @param start the start of its window, RFC 3339
     * @param end the end of its window, RFC 3339
     * @param endedAt when the gang was moved, RFC 3339
     * @param exactPromised the promised cost of its window
     * @param exactCharged the charge for the seconds within the promise
     * @param exactOverrun the charge for those beyond
     * @param stay whether this is the time after a run for which disruption budgets kept the pods
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Run(
            String start,
            String end,
            String endedAt,
            long exactPromised,
            long exactCharged,
            long exactOverrun,
            @Nullable String wholeCharged,
            @Nullable String wholeOverrun,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean stay) {}

    /**
     * An amount of one resource.
     *
     * @param amount milli-cores of {@code cpu}, bytes of memory and storage, units of everything else
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Amount(String name, long amount) {}
}
