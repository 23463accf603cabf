package io.slotwise.core.booking;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.window.Window;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What windows have taken of the free capacity and of the accounts: scratch of one planning run, not safe for threads.
 *
 * <p>Taking does not ask whether there is enough: who takes has asked with {@link #holds}, or knows it from a search.
 * Each of these is O(seats x breakpoints of their nodes), and O(1) for the money.
 */
public final class Bookings {
    private final Timeline timeline;
    private final AccountBalances purses;

    /**
     * Bookings on top of what is taken already.
     *
     * @param timeline free capacity
     * @param purses what is left in the accounts
     */
    public Bookings(Timeline timeline, AccountBalances purses) {
        this.timeline = timeline;
        this.purses = purses;
    }

    /** Bookings where nothing costs anything. */
    public static Bookings ofRoom(Timeline timeline) {
        return new Bookings(timeline, new AccountBalances(List.of()));
    }

    /** The free capacity. */
    public Timeline timeline() {
        return timeline;
    }

    /** What is left in the accounts. */
    public AccountBalances purses() {
        return purses;
    }

    /** Whether there is room and money for a window of a gang, and its pods may be with the others that have room. */
    public boolean holds(Gang gang, Window window) {
        return window.fits(timeline, gang) && pay(window);
    }

    /** Whether what is left in its account pays for the window. */
    public boolean pay(Window window) {
        return purses.pay(window);
    }

    /** Takes the room and the money of a window. */
    public void take(Gang gang, Window window) {
        takeRoom(gang, window);
        takeMoney(window);
    }

    /** Gives back what {@link #take} took. */
    public void giveBack(Gang gang, Window window) {
        giveRoomBack(gang, window);
        giveMoneyBack(window);
    }

    /** Takes the room of a window. */
    public void takeRoom(Gang gang, Window window) {
        window.occupy(timeline, gang);
    }

    /** Gives back what {@link #takeRoom} took. */
    public void giveRoomBack(Gang gang, Window window) {
        window.vacate(timeline, gang);
    }

    /** Takes the money of a window, whether or not it is there. */
    public void takeMoney(Window window) {
        purses.charge(window);
    }

    /** Gives back what {@link #takeMoney} took. */
    public void giveMoneyBack(Window window) {
        purses.refund(window);
    }

    /**
     * What a look finds while a window has given its room and its money back; both are taken again afterwards.
     *
     * @param window null: there is none to give back
     */
    public <T extends @Nullable Object> T without(Gang gang, @Nullable Window window, Supplier<T> look) {
        if (window == null) {
            return look.get();
        }
        giveBack(gang, window);
        T found = look.get();
        take(gang, window);
        return found;
    }

    /** What a look finds while a window has its room and its money; both are given back afterwards. */
    public <T extends @Nullable Object> T with(Gang gang, Window window, Supplier<T> look) {
        take(gang, window);
        T found = look.get();
        giveBack(gang, window);
        return found;
    }

    /** What a look finds while a window has given its room back, but not its money; it is taken again afterwards. */
    public <T extends @Nullable Object> T withoutRoom(Gang gang, Window window, Supplier<T> look) {
        giveRoomBack(gang, window);
        T found = look.get();
        takeRoom(gang, window);
        return found;
    }

    /** Whether a window could be paid for in place of another one. */
    public boolean payInPlaceOf(Window other, Window window) {
        giveMoneyBack(other);
        boolean paid = pay(window);
        takeMoney(other);
        return paid;
    }
}
