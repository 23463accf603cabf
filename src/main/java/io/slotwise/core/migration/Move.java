package io.slotwise.core.migration;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Window;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The stop of a whole running gang, and its restart elsewhere or later.
 *
 * @param gang the rest of it: runtime with overhead, and budget
 * @param work the part of its runtime that is work, seconds on the reference node
 * @param back the first second by which its pods are certainly there again
 * @param targetWindow the window reserved for the rest, or null if it waits
 * @param reach whether the gang stays in its resource domains; {@link Reach#NONE} without a window
 */
public record Move(
        Gang gang,
        long work,
        long back,
        Window window,
        @Nullable Window targetWindow,
        Reach reach,
        Purpose purpose) {
    public Move asSeen(Predicate<String> namespaces) {
        return new Move(gang, work, back, window, targetWindow, reach, purpose.asSeen(namespaces));
    }

    /** The key of moves that a higher priority causes. */
    public static final String INTERRUPTION = "interruption";

    /** The key of moves for a gang within the guarantee of its queue. */
    public static final String RECLAIM = "reclaim";

    public static final List<String> REASONS = List.of("start", INTERRUPTION, RECLAIM, "saving");

    /** The purpose of a move. */
    public sealed interface Purpose {
        /** Returns the name in metrics. */
        default String key() {
            return switch (this) {
                case Start _ -> "start";
                case Interruption _ -> INTERRUPTION;
                case Reclaim _ -> RECLAIM;
                case Saving _ -> "saving";
            };
        }

        /** Returns the purpose in words that follow "moved". */
        default String words() {
            return switch (this) {
                case Start(GangId gang, long gained, long lost) ->
                    "to make room for %s, which gains %d pod-seconds for %d lost"
                            .formatted(GangId.named(gang), gained, lost);
                case Interruption(GangId gang, long gained, long lost) ->
                    "to make room for %s, which has a higher priority and gains %d pod-seconds for %d lost"
                            .formatted(GangId.named(gang), gained, lost);
                case Reclaim(GangId gang, long gained, long lost) ->
                    "to make room for %s, whose queue reclaims what it lends, and gains %d pod-seconds for %d lost"
                            .formatted(GangId.named(gang), gained, lost);
                case Saving(Cost savedCost) ->
                    "to save %s".formatted(savedCost.roundedDown().brief());
            };
        }

        /** Returns the purpose for a reader of these namespaces, without the names of other gangs. */
        default Purpose asSeen(Predicate<String> namespaces) {
            return switch (this) {
                case Start(GangId gang, long gained, long lost) ->
                    new Start(GangId.asSeen(gang, namespaces), gained, lost);
                case Interruption(GangId gang, long gained, long lost) ->
                    new Interruption(GangId.asSeen(gang, namespaces), gained, lost);
                case Reclaim(GangId gang, long gained, long lost) ->
                    new Reclaim(GangId.asSeen(gang, namespaces), gained, lost);
                case Saving _ -> this;
            };
        }
    }

    /**
     * A waiting gang starts sooner. The gang is null if the reader may not see it.
     *
     * @param gained pod-seconds by which it starts sooner, counted from the end of the horizon if it had no window
     * @param lost pod-seconds by which the moved gang ends later, at least its overhead
     */
    public record Start(@Nullable GangId gang, long gained, long lost) implements Purpose {}

    /**
     * A gang of higher priority starts sooner, regardless of the loss. The gang is null if the reader may not see it.
     *
     * @param lost pod-seconds by which the stopped gang ends later, counted to the end of the horizon without a window;
     *     at least its overhead, or its past run if it does not keep its work
     */
    public record Interruption(@Nullable GangId gang, long gained, long lost) implements Purpose {}

    /**
     * A gang within the guarantee of its queue starts sooner, and this gang borrows. The figures are as in {@link
     * Interruption}. The gang is null if the reader may not see it.
     */
    public record Reclaim(@Nullable GangId gang, long gained, long lost) implements Purpose {}

    /** The rest of the gang costs less elsewhere, by a positive difference. */
    public record Saving(Cost savedCost) implements Purpose {}
}
