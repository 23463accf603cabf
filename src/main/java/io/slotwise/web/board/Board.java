package io.slotwise.web.board;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.text.ReasonStatement;
import io.slotwise.core.text.SafeText;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The document that the board is drawn from. Times are whole seconds since the epoch, money is currency units with six
 * decimals, shares are thousandths.
 *
 * @param ready whether the cluster has been read; if not, all lists are empty
 * @param planning whether the replica that answers plans; if not, it shows what it reads and no notes
 * @param horizonEnd no window ends later
 * @param batch what the choice of windows serves; null: the reader may not know
 * @param nodes in the planner's order, by name
 * @param prices those of the nodes, each once
 * @param bars by node, start and id
 * @param gangs by name
 * @param income of owners that earn anything, by owner; empty where the reader may not know
 * @param totals over all gangs that the reader sees
 * @param notes what a reader should know of the last plan; empty where the reader may not know
 * @param buying what is bought altogether; null: nothing can be, or the reader may not know
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
        @Nullable Buying buying) {
    public Board {
        nodes = List.copyOf(nodes);
        prices = List.copyOf(prices);
        bars = List.copyOf(bars);
        gangs = List.copyOf(gangs);
        income = List.copyOf(income);
        notes = List.copyOf(notes);
    }

    /** What the choice of one window per gang serves, and within which limit; null: without one. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Batch(String objective, @Nullable Limit limit) {}

    /**
     * A limit on the batch.
     *
     * @param measure as the policy file names it
     * @param figure currency units, seconds or percent; {@code auto}: the average level of the alternatives
     */
    public record Limit(String measure, String figure) {}

    /**
     * A node.
     *
     * @param owner who earns its income
     * @param domain the value of the policy's {@code domain-key} label; null: it has none
     * @param type its instance type; null: not known
     * @param schedulable false if it is cordoned or not ready
     * @param capacity milli-cores, bytes, and units of everything else, by resource
     * @param price where its price stands in the board's list of prices
     * @param unavailable what its owner keeps for itself, as far as it is not over
     * @param taken what is taken of it now, by resource, in the units of its capacity; without what nothing is taken of
     * @param purchase how it is bought; null: it is a node like any other
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
            @Nullable Purchase purchase)
            implements BoardNodeBuilder.With {
        public Node {
            unavailable = List.copyOf(unavailable);
        }
    }

    /**
     * How a node is bought. What is not known is null: on a replica that has not bought it for a gang that is still
     * remembered.
     *
     * @param gang for which; null also if the reader may not know
     * @param bought the second of the purchase
     * @param ready the first second in which pods can be on it
     * @param end the first second after those that are paid and in which pods can be on it
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
        /** How far a purchase has come. */
        public enum State {
            /** It is promised; nothing is bought yet. */
            @JsonProperty("planned")
            PLANNED,
            /** It is bought, and the node is not there yet. */
            @JsonProperty("starting")
            STARTING,
            @JsonProperty("bought")
            BOUGHT
        }
    }

    /**
     * What is bought altogether.
     *
     * @param nodes that are there, on their way or promised; null: another replica plans
     * @param spent what the nodes bought in the current period cost; null: another replica plans
     * @param maxSpend the most of that; null: no limit
     * @param period of both: {@code day}, {@code week} or {@code month}
     * @param resting how many of these cannot be bought now
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

    /** An interval; its end is the first second after it, null if it is unknown. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Span(long start, @Nullable Long end) {}

    /** A price over time: its pieces from now to the horizon. */
    public record Price(List<Piece> pieces) {
        public Price {
            pieces = List.copyOf(pieces);
        }
    }

    /**
     * A piece of a price.
     *
     * @param start when it begins; null: before anything that is shown
     * @param perHour currency units for the whole node
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Piece(@Nullable Long start, String perHour) {}

    /**
     * Room on a node that is taken from one second to another.
     *
     * @param id the same for as long as nothing but its cost or share changes
     * @param gang whose it is; null: no gang's that Slotwise plans, or the reader may not know
     * @param pod the first pod by name, with its namespace; null: the reader may not know
     * @param count how many pods stand together in it
     * @param end null: unknown
     * @param cost of these pods together; null: not known
     * @param share of the node's resource that they take most of, thousandths; null: not known
     * @param overrun whether it holds its room past its expected end
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
            /** Pods of a gang that run. */
            @JsonProperty("running")
            RUNNING,
            /** A window that is published. */
            @JsonProperty("promised")
            PROMISED,
            /** An advance reservation that no gang has taken over. */
            @JsonProperty("held")
            HELD,
            /** Pods that Slotwise did not place. */
            @JsonProperty("foreign")
            FOREIGN,
            /** Pods of a gang that has completed. */
            @JsonProperty("completed")
            COMPLETED,
            /** Whatever belongs to namespaces that the reader may not see. */
            @JsonProperty("taken")
            TAKEN
        }
    }

    /**
     * A gang.
     *
     * @param phase as the Reservation names it
     * @param size its pods; null: not known
     * @param promisedStart the start that was expected with the first promise; null: none
     * @param firstPromisedBy the latest start that was promised with it; null: none
     * @param budget the most that it may cost; null: no limit
     * @param reason why it waits, or that it is promised, in one word
     * @param why the same as a value, of which each reader is shown what that reader may see
     * @param kind {@code reservation} for an advance reservation; null: a gang
     * @param reservation the advance reservation that its window is a part of; null: none
     * @param delayValue what the end of its window is worth to it; null: nothing, or it has none
     * @param promisedBy the latest start that is promised; null: that of its window, or it has none
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
            @JsonIgnore ReasonStatement why,
            @Nullable String kind,
            @Nullable String reservation,
            @Nullable String delayValue,
            @Nullable Long promisedBy,
            @JsonIgnore List<GangId> predecessors,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> after)
            implements BoardGangRowBuilder.With {
        /** Why it waits, or that it is promised, in one sentence. */
        @JsonProperty("message")
        public String message() {
            return SafeText.line(why.message());
        }
    }

    /**
     * What an owner's nodes earn by the gangs that are known.
     *
     * @param promised by windows that have not started
     * @param running by gangs that run
     * @param completed by gangs that completed and are still remembered
     */
    public record Income(String owner, String promised, String running, String completed) {}

    /**
     * Gangs by what they do, and what stands out.
     *
     * @param waiting gangs without a window
     * @param promised gangs with a window that has not come
     * @param starting gangs whose pods are on their way
     * @param running gangs that run
     * @param completed gangs that completed and are still remembered
     * @param promises what became of promises since this replica began; null: the reader may not know
     * @param busy the share of all nodes' cpu that is taken now, thousandths
     * @param taken the share that is taken now of cpu, memory and every extended resource that some node has,
     *     thousandths, by resource
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
