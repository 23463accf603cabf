package io.slotwise.core.backfill;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * EASY (aggressive) backfilling: only the first gang that cannot start now holds a reservation, its earliest window.
 * Every later gang may start now if that does not delay the reservation, and otherwise gets no window in this cycle.
 *
 * <p>Now is the first second of the cycle. A gang that could start now next to the reservation does. If it cannot, the
 * reservation may make way: it moves to a window that starts no later, ends no later and costs no more, if there is
 * one. A reservation that was promised in an earlier cycle stays, and no other gang becomes the head. A gang whose own
 * earliest start is in the future is neither head nor started.
 *
 * <p>At most three searches for each gang.
 *
 * <p>Source: D. Lifka, "The ANL/IBM SP Scheduling System", JSSPP 1995; Mu'alem and Feitelson (2001), section 2; D.
 * Jackson, Q. Snell, M. Clement, "Core Algorithms of the Maui Scheduler", JSSPP 2001. They count free processors. Here
 * nodes differ, so the reservation is a window on named nodes.
 */
public final class EasyBackfilling {
    private final long now;
    private final BackfillArbiter arbiter;
    private final List<BackfillRequest> behind = new ArrayList<>();
    private @Nullable Head head;

    /** The first waiting gang, with its reservation. A null request was promised before, so it does not move. */
    private record Head(
            GangId gang, Window window, @Nullable BackfillRequest request) {}

    /** The promised window is the reservation of the first waiting gang, or null. */
    public EasyBackfilling(long now, @Nullable Window promised, BackfillArbiter arbiter) {
        this.now = now;
        this.arbiter = arbiter;
        this.head = promised == null ? null : new Head(promised.gang(), promised, null);
    }

    public void place(List<BackfillRequest> queue) {
        for (BackfillRequest request : queue) {
            if (!startNow(request) && !becomeHead(request)) {
                behind.add(request);
            }
        }
    }

    public List<BackfillRequest> behind() {
        return behind;
    }

    /** Returns the reservation that must not be delayed, if any. */
    public Optional<Window> reservation() {
        return Optional.ofNullable(head).map(Head::window);
    }

    private boolean startNow(BackfillRequest request) {
        Optional<Window> window = request.earliestUntil(now);
        if (window.isPresent()) {
            return arbiter.grant(request, window.get());
        }
        return head != null
                && head.request() != null
                && head.window().start() > now
                && makeWay(request, head, head.request());
    }

    /** Tries the gang in the reservation's place, with the reservation moved to a window that is no worse. */
    private boolean makeWay(BackfillRequest request, Head before, BackfillRequest waitingRequest) {
        arbiter.revoke(waitingRequest, before.window());
        Optional<Window> startedWindow = request.earliestUntil(now);
        if (startedWindow.isPresent() && arbiter.grant(request, startedWindow.get())) {
            Optional<Window> movedWindow = waitingRequest
                    .earliestUntil(before.window().start())
                    .filter(window -> window.end() <= before.window().end()
                            && window.cost().compareTo(before.window().cost()) <= 0);
            if (movedWindow.isPresent() && arbiter.grant(waitingRequest, movedWindow.get())) {
                head = new Head(before.gang(), movedWindow.get(), waitingRequest);
                return true;
            }
            arbiter.revoke(request, startedWindow.get());
        }
        arbiter.grant(waitingRequest, before.window());
        return false;
    }

    private boolean becomeHead(BackfillRequest request) {
        if (head != null || request.terms().earliest() > now) {
            return false;
        }
        Optional<Window> window = request.earliest();
        if (window.isEmpty() || !arbiter.grant(request, window.get())) {
            return false;
        }
        head = new Head(request.gang().id(), window.get(), request);
        return true;
    }
}
