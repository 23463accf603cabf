package io.slotwise.core.booking;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.testing.GangBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A node of one core, and an account that can pay for one window. */
class BookingsTest {
    private static final Node NODE = new Node(
            "n",
            Map.of(),
            List.of(),
            true,
            Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 9L)),
            Performance.REFERENCE,
            "owner",
            StepFunction.constant(1_000_000),
            List.of());

    private final Gang gang = GangBuilder.gang("g", 1, 1000, 100).build();
    private final Gang other = GangBuilder.gang("h", 1, 1000, 100).build();
    private final Window window = window(gang, 0);
    private final Bookings bookings = new Bookings(
            new Timeline(new Cluster(List.of(NODE), List.of()), 0, 0),
            new AccountBalances(List.of(new Account(gang.id().namespace(), 0, 1000, window.cost()))));

    private static Window window(Gang gang, long start) {
        return Window.of(
                gang.id(),
                start,
                List.of(new Placement(gang.pods().getFirst(), "n", start, start + 100, new Cost(5_000_000))));
    }

    private boolean hasRoom(Gang of, Window asked) {
        return asked.fits(bookings.timeline(), of);
    }

    @Test
    void takenRoomIsGoneAndReleasedRoomIsBack() {
        assertThat(bookings.holds(gang, window)).isTrue();

        bookings.take(gang, window);

        assertThat(hasRoom(other, window(other, 50))).isFalse();
        assertThat(hasRoom(other, window(other, 100))).isTrue();
        assertThat(bookings.pay(window(other, 100))).isFalse();
        assertThat(bookings.holds(other, window(other, 100))).isFalse();

        bookings.giveUp(gang, window);

        assertThat(bookings.holds(other, window(other, 50))).isTrue();
    }

    @Test
    void aRollbackRestoresRoomAndMoneyOfReleasedAndNewWindows() {
        bookings.take(gang, window);
        int mark = bookings.mark();
        bookings.giveUp(gang, window);
        bookings.take(other, window(other, 300));

        bookings.rollbackTo(mark);

        assertThat(bookings.mark()).isEqualTo(mark);
        assertThat(hasRoom(other, window(other, 50))).isFalse();
        assertThat(hasRoom(other, window(other, 300))).isTrue();
        assertThat(bookings.pay(window(other, 300))).isFalse();
    }

    @Test
    void aRollbackToALaterMarkLeavesWhatWasDoneBefore() {
        bookings.take(gang, window);
        bookings.giveUp(gang, window);
        int mark = bookings.mark();
        bookings.take(other, window(other, 0));

        bookings.rollbackTo(mark);

        assertThat(bookings.holds(gang, window)).isTrue();
    }

    @Test
    void aRollbackUndoesTheLastChangeFirstAndEachOnce() {
        List<String> undone = new ArrayList<>();
        int mark = bookings.mark();
        bookings.change(() -> {}, () -> undone.add("first"));
        bookings.change(() -> {}, () -> undone.add("second"));

        bookings.rollbackTo(mark);
        bookings.rollbackTo(mark);

        assertThat(undone).containsExactly("second", "first");
    }

    @Test
    void aTrialSeesItsChangesAndLeavesNone() {
        bookings.take(gang, window);

        assertThat(bookings.<Boolean>trying(() -> {
                    bookings.giveUp(gang, window);
                    return bookings.holds(other, window(other, 0));
                }))
                .isTrue();

        assertThat(hasRoom(other, window(other, 0))).isFalse();
        assertThat(bookings.pay(window(other, 100))).isFalse();
    }

    @Test
    void aGangWithoutAWindowGivesNothingUp() {
        bookings.giveUp(gang, null);

        assertThat(bookings.holds(gang, window)).isTrue();
    }

    @Test
    void releasingOnlyTheRoomKeepsTheMoneySpent() {
        bookings.take(gang, window);

        bookings.giveUpRoom(gang, window);

        assertThat(hasRoom(other, window(other, 0))).isTrue();
        assertThat(bookings.pay(window(other, 0))).isFalse();
    }

    @Test
    void aWindowIsPaidWithTheMoneyOfTheWindowThatItReplaces() {
        bookings.take(gang, window);

        assertThat(bookings.pay(window(gang, 200))).isFalse();
        assertThat(bookings.trying(() -> {
                    bookings.giveUpMoney(window);
                    return bookings.pay(window(gang, 200));
                }))
                .isTrue();
        assertThat(bookings.pay(window(gang, 200))).isFalse();
    }

    @Test
    void withoutAccountsNothingCostsMoney() {
        Bookings room = Bookings.ofRoom(bookings.timeline());

        room.take(gang, window);

        assertThat(hasRoom(other, window(other, 0))).isFalse();
        assertThat(room.pay(window)).isTrue();
        assertThat(bookings.pay(window)).isTrue();
    }
}
