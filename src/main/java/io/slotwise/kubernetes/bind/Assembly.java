package io.slotwise.kubernetes.bind;

import io.slotwise.kubernetes.crd.v1alpha1.PlacementSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The members of one window that have arrived at the barrier: a state machine without I/O. Its lock is held for a few
 * assignments only; who changes the state does the work that follows outside of it.
 *
 * <pre>
 *  GATHERING -> CHECKING -> READY -> MARKING -> OPEN
 *      any of the first three -> FAILED; MARKING -> FAILED only by the answer to the write
 * </pre>
 */
final class Assembly {
    private enum State {
        /** Not all members are here, or all are and the second is still far. */
        GATHERING,
        /** All are here; nodes and pods are being looked at. */
        CHECKING,
        /** All is well; the promised second has not come. */
        READY,
        /** The write is under way: the API server decides what comes of it. */
        MARKING,
        /** The gang runs. */
        OPEN,
        /** This attempt is over; nobody was bound. */
        FAILED
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final WindowKey key;
    private final long size;
    private final Map<String, Member> members = new TreeMap<>();
    private Reservation reservation;
    private State state = State.GATHERING;
    private int round;
    private boolean withdrawn;
    private boolean settled;

    Assembly(WindowKey key, Reservation reservation) {
        this.key = key;
        this.reservation = reservation;
        this.size = key.window().placement().stream()
                .map(PlacementSpec::pod)
                .distinct()
                .count();
    }

    /** A member that waits. */
    record Member(BindRequest request, CompletableFuture<BindOutcome> outcome) {}

    /** What an arrival leads to. */
    sealed interface Arrival {
        /**
         * The call waits with the others.
         *
         * @param outcome completed when the member's fate is known
         * @param replaced an earlier pod of the same name, which is gone
         * @param whole the round to be checked, if this arrival made the gang whole; else 0
         */
        record Waits(
                CompletableFuture<BindOutcome> outcome,
                @Nullable Member replaced,
                int whole) implements Arrival {}

        /** The gang runs already: a late member is bound by itself. */
        record Late() implements Arrival {}

        /** This attempt goes on, or has ended, without this pod. */
        record TooLate() implements Arrival {}
    }

    WindowKey key() {
        return key;
    }

    /** Lets a member in. The same pod may arrive again: both calls get the same answer. */
    Arrival arrive(BindRequest request) {
        lock.lock();
        try {
            Member known = members.get(request.pod());
            if (state == State.FAILED) {
                return new Arrival.TooLate();
            }
            if (known != null && known.request.uid().equals(request.uid())) {
                return new Arrival.Waits(known.outcome, null, 0);
            }
            return switch (state) {
                case GATHERING, CHECKING, READY -> join(request, known);
                case MARKING, FAILED -> new Arrival.TooLate();
                case OPEN -> new Arrival.Late();
            };
        } finally {
            lock.unlock();
        }
    }

    private Arrival join(BindRequest request, @Nullable Member replaced) {
        Member member = new Member(request, new CompletableFuture<>());
        members.put(request.pod(), member);
        if (members.size() < size) {
            return new Arrival.Waits(member.outcome, replaced, 0);
        }
        // Whoever was checked in an earlier round has been replaced: look again.
        state = State.GATHERING;
        round++;
        return new Arrival.Waits(member.outcome, replaced, round);
    }

    /** Takes note of a newer version of the same promise. */
    void update(Reservation newer) {
        lock.lock();
        try {
            reservation = newer;
        } finally {
            lock.unlock();
        }
    }

    /** Begins a check; the members to look at, or none if the round is over. */
    List<Member> beginCheck(int ofRound) {
        lock.lock();
        try {
            if (state != State.GATHERING || round != ofRound) {
                return List.of();
            }
            state = State.CHECKING;
            return List.copyOf(members.values());
        } finally {
            lock.unlock();
        }
    }

    /** Whether the check of this round still matters. */
    boolean isChecking(int ofRound) {
        lock.lock();
        try {
            return state == State.CHECKING && round == ofRound;
        } finally {
            lock.unlock();
        }
    }

    /** The check found nothing; false if it matters no more. */
    boolean ready(int ofRound) {
        lock.lock();
        try {
            if (state != State.CHECKING || round != ofRound) {
                return false;
            }
            state = State.READY;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Begins the write: the version to write with, or null if the round is over. */
    @Nullable
    Reservation beginMark(int ofRound) {
        lock.lock();
        try {
            if (state != State.READY || round != ofRound) {
                return null;
            }
            state = State.MARKING;
            return reservation;
        } finally {
            lock.unlock();
        }
    }

    /** The write is durable: the members to bind. */
    List<Member> open() {
        return leave(Set.of(State.MARKING), State.OPEN);
    }

    /** Another replica made the write: the members to bind, or none if this one is at it as well. */
    List<Member> openedElsewhere() {
        return leave(Set.of(State.GATHERING, State.CHECKING, State.READY), State.OPEN);
    }

    /** Ends the attempt unless the write is under way or done: the members to turn away. */
    List<Member> fail() {
        return leave(Set.of(State.GATHERING, State.CHECKING, State.READY), State.FAILED);
    }

    /** Ends the attempt of this round by what its check found; none if it matters no more. */
    List<Member> failCheck(int ofRound) {
        lock.lock();
        try {
            return isChecking(ofRound) ? fail() : List.of();
        } finally {
            lock.unlock();
        }
    }

    /** The write did not come about: the members to turn away. */
    List<Member> failMark() {
        return leave(Set.of(State.MARKING), State.FAILED);
    }

    private List<Member> leave(Set<State> from, State to) {
        lock.lock();
        try {
            if (!from.contains(state)) {
                return List.of();
            }
            state = to;
            return new ArrayList<>(members.values());
        } finally {
            lock.unlock();
        }
    }

    /** The gang was planned again: bindings that have not been made are not made any more. */
    void withdraw() {
        lock.lock();
        try {
            withdrawn = true;
        } finally {
            lock.unlock();
        }
    }

    boolean isWithdrawn() {
        lock.lock();
        try {
            return withdrawn;
        } finally {
            lock.unlock();
        }
    }

    /** All bindings have been answered. */
    void settle() {
        lock.lock();
        try {
            settled = true;
        } finally {
            lock.unlock();
        }
    }

    boolean isSettled() {
        lock.lock();
        try {
            return settled;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the attempt is over without anybody bound. */
    boolean hasFailed() {
        lock.lock();
        try {
            return state == State.FAILED;
        } finally {
            lock.unlock();
        }
    }
}
