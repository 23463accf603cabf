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
 * A gang that runs is to stop as a whole and to start again elsewhere, or later.
 *
 * @param gang what is left of it: runtime with overhead, and budget
 * @param work the part of its runtime that is work, seconds on the reference node
 * @param back the first second in which its pods are there again for certain
 * @param targetWindow the window that is reserved for what is left of it; null: there is none, and it waits
 * @param reach whether it stays in its resource domains; {@link Reach#NONE} without a window
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

    /** The name of the purpose of moves that a higher priority makes. */
    public static final String INTERRUPTION = "interruption";

    public static final List<String> REASONS = List.of("start", INTERRUPTION, "saving");

    /** What a move is good for. */
    public sealed interface Purpose {
        /** The name in metrics. */
        default String key() {
            return switch (this) {
                case Start _ -> "start";
                case Interruption _ -> INTERRUPTION;
                case Saving _ -> "saving";
            };
        }

        /** The same in words that follow "moved". */
        default String words() {
            return switch (this) {
                case Start(GangId gang, long gained, long lost) ->
                    "to make room for %s, which gains %d pod-seconds for %d lost"
                            .formatted(GangId.named(gang), gained, lost);
                case Interruption(GangId gang, long gained, long lost) ->
                    "to make room for %s, which has a higher priority and gains %d pod-seconds for %d lost"
                            .formatted(GangId.named(gang), gained, lost);
                case Saving(Cost savedCost) ->
                    "to save %s".formatted(savedCost.roundedDown().brief());
            };
        }

        /** The same for a reader who sees these namespaces: other gangs have no name. */
        default Purpose asSeen(Predicate<String> namespaces) {
            return switch (this) {
                case Start(GangId gang, long gained, long lost) ->
                    new Start(GangId.asSeen(gang, namespaces), gained, lost);
                case Interruption(GangId gang, long gained, long lost) ->
                    new Interruption(GangId.asSeen(gang, namespaces), gained, lost);
                case Saving _ -> this;
            };
        }

        default boolean isByPriority() {
            return this instanceof Interruption;
        }
    }

    /**
     * A gang that waits starts sooner; null: the reader may not know which.
     *
     * @param gained pod-seconds by which it starts sooner; one without any window counts from the end of the horizon
     * @param lost pod-seconds by which the moved gang ends later, at least its overhead
     */
    public record Start(@Nullable GangId gang, long gained, long lost) implements Purpose {}

    /**
     * A gang of higher priority starts sooner, whatever it costs the one that is stopped; null as in {@link Start}.
     *
     * @param lost pod-seconds by which the stopped gang ends later, counted to the end of the horizon without a window;
     *     at least its overhead, or what it has run if it does not keep its work
     */
    public record Interruption(@Nullable GangId gang, long gained, long lost) implements Purpose {}

    /** What is left of the gang costs less elsewhere, by a positive difference. */
    public record Saving(Cost savedCost) implements Purpose {}
}
