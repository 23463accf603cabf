package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a gang did before it was moved while it ran. Exact amounts are 1/3600 millionths of the currency unit. One that
 * no 64-bit integer can hold is written as the largest that there is, and in digits in the field beside it whose name
 * begins with {@code whole} instead of {@code exact}.
 *
 * @param runs that moves ended, as far as the ledger or a limit per hour looks back, oldest first
 * @param workSeconds left at the last move, on a node of performance 1
 * @param overheadSeconds that the next run spends on its restart, on a node of performance 1
 * @param exactSpent what all runs until the last move were charged
 * @param wholeSpent see above; null: {@code exactSpent} says it
 * @param request the most of each resource that one of its pods takes
 * @param leaving identities of the pods that the last move evicts
 * @param podsBackAt when they are there again, as far as that is known of the controller that makes them, RFC 3339
 * @param moves how often it was moved
 * @param exactPerSecond what each second costs for which disruption budgets keep the pods after the last move
 * @param wholePerSecond see above; null: {@code exactPerSecond} says it
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
    /** A reader hands in null for what the server does not have. */
    public PastSpec {
        runs = runs == null ? List.of() : List.copyOf(runs);
        request = request == null ? List.of() : List.copyOf(request);
        leaving = leaving == null ? List.of() : List.copyOf(leaving);
    }

    /**
     * One run that a move ended.
     *
     * @param start of its window, RFC 3339
     * @param end of its window, RFC 3339
     * @param endedAt when it was moved, RFC 3339
     * @param exactPromised what its window was to cost
     * @param exactCharged for the seconds inside the promise
     * @param exactOverrun for those beyond
     * @param wholeCharged see above; null: {@code exactCharged} says it
     * @param wholeOverrun see above; null: {@code exactOverrun} says it
     * @param stay whether this is no run but a while after one for which disruption budgets kept the pods
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
     * So much of one resource.
     *
     * @param name of the resource
     * @param amount milli-cores of {@code cpu}, bytes of memory and storage, whole units of everything else
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Amount(String name, long amount) {}
}
