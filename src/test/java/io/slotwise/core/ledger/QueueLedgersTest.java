package io.slotwise.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.combination.Account;
import io.slotwise.core.ledger.Ledger.Observation;
import io.slotwise.core.ledger.LedgerEntry.Settled;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.resource.Resources;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QueueLedgersTest {
    private static final long DAY = Period.DAY_SECONDS;
    private static final long NOW = Instant.parse("2030-01-01T00:00:00Z").getEpochSecond();
    private static final Allotment DAILY = new Allotment(new Money(1), Period.DAY);

    /** The budget of a day, 1/3600 millionths. */
    private static final long MOST = 3600;

    private static final QueueTree TREE = QueueTree.of(
            List.of(new Queue("science", null), new Queue("physics", "science"), new Queue("biology", "science")),
            Resources.NONE);

    private static LedgerEntry run(String uid, @Nullable String queue, long promised, @Nullable Long charged) {
        Settled settled = charged == null ? null : new Settled(new Charge(new Cost(charged), Cost.ZERO), NOW + 50);
        return new LedgerEntry(new LedgerEntry.Key(uid, NOW), uid, NOW + 400, new Cost(promised), settled)
                .withQueue(queue);
    }

    private static Ledger ledger(String namespace, LedgerEntry... runs) {
        return Ledger.empty(namespace).kept(seen(NOW + 60, runs));
    }

    private static Observation seen(long now, LedgerEntry... runs) {
        Set<String> uids = Arrays.stream(runs).map(run -> run.key().uid()).collect(Collectors.toSet());
        return new Observation(List.of(runs), Map.of(), uids, now, 3600);
    }

    private static List<Account> accounts(Map<String, Allotment> budgets, Ledger... ledgers) {
        return new QueueLedgers(TREE, budgets, List.of(ledgers)).accounts(Map.of(), NOW, NOW + DAY);
    }

    private static Account left(String queue, long left) {
        return new Account(Account.ofQueue(queue), NOW, NOW + DAY, new Cost(left));
    }

    @Test
    void aQueueIsChargedForAllGangsBelowItInAllNamespaces() {
        Ledger one =
                ledger("a", run("u1", "physics", 100, 70L), run("u2", "biology", 20, null), run("u3", null, 5, 5L));
        Ledger other = ledger("b", run("u4", "science", 1000, 1000L), run("u5", "elsewhere", 7, 7L));

        assertThat(accounts(Map.of("science", DAILY, "physics", DAILY), one, other))
                .containsExactly(left("physics", MOST - 70), left("science", MOST - 70 - 20 - 1000));
    }

    @Test
    void whatAQueueIsChargedIsAPartOfItsNamespacesCharges() {
        Ledger ledger = ledger("a", run("u1", "physics", 100, 70L), run("u2", null, 20, 20L));

        assertThat(ledger.days().get(NOW / DAY)).isEqualTo(new Charge(new Cost(90), Cost.ZERO));
        assertThat(ledger.queueDays())
                .isEqualTo(Map.of("physics", Map.of(NOW / DAY, new Charge(new Cost(70), Cost.ZERO))));
    }

    @Test
    void theSameObservationAgainChargesAQueueNothing() {
        LedgerEntry run = run("u1", "physics", 100, 70L);
        Ledger once = ledger("a", run);

        assertThat(once.kept(seen(NOW + 120, run))).isEqualTo(once);
    }

    @Test
    void windowsThatAreStillToComeAreHeldByTheQueuesThatPay() {
        QueueLedgers ledgers = new QueueLedgers(TREE, Map.of("science", DAILY), List.of());
        CommittedWindow window = new CommittedWindow(NOW + 5, new Cost(600));

        assertThat(ledgers.accounts(Map.of(Account.ofQueue("science"), List.of(window)), NOW, NOW + DAY))
                .containsExactly(left("science", MOST - 600));
    }

    @Test
    void aQueueThatIsLeftOutIsStillPaidForByThoseAbove() {
        QueueTree tree = QueueTree.of(
                List.of(new Queue("science", null), queue("physics", 3, "science"), queue("optics", 4, "physics")),
                List.of(new Queue("biology", "science")),
                Resources.of(Map.of(Resources.CPU, 100L)));
        Ledger ledger = ledger("a", run("u1", "optics", 100, 70L), run("u2", "biology", 20, null));

        assertThat(tree.has("optics")).isFalse();
        assertThat(new QueueLedgers(tree, Map.of("science", DAILY), List.of(ledger)).accounts(Map.of(), NOW, NOW + DAY))
                .containsExactly(left("science", MOST - 90));
    }

    private static Queue queue(String name, long guarantee, String parent) {
        return new Queue(name, parent, 1, Map.of(Resources.CPU, Amount.of(guarantee)), Map.of(), Map.of(), false);
    }

    @Test
    void daysOfAQueueThatAreOverForAWeekBecomeOneOfEachWeek() {
        Ledger ledger = Ledger.empty("a");
        for (int day = 0; day < 20; day++) {
            long start = NOW + day * DAY;
            LedgerEntry run = new LedgerEntry(
                            new LedgerEntry.Key("u" + day, start),
                            "g",
                            start + 400,
                            new Cost(10),
                            new Settled(new Charge(new Cost(1), Cost.ZERO), start + 50))
                    .withQueue("physics");
            ledger = ledger.kept(seen(start + 60, run));
        }

        assertThat(ledger.queueDays().get("physics"))
                .hasSize(11)
                .containsEntry(NOW / DAY, new Charge(new Cost(7), Cost.ZERO))
                .containsEntry(NOW / DAY + 7, new Charge(new Cost(4), Cost.ZERO))
                .containsEntry(NOW / DAY + 19, new Charge(new Cost(1), Cost.ZERO));
        assertThat(ledger.days()).hasSize(20);
    }

    @Test
    void theSumsOfQueuesLeaveRoomForRuns() {
        LedgerEntry[] runs = IntStream.range(0, 1500)
                .mapToObj(i -> run("u" + i, i == 0 ? null : "q" + i, 10, 7L))
                .toArray(LedgerEntry[]::new);

        Ledger ledger = ledger("a", runs);

        assertThat(ledger.queueDays()).hasSizeBetween(800, 900);
        assertThat(ledger.waiting()).hasSize(1499 - ledger.queueDays().size()).doesNotContain(runs[0].key());
        assertThat(ledger.kept(seen(NOW + 60, runs))).isEqualTo(ledger);
        LedgerEntry[] waiting = Arrays.stream(runs)
                .filter(run -> ledger.waiting().contains(run.key()))
                .toArray(LedgerEntry[]::new);
        Ledger later = ledger.kept(seen(NOW + 40 * DAY, waiting));
        assertThat(later.waiting()).as("once old sums are gone").hasSize(waiting.length);
        assertThat(later.kept(seen(NOW + 40 * DAY + 60, waiting)).waiting()).isEmpty();
    }

    @Test
    void theSumsOfAQueueAreKeptForTheLongestPeriod() {
        Ledger ledger = ledger("a", run("u1", "physics", 100, 70L));

        assertThat(ledger.kept(seen(NOW + 38 * DAY)).queueDays()).isNotEmpty();
        assertThat(ledger.kept(seen(NOW + 39 * DAY)).queueDays()).isEmpty();
    }
}
