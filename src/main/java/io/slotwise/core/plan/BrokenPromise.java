package io.slotwise.core.plan;

import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.Move;
import io.slotwise.core.text.Keyed;
import io.slotwise.core.text.ReasonStatement;
import io.slotwise.core.time.Durations;
import io.slotwise.core.window.Window;
import java.time.Instant;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A promise that could not be kept, with its reason. The plan also has the gang with a new window or as pending. */
public record BrokenPromise(GangId gang, Window window, Cause cause, ReasonStatement reason) {
    /** A broken promise whose reason names nothing of another namespace. */
    public BrokenPromise(GangId gang, Window window, Cause cause, String why) {
        this(gang, window, cause, ReasonStatement.of(why));
    }

    public String message() {
        return reason.message();
    }

    public BrokenPromise asSeen(Predicate<String> namespaces) {
        return new BrokenPromise(gang, window, cause, reason.asSeen(namespaces));
    }

    /** The cause and the reason together, as reported. */
    public record Account(Cause cause, ReasonStatement reason) implements ReasonStatement {
        @Override
        public String message() {
            return cause.key() + ": " + reason.message();
        }

        @Override
        public Account asSeen(Predicate<String> namespaces) {
            return new Account(cause, reason.asSeen(namespaces));
        }
    }

    /** Another gang displaced this one. The gang is null if the reader may not see it. */
    public record Displaced(@Nullable GangId byId, int priority, int own) implements ReasonStatement {
        @Override
        public String message() {
            return "%s takes its room and has a higher priority (%d, this one %d)"
                    .formatted(GangId.named(byId), priority, own);
        }

        @Override
        public Displaced asSeen(Predicate<String> namespaces) {
            return new Displaced(GangId.asSeen(byId, namespaces), priority, own);
        }
    }

    /** Another gang is within the guarantee of its queue. The gang is null if the reader may not see it. */
    public record Reclaimed(@Nullable GangId byId, String queue) implements ReasonStatement {
        @Override
        public String message() {
            return "%s takes its room: queue %s reclaims what it lends".formatted(GangId.named(byId), queue);
        }

        @Override
        public Reclaimed asSeen(Predicate<String> namespaces) {
            return new Reclaimed(GangId.asSeen(byId, namespaces), queue);
        }
    }

    /** A predecessor ends too late, as far as is known in this second since the epoch. Null as in {@link Displaced}. */
    public record Delayed(@Nullable GangId byId, long end) implements ReasonStatement {
        @Override
        public String message() {
            return "it starts after %s, which ends at %s".formatted(GangId.named(byId), Instant.ofEpochSecond(end));
        }

        @Override
        public Delayed asSeen(Predicate<String> namespaces) {
            return new Delayed(GangId.asSeen(byId, namespaces), end);
        }
    }

    /** A predecessor had not ended by the start. The gang is null if the reader may not see it. */
    public record NotOver(@Nullable GangId gang) implements ReasonStatement {
        @Override
        public String message() {
            return "it starts after %s, which had not ended at its start".formatted(GangId.named(gang));
        }

        @Override
        public NotOver asSeen(Predicate<String> namespaces) {
            return new NotOver(GangId.asSeen(gang, namespaces));
        }
    }

    /** The holder of a node's capacity, see {@link Occupation#holder}. Null if the reader may not see it. */
    public record Holder(@Nullable String name) {
        String named() {
            return name == null ? "a pod of another namespace" : name;
        }

        private Holder asSeen(Predicate<String> namespaces) {
            return name != null && namespaces.test(Occupation.namespace(name)) ? this : new Holder(null);
        }
    }

    /** A pod runs longer than expected. */
    public record RunsLonger(Holder holder, String node) implements ReasonStatement {
        @Override
        public String message() {
            return "%s%s on node %s runs longer than expected"
                    .formatted(holder.name() == null ? "" : "pod ", holder.named(), node);
        }

        @Override
        public RunsLonger asSeen(Predicate<String> namespaces) {
            return new RunsLonger(holder.asSeen(namespaces), node);
        }
    }

    /** Something else has the room. The holder is null if unknown. */
    public record RoomTaken(String node, @Nullable Holder holder) implements ReasonStatement {
        @Override
        public String message() {
            return "the room on node %s is taken%s".formatted(node, holder == null ? "" : " by " + holder.named());
        }

        @Override
        public RoomTaken asSeen(Predicate<String> namespaces) {
            return new RoomTaken(node, holder == null ? null : holder.asSeen(namespaces));
        }
    }

    /** The pod that has the room started late, by a positive number of seconds, and would have ended otherwise. */
    public record TakenLate(String node, Holder holder, long late) implements ReasonStatement {
        @Override
        public String message() {
            return "the room on node %s is taken by %s, which started %s after its promised start"
                    .formatted(node, holder.named(), Durations.brief(late));
        }

        @Override
        public TakenLate asSeen(Predicate<String> namespaces) {
            return new TakenLate(node, holder.asSeen(namespaces), late);
        }
    }

    /** The cause for which a promise moves. */
    public enum Cause implements Keyed {
        NODE_LOST,
        OVERRUN,
        OUTAGE,
        ROOM_TAKEN,
        REFUSED,
        EDITED,
        OWNER,
        DISPLACED,
        RECLAIMED,
        MIGRATION,
        POLICY,
        MEMBER_LOSS,
        CHAIN,
        NOT_PROVISIONED;

        /** Returns the cause for which a move breaks the promise of a running gang. */
        public static Cause of(Move.Purpose purpose) {
            return switch (purpose) {
                case Move.Interruption _ -> DISPLACED;
                case Move.Reclaim _ -> RECLAIMED;
                case Move.Start _, Move.Saving _ -> MIGRATION;
            };
        }
    }
}
