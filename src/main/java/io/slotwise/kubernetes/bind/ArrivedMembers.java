package io.slotwise.kubernetes.bind;

import io.slotwise.kubernetes.crd.v1alpha1.PlacementSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.live.record.GangRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The members of one window that have arrived at the barrier, as a state machine without I/O. Members that Slotwise
 * binds itself are present from the beginning. The others arrive with kube-scheduler's calls. The lock is held only for
 * a few assignments, and the resulting work is done by the caller outside of it.
 * <pre>
 *  GATHERING -> BEGINNING -> OPEN
 *      GATHERING -> FAILED; BEGINNING -> FAILED only by the answer to the first binding
 * </pre>
 */
final class ArrivedMembers {
    private enum State {
        /** Members are missing, or the promised start has not come. */
        GATHERING,
        /** The first binding is in flight; only its answer decides. */
        BEGINNING,
        OPEN,
        /** This attempt is over without a bound member. */
        FAILED
    }

    private final WindowKey key;
    private final long size;
    private final boolean direct;
    private final Map<String, Member> members = new TreeMap<>();
    private final CompletableFuture<Optional<GangRecord>> startedRecord = new CompletableFuture<>();
    private Reservation reservation;
    private State state = State.GATHERING;
    private int round;
    private boolean withdrawn;
    private boolean settled;

    /**
     * @param present the members that Slotwise binds itself
     * @param late tells whether a pod is late, so that the gang starts without it
     */
    ArrivedMembers(WindowKey key, Reservation reservation, List<BindRequest> present, Predicate<String> late) {
        this.key = key;
        this.reservation = reservation;
        this.size = key.window().placement().stream()
                .map(PlacementSpec::pod)
                .distinct()
                .filter(late.negate())
                .count();
        present.forEach(request -> members.put(request.pod(), new Member(request, new CompletableFuture<>())));
        this.direct = members.size() == size;
        this.round = direct ? 1 : 0;
    }

    /**
     * Returns the unbound members of a durable start: those whose UIDs the gang has started with, and no pod that was
     * created since.
     *
     * @param versions returns the version of a pod, or null
     */
    ArrivedMembers unbound(Function<BindRequest, @Nullable String> versions) {
        Set<String> started = Set.copyOf(reservation.getStatus().members());
        ArrivedMembers unboundMembers = new ArrivedMembers(
                key,
                reservation,
                members.values().stream()
                        .map(Member::request)
                        .filter(request -> started.contains(request.uid()))
                        .map(request -> request.at(versions.apply(request)))
                        .toList(),
                _ -> false);
        unboundMembers.state = State.OPEN;
        return unboundMembers;
    }

    /** Returns whether Slotwise binds all members itself. */
    boolean isDirect() {
        return direct;
    }

    synchronized List<Member> members() {
        return List.copyOf(members.values());
    }

    synchronized Reservation reservation() {
        return reservation;
    }

    /** A waiting member. */
    record Member(BindRequest request, CompletableFuture<BindOutcome> outcome) {}

    /** The result of an arrival. */
    sealed interface Arrival {
        /**
         * The call waits with the others.
         *
         * @param outcome completed when the result is known
         * @param member an earlier pod of the same name, which is gone, or null
         * @param whole the round in which this arrival completed the gang, else 0
         */
        record Waits(
                CompletableFuture<BindOutcome> outcome,
                @Nullable Member member,
                int whole) implements Arrival {}

        /** The gang runs already. A late member is bound individually. */
        record Late() implements Arrival {}

        /** This attempt continues, or has ended, without this pod. */
        record TooLate() implements Arrival {}
    }

    WindowKey key() {
        return key;
    }

    /** Adds a member. If the same pod arrives again, both calls get the same answer. */
    synchronized Arrival arrive(BindRequest request) {
        Member member = members.get(request.pod());
        if (state == State.FAILED) {
            return new Arrival.TooLate();
        }
        if (member != null && member.request.uid().equals(request.uid())) {
            return new Arrival.Waits(member.outcome, null, 0);
        }
        return switch (state) {
            case GATHERING -> join(request, member);
            case BEGINNING, FAILED -> new Arrival.TooLate();
            case OPEN -> new Arrival.Late();
        };
    }

    private Arrival join(BindRequest request, @Nullable Member knownMember) {
        Member member = new Member(request, new CompletableFuture<>());
        members.put(request.pod(), member);
        if (members.size() < size) {
            return new Arrival.Waits(member.outcome, knownMember, 0);
        }
        // A member was replaced after an earlier round.
        round++;
        return new Arrival.Waits(member.outcome, knownMember, round);
    }

    synchronized void update(Reservation newerReservation) {
        reservation = newerReservation;
    }

    /** Begins the first binding. Returns the record to start from, or null if the round is over. */
    @Nullable
    synchronized Reservation beginBinding(int ofRound) {
        if (state != State.GATHERING || round != ofRound) {
            return null;
        }
        state = State.BEGINNING;
        return reservation;
    }

    /** Notes that the start is durable, with this record. Returns the members to bind. */
    List<Member> open(Reservation reservation) {
        update(reservation);
        return leave(State.BEGINNING, State.OPEN);
    }

    /** Completed with the gang's record once it has started. Empty if this replica does not start it. */
    CompletableFuture<Optional<GangRecord>> started() {
        return startedRecord;
    }

    /**
     * Notes that another replica made the first binding. Returns the members to bind; none if this replica is making it
     * too.
     */
    List<Member> openedElsewhere() {
        return over(State.GATHERING, State.OPEN);
    }

    /** Ends the attempt unless the first binding is in flight or done. Returns the members to reject. */
    List<Member> fail() {
        return over(State.GATHERING, State.FAILED);
    }

    /** Notes that the first binding failed. Returns the members to reject. */
    List<Member> failBinding() {
        return over(State.BEGINNING, State.FAILED);
    }

    /** Leaves a state without a start by this replica. */
    private List<Member> over(State oldState, State nextState) {
        List<Member> left = leave(oldState, nextState);
        if (!left.isEmpty()) {
            startedRecord.complete(Optional.empty());
        }
        return left;
    }

    private synchronized List<Member> leave(State oldState, State nextState) {
        if (state != oldState) {
            return List.of();
        }
        state = nextState;
        return members();
    }

    /** Stops further bindings, because the gang was planned again. */
    synchronized void withdraw() {
        withdrawn = true;
    }

    synchronized boolean isWithdrawn() {
        return withdrawn;
    }

    /** Returns whether a start is in progress: about to begin, or with unanswered bindings. */
    synchronized boolean isAtWork() {
        return state != State.FAILED && !settled && (direct || state != State.GATHERING);
    }

    synchronized void settle() {
        settled = true;
    }

    synchronized boolean isSettled() {
        return settled;
    }

    synchronized boolean hasFailed() {
        return state == State.FAILED;
    }
}
