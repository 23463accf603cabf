package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.migration.Move;
import io.slotwise.core.money.Currency;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.reservation.ReservationAssignments;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.window.Window;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.port.EventRecorder.Reason;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.WindowOwnership;
import io.slotwise.live.start.WindowText;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The effects of a plan on the records of its gangs.
 *
 * @param now the second of the cycle
 */
public record PlanOutcomes(
        long now,
        PromisedPrices prices,
        ReservationAssignments assignments,
        Currency currency,
        PlanOutcomes.News news) {
    /** The announcements that gangs have already had. */
    interface News {
        /** Returns whether this is new to the gang. */
        boolean isNew(GangRecord record, Announcement announcement);

        /** Returns whether figures alone may be written into a record again, which is at most every few minutes. */
        boolean isDue(GangRecord record);
    }

    void broken(RecordUpdate update, BrokenPromise broken) {
        if (update.after().promise() != null) {
            update.breakPromise(broken.cause(), broken.reason(), now);
        }
    }

    /** Applies the stop of a running gang. Its work and cost so far are written with its new window. */
    void moved(RecordUpdate update, Move move, List<Member> all) {
        List<Member> members = all.stream().filter(member -> !member.isComing()).toList();
        Promise promise = update.after().promise();
        MigrationHistory history = MigrationHistory.of(
                update.after(),
                promise == null ? move.window() : promise.window(),
                update.after().history().ends(),
                new MigrationHistory.Rest(
                        move.work(),
                        move.gang().runtime() - move.work(),
                        Resources.most(move.gang().shapes().stream()
                                .map(shape -> shape.request().resources().amounts())
                                .toList()),
                        move.back()),
                members.stream().map(Member::uid).collect(Collectors.toCollection(TreeSet::new)),
                now);
        update.move(move, history, members, now);
    }

    void planned(RecordUpdate update, Planned planned) {
        update.beginAnew(now);
        GangRecord record = update.after();
        Promise promise = record.promise();
        Window window = planned.window();
        if (promise != null && promise.window().equals(window)) {
            boolean waits = record.phase() != Phase.STARTING && record.phase() != Phase.RUNNING;
            update.become(record.with(waits ? promise.withBorrowed(planned.borrowed()) : promise)
                    .withPhase(record.phase() == Phase.STARTING ? Phase.STARTING : Phase.PROMISED)
                    .planned(true, "Promised", words(window, promise.promiseBound()), now));
            return;
        }
        if (record.phase() == Phase.STARTING) {
            update.become(record);
            return;
        }
        GangId hostId = assignments.holdOf(planned.gang().id());
        PromiseTariff tariff = assignments.tariffOf(planned.gang().id());
        Promise next = planned.promise(false).withOrders(orders(promise, planned));
        update.become(record.promised(next, tariff == null ? prices.of(planned) : tariff)
                .withOwnership(tenure(record, hostId))
                .withPhase(Phase.PROMISED)
                .withHistory(record.history().promised(FirstPromise.of(next)))
                .planned(true, "Promised", words(window, planned.bound()), now));
        if (promise == null) {
            update.markPromised();
            if (!isOneMoreTry(record)) {
                update.tell(Reason.WINDOW_PROMISED, words(window, planned.bound()));
            }
        } else if (window.improves(promise.window(), planned.gang())) {
            update.tell(
                    Reason.WINDOW_IMPROVED, words(window, planned.bound()) + "; before: " + words(promise.window()));
        } else if (planned.bound() != null && !isAtTheSameTime(window, promise.window())) {
            update.tell(
                    Reason.WINDOW_MOVED,
                    words(window, planned.bound()) + "; before: " + words(promise.window())
                            + (planned.gang().after().isNone()
                                    ? "; within the promise: all gangs together gain by it"
                                    : "; within the promise: what it starts after ends later"));
        } else {
            update.tell(
                    Reason.WINDOW_MOVED, words(window) + "; same times, other nodes: another gang can start sooner");
        }
    }

    /** Returns the purchases for a window, with those of the previous window if both share a node. */
    private static List<PurchaseOrder> orders(@Nullable Promise before, Planned planned) {
        if (before == null
                || before.window().placements().stream()
                        .noneMatch(placement -> planned.window().isOn(placement.node()))) {
            return planned.orders();
        }
        return Stream.concat(before.orders().stream(), planned.orders().stream())
                .distinct()
                .toList();
    }

    /**
     * Returns whether the gang is retried after a refusal. The refusal has been announced and the start will be, so its
     * window is not.
     */
    private static boolean isOneMoreTry(GangRecord record) {
        return record.history().attempts() > 1 && record.history().lastRefusal() != null;
    }

    private static WindowOwnership tenure(GangRecord record, @Nullable GangId hostId) {
        if (record.ownership().isHeld()) {
            return record.ownership();
        }
        return hostId == null ? WindowOwnership.own() : new WindowOwnership.Part(hostId.name());
    }

    /**
     * Applies the reason of a gang without a window, or of a gang that waits for its pods to be recreated before its
     * window. The reason is announced when its kind or subject is new, and once more by a replica that takes over,
     * because its predecessor may have died before the announcement. Figures alone, which change with every node and
     * gang, reach the record a little later.
     */
    void pending(RecordUpdate update, Pending pending) {
        update.beginAnew(now);
        Refusal refusal = pending.refusal();
        if (update.after().promise() != null && refusal instanceof Refusal.Failed) {
            // An internal error costs no gang its promise.
            return;
        }
        if (update.after().promise() != null
                && refusal instanceof Refusal.WaitingForMembers
                && update.after().history().awaitsPods(now)) {
            return;
        }
        if (update.after().promise() != null) {
            update.breakPromise(BrokenPromise.Cause.EDITED, refusal, now);
        }
        Refusal givenRefusal = update.before().plannedAspect().refusal();
        Refusal knownRefusal = refusal.asSeen(pending.gang().namespace()::equals);
        Reason reason = Reason.of(refusal.ofKind());
        Announcement announcement = reason == null ? null : new Announcement(reason, refusal.in(currency));
        if (announcement != null && news.isNew(update.after(), announcement)) {
            update.tell(announcement);
        }
        Refusal keptRefusal = givenRefusal != null
                        && (update.before().tells(refusal)
                                || (givenRefusal.isLike(knownRefusal) && !news.isDue(update.after())))
                ? givenRefusal
                : knownRefusal;
        update.become(update.after().withPhase(Phase.PENDING).refused(keptRefusal, now));
    }

    private static boolean isAtTheSameTime(Window window, Window other) {
        return window.start() == other.start()
                && window.end() == other.end()
                && window.cost().equals(other.cost());
    }

    /** Describes a window in one line, with the promised start if that differs. */
    private String words(Window window, @Nullable PromiseBound bound) {
        return bound == null
                ? words(window)
                : "%s; promised by %s".formatted(words(window), Instant.ofEpochSecond(bound.start()));
    }

    private String words(Window window) {
        return WindowText.of(window, currency);
    }
}
