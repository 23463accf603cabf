package io.slotwise.web.board;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.text.ReasonStatement;
import io.slotwise.core.text.SafeText;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The document that the board shows. Times are whole seconds since the epoch, money is currency units with six
 * decimals, shares are thousandths.
 *
 * @param ready whether the cluster has been read; if not, all lists are empty
 * @param planning whether the answering replica plans; if not, there are no notes
 * @param horizonEnd the latest end of windows
 * @param batch the objective of the batch; null if the reader may not know it
 * @param nodes the nodes in the planner's order, by name
 * @param prices the prices of the nodes, without duplicates
 * @param bars the bars by node, start and id
 * @param gangs the gangs by name
 * @param income the income of owners who earn anything, by owner; empty if the reader may not know it
 * @param notes on the last plan; empty if the reader may not know them
 * @param buying the purchases; null if nothing can be bought, or the reader may not know it
 * @param queues whether there are queues whose use the reader may know
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Board(
        boolean ready,
        boolean planning,
        long now,
        long horizonEnd,
        @Nullable Batch batch,
        List<Node> nodes,
        List<Price> prices,
        List<Bar> bars,
        List<GangRow> gangs,
        List<Income> income,
        Totals totals,
        List<String> notes,
        @Nullable String currency,
        @Nullable Buying buying,
        boolean queues) {
    public Board {
        nodes = List.copyOf(nodes);
        prices = List.copyOf(prices);
        bars = List.copyOf(bars);
        gangs = List.copyOf(gangs);
        income = List.copyOf(income);
        notes = List.copyOf(notes);
    }

    /** The objective of the choice of windows, and its limit; null if there is none. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Batch(String objective, @Nullable Limit limit) {}

    /**
     * A limit on the batch.
     *
     * @param measure as the policy file names it
     * @param figure currency units, seconds or percent; {@code auto} for the average level of the alternatives
     */
    public record Limit(String measure, String figure) {}

    /**
     * A node.
     *
     * @param domain the value of the policy's {@code domain-key} label; null if it has none
     * @param type its instance type; null if not known
     * @param schedulable false if it is cordoned or not ready
     * @param capacity the capacity by resource: milli-cores, bytes, or units of anything else
     * @param price the index of its price in the board's list of prices
     * @param unavailable the current and future times that its owner keeps for itself
     * @param taken the current use by resource, in the units of its capacity; without unused resources
     * @param purchase how it is bought; null for an ordinary node
     * @param levels its domains by the label keys of their levels, from wide to narrow
     */
    @RecordBuilder
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Node(
            String name,
            String owner,
            @Nullable String domain,
            @Nullable String type,
            boolean schedulable,
            SortedMap<String, Long> capacity,
            int price,
            List<Span> unavailable,
            SortedMap<String, Long> taken,
            @Nullable Purchase purchase,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> levels)
            implements BoardNodeBuilder.With {
        public Node {
            unavailable = List.copyOf(unavailable);
            levels = Collections.unmodifiableMap(new LinkedHashMap<>(levels));
        }
    }

    /**
     * The purchase of a node. Unknown components are null, on a replica that did not buy the node for a gang with a
     * record.
     *
     * @param gang the gang for which it is bought; null also if the reader may not know it
     * @param bought the second of the purchase
     * @param ready the first second in which pods can run
     * @param end the end of the paid time in which pods can run
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Purchase(
            String name,
            Purchase.State state,
            @Nullable String offer,
            @Nullable String gang,
            @Nullable Long bought,
            @Nullable Long ready,
            @Nullable Long end,
            @Nullable String bill) {
        /** The state of a purchase. */
        public enum State {
            @JsonProperty("planned")
            PLANNED,
            /** Bought, but not there yet. */
            @JsonProperty("starting")
            STARTING,
            @JsonProperty("bought")
            BOUGHT
        }
    }

    /**
     * The total of purchases.
     *
     * @param nodes that exist, are on their way or promised; null if another replica plans
     * @param spent the cost of the nodes bought in the current period; null if another replica plans
     * @param maxSpend the limit of that; null if none
     * @param period the period of both: {@code day}, {@code week} or {@code month}
     * @param resting how many of the offers are paused
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Buying(
            String mode,
            @Nullable Integer nodes,
            int maxNodes,
            @Nullable String spent,
            @Nullable String maxSpend,
            String period,
            int offers,
            int resting) {}

    /** An interval; the end is exclusive, and null if unknown. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Span(long start, @Nullable Long end) {}

    /** A price over time, from now to the horizon. */
    public record Price(List<Piece> pieces) {
        public Price {
            pieces = List.copyOf(pieces);
        }
    }

    /**
     * A piece of a price.
     *
     * @param start null if before everything that is shown
     * @param perHour currency units for the whole node
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Piece(@Nullable Long start, String perHour) {}

    /**
     * Room that is taken on a node.
     *
     * @param id the same as long as only its cost or share changes
     * @param gang that has the room; null if Slotwise does not plan it, or the reader may not know it
     * @param pod the first pod by name, with its namespace; null if the reader may not know it
     * @param end null if unknown
     * @param cost the cost of these pods; null if not known
     * @param share the share of the resource of the node that they use most, thousandths; null if not known
     * @param overrun whether the bar's pods hold their room past their expected end
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Bar(
            String id,
            String node,
            @Nullable String gang,
            @Nullable String pod,
            int count,
            long start,
            @Nullable Long end,
            Bar.State state,
            @Nullable String cost,
            @Nullable Integer share,
            @Nullable Boolean overrun) {
        public enum State {
            /** Pods of a running gang. */
            @JsonProperty("running")
            RUNNING,
            /** A published window. */
            @JsonProperty("promised")
            PROMISED,
            /** An advance reservation that no gang has taken over. */
            @JsonProperty("held")
            HELD,
            /** Pods that Slotwise did not place. */
            @JsonProperty("foreign")
            FOREIGN,
            /** Pods of a completed gang. */
            @JsonProperty("completed")
            COMPLETED,
            /** Anything of namespaces that the reader may not see. */
            @JsonProperty("taken")
            TAKEN
        }
    }

    /**
     * A gang.
     *
     * @param phase as the Reservation names it
     * @param size the number of its pods; null if not known
     * @param promisedStart the expected start of the first promise; null if none
     * @param firstPromisedBy the latest start of the first promise; null if none
     * @param budget the maximum cost; null if unlimited
     * @param reason why it waits, or that it is promised, in one word
     * @param statement the same as a value, of which each reader sees the permitted part
     * @param kind {@code reservation} for an advance reservation; null for a gang
     * @param reservation the advance reservation that contains its window; null if none
     * @param queue the name of its queue; null if no queue bounds it, or not known
     * @param delayValue the value of the delay of its window; null if nothing, or without a window
     * @param promisedBy the promised latest start; null if this is the window's start, or without a window
     */
    @RecordBuilder
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record GangRow(
            String id,
            String phase,
            @Nullable String criterion,
            @Nullable Integer size,
            @Nullable Long promisedStart,
            @Nullable Long firstPromisedBy,
            @Nullable Long start,
            @Nullable Long end,
            @Nullable String cost,
            @Nullable String budget,
            String reason,
            @JsonIgnore ReasonStatement statement,
            @Nullable String kind,
            @Nullable String reservation,
            @Nullable String queue,
            @Nullable String delayValue,
            @Nullable Long promisedBy,
            @JsonIgnore List<GangId> predecessors,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> after)
            implements BoardGangRowBuilder.With {
        /** Returns why it waits, or that it is promised, in one sentence. */
        @JsonProperty("message")
        public String message() {
            return SafeText.line(statement.message());
        }
    }

    /**
     * The income of an owner's nodes, by the state of the gangs. Completed gangs count as long as they have a record.
     */
    public record Income(String owner, String promised, String running, String completed) {}

    /**
     * The number of gangs by state, and further totals.
     *
     * @param waiting gangs without a window
     * @param promised gangs with a window that has not begun
     * @param starting gangs whose pods are on their way
     * @param completed completed gangs with a record
     * @param promises the outcomes of promises since this replica started; null if the reader may not know them
     * @param busy the used share of all nodes' cpu, thousandths
     * @param taken the used share of cpu, memory and every extended resource of some node, thousandths, by resource
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Totals(
            int waiting,
            int promised,
            int starting,
            int running,
            int completed,
            FirstPromise.@Nullable Outcomes promises,
            int busy,
            SortedMap<String, Integer> taken) {}
}
