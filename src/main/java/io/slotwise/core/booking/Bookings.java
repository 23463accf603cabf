package io.slotwise.core.booking;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The free capacity and the accounts of a planning run, with transactions: every change is recorded, and {@link
 * #rollbackTo} undoes the changes since a {@link #mark}, the last one first. Not thread-safe.
 *
 * <p>Taking does not check availability: the caller has checked with {@link #holds}, or knows it from a search. Each
 * change is O(placements x breakpoints of their nodes), and O(1) for the money. Undoing it costs as much.
 */
public final class Bookings {
    private final Timeline timeline;
    private final AccountBalances balances;

    private final List<Runnable> undo = new ArrayList<>();

    public Bookings(Timeline timeline, AccountBalances balances) {
        this.timeline = timeline;
        this.balances = balances;
    }

    /** Returns bookings without accounts. */
    public static Bookings ofRoom(Timeline timeline) {
        return new Bookings(timeline, new AccountBalances(List.of()));
    }

    public Timeline timeline() {
        return timeline;
    }

    public AccountBalances balances() {
        return balances;
    }

    /** Returns the present state, for {@link #rollbackTo}. */
    public int mark() {
        return undo.size();
    }

    /** Restores the state at a mark. Later marks become invalid. */
    public void rollbackTo(int mark) {
        while (undo.size() > mark) {
            undo.removeLast().run();
        }
    }

    public <T extends @Nullable Object> T trying(Supplier<T> trial) {
        int mark = mark();
        T found = trial.get();
        rollbackTo(mark);
        return found;
    }

    /** Makes a change that is undone with the bookings. */
    public void change(Runnable change, Runnable undoing) {
        change.run();
        undo.add(undoing);
    }

    /** Returns whether a window has room and money, and breaks no rule about other pods. */
    public boolean holds(Gang gang, Window window) {
        return window.fits(timeline, gang) && pay(window);
    }

    public boolean pay(Window window) {
        return balances.pay(window);
    }

    public void take(Gang gang, Window window) {
        takeRoom(gang, window);
        takeMoney(window);
    }

    /** Gives up the room and the money of a window, if it is not null. */
    public void giveUp(Gang gang, @Nullable Window window) {
        if (window != null) {
            giveUpRoom(gang, window);
            giveUpMoney(window);
        }
    }

    public void takeRoom(Gang gang, Window window) {
        change(() -> window.occupy(timeline, gang), () -> window.vacate(timeline, gang));
    }

    public void giveUpRoom(Gang gang, Window window) {
        change(() -> window.vacate(timeline, gang), () -> window.occupy(timeline, gang));
    }

    /** Takes the money of a window, even beyond the balance. */
    public void takeMoney(Window window) {
        change(() -> balances.charge(window), () -> balances.refund(window));
    }

    public void giveUpMoney(Window window) {
        change(() -> balances.refund(window), () -> balances.charge(window));
    }
}
