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
 * What windows have taken of the free capacity and of the accounts, as a transaction: every change is noted, and {@link
 * #rollbackTo} undoes those since a {@link #mark}, the last one first. Scratch of one planning run, not safe for
 * threads.
 *
 * <p>Taking does not ask whether there is enough: the caller has asked with {@link #holds}, or knows it from a search.
 * Each change is O(seats x breakpoints of their nodes), and O(1) for the money; to undo it costs as much.
 */
public final class Bookings {
    private final Timeline timeline;
    private final AccountBalances balances;

    /** What undoes each change since the beginning. */
    private final List<Runnable> undo = new ArrayList<>();

    public Bookings(Timeline timeline, AccountBalances balances) {
        this.timeline = timeline;
        this.balances = balances;
    }

    /** Bookings where nothing costs anything. */
    public static Bookings ofRoom(Timeline timeline) {
        return new Bookings(timeline, new AccountBalances(List.of()));
    }

    public Timeline timeline() {
        return timeline;
    }

    public AccountBalances balances() {
        return balances;
    }

    /** The state that there is now, for {@link #rollbackTo}. */
    public int mark() {
        return undo.size();
    }

    /** Restores the state at a mark; the marks since are void. */
    public void rollbackTo(int mark) {
        while (undo.size() > mark) {
            undo.removeLast().run();
        }
    }

    /** What a trial finds, of which all changes are rolled back. */
    public <T extends @Nullable Object> T trying(Supplier<T> trial) {
        int mark = mark();
        T found = trial.get();
        rollbackTo(mark);
        return found;
    }

    /** Changes what goes with the bookings; undone with them. */
    public void change(Runnable change, Runnable undoing) {
        change.run();
        undo.add(undoing);
    }

    /** Whether there is room and money for a window of a gang, and its pods may be with the others that have room. */
    public boolean holds(Gang gang, Window window) {
        return window.fits(timeline, gang) && pay(window);
    }

    /** Whether what is left in its account pays for the window. */
    public boolean pay(Window window) {
        return balances.pay(window);
    }

    public void take(Gang gang, Window window) {
        takeRoom(gang, window);
        takeMoney(window);
    }

    /** Gives up the room and the money of a window; null: the gang has none. */
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

    /** Takes the money of a window, whether or not it is there. */
    public void takeMoney(Window window) {
        change(() -> balances.charge(window), () -> balances.refund(window));
    }

    public void giveUpMoney(Window window) {
        change(() -> balances.refund(window), () -> balances.charge(window));
    }
}
